package java.lang;

/**
 * What a muted thread wrote since anything was recorded that matters to it, see {@code SAME_AGAIN} in {@code model::muting}: a run of events. What a muted event
 * writes becomes unknown and stays so, and the same event once more in a run would change nothing. What else the thread records while it is muted
 * may stand in a run, since edges that are written then are unknown as well, and its own events that write other
 * objects, without edges, when it is not. It knows nothing of when a thread is muted but what the words say. Invariant: within a run no other thread recorded
 * anything, and while the thread was not muted no frame began or ended, no edge of the memory graph was recorded, and nothing that a remembered event wrote was written.
 */
final class DynaflowAgain {
    private static final int BITS = 11;
    /** In place of indices: all elements of the arrays that the event writes. */
    static final long ALL = Long.MIN_VALUE;

    /** By place: an event's site with the first object that it writes, the second one, the indices, and the run in which it was recorded. Null before the first. */
    private long[] events;
    private long[] seconds;
    private long[] indices;
    private long[] runs;
    private long run;
    private final DynaflowSpread spread = new DynaflowSpread();
    /** A bit for each object that the events of the run write; objects may share one. */
    private long objects;
    /** Where in the chunk of the thread the run ends so far; -1 when it is over. */
    private int end = -1;
    /** Whether the thread was muted there. */
    private boolean muted;

    /** Whether the run still goes on: what the chunk got since, if anything, does not end it. */
    boolean goesOn(DynaflowChunk chunk) {
        if (end < 0 || DynaflowThreads.last != chunk) {
            return false;
        }
        int position = chunk.get();
        while (end < position) {
            int length = passes(chunk.words, end);
            if (length == 0) {
                end = -1;
                return false;
            }
            end += length;
        }
        return end == position;
    }

    /** How many words the event takes that begins at a place, if it does not end the run; else 0. */
    private int passes(long[] words, int at) {
        long word = words[at];
        int site = (int) (word >>> DynaflowWords.PAYLOAD_BITS);
        if (site == DynaflowWords.MUTED || word == DynaflowWords.word(DynaflowWords.UNMUTED, 0)) {
            muted = site == DynaflowWords.MUTED;
            return 1;
        }
        if (muted) {
            return site < DynaflowWords.FIRST_SITE ? held(site, word, words[at + 1]) : DynaflowMuting.length(site);
        }
        if (site < DynaflowWords.FIRST_SITE || !DynaflowMuting.isPlain(site)) {
            return 0;
        }
        return DynaflowMuting.onlyReads(site) || (objects & bit(word)) == 0 ? DynaflowMuting.length(site) : 0;
    }

    /** How many words those take that say no more than which objects there are, and what they hold from now on; 0 for all others. */
    private static int held(int marker, long word, long second) {
        switch (marker) {
            case (int) DynaflowWords.DEAD:
            case (int) DynaflowWords.EMPTIED:
                return 1;
            case (int) DynaflowWords.MUTED_THIS:
                return word == DynaflowWords.word(DynaflowWords.MUTED_THIS, 0) ? 0 : 1;
            case (int) DynaflowWords.OBJECT:
            case (int) DynaflowWords.HELD:
            case (int) DynaflowWords.HELD_AT_LEAST_ONCE:
            case (int) DynaflowWords.RELEASED:
                return 2;
            case (int) DynaflowWords.VIEW:
                return 3;
            case (int) DynaflowWords.STORED:
                return second == 0 ? 4 : 0;
            default:
                return 0;
        }
    }

    /** Whether an event that is recorded in the run, which goes on, was for many other elements before. */
    boolean spreads(long event, long second) {
        return events != null && spread.isMany(event, second, run);
    }

    /** Whether an event was recorded in the run, which goes on. */
    boolean has(long event, long second, long index) {
        int place = place(event, second, index);
        return runs[place] == run && events[place] == event && seconds[place] == second && indices[place] == index;
    }

    /**
     * The chunk gets so many words next, and they are a muted event to remember. If the run went on until now and its chunk was not handed over by others, it
     * goes on: then the answer is true.
     */
    boolean comes(DynaflowChunk chunk, int words, boolean goesOn) {
        if (events == null) {
            events = new long[1 << BITS];
            seconds = new long[1 << BITS];
            indices = new long[1 << BITS];
            runs = new long[1 << BITS];
        }
        boolean isNew = !goesOn || end < 0;
        if (isNew) {
            run++;
            objects = 0;
        }
        end = chunk.get() + words;
        muted = true;
        return !isNew;
    }

    /** That event changes nothing if it is recorded again in this run. */
    void remember(long event, long second, long index) {
        int place = place(event, second, index);
        events[place] = event;
        seconds[place] = second;
        indices[place] = index;
        runs[place] = run;
        objects |= bit(event) | (second == 0 ? 0 : bit(second));
    }

    /** The chunk begins at its front. If its thread recorded last, and nothing that ends it, the run goes on there. */
    void reset(boolean goesOn) {
        end = goesOn ? 0 : -1;
    }

    private static long bit(long word) {
        return 1L << word;
    }

    private static int place(long event, long second, long index) {
        long all = event ^ event >>> DynaflowWords.PAYLOAD_BITS ^ (index ^ second << 7) * 0xd6e8feb86659fd93L;
        return (int) (all * 0x9e3779b97f4a7c15L >>> 64 - BITS);
    }
}
