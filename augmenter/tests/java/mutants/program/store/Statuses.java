package store;

import java.util.ArrayList;
import java.util.List;

/** A method for each thing that can become of a mutant. Below a line stand its mutants and what becomes of them. */
public class Statuses {
    /** An assertion fails. */
    public int twice(int n) {
        return n * 2;
        //: MATH -> KILLED
        //: PRIMITIVE_RETURNS -> KILLED
    }

    /** Tests call it and do not look at what it gives. */
    public int unchecked(int n) {
        return n + 5;
        //: MATH -> SURVIVED
        //: PRIMITIVE_RETURNS -> SURVIVED
    }

    /** No test calls it. */
    public int unreached(int n) {
        return n - 5;
        //: MATH -> NO_COVERAGE
        //: PRIMITIVE_RETURNS -> NO_COVERAGE
    }

    /** The only test that calls it fails already. */
    public int onlyByTheFailing(int n) {
        return n - 5;
        //: MATH -> NO_COVERAGE
        //: PRIMITIVE_RETURNS -> NO_COVERAGE
    }

    /** With a mutant its loop never ends. */
    public long count(long to) {
        long n = 0;
        while (n != to) {
            //: NEGATE_CONDITIONALS -> KILLED
            n = n + 1;
            //: MATH -> TIMED_OUT
        }
        return n;
        //: PRIMITIVE_RETURNS -> KILLED
    }

    /** With a mutant it keeps more than there is memory for. */
    public int fill(int times) {
        List<byte[]> kept = new ArrayList<byte[]>();
        int n = times;
        while (n > 0) {
            //: CONDITIONALS_BOUNDARY -> SURVIVED
            //: NEGATE_CONDITIONALS -> SURVIVED
            kept.add(new byte[1 << 24]);
            kept.clear();
            //: VOID_METHOD_CALLS -> MEMORY_ERROR
            n -= 4;
        }
        return times;
        //: PRIMITIVE_RETURNS -> KILLED
    }

    /** With a mutant it ends the JVM. */
    public void exit(boolean broken) {
        if (broken) {
            //: NEGATE_CONDITIONALS -> RUN_ERROR
            System.exit(3);
            //: VOID_METHOD_CALLS -> NO_COVERAGE
        }
    }

    /** With a mutant it ends the JVM at once. */
    public void halt(boolean broken) {
        if (broken) {
            //: NEGATE_CONDITIONALS -> RUN_ERROR
            Runtime.getRuntime().halt(0);
            //: VOID_METHOD_CALLS -> NO_COVERAGE
        }
    }
}
