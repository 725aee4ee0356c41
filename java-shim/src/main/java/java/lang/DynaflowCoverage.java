package java.lang;

import java.util.concurrent.atomic.AtomicReferenceArray;
import jdk.internal.vm.annotation.DontInline;

/**
 * What methods woven for coverage call: bits covered by a frame are added to those of its method, and a bit is reported to the agent the
 * first time it is covered. It knows slots (a word of bits of one method), not what a bit stands for. Invariants: it calls no
 * code of the program; a bit is reported once, and counts as reported only when the report came through.
 *
 * <p>A frame keeps its words in local variables. Methods too large for that keep them in an array and call {@link #step} at every
 * point; what is to be done there says a table, which is fetched when the first frame begins.
 *
 * <p>The table (made by {@code weave::coverage::array} of the crate {@code instrument}) has the first slot of the method: the length
 * of the array, the words of the method, the count of rows n, n + 1 positions in the table (row i lies from the i-th up to the next),
 * then the rows' operations of {@value #OPERATION} numbers: {@code to << 32 | from}, keep, and, or:
 * {@code state[to] = state[to] & keep | state[from] & and | or}. Row 0 is made at the beginning of a frame. An array begins with the
 * slot, then the covered bits of each word; the rest the rows alone know.
 */
public final class DynaflowCoverage {
    private static final int SLOTS = 1 << 18;
    private static final int OPERATION = 4;
    private static final int FIRST_ROW = 3;

    /** By slot: the bits reported. Under its lock, but read without: who sees too few asks again under the lock. */
    private static final long[] COVERED = new long[SLOTS];
    /** By slot: its table, once it was needed. */
    private static final AtomicReferenceArray<long[]> TABLES = new AtomicReferenceArray<long[]>(SLOTS);
    /** For slots without table and frames without array. */
    private static final long[] NONE = {};

    private DynaflowCoverage() {}

    /** Called by the agent before it weaves a class, as that of {@link DynaflowRecorder}. */
    private static boolean isFoundBy(ClassLoader loader) {
        try {
            return Class.forName("java.lang.DynaflowCoverage", false, loader) == DynaflowCoverage.class;
        } catch (VirtualMachineError error) {
            // Says nothing of the loader: too little stack or memory left just here.
            return true;
        } catch (Throwable error) {
            return false;
        }
    }

    /** A frame ends, or may end in the call that comes next, with these bits covered. */
    public static void cover(int slot, long bits) {
        if ((COVERED[slot] & bits) != bits) {
            report(slot, bits);
        }
    }

    @DontInline
    private static void report(int slot, long bits) {
        synchronized (COVERED) {
            long fresh = bits & ~COVERED[slot];
            if (fresh != 0) {
                DynaflowNative.covered(slot, fresh);
                COVERED[slot] |= fresh;
            }
        }
    }

    private static long[] table(int slot) {
        long[] table = TABLES.get(slot);
        return table == null ? fetch(slot) : table;
    }

    @DontInline
    private static long[] fetch(int slot) {
        long[] table = DynaflowNative.updates(slot);
        TABLES.set(slot, table == null ? NONE : table);
        return TABLES.get(slot);
    }

    /** A frame of a method that keeps an array begins. */
    @DontInline
    public static long[] begin(int slot) {
        long[] table = table(slot);
        if (table.length == 0) {
            return NONE;
        }
        long[] state;
        try {
            state = new long[(int) table[0]];
        } catch (OutOfMemoryError error) {
            return NONE;
        }
        state[0] = slot;
        step(state, 0);
        return state;
    }

    /** Makes the changes of a row. */
    @DontInline
    public static void step(long[] state, int row) {
        if (state.length == 0) {
            return;
        }
        long[] table = TABLES.get((int) state[0]);
        int end = (int) table[FIRST_ROW + row + 1];
        for (int at = (int) table[FIRST_ROW + row]; at < end; at += OPERATION) {
            int to = (int) (table[at] >> 32);
            int from = (int) table[at];
            state[to] = state[to] & table[at + 1] | state[from] & table[at + 2] | table[at + 3];
        }
    }

    /**
     * A frame of a method that keeps an array ends, or may end in the call that comes next: {@code row} says what had been done,
     * 0 for nothing. The array stays as it was.
     */
    @DontInline
    public static void end(long[] state, int row) {
        if (state.length == 0) {
            return;
        }
        long[] last = state;
        if (row != 0) {
            last = state.clone();
            step(last, row);
        }
        int slot = (int) last[0];
        int words = (int) TABLES.get(slot)[1];
        for (int word = 0; word < words; word++) {
            cover(slot + word, last[1 + word]);
        }
    }
}
