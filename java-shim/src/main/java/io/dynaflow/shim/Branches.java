package io.dynaflow.shim;

import io.dynaflow.fitness.Distances;
import java.util.ArrayList;
import java.util.List;

/**
 * The way to the distances of branches, which are there only when the classes under test have probes for them. Knows nothing of what distances mean.
 * Invariant: without the probes every call does nothing.
 */
final class Branches {
    /** Whether the classes under test have probes at their branches. */
    static final boolean PRESENT = isPresent();
    /** Longer texts are not reported as operands. */
    private static final int LONGEST = 256;

    private Branches() {}

    private static boolean isPresent() {
        try {
            Class.forName("io.dynaflow.fitness.Distances", true, null);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Makes room for so many branches. */
    static void size(int branches) {
        if (PRESENT) {
            Distances.size(branches);
        }
    }

    /** Forgets what was met before. */
    static void begin() {
        if (PRESENT) {
            Distances.begin();
        }
    }

    /** The test is about to call a method of this name and descriptor itself; null when it calls no more. */
    static void calls(String signature) {
        if (PRESENT) {
            Distances.calls(signature);
        }
    }

    /** The outcomes that happened, in the order they were met. */
    static List<String> reached() {
        List<String> reached = new ArrayList<String>();
        int count = PRESENT ? Distances.count : 0;
        for (int at = 0; at < count; at++) {
            int outcome = Distances.met[at];
            if (Distances.nearest[outcome] == 0) {
                reached.add(Integer.toString(outcome));
            }
        }
        return reached;
    }

    /** Writes how many outcomes of branches have a distance, and each with it. */
    static void met(Output out) {
        int count = PRESENT ? Distances.count : 0;
        out.i32(count);
        for (int at = 0; at < count; at++) {
            int outcome = Distances.met[at];
            out.i32(outcome);
            out.i64(Double.doubleToRawLongBits(Distances.nearest[outcome]));
            operands(outcome, out);
        }
    }

    private static void operands(int outcome, Output out) {
        int kind = Distances.nearest[outcome] == 0 ? Distances.NONE : Distances.kinds[outcome];
        String left = Distances.leftText[outcome];
        String right = Distances.rightText[outcome];
        if (kind == Distances.TEXTS && !(left != null && right != null && isShort(left) && isShort(right))) {
            kind = Distances.NONE;
        }
        out.u8(kind);
        if (kind == Distances.NUMBERS) {
            out.i64(Double.doubleToRawLongBits(Distances.left[outcome]));
            out.i64(Double.doubleToRawLongBits(Distances.right[outcome]));
        } else if (kind == Distances.TEXTS) {
            out.text(left);
            out.text(right);
        }
    }

    private static boolean isShort(String text) {
        return text.length() <= LONGEST && Output.fits(text);
    }
}
