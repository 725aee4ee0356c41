package java.lang;

/**
 * For how many elements an event of a muted thread was recorded in a run of {@link DynaflowAgain}: of one that writes ever others the whole arrays are
 * recorded in their place. Its thread only. It knows nothing of what an event writes, and may forget.
 */
final class DynaflowSpread {
    private static final int BITS = 6;
    /** After how many elements. */
    private static int most = 32;

    /** By place: an event as in {@link DynaflowAgain}, the run, and how many there were. Null before the first. */
    private long[] events;
    private long[] seconds;
    private long[] runs;
    private int[] counts;

    /** Called once, when as many as can be are left out. */
    static void hurry() {
        most = 2;
    }

    /** An event is recorded for one more element in a run: whether there were many before. */
    boolean isMany(long event, long second, long run) {
        if (events == null) {
            events = new long[1 << BITS];
            seconds = new long[1 << BITS];
            runs = new long[1 << BITS];
            counts = new int[1 << BITS];
        }
        int place = (int) ((event ^ event >>> DynaflowWords.PAYLOAD_BITS ^ second << 7) * 0x9e3779b97f4a7c15L >>> 64 - BITS);
        if (events[place] != event || seconds[place] != second || runs[place] != run) {
            events[place] = event;
            seconds[place] = second;
            runs[place] = run;
            counts[place] = 0;
        }
        return ++counts[place] > most;
    }
}
