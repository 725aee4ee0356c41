package java.lang;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The words of one thread that are not handed over yet. The number this object holds is the position after the last
 * complete event: its thread alone writes it, with release order, so that whoever reads the position sees the words.
 * It knows nothing of what the words mean.
 */
final class DynaflowChunk extends AtomicInteger {
    private static final long serialVersionUID = 1;

    /** The longest event, in words. */
    static final int ROOM = 8;
    /** What a thread starts with and what a busy one gets. */
    static final int FIRST_LIMIT = 64;
    private static final int LAST_LIMIT = 8192;
    private static final int MOST_DEFERRED = 16;

    /** The thread this chunk belongs to; null for the sink that takes what nobody wants. */
    final Thread thread;
    /** A number no other thread of this process had or will have. */
    final int number;
    /**
     * Whether its thread is in an invocation that is left out, of which it knows that it is not over. A number and no reference to the thread: with G1, each
     * time a reference is stored into what is old there is a fence. Its thread only.
     */
    boolean quiet;
    /** Replaced by its thread only, under the lock. */
    long[] words;
    /** A position from which on there may be no room for an event. */
    int limit;
    /** Where the object met last stands in the table; a hint that may be wrong. */
    int met;

    /** Words before this position are handed over. Under the lock. */
    int drained;
    /** The position the present drain goes up to. Under the lock. */
    int seen;
    /** Found dead by the present sweep. Under the lock. */
    boolean ended;
    /** Containers whose contents are still to be listed. Its thread only. */
    private Object[] unlisted = new Object[4];
    private int unlistedCount;
    /** Whether its thread is listing them. */
    boolean listing;
    /** Elements of arrays first seen now, from and to before these indices, that the event itself records. Its thread only. */
    int recordedFrom;
    int recordedEnd;

    /** Bound functions that streams will apply, the latest ones; null before the first. Its thread only. */
    private DynaflowFunction[] deferred;
    private int deferredCount;

    /** The innermost call of its thread that reads from a stream; null when there is none. Its thread only. */
    WeakReference<DynaflowRestored> restoring;

    /** The field a method handle is about to access, and of which object if it is still to be cast; null for none. Its thread only. */
    DynaflowPlace handled;
    WeakReference<Object> handledOf;
    /** What {@link DynaflowNative#caller} gave for the access that {@code Field} reports next; 0 for none. Its thread only. */
    int fieldCaller;
    /** The site of the call that recorded code is in, see {@link DynaflowRecorder#calling}; 0 when that is not known. Its thread only. */
    int calling;
    /** Where the chunk was then: it is still that call as long as nothing but what is done below it was added. */
    int callingAt;

    /** The error by which the stack overflowed last, once it was recorded which frames are left. Its thread only. */
    WeakReference<Object> overflow;
    /** How many handlers that one reached so far, and how many it will have when it is looked into again. Its thread only. */
    int sightings;
    int nextLook;

    /** The invocations its thread is in. Its thread only. */
    final DynaflowFrames frames;
    /** What it wrote in those that are left out. Its thread only. */
    final DynaflowAgain again = new DynaflowAgain();
    /** The limit there is once something is recorded of an invocation that is left out; -1 outside of such ones. */
    private int louder = -1;

    /** Neighbours in the order in which threads last became the current one. Under the lock. */
    DynaflowChunk newer;
    DynaflowChunk older;
    /** Next chunk of the same bucket of the registry. Under the lock. */
    DynaflowChunk next;

    DynaflowChunk(Thread thread, int number, int limit) {
        this.thread = thread;
        this.frames = new DynaflowFrames(this);
        this.number = number;
        this.words = new long[limit + ROOM];
        this.limit = limit;
    }

    void add(long word) {
        int position = get();
        words[position] = word;
        lazySet(position + 1);
    }

    void add(long first, long second) {
        int position = get();
        long[] to = words;
        to[position] = first;
        to[position + 1] = second;
        lazySet(position + 2);
    }

    void add(long first, long second, long third) {
        int position = get();
        long[] to = words;
        to[position] = first;
        to[position + 1] = second;
        to[position + 2] = third;
        lazySet(position + 3);
    }

    void add(long first, long second, long third, long fourth) {
        int position = get();
        long[] to = words;
        to[position] = first;
        to[position + 1] = second;
        to[position + 2] = third;
        to[position + 3] = fourth;
        lazySet(position + 4);
    }

    /** A container whose contents are to be listed. */
    void addUnlisted(Object container) {
        if (unlistedCount == unlisted.length) {
            Object[] wider = new Object[unlistedCount * 2];
            System.arraycopy(unlisted, 0, wider, 0, unlistedCount);
            unlisted = wider;
        }
        unlisted[unlistedCount++] = container;
    }

    /** The next container whose contents are to be listed; null when there is none. */
    Object nextUnlisted() {
        if (unlistedCount == 0) {
            return null;
        }
        Object container = unlisted[--unlistedCount];
        unlisted[unlistedCount] = null;
        return container;
    }

    /** A stream will apply a bound function. The eldest is forgotten when there are too many: nobody went through its stream. */
    void defer(DynaflowFunction function) {
        if (deferred == null) {
            deferred = new DynaflowFunction[MOST_DEFERRED];
        }
        if (deferredCount == MOST_DEFERRED) {
            System.arraycopy(deferred, 1, deferred, 0, --deferredCount);
        }
        deferred[deferredCount++] = function;
    }

    /** The next bound function that streams were to apply; null when there is none. */
    DynaflowFunction nextDeferred() {
        if (deferredCount == 0) {
            return null;
        }
        DynaflowFunction function = deferred[--deferredCount];
        deferred[deferredCount] = null;
        return function;
    }

    /** Gets more space, if it takes no more than {@code spare} words; gives how many. Its thread only, all drained. */
    int grow(int spare) {
        int wider = limit * 4 < LAST_LIMIT ? limit * 4 : LAST_LIMIT;
        int more = wider - limit;
        if (more == 0 || more > spare || DynaflowMuting.eager) {
            return 0;
        }
        words = new long[wider + ROOM];
        limit = wider;
        return more;
    }

    /** Nothing is recorded of what its thread does now; what is all the same finds no room at first. Its thread only. */
    void hush() {
        louder = limit;
        limit = 0;
    }

    /** Something is recorded from here on. Whether that is new. Its thread only, or one that knows it ended. */
    boolean speak() {
        if (louder < 0) {
            return false;
        }
        limit = louder;
        louder = -1;
        return true;
    }

    /** {@link #calling}, if it is still known; else 0. Its thread only. */
    int callingNow() {
        return callingAt == get() ? calling : 0;
    }

    /** Starts again at the front. Its thread only, all drained. */
    void reset() {
        again.reset(again.goesOn(this));
        set(0);
        drained = 0;
        calling = 0;
    }
}
