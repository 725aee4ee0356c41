package java.lang;

import java.util.Arrays;

/**
 * The active invocations of one thread, as far as it takes to know of which kind the next one is, and whether the thread is in one that
 * is left out. Its thread only. It knows nothing of words. Invariant: {@link #inside} is positive exactly while an invocation that is left
 * out is active, or may be.
 */
final class DynaflowFrames {
    private static final int LOST = Integer.MAX_VALUE;

    /** For each active invocation: what stands for the methods up to it, and below that the site at which it began. */
    private long[] kinds = new long[32];
    private int depth;
    /** Whether the end of an invocation that was left out is still to be recorded, or has not come yet. */
    boolean muted;
    /** How many invocations are active since the thread is muted. */
    int inside;
    /** Their receivers. */
    private Object[] receivers = new Object[16];

    /** The kind of an invocation that begins at a site now. */
    int kind(int site, boolean ofTest) {
        if (depth == 0) {
            return ofTest ? 0 : next(0, site);
        }
        long caller = kinds[depth - 1];
        return ofTest || (int) caller == site ? (int) (caller >>> 32) : next((int) (caller >>> 32), site);
    }

    private static int next(int caller, int site) {
        return (Integer.rotateLeft(caller, 5) ^ site) * 0x9e3779b9;
    }

    /** An invocation of a kind began at a site. */
    void enter(int kind, int site) {
        if (depth == kinds.length) {
            kinds = Arrays.copyOf(kinds, depth * 2);
        }
        kinds[depth++] = (long) kind << 32 | site;
    }

    /** The innermost one ended. */
    void leave() {
        if (depth > 0) {
            depth--;
        }
    }

    /** While muted: an invocation begins, on an object if that is known. */
    void enterMuted(Object receiver) {
        if (inside == LOST) {
            return;
        }
        if (inside == receivers.length) {
            receivers = Arrays.copyOf(receivers, inside * 2);
        }
        receivers[inside++] = receiver;
    }

    /** While muted: the innermost one ended. */
    void leaveMuted() {
        if (inside != LOST) {
            receivers[--inside] = null;
        }
    }

    /** While muted: the object on which the innermost invocation is; null when that is not known yet, or there is none. */
    Object receiver() {
        return inside == LOST ? null : receivers[inside - 1];
    }

    /** While muted: the innermost one is on this object. */
    void bind(Object receiver) {
        if (inside != LOST) {
            receivers[inside - 1] = receiver;
        }
    }

    /** While muted: ends may have been missed, and only the next test shows where the thread is. */
    void lose() {
        Arrays.fill(receivers, null);
        inside = LOST;
    }

    /** The thread is in no invocation. */
    void reset() {
        Arrays.fill(receivers, null);
        muted = false;
        inside = 0;
        depth = 0;
    }
}
