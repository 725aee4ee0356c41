package io.dynaflow.fitness;

/**
 * What classes with probes call before their branches: how near the run came to each outcome of a branch, by the usual rules of branch distance
 * (Korel; Tracey et al. for texts), and with which operands; and before instructions that mutants change, whether their state differs then (weak mutation). Outcome {@code 2 * number} of a branch is that its jump is taken, the next one that it is not; of a place, that it is reached.
 * Knows nothing of sequences. Invariants: it needs the JDK alone, so that the boot loader can have it; it calls no code of the program;
 * a distance is 0 if and only if the outcome happened. Threads that meet a branch at once may lose each other's distances.
 */
public final class Distances {
    /** How operands are kept. */
    public static final int NONE = 0;
    public static final int NUMBERS = 1;
    public static final int TEXTS = 2;

    private static final int EQUAL = 0;
    private static final int IGNORING_CASE = 1;
    private static final int STARTS = 2;
    private static final int ENDS = 3;
    /** Longest text whose characters are compared. */
    private static final int LONGEST = 128;
    /** What a character that is missing counts. */
    private static final double CHARACTER = 128;

    /** By outcome: the least distance since the last {@link #begin}. */
    public static double[] nearest = new double[0];
    /** By outcome: how the operands of that distance are kept. */
    public static byte[] kinds = new byte[0];
    /** By outcome: the operands that are numbers, as {@code double} has them or, within its exact range, {@code long}. */
    public static double[] left = new double[0];
    public static double[] right = new double[0];
    /** By outcome: the operands that are texts. */
    public static String[] leftText = new String[0];
    public static String[] rightText = new String[0];
    /** The outcomes with a distance, in the order they were met. */
    public static int[] met = new int[0];
    public static int count;

    /** The name and descriptor of the method that a test calls itself; null once it was entered, or when it calls none. */
    private static String expected;
    /** The first outcome of that method, the one behind its last, and by how much the outcomes that count for it alone are larger. */
    private static int directFirst;
    private static int directEnd;
    private static int directBy;

    private static double keptLeft;
    private static double keptRight;
    private static long keptLong;
    private static double keptDouble;
    private static Object keptReceiver;
    private static Object keptArgument;
    private static int keptHow;
    private static boolean isKept;

    private Distances() {}

    /** Makes room for so many branches. */
    public static void size(int branches) {
        int outcomes = 2 * branches;
        if (nearest.length == outcomes) {
            return;
        }
        double[] all = new double[outcomes];
        java.util.Arrays.fill(all, Double.POSITIVE_INFINITY);
        kinds = new byte[outcomes];
        left = new double[outcomes];
        right = new double[outcomes];
        leftText = new String[outcomes];
        rightText = new String[outcomes];
        met = new int[outcomes];
        count = 0;
        Flow.size(branches);
        nearest = all;
    }

    /** Forgets all distances. */
    public static void begin() {
        for (int at = 0; at < count; at++) {
            int outcome = met[at];
            nearest[outcome] = Double.POSITIVE_INFINITY;
            leftText[outcome] = null;
            rightText[outcome] = null;
        }
        count = 0;
        isKept = false;
        keptReceiver = null;
        keptArgument = null;
        calls(null);
        Flow.begin();
    }

    /** The test is about to call a method of this name and descriptor; null when it calls no more. */
    public static void calls(String signature) {
        expected = signature;
        directFirst = 0;
        directEnd = 0;
    }

    /** A public method with so many branches from this one on begins. */
    public static void entered(String signature, int first, int branches) {
        String called = expected;
        if (called != null && called.equals(signature)) {
            expected = null;
            directFirst = 2 * first;
            directEnd = directFirst + 2 * branches;
            directBy = 2 * branches;
        }
    }

    /** Notes a distance; and again for the outcome that counts only while the test calls the method itself. */
    private static void near(int outcome, double distance, int kind, double one, double other, String text, String otherText) {
        note(outcome, distance, kind, one, other, text, otherText);
        if (outcome >= directFirst && outcome < directEnd) {
            note(outcome + directBy, distance, kind, one, other, text, otherText);
        }
        Flow deciding = Flow.deciding;
        if (deciding != null) {
            deciding.approach(outcome, distance);
        }
    }

    private static void near(int outcome, double distance) {
        near(outcome, distance, NONE, 0, 0, null, null);
    }

    /** Remembers a distance if it is the least so far. */
    private static void note(int outcome, double distance, int kind, double one, double other, String text, String otherText) {
        double[] all = nearest;
        if (outcome >= all.length || distance >= all[outcome]) {
            return;
        }
        if (all[outcome] == Double.POSITIVE_INFINITY) {
            if (count >= met.length) {
                return;
            }
            met[count++] = outcome;
        }
        all[outcome] = distance;
        kinds[outcome] = (byte) kind;
        left[outcome] = one;
        right[outcome] = other;
        leftText[outcome] = text;
        rightText[outcome] = otherText;
    }

