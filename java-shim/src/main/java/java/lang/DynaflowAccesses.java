package java.lang;

/**
 * Accesses that are left out, because the analysis says that such ones show nothing new: those at a site, or of a bundle, below certain
 * methods. Some are recorded all the same. It knows nothing of classes or facts. Invariants: which are left out depends on
 * verdicts and counts alone; an access to an object without a number is recorded, and one in a constructor that waits for another one, since
 * the analysis learns from these more than that something is accessed; one that writes is left out only in an invocation of which the analysis
 * knows that it may write there.
 */
final class DynaflowAccesses {
    /** In a verdict, above what it says: the site; 0 in those on invocations. */
    static final int SITE_SHIFT = 34;

    private static final int BITS = 14;
    private static final int MUTE_IN_TEST = 1;
    private static final int MUTE = 2;
    /** How many accesses of a kind that is left out in all tests are recorded in each. */
    private static final int IN_EACH_TEST = 4;
    /** How many are left out in a row. */
    private static int row = 64;
    /** Of those that write so many times as many. */
    private static final int WRITES = 16;
    /** How often within a row it is recorded at most what an invocation may write: a kind that writes to ever other objects is recorded instead, which costs less. */
    private static final int OBJECTS = 64;

    /** By place: the site of a kind, and below that what stands for the methods of the active invocations. */
    private static long[] kinds;
    private static byte[] verdicts;
    /** The test in which a verdict was given, or in which accesses were last recorded. */
    private static int[] tests;
    /** What an access of the kind writes, see {@link DynaflowMuting#BLURS}; 0 for nothing. */
    private static int[] writes;
    /** How many are left out before the next is recorded; if not positive, one more than minus how many are recorded before that. */
    private static int[] left;
    /** How often it is still recorded in this row what an invocation may write. */
    private static int[] spare;
    private static DynaflowCounts counts;

    private DynaflowAccesses() {}

    /** Called once, before woven code runs. */
    static void start(boolean eager) {
        int places = 1 << BITS;
        kinds = new long[places];
        verdicts = new byte[places];
        tests = new int[places];
        writes = new int[places];
        left = new int[places];
        spare = new int[places];
        counts = new DynaflowCounts(places);
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
        int written = DynaflowMuting.written(site);
        kinds[place] = kind;
        verdicts[place] = (byte) (written == 0 || (written & DynaflowMuting.BLURS) != 0 ? verdict : 0);
        writes[place] = written;
        tests[place] = verdict == MUTE_IN_TEST ? test : -1;
        beginRow(place);
    }

    private static long kind(int context, int site) {
        return (long) site << 32 | context & 0xffffffffL;
    }

    private static int place(int context, int site) {
        return DynaflowFrames.next(context, site) >>> 32 - BITS;
    }

    /** Whether an event of the current thread with up to four objects is left out. */
    static boolean skips(DynaflowChunk chunk, Object a, Object b, Object c, Object d, int site, int test) {
        DynaflowFrames frames = chunk.frames;
        frames.passes.end(site);
        int context = frames.context();
        int place = place(context, site);
        if (kinds[place] != kind(context, site) || !isMuted(place, test)) {
            return false;
        }
        if (frames.isInSuper() || chunk.restoring != null) {
            return false;
        }
        DynaflowEntry first = seen(a);
        DynaflowEntry second = seen(b);
        DynaflowEntry third = seen(c);
        DynaflowEntry fourth = seen(d);
        if (first == null && a != null || second == null && b != null || third == null && c != null || fourth == null && d != null) {
            return false;
        }
        int still = left[place];
        if (still <= 0) {
            if (still == 0) {
                beginRow(place);
            } else {
                left[place] = still + 1;
            }
            return false;
        }
        int written = writes[place];
        if (written != 0 && !isBlurred(frames, place, DynaflowMuting.firstPassed(site, written, a, b, c, d), DynaflowMuting.secondPassed(written, a, b, c, d))) {
            return false;
        }
        int more = Math.min(still - 1, DynaflowPasses.MOST);
        left[place] = still - 1 - more;
        counts.add(place, site, 1);
        if (more > 0) {
            frames.passes.grant(chunk, first, second, third, fourth, site, place, more);
        }
        return true;
    }

    /** Of the accesses that were granted some were left out, and others never came. */
    static void settle(int place, int site, int used, int unused) {
        left[place] += unused;
        if (used > 0) {
            counts.add(place, site, used);
        }
    }

    /** Whether the analysis knows that the innermost invocation may write what an event does. If not, it is to record that event, after which it will. */
    private static boolean isBlurred(DynaflowFrames frames, int place, long event, long second) {
        if (frames.isEmpty()) {
            return false;
        }
        if (frames.blurs.has(event, second, frames.serial())) {
            return true;
        }
        if (spare[place] == 0) {
            return false;
        }
        spare[place]--;
        DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.BLURS, 0));
        frames.blurs.add(event, second, frames.serial());
        return false;
    }

    /** From here on those of the kind at a place are left out in a row: of those that write more, since of what may be written at any time nothing new is seen. */
    private static void beginRow(int place) {
        left[place] = writes[place] == 0 ? row : row * WRITES;
        spare[place] = OBJECTS;
    }

    private static boolean isMuted(int place, int test) {
        int verdict = verdicts[place];
        if (verdict == MUTE && tests[place] != test) {
            tests[place] = test;
            left[place] = 1 - IN_EACH_TEST;
        }
        return verdict != 0 && tests[place] == test;
    }

    private static DynaflowEntry seen(Object object) {
        return object == null ? null : DynaflowObjects.seen(object);
    }

    /** Records how many accesses were left out since this was last done. */
    static void count() {
        counts.record();
    }
}
