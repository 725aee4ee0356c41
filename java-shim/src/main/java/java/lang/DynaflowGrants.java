package java.lang;

/**
 * Invocations of methods that only read which are left out without deciding on each: while the thread's active invocations stay the same, the next ones
 * at a site are of the same kind, and nothing happens in them that would have to be asked about. Its thread only. It knows nothing of verdicts.
 * Invariant: as many are counted as were left out; what was granted and not used goes back when the active invocations or the test change.
 */
final class DynaflowGrants {
    /** How many are granted at a time, at most. */
    static final int MOST = 63;
    /** Sites that loops alternate between are near each other, so that few share a slot. */
    private static final int SLOTS = 8;

    /** In place of the arrays of the many threads that are never granted anything: nothing but zeros. */
    private static final int[] NONE = new int[SLOTS];

    private int[] sites = NONE;
    /** What stands for the kind in {@link DynaflowMuting}. */
    private int[] places = NONE;
    private int[] granted = NONE;
    private int[] left = NONE;
    private boolean some;

    /** Whether the invocation that begins at a site is one of them, which uses it up. */
    boolean take(int site) {
        int slot = site & SLOTS - 1;
        int still = left[slot];
        if (still == 0 || sites[slot] != site) {
            return false;
        }
        left[slot] = still - 1;
        return true;
    }

    /** The next invocations at a site are left out. What was granted in its slot was given back. */
    void grant(int site, int place, int count) {
        if (left == NONE) {
            sites = new int[SLOTS];
            places = new int[SLOTS];
            granted = new int[SLOTS];
            left = new int[SLOTS];
        }
        int slot = site & SLOTS - 1;
        sites[slot] = site;
        places[slot] = place;
        granted[slot] = count;
        left[slot] = count;
        some = true;
    }

    /** What was granted no longer holds. */
    void end() {
        if (some) {
            some = false;
            for (int slot = 0; slot < SLOTS; slot++) {
                end(slot);
            }
        }
    }

    /** What was granted in the slot of a site no longer holds. */
    void end(int site) {
        int slot = site & SLOTS - 1;
        int used = granted[slot] - left[slot];
        int unused = left[slot];
        granted[slot] = 0;
        left[slot] = 0;
        if (used + unused > 0) {
            DynaflowMuting.settle(places[slot], sites[slot], used, unused);
        }
    }
}