    /** Whether a relation holds; 6 always does, 7 never. */
    private static boolean holds(double one, double other, int relation) {
        switch (relation) {
            case 0: return one == other;
            case 1: return !(one == other);
            case 2: return one < other;
            case 3: return !(one < other);
            case 4: return one > other;
            case 5: return !(one > other);
            default: return relation == 6;
        }
    }

    private static void numbers(double one, double other, int number, int relation) {
        double gap = Math.abs(one - other);
        if (gap != gap) {
            // Not a number, or the same infinity: no distance leads there.
            gap = one == other ? 0 : Double.MAX_VALUE;
        }
        boolean holds = holds(one, other, relation);
        // Of two numbers that are alike any other is one away; what holds for less numbers than its opposite, or misses the border, is one further.
        double away;
        switch (relation) {
            case 0: away = holds ? 1 : gap; break;
            case 1: away = holds ? gap : 1; break;
            case 2: case 4: away = holds ? gap : gap + 1; break;
            default: away = holds ? gap + 1 : gap; break;
        }
        int happened = holds ? 2 * number : 2 * number + 1;
        near(happened, 0);
        // What is one away of what happened may be 0 by rounding.
        near(happened ^ 1, Math.max(away, Double.MIN_NORMAL), NUMBERS, one, other, null, null);
    }

    /** A place is reached: a method without branches, or a line. */
    public static void reached(int number) {
        near(2 * number, 0);
    }

    /** Whether a place was reached. */
    static boolean isReached(int number) {
        return 2 * number >= nearest.length || nearest[2 * number] == 0;
    }

    /** A def-use pair is as near as this. */
    static void pair(int number, double away) {
        note(2 * number, away, NONE, 0, 0, null, null);
    }

    /** A jump compares two of {@code int}; a switch its value with a key. */
    public static void ints(int one, int other, int number, int relation) {
        numbers(one, other, number, relation);
    }

    /** A jump compares two references. */
    public static void references(Object one, Object other, int number, int relation) {
        boolean holds = (one == other) == (relation == 0);
        near(holds ? 2 * number : 2 * number + 1, 0);
        near(holds ? 2 * number + 1 : 2 * number, 1);
    }

    /** In place of {@code lcmp}. */
    public static int longs(long one, long other) {
        keep(one, other);
        return one < other ? -1 : one == other ? 0 : 1;
    }

    /** In place of {@code fcmpl}. */
    public static int lowFloats(float one, float other) {
        return lowDoubles(one, other);
    }

    /** In place of {@code fcmpg}. */
    public static int highFloats(float one, float other) {
        return highDoubles(one, other);
    }

    /** In place of {@code dcmpl}. */
    public static int lowDoubles(double one, double other) {
        keep(one, other);
        return one > other ? 1 : one == other ? 0 : -1;
    }

    /** In place of {@code dcmpg}. */
    public static int highDoubles(double one, double other) {
        keep(one, other);
        return one < other ? -1 : one == other ? 0 : 1;
    }

    private static void keep(double one, double other) {
        keptLeft = one;
        keptRight = other;
    }

    /** A jump asks for the result of the comparison before it. */
    public static void wide(int result, int number, int relation) {
        double one = keptLeft;
        double other = keptRight;
        boolean isAlike = isAlike(result, one, other);
        numbers(isAlike ? one : result, isAlike ? other : 0, number, relation);
    }

    /** Whether the operands that were kept are those of a comparison: not numbers that {@code double} does not tell apart, no number, or another thread's. */
    private static boolean isAlike(int result, double one, double other) {
        return result == (one < other ? -1 : one == other ? 0 : 1);
    }

    /** A call that answers yes or no is about to be made. */
    public static void remember(Object receiver, Object argument, int how) {
        keptReceiver = receiver;
        keptArgument = argument;
        keptHow = how;
        isKept = true;
    }

    /** A jump asks for the answer of the call before it. */
    public static void answer(int yes, int number, int relation) {
        boolean holds = (yes == 0) == (relation == 0);
        near(holds ? 2 * number : 2 * number + 1, 0);
        int missed = holds ? 2 * number + 1 : 2 * number;
        Object receiver = keptReceiver;
        Object argument = keptArgument;
        boolean isOfCall = isKept;
        isKept = false;
        keptReceiver = null;
        keptArgument = null;
        if (yes == 0 && isOfCall) {
            operands(receiver, argument, missed);
        } else {
            near(missed, 1);
        }
    }

