/** Methods that get a plain or a quiet copy of their code, and those that are left as they are, say so in a comment behind their head. */
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

    int callsWhatMayBeOverridden() { // quiet
        return mayBeOverridden();
    }

    static int callsWhatReads() { // quiet
        return nothingAtAll(3) + ofItsOwnClass();
    }

    static int callsWhatCallsWhatReads() { // quiet
        return callsWhatReads();
    }

    static int beginsWithALoop(int a) { // silent
        do {
            a -= 3;
        } while (a > 0);
        return a;
    }

    void writes() { // quiet
        from = 1;
    }

    void writesAnElement() { // quiet
        elements[0] = 1;
    }

    Object allocates() { // quiet
        return new Object();
    }

    int calls() { // quiet
        return plainGetter();
    }

    String callsWhatMayCallTheProgram(Object any) { // quiet
        return String.valueOf(any);
    }

    int ofAnotherClass() { // quiet
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

    static void refuses(int a) { // quiet
        throw new IllegalArgumentException("a: " + a);
    }

    int withASwitch(int a) { // copied
        switch (a) {
            case 1:
                return from;
            case 2:
                return 7;
            default:
                return 9;
        }
    }

    int withAHandler(int[] all) { // quiet
        try {
            return all[0];
        } catch (RuntimeException e) {
            return from;
        }
    }

    synchronized int locks() { // copied
        return from;
    }

    int locksWithin() { // quiet
        synchronized (this) {
            return from;
        }
    }

    Class<?> loadsAClass() { // quiet
        return Other.class;
    }

    /** A copy would need a second stack map frame where it ends. */
    int beginsWithALoopThatReads() {
        do {
            from--;
        } while (from > 0);
        return from;
    }

    int doesAllOfThat(int[] all, int at) { // quiet
        int old = from;
        try {
            switch (all[at]) {
                case 1:
                    from = at;
                    break;
                default:
                    all[at] = old;
            }
        } catch (RuntimeException e) {
            String text = e.getMessage();
            from += text.length();
        }
        return calls();
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
