package java.lang;

import java.util.Arrays;

/**
 * The active invocations of one thread, as far as it takes to know of which kind the next one is, and whether the thread is in one that
 * is left out. Its thread only. It knows nothing of words. Invariant: {@link #inside} is positive only
 * while the thread is muted.
 */
final class DynaflowFrames {
    /** In place of an object: the constructor has invoked another one, which has not returned. */
    private static final Object WAITING = new Object();

    /** For each active invocation: what stands for the methods up to it, and below that the site at which it began. */
    private long[] kinds = new long[32];
    /** For each of them a number that no other invocation of the thread has. */
    private long[] serials = new long[32];
    private long lastSerial;
    private int depth;
    /** What they may write at any time. */
    final DynaflowBlurs blurs = new DynaflowBlurs();
    /** Stands for the class of the latest test that began on the thread. */
    int suite;
    /** How many there were when the outermost of them began to wait for a constructor; 0 when none does. */
    private int waiting;
    /** Whether the end of an invocation that was left out is still to be recorded, or has not come yet. */
    boolean muted;
    /** How many invocations are active since the thread is muted. */
    int inside;
    /** Their methods and receivers. */
    private int[] methods = new int[16];
    private Object[] receivers = new Object[16];
    /** What is left out without asking, as long as these are the active invocations. */
    final DynaflowGrants grants = new DynaflowGrants();
    final DynaflowPasses passes = new DynaflowPasses();
    /** That of the thread whose invocations these are. */
    private final DynaflowChunk chunk;
    /** The receivers of invocations of which it is not known whether they are over; null when there are none. */
    private Object[] lost;

    DynaflowFrames(DynaflowChunk chunk) {
        this.chunk = chunk;
    }

    /** The kind of an invocation that begins at a site now. */
    int kind(int site, boolean ofTest) {
        if (depth == 0) {
            return ofTest ? suite : next(suite, site);
        }
        long caller = kinds[depth - 1];
        return ofTest || (int) caller == site ? (int) (caller >>> 32) : next((int) (caller >>> 32), site);
    }

    /** What stands for the class of the latest test and the methods of the active invocations. */
    int context() {
        return depth == 0 ? suite : (int) (kinds[depth - 1] >>> 32);
    }

    /** What stands for the methods of invocations once another one begins at a site. */
    static int next(int caller, int site) {
        return (Integer.rotateLeft(caller, 5) ^ site) * 0x9e3779b9;
    }

    /** The innermost one is a constructor that is about to invoke another one on its own {@code this}. */
    void waitsForSuper() {
        endGrants();
        if (waiting == 0) {
            waiting = depth;
        }
    }

    /** That one returned to the innermost one. */
    void superReturned() {
        if (waiting >= depth) {
            waiting = 0;
        }
    }

    /** Whether one of them waits for a constructor that it invoked on its own {@code this}, which may have no number yet. */
    boolean isInSuper() {
        if (depth < waiting) {
            waiting = 0;
        }
        return waiting > 0;
    }

    /** An invocation of a kind began at a site. */
    void enter(int kind, int site) {
        endGrants();
        if (depth == kinds.length) {
            kinds = Arrays.copyOf(kinds, depth * 2);
            serials = Arrays.copyOf(serials, depth * 2);
        }
        serials[depth] = ++lastSerial;
        kinds[depth++] = (long) kind << 32 | site;
    }

    /** The innermost one ended. */
    void leave() {
        endGrants();
        if (depth > 0) {
            depth--;
        }
    }

    /** While muted: an invocation of a method begins, on an object if that is known. */
    void enterMuted(int method, Object receiver) {
        if (inside == receivers.length) {
            receivers = Arrays.copyOf(receivers, inside * 2);
            methods = Arrays.copyOf(methods, inside * 2);
        }
        methods[inside] = method;
        receivers[inside++] = receiver;
        chunk.quiet = true;
    }

    /** While muted: something happens in a method. Those above it are over; false when none of it is active since the thread is muted. */
    boolean isIn(int method) {
        int at = inside - 1;
        while (at >= 0 && (methods[at] != method || receivers[at] == WAITING)) {
            at--;
        }
        unwind(at);
        return at >= 0;
    }

    private void unwind(int at) {
        while (inside > at + 1) {
            receivers[--inside] = null;
        }
        isOverAtZero();
    }

    /** Without an invocation that is left out, the next event may be one of an invocation that is recorded. */
    private void isOverAtZero() {
        if (inside == 0) {
            chunk.quiet = false;
        }
    }

    /** While muted: the innermost invocation ended. */
    void leaveMuted() {
        receivers[--inside] = null;
        isOverAtZero();
    }

    /** While muted: the innermost invocation ends, if it is one of a method and nothing else may be over; false if not. */
    boolean leavesMuted(int method) {
        int at = inside - 1;
        if (methods[at] != method || receivers[at] == WAITING || lost != null) {
            return false;
        }
        receivers[at] = null;
        inside = at;
        isOverAtZero();
        return true;
    }

    /** While muted: whether the innermost invocation is one of a method, and knows its object if it has one. */
    boolean isInnermost(int method) {
        int at = inside - 1;
        return at >= 0 && methods[at] == method && receivers[at] != WAITING;
    }

    /** While muted: the object on which the innermost invocation is; null when that is not known yet, or there is none. */
    Object receiver() {
        return inside > 0 ? receivers[inside - 1] : null;
    }

    /**
     * While muted: the innermost invocation, a constructor, invokes another one on its own {@code this}. Should that throw, this one ends
     * without a word; until it returns nothing happens in this one.
     */
    void waits() {
        receivers[inside - 1] = WAITING;
    }

    /** While muted: the innermost constructor of a method knows its object now. */
    void bind(int method, Object receiver) {
        int at = inside - 1;
        while (at >= 0 && methods[at] != method) {
            at--;
        }
        if (at >= 0) {
            unwind(at);
            receivers[at] = receiver;
        } else if (isLost()) {
            lost = Arrays.copyOf(lost, lost.length + 1);
            lost[lost.length - 1] = receiver;
            recordLost();
        }
    }

    /** While muted: ends may have been missed. From now on only what begins later is known. */
    void lose() {
        int before = lost == null ? 0 : lost.length;
        Object[] all = before == 0 ? new Object[inside] : Arrays.copyOf(lost, before + inside);
        System.arraycopy(receivers, 0, all, before, inside);
        Arrays.fill(receivers, 0, inside, null);
        inside = 0;
        isOverAtZero();
        lost = all;
    }

    /** Whether ends may have been missed. */
    boolean isLost() {
        return lost != null;
    }

    /** Records that any field of the objects of invocations that may be over or not may have been written. */
    void recordLost() {
        DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.MUTED_THIS, 0));
        Object last = null;
        for (Object receiver : lost) {
            if (receiver != last && receiver != WAITING && receiver != null) {
                long id = DynaflowObjects.idOf(receiver);
                DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.HAND_WRITE, id), 0, 0, 0);
            }
            last = receiver;
        }
    }

    /** The thread is muted no longer. */
    void unmute() {
        muted = false;
        lost = null;
        unwind(-1);
    }

    /** What is left out without asking no longer is: the active invocations or the test change, or the thread is muted. */
    void endGrants() {
        grants.end();
        passes.end();
    }

    /** The number of the innermost invocation, if there is one. */
    long serial() {
        return serials[depth - 1];
    }

    /** Whether the thread is in no invocation that is recorded. */
    boolean isEmpty() {
        return depth == 0;
    }

    /** The thread is in no invocation. */
    void reset() {
        endGrants();
        depth = 0;
        waiting = 0;
    }
}