    private static void operands(Object receiver, Object argument, int missed) {
        if (receiver instanceof String && argument instanceof String) {
            texts((String) receiver, (String) argument, keptHow, missed);
        } else if (isNumber(receiver) && isNumber(argument) && receiver.getClass() == argument.getClass()) {
            double one = ((Number) receiver).doubleValue();
            double other = ((Number) argument).doubleValue();
            double gap = Math.abs(one - other);
            near(missed, gap > 0 ? gap : 1, NUMBERS, one, other, null, null);
        } else {
            near(missed, Double.MAX_VALUE);
        }
    }

    /** Numbers of the JDK, whose values no program's code computes. */
    private static boolean isNumber(Object object) {
        return object instanceof Integer || object instanceof Long || object instanceof Short || object instanceof Byte
            || object instanceof Double || object instanceof Float;
    }

    /** A switch over texts is about to be made; a jump with this number decides a case. */
    public static void text(String value, String constant, int number, int relation) {
        if (value != null && !value.equals(constant)) {
            // The jump goes where the texts differ when it asks for equality with zero.
            texts(value, constant, EQUAL, relation == 0 ? 2 * number + 1 : 2 * number);
        }
    }

    private static void texts(String receiver, String argument, int how, int missed) {
        double distance = away(receiver, argument, how);
        near(missed, Math.max(distance, 1), TEXTS, 0, 0, receiver, argument);
    }

    private static double away(String receiver, String argument, int how) {
        int length = argument.length();
        switch (how) {
            case EQUAL:
                return differing(receiver, 0, receiver.length(), argument);
            case IGNORING_CASE:
                return differing(receiver.toLowerCase(java.util.Locale.ROOT), 0, receiver.length(),
                    argument.toLowerCase(java.util.Locale.ROOT));
            case STARTS:
                return differing(receiver, 0, Math.min(length, receiver.length()), argument);
            case ENDS:
                return differing(receiver, Math.max(0, receiver.length() - length), receiver.length(), argument);
            default:
                double least = differing(receiver, 0, Math.min(length, receiver.length()), argument);
                for (int from = 1; from + length <= Math.min(receiver.length(), LONGEST); from++) {
                    least = Math.min(least, differing(receiver, from, from + length, argument));
                }
                return least;
        }
    }

    /** How far a part of a text is from another: by character, and by each that one has more. */
    private static double differing(String text, int from, int end, String other) {
        int length = Math.min(end, text.length()) - from;
        int common = Math.min(Math.min(length, other.length()), LONGEST);
        double sum = CHARACTER * Math.abs(length - other.length());
        for (int at = 0; at < common; at++) {
            sum += Math.min(Math.abs(text.charAt(from + at) - other.charAt(at)), CHARACTER);
        }
        return sum;
    }

    // What mutants would make differ. The numbers of the mutants of one instruction follow each other in the order of what takes its place.

    /** A mutant differs, or not. */
    private static void differs(int number, boolean differs) {
        near(2 * number, differs ? 0 : 1);
    }

    /** The second operand of an operation, where the two take four slots. */
    public static void second(int operand) {
        keptLong = operand;
    }

    /** The same of another type. */
    public static void second(long operand) {
        keptLong = operand;
    }

    /** The same of another type. */
    public static void second(double operand) {
        keptDouble = operand;
    }

    /** The first and last operator that may take each other's place. */
    private static int firstLike(int operator) {
        return operator < 5 ? 0 : operator < 8 ? 5 : 8;
    }

    private static int lastLike(int operator) {
        return operator < 5 ? 4 : operator < 8 ? 7 : 10;
    }

    /** Whether an operator ends with an exception. */
    private static boolean isRefused(int operator, long other) {
        return (operator == 3 || operator == 4) && other == 0;
    }

    /** An operator of two of {@code int}. */
    public static void operated(int one, int other, int number, int operator) {
        whole(one, other, number, operator, true);
    }

    /** An operator of two of {@code long}; the second was handed over before. */
    public static void operated(long one, int number, int operator) {
        whole(one, keptLong, number, operator, false);
    }

    /** A {@code long} is shifted by an {@code int}, which was handed over before. */
    public static void shifted(long one, int number, int operator) {
        whole(one, keptLong, number, operator, false);
    }

    private static void whole(long one, long other, int number, int operator, boolean isInt) {
        boolean isRefused = isRefused(operator, other);
        for (int like = firstLike(operator); like <= lastLike(operator); like++) {
            if (like != operator) {
                differs(number++, isRefused != isRefused(like, other)
                    || !isRefused && value(one, other, operator, isInt) != value(one, other, like, isInt));
            }
        }
    }

