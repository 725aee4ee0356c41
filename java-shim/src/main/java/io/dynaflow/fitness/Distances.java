package io.dynaflow.fitness;

/**
 * What classes with probes call before their branches: how near the run came to each outcome of a branch, by the usual rules of branch distance
 * (Korel; Tracey et al. for texts), and with which operands. Outcome {@code 2 * number} of a branch is that its jump is taken, the next one that it is not; of a place, that it is reached.
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

    private static double keptLeft;
    private static double keptRight;
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
    }

    /** Whether this is the nearest so far; remembers it. */
    private static boolean near(int outcome, double distance, int kind) {
        double[] all = nearest;
        if (outcome >= all.length || distance >= all[outcome]) {
            return false;
        }
        if (all[outcome] == Double.POSITIVE_INFINITY) {
            if (count >= met.length) {
                return false;
            }
            met[count++] = outcome;
        }
        all[outcome] = distance;
        kinds[outcome] = (byte) kind;
        return true;
    }

    private static void numbers(double one, double other, int number, int relation) {
        double gap = Math.abs(one - other);
        if (gap != gap) {
            // Not a number, or the same infinity: no distance leads there.
            gap = one == other ? 0 : Double.MAX_VALUE;
        }
        boolean holds;
        double away;
        switch (relation) {
            case 0: holds = one == other; away = holds ? 1 : gap; break;
            case 1: holds = !(one == other); away = holds ? gap : 1; break;
            case 2: holds = one < other; away = holds ? gap : gap + 1; break;
            case 3: holds = !(one < other); away = holds ? gap + 1 : gap; break;
            case 4: holds = one > other; away = holds ? gap : gap + 1; break;
            default: holds = !(one > other); away = holds ? gap + 1 : gap; break;
        }
        kept(holds, away, one, other, number);
    }

    private static void kept(boolean holds, double away, double one, double other, int number) {
        int happened = holds ? 2 * number : 2 * number + 1;
        near(happened, 0, NONE);
        int missed = happened ^ 1;
        // What is one away of what happened may be 0 by rounding.
        if (near(missed, Math.max(away, Double.MIN_NORMAL), NUMBERS)) {
            left[missed] = one;
            right[missed] = other;
        }
    }

    /** A place is reached: a method without branches, or a line. */
    public static void reached(int number) {
        near(2 * number, 0, NONE);
    }

    /** A jump compares two of {@code int}; a switch its value with a key. */
    public static void ints(int one, int other, int number, int relation) {
        numbers(one, other, number, relation);
    }

    /** A jump compares two references. */
    public static void references(Object one, Object other, int number, int relation) {
        boolean holds = (one == other) == (relation == 0);
        near(holds ? 2 * number : 2 * number + 1, 0, NONE);
        near(holds ? 2 * number + 1 : 2 * number, 1, NONE);
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
        boolean isAlike = result == (one < other ? -1 : one == other ? 0 : 1);
        if (isAlike) {
            numbers(one, other, number, relation);
        } else {
            // Numbers that `double` does not tell apart, no number, or another thread's.
            numbers(result, 0, number, relation);
        }
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
        near(holds ? 2 * number : 2 * number + 1, 0, NONE);
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
            near(missed, 1, NONE);
        }
    }

    private static void operands(Object receiver, Object argument, int missed) {
        if (receiver instanceof String && argument instanceof String) {
            texts((String) receiver, (String) argument, keptHow, missed);
        } else if (isNumber(receiver) && isNumber(argument) && receiver.getClass() == argument.getClass()) {
            double one = ((Number) receiver).doubleValue();
            double other = ((Number) argument).doubleValue();
            double gap = Math.abs(one - other);
            if (near(missed, gap > 0 ? gap : 1, NUMBERS)) {
                left[missed] = one;
                right[missed] = other;
            }
        } else {
            near(missed, Double.MAX_VALUE, NONE);
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
        if (near(missed, Math.max(distance, 1), TEXTS)) {
            leftText[missed] = receiver;
            rightText[missed] = argument;
        }
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
}
