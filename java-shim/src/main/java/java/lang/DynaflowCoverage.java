package java.lang;

import java.util.concurrent.atomic.AtomicReferenceArray;
import jdk.internal.vm.annotation.DontInline;

/**
 * What methods woven for coverage call: bits covered by a frame are added to those of its method, and the first time one is
 * covered the agent is told. It knows slots (a word of bits of one method), not what a bit stands for. Invariants: it calls no
 * code of the program; a bit is told once, and known as told only when it was.
 *
 * <p>A frame keeps its words in local variables. Only when an exception comes it must ask what had been done: the weaver gives
 * each such state a number, which the frame holds while an instruction may throw, and a table for each slot, which is fetched when
 * first needed. Methods too large for that keep their words in an array and call {@link #step} at every point.
 *
 * <p>Tables (made by {@code weave::coverage} of the crate {@code instrument}), for a slot: rows of {@value #ROW} numbers in
 * ascending order of the first, which are number, uses, runs, kills, gens: {@code covered |= (live & uses) | runs}, then
 * {@code live = live & ~kills | gens}. A number without a row changes nothing.
 *
 * <p>For the first slot of a method that keeps an array: the length of the array, the words of the method, the count of rows n,
 * n + 1 positions in the table (row i lies from the i-th up to the next), then the rows' operations of {@value #OPERATION}
 * numbers: {@code to << 32 | from}, keep, and, or: {@code state[to] = state[to] & keep | state[from] & and | or}. Row 0 is
 * made at the beginning of a frame. An array begins with the slot, then the covered bits of each word; the rest the rows alone know.
 */
public final class DynaflowCoverage {
    private static final int SLOTS = 1 << 18;
    private static final int ROW = 5;
    private static final int OPERATION = 4;
    private static final int FIRST_ROW = 3;

    /** By slot: the bits told. Under its lock, but read without: who sees too few asks again under the lock. */
    private static final long[] COVERED = new long[SLOTS];
    /** By slot: its table, once it was needed. */
    private static final AtomicReferenceArray<long[]> TABLES = new AtomicReferenceArray<long[]>(SLOTS);
    /** For slots without table, and for frames without state. */
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
            tell(slot, bits);
        }
    }

    @DontInline
    private static void tell(int slot, long bits) {
        synchronized (COVERED) {
            long fresh = bits & ~COVERED[slot];
            if (fresh != 0) {
                DynaflowNative.covered(slot, fresh);
                COVERED[slot] |= fresh;
            }
        }
    }

    /** An exception leaves a frame: {@code at} says what had been done. */
    @DontInline
    public static void thrown(long covered, long live, int slot, int at) {
        cover(slot, covered(covered, live, slot, at));
    }

    /** The covered bits of a frame when an exception comes to a handler. */
    @DontInline
    public static long covered(long covered, long live, int slot, int at) {
        long[] table = table(slot);
        int row = row(table, at);
        return row < 0 ? covered : covered | live & table[row + 1] | table[row + 2];
    }

    /** The live bits of a frame when an exception comes to a handler. */
    @DontInline
    public static long live(long live, int slot, int at) {
        long[] table = table(slot);
        int row = row(table, at);
        return row < 0 ? live : live & ~table[row + 3] | table[row + 4];
    }

    /** Where the row of a number begins; negative when it has none. */
    private static int row(long[] table, int at) {
        int low = 0;
        int high = table.length / ROW;
        while (low < high) {
            int middle = low + high >>> 1;
            if (table[middle * ROW] < at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int row = low * ROW;
        return row < table.length && table[row] == at ? row : -1;
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