    private static long value(long one, long other, int operator, boolean isInt) {
        switch (operator) {
            case 5: return isInt ? (int) one << (int) other : one << other;
            case 6: return isInt ? (int) one >> (int) other : one >> other;
            case 7: return isInt ? (int) one >>> (int) other : one >>> other;
            default:
                // The lower half is that of the result for {@code int}.
                long all = value(one, other, operator);
                return isInt ? (int) all : all;
        }
    }

    private static long value(long one, long other, int operator) {
        switch (operator) {
            case 0: return one + other;
            case 1: return one - other;
            case 2: return one * other;
            case 3: return one / other;
            case 4: return one % other;
            case 8: return one & other;
            case 9: return one | other;
            default: return one ^ other;
        }
    }

    /** An operator of two of {@code float}: they differ where their sums, products, ... as {@code float} do. */
    public static void operated(float one, float other, int number, int operator) {
        for (int like = 0; like <= 4; like++) {
            if (like != operator) {
                float own = (float) value((double) one, (double) other, operator);
                differs(number++, Float.compare(own, (float) value((double) one, (double) other, like)) != 0);
            }
        }
    }

    /** An operator of two of {@code double}; the second was handed over before. */
    public static void operated(double one, int number, int operator) {
        double other = keptDouble;
        for (int like = 0; like <= 4; like++) {
            if (like != operator) {
                differs(number++, Double.compare(value(one, other, operator), value(one, other, like)) != 0);
            }
        }
    }

    private static double value(double one, double other, int operator) {
        switch (operator) {
            case 0: return one + other;
            case 1: return one - other;
            case 2: return one * other;
            case 3: return one / other;
            default: return one % other;
        }
    }

    /** A jump compares two of {@code int}: how far the operands are from those for which another relation decides otherwise. */
    public static void compared(int one, int other, int number, int relation) {
        relations(one, other, number, relation);
    }

    /** The same of the comparison before it. */
    public static void comparedWide(int result, int number, int relation) {
        double one = keptLeft;
        double other = keptRight;
        boolean isAlike = isAlike(result, one, other);
        relations(isAlike ? one : result, isAlike ? other : 0, number, relation);
    }

    private static void relations(double one, double other, int number, int relation) {
        for (int like = 0; like <= 7; like++) {
            if (like == relation) {
                continue;
            }
            double away = Double.MAX_VALUE;
            if (holds(one, other, relation) != holds(one, other, like)) {
                away = 0;
            } else {
                // Less, equal, greater: the nearest order of operands for which they differ.
                for (int order = -1; order <= 1; order++) {
                    if (holds(order, 0, relation) != holds(order, 0, like)) {
                        away = Math.min(away, toOrder(one, other, order));
                    }
                }
            }
            near(2 * number++, away, NUMBERS, one, other, null, null);
        }
    }

    /** How far two numbers are from an order that they do not have. */
    private static double toOrder(double one, double other, int order) {
        double gap = Math.abs(one - other);
        if (gap != gap) {
            return Double.MAX_VALUE;
        }
        return Math.max(order == 0 ? gap : gap + 1, Double.MIN_NORMAL);
    }

    /** A variable is read: another sign, one more, one less. */
    public static void inserted(int value, int number) {
        differs(number, value != -value);
        differs(number + 1, true);
        differs(number + 2, true);
    }

    /** The same of another type. */
    public static void inserted(long value, int number) {
        differs(number, value != -value);
        differs(number + 1, true);
        differs(number + 2, true);
    }

    /** The same of another type. */
    public static void inserted(float value, int number) {
        differs(number, value < 0 || value > 0);
        differs(number + 1, value + 1 < value || value + 1 > value);
        differs(number + 2, value - 1 < value || value - 1 > value);
    }

    /** The same of another type. */
    public static void inserted(double value, int number) {
        differs(number, value < 0 || value > 0);
        differs(number + 1, value + 1 < value || value + 1 > value);
        differs(number + 2, value - 1 < value || value - 1 > value);
    }

    /** A variable is read in place of another. */
    public static void varied(int own, int other, int number) {
        differs(number, own != other);
    }

    /** The same of another type. */
    public static void varied(long own, long other, int number) {
        differs(number, own != other);
    }

    /** The same of another type. */
    public static void varied(float own, float other, int number) {
        differs(number, Float.compare(own, other) != 0);
    }

    /** The same of another type. */
    public static void varied(double own, double other, int number) {
        differs(number, Double.compare(own, other) != 0);
    }

    /** The same of another type. */
    public static void varied(Object own, Object other, int number) {
        differs(number, own != other);
    }
}
