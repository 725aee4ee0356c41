package java.lang;

/**
 * Reads that are left out, because the analysis says that such ones show nothing new: those at a site, or of a bundle of reads, below certain
 * methods. Some are recorded all the same. It knows nothing of classes or facts. Invariants: which are left out depends on
 * verdicts and counts alone; a read of an object without a number is recorded, and one in a constructor that waits for another one, since
 * the analysis learns from these more than that something is read.
 */
final class DynaflowReads {
    /** In a verdict, above what it says: the site; 0 in those on invocations. */
    static final int SITE_SHIFT = 34;

    private static final int BITS = 14;
    private static final int MUTE_IN_TEST = 1;
    private static final int MUTE = 2;
    /** How many reads of a kind that is left out in all tests are recorded in each. */
    private static final int IN_EACH_TEST = 4;
    /** How many are left out in a row. */
    private static int row = 64;

    /** By place: the site of a kind, and below that what stands for the methods of the active invocations. */
    private static long[] kinds;
    private static byte[] verdicts;
    /** The test in which a verdict was given, or in which reads were last recorded. */
    private static int[] tests;
    /** How many are left out before the next is recorded; if not positive, one more than minus how many are recorded before that. */
    private static int[] left;
    /** How many were left out since that was last recorded, and of which site. */
    private static int[] counts;
    private static int[] sites;
    /** Places with counts that were not recorded yet. */
    private static int[] counted;
    private static int countedEnd;

    private DynaflowReads() {}

    /** Called once, before woven code runs. */
    static void start(boolean eager) {
        int places = 1 << BITS;
        kinds = new long[places];
        verdicts = new byte[places];
        tests = new int[places];
        left = new int[places];
        counts = new int[places];
        sites = new int[places];
        counted = new int[places];
        if (eager) {
            row = 8;
        }
    }

    /** Takes a verdict of the analysis, in a test. */
    static void learn(long given, int test) {
        int site = (int) (given >>> SITE_SHIFT);
        long kind = kind((int) given, site);
        int place = place((int) given, site);
        int verdict = (int) (given >>> 32) & 3;
        if (verdict == 0 && kinds[place] != kind) {
            return;
        }
        kinds[place] = kind;
        verdicts[place] = (byte) verdict;
        tests[place] = verdict == MUTE_IN_TEST ? test : -1;
        left[place] = row;
    }

    private static long kind(int context, int site) {
        return (long) site << 32 | context & 0xffffffffL;
    }

    private static int place(int context, int site) {
        return DynaflowFrames.next(context, site) >>> 32 - BITS;
    }

    /** Whether an event of the current thread with up to four objects is left out. */
    static boolean skips(DynaflowChunk chunk, Object a, Object b, Object c, Object d, int site, int test) {
        int context = chunk.frames.context();
        int place = place(context, site);
        if (kinds[place] != kind(context, site) || !isMuted(place, test)) {
            return false;
        }
        if (chunk.frames.isInSuper() || chunk.restoring != null || !isSeen(a) || !isSeen(b) || !isSeen(c) || !isSeen(d)) {
            return false;
        }
        int still = left[place];
        if (still <= 0) {
            left[place] = still == 0 ? row : still + 1;
            return false;
        }
        left[place] = still - 1;
        count(place, site);
        return true;
    }

    /** Counts a read at a site. Where several threads count at once, some may be missed. */
    private static void count(int place, int site) {
        if (sites[place] != site) {
            record(place);
            sites[place] = site;
        }
        int end = countedEnd;
        if (counts[place]++ == 0 && end < counted.length) {
            counted[end] = place;
            countedEnd = end + 1;
        }
    }

    private static boolean isMuted(int place, int test) {
        int verdict = verdicts[place];
        if (verdict == MUTE && tests[place] != test) {
            tests[place] = test;
            left[place] = 1 - IN_EACH_TEST;
        }
        return verdict != 0 && tests[place] == test;
    }

    private static boolean isSeen(Object object) {
        return object == null || DynaflowObjects.isSeen(object);
    }

    /** Records how many reads were left out since this was last done. */
    static void count() {
        int end = countedEnd;
        countedEnd = 0;
        for (int i = 0; i < end; i++) {
            record(counted[i]);
        }
    }

    private static void record(int place) {
        int count = counts[place];
        counts[place] = 0;
        if (count != 0) {
            DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.LEFT_OUT, count & 0xffffffffL), sites[place]);
        }
    }
}
