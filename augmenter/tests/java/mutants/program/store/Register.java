package store;

/** Static state that a mutant spoils for the tests of other mutants, and static state that is made once. */
public final class Register {
    private static int open;
    private static int[] squares;

    private Register() {}

    /** How many are open with this one. */
    public static int begin() {
        open = open + 1;
        //: MATH -> KILLED
        return open;
        //: PRIMITIVE_RETURNS -> KILLED
    }

    /** With a mutant every later test finds too many open; the test that runs the mutant does not notice. */
    public static void end() {
        open = open - 1;
        //: MATH -> SURVIVED
    }

    /** The tests that reach it need what the mutants above spoil, and look at nothing that it gives. */
    public static int label(int n) {
        return n + 7;
        //: MATH -> SURVIVED
        //: PRIMITIVE_RETURNS -> SURVIVED
    }

    /** From a table that is made when it is first asked for. */
    public static int square(int n) {
        if (squares == null) {
            //: NEGATE_CONDITIONALS -> KILLED
            squares = make();
        }
        return squares[n];
        //: PRIMITIVE_RETURNS -> KILLED
    }

    /** Runs once in a JVM: a mutant in here is seen by the first test of a fresh one only. */
    static int[] make() {
        int[] made = new int[8];
        for (int i = 0; i < 8; i++) {
            //: CONDITIONALS_BOUNDARY -> KILLED
            //: NEGATE_CONDITIONALS -> KILLED
            made[i] = i * i;
            //: MATH -> KILLED
        }
        return made;
        //: NULL_RETURNS -> KILLED
    }
}
