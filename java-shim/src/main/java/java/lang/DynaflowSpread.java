package java.lang;

/**
 * For how many elements an event of a muted thread was recorded in a run of {@link DynaflowAgain}: of one that writes ever others the whole arrays are
 * recorded in their place. Its thread only. It knows nothing of what an event writes, and may forget.
 */
final class DynaflowSpread {
    private static final int PLACES = DynaflowBlurs.PLACES;
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
            events = new long[PLACES];
            seconds = new long[PLACES];
            runs = new long[PLACES];
            counts = new int[PLACES];
        }
        int place = DynaflowBlurs.place(event, second);
        if (events[place] != event || seconds[place] != second || runs[place] != run) {
            events[place] = event;
            seconds[place] = second;
            runs[place] = run;
            counts[place] = 0;
        }
        return ++counts[place] > most;
    }
}
