package java.lang;

import java.util.Arrays;

/**
 * Accesses of one thread that are left out without deciding on each: while its active invocations stay the same, the next ones at a site that are on
 * the same objects are of the same kind. What is granted to all threads stands in one table, so that an access finds out with few steps. It knows
 * nothing of verdicts. Invariant: as many are counted as were left out; a thread's passes end before its invocations change, and none is used in an
 * invocation that is left out.
 */
final class DynaflowPasses {
    /** How many are granted at a time, at most. */
    static final int MOST = 1023;
    private static final int SLOTS = 64;
    /** By the last bits of sites. Written without a lock: what is overwritten is granted no more. */
    private static final Pass[] TABLE = new Pass[SLOTS];

    static {
        Arrays.fill(TABLE, new Pass(null, 0, 0, 0));
    }

    /** What was granted to the thread since it last ended; null before the first. */
    private Pass[] granted;
    private int count;

    /** What is granted to the thread of a chunk at a site. But for what its thread alone changes, it stays as it is. */
    private static final class Pass {
        private final DynaflowChunk chunk;
        /** 0 when nothing is left. */
        private int site;
        private int left;
        /** The objects, null for none. */
        private DynaflowEntry a;
        private DynaflowEntry b;
        private DynaflowEntry c;
        private DynaflowEntry d;
        /** The site and what stands for the kind in {@link DynaflowAccesses}, and how many were granted. */
        private final int of;
        private final int place;
        private final int count;
        /** Where it stands in {@link DynaflowPasses#granted}. */
        private int at;

        Pass(DynaflowChunk chunk, int site, int place, int count) {
            this.chunk = chunk;
            this.of = site;
            this.place = place;
            this.count = count;
            this.left = count;
        }

        private static boolean is(DynaflowEntry entry, Object object) {
            return entry == null ? object == null : object != null && entry.get() == object;
        }
    }

    /** Whether the access of the current thread, which has the chunk, at a site to these objects is one of them, which uses it up. */
    static boolean take(DynaflowChunk chunk, Object a, Object b, Object c, Object d, int site) {
        Pass pass = TABLE[site & SLOTS - 1];
        if (pass.site != site || pass.chunk != chunk) {
            return false;
        }
        if (!Pass.is(pass.a, a) || !Pass.is(pass.b, b) || !Pass.is(pass.c, c) || !Pass.is(pass.d, d)) {
            return false;
        }
        if (--pass.left == 0) {
            pass.site = 0;
        }
        return true;
    }

    /** The thread's next accesses at a site to these objects, each seen before, are left out. */
    void grant(DynaflowChunk chunk, DynaflowEntry a, DynaflowEntry b, DynaflowEntry c, DynaflowEntry d, int site, int place, int count) {
        Pass pass = new Pass(chunk, site, place, count);
        pass.a = a;
        pass.b = b;
        pass.c = c;
        pass.d = d;
        if (granted == null) {
            granted = new Pass[SLOTS];
        } else if (this.count == SLOTS) {
            end();
        }
        pass.at = this.count;
        granted[this.count++] = pass;
        pass.site = site;
        TABLE[site & SLOTS - 1] = pass;
    }

    /** What was granted no longer holds. */
    void end() {
        while (count > 0) {
            end(granted[count - 1]);
        }
    }

    /** What was granted at a site, or at one with which it shares a place, no longer holds. */
    void end(int site) {
        Pass pass = TABLE[site & SLOTS - 1];
        if (count > pass.at && granted[pass.at] == pass) {
            end(pass);
        }
    }

    private void end(Pass pass) {
        pass.site = 0;
        Pass last = granted[--count];
        granted[count] = null;
        if (last != pass) {
            granted[pass.at] = last;
            last.at = pass.at;
        }
        DynaflowAccesses.settle(pass.place, pass.of, pass.count - pass.left, pass.left);
    }
}
