/** Methods that get a plain copy of their code, and those that are left as they are, say so in a comment behind their head. */
class Leaves {
    private final int[] elements = new int[8];
    private int from;
    private static int shared;

    int plainGetter() { // copied
        return from;
    }

    static int ofAnArray(int[] all, int at) { // copied
        return all[at] & 0xff | (all[at + 1] & 0xff) << 8;
    }

    int withBranches(String text, int at) { // copied
        if (at < 0 || at >= text.length()) {
            return -1;
        }
        int sum = from;
        for (int i = 0; i < at; i++) {
            sum += elements[i];
        }
        return Math.max(sum, text.charAt(at));
    }

    static int ofItsOwnClass() { // copied
        return shared;
    }

    static int nothingAtAll(int a) { // silent
        return Integer.rotateLeft(a * 31, 7);
    }

    private static int callsItself(int a) { // silent
        return a > 0 ? callsTheOther(a - 1) : nothingAtAll(a);
    }

    private static int callsTheOther(int a) { // silent
        return callsItself(a - 1);
    }

    private int isPrivate(Object any) { // silent
        return any == this ? 1 : 2;
    }

    boolean callsAPrivateOne(Object any) { // silent
        return isPrivate(any) > 1;
    }

    int mayBeOverridden() { // silent
        return 1;
    }

    int callsWhatMayBeOverridden() {
        return mayBeOverridden();
    }

    static int callsWhatReads() {
        return nothingAtAll(3) + ofItsOwnClass();
    }

    static int callsWhatCallsWhatReads() {
        return callsWhatReads();
    }

    static int beginsWithALoop(int a) { // silent
        do {
            a -= 3;
        } while (a > 0);
        return a;
    }

    void writes() {
        from = 1;
    }

    void writesAnElement() {
        elements[0] = 1;
    }

    Object allocates() {
        return new Object();
    }

    int calls() {
        return plainGetter();
    }

    String callsWhatMayCallTheProgram(Object any) {
        return String.valueOf(any);
    }

    int ofAnotherClass() {
        return Other.shared;
    }

    static int nothingButASwitch(int a) { // silent
        switch (a) {
            case 1:
                return 3;
            case 1000:
                return 7;
            default:
                return 9;
        }
    }

    static void refuses(int a) {
        throw new IllegalArgumentException("a: " + a);
    }

    int withASwitch(int a) {
        switch (a) {
            case 1:
                return from;
            case 2:
                return 7;
            default:
                return 9;
        }
    }

    int withAHandler(int[] all) {
        try {
            return all[0];
        } catch (RuntimeException e) {
            return from;
        }
    }

    synchronized int locks() { // copied
        return from;
    }

    int locksWithin() {
        synchronized (this) {
            return from;
        }
    }

    Class<?> loadsAClass() {
        return Other.class;
    }

    static class Other {
        static int shared;

        Other() {}
    }

    static class IsTested {
        int value;

        @org.junit.Test
        public void test() {}

        void none() { // silent
        }

        int getter() {
            return value;
        }
    }
}
