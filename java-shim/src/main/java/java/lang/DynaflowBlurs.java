package java.lang;

import java.util.Arrays;

/**
 * What the analysis knows that invocations of one thread may write at any time, see {@link DynaflowWords#BLURS}. Its thread only. It knows nothing of
 * verdicts, and may forget. Invariant: it has nothing that was not recorded in an invocation, as long as that is the innermost one.
 */
final class DynaflowBlurs {
    private static final int BITS = 6;
    static final int PLACES = 1 << BITS;

    /** By place: an event's site with the number of the first object that it writes, that of the second one, and the invocation. Null before the first. */
    private long[] events;
    private long[] seconds;
    private long[] frames;

    boolean has(long event, long second, long frame) {
        if (events == null) {
            return false;
        }
        int place = place(event, second);
        return events[place] == event && seconds[place] == second && frames[place] == frame;
    }

    void add(long event, long second, long frame) {
        if (events == null) {
            events = new long[PLACES];
            seconds = new long[PLACES];
            frames = new long[PLACES];
        }
        int place = place(event, second);
        events[place] = event;
        seconds[place] = second;
        frames[place] = frame;
    }

    /** Invocations may be over without a word. */
    void forget() {
        if (events != null) {
            Arrays.fill(events, 0);
        }
    }

    /** The place of an event among {@link #PLACES}. */
    static int place(long event, long second) {
        long all = event ^ event >>> DynaflowWords.PAYLOAD_BITS ^ second << 7;
        return (int) (all * 0x9e3779b97f4a7c15L >>> 64 - BITS);
    }
}
