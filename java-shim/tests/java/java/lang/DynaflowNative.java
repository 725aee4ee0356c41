package java.lang;

import java.util.ArrayList;
import java.util.List;

/** In place of the agent: keeps what the recorder hands over, so that a program can hold it against what it did. */
public final class DynaflowNative {
    private DynaflowNative() {}

    /** Runs of words in the order they were handed over; the first number of each is the thread, the rest the words. */
    public static final List<long[]> RUNS = new ArrayList<long[]>();

    private static final List<java.lang.reflect.Field> FIELDS = new ArrayList<java.lang.reflect.Field>();
    public static final List<String> MIRRORS = new ArrayList<String>();
    public static final List<String> TEXTS = new ArrayList<String>();
    public static volatile boolean listening = true;
    public static volatile boolean throwing;
    public static volatile String stopped;
    /** Whether the stack has no room to ask for what is on it. */
    public static volatile boolean full;
    public static volatile int syncs;
    /** What the methods of these names answer. */
    public static volatile int recordedFrames;
    public static volatile int mutes;
    public static final long[] touches = new long[1 << 12];
    public static volatile long[] verdicts;
    /** Name of the one class that is recorded; null for none. */
    public static volatile String recorded;

    static synchronized boolean flush(int thread, long[] words, int from, int to) {
        if (throwing) {
            throw new IllegalStateException("on purpose");
        }
        long[] run = new long[1 + to - from];
        run[0] = thread;
        System.arraycopy(words, from, run, 1, to - from);
        RUNS.add(run);
        return listening;
    }

    static boolean isRecorded(String name) {
        return name.equals(recorded);
    }

    static int caller(int frames) {
        return 0;
    }

    static int live() {
        if (full) {
            throw new StackOverflowError();
        }
        return 2;
    }

    static synchronized boolean flushRuns(long[] runs, int length) {
        boolean heard = listening;
        for (int at = 0; at < length; ) {
            int count = (int) runs[at];
            heard = flush((int) (runs[at] >> 32), runs, at + 1, at + 1 + count);
            at += 1 + count;
        }
        return heard;
    }

    static synchronized void describe(long mirror, String name, String supers) {
        MIRRORS.add(mirror + " " + name + " " + supers.replace('\n', ','));
    }

    static synchronized void text(int id, String text) {
        TEXTS.add(id + " " + text);
    }

    static void sync() {
        syncs++;
    }

    static synchronized long field(java.lang.reflect.Field field) {
        field.setAccessible(true);
        FIELDS.add(field);
        return FIELDS.size();
    }

    static synchronized Object get(Object object, long field) {
        try {
            return FIELDS.get((int) field - 1).get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    static synchronized int getInt(Object object, long field) {
        try {
            return FIELDS.get((int) field - 1).getInt(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean hasIdentityEquals(Class<?> type) {
        try {
            return type.getMethod("equals", Object.class).getDeclaringClass() == Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** From now on invocations that begin at a site, below no others, may be left out. */
    public static void mute(int site) {
        DynaflowMuting.start(2);
        verdicts = new long[] {2L << 32 | site * 0x9e3779b9 & 0xffffffffL};
    }

    /** From now on accesses at a site may be left out, below invocations that a number stands for. */
    public static void muteAccesses(int site, int verdict, int context) {
        verdicts = new long[] {(long) site << 34 | (long) verdict << 32 | context & 0xffffffffL};
    }

    /** What stands for an invocation that begins at a site, below no others. */
    public static int context(int site) {
        return DynaflowFrames.next(0, site);
    }

    static int recorded() {
        return recordedFrames;
    }

    static int mutes() {
        return mutes;
    }

    static long touches(int site) {
        return touches[site];
    }

    static synchronized long[] verdicts(boolean all) {
        long[] given = verdicts;
        verdicts = null;
        return given;
    }

    static void covered(int slot, long bits) {
        throw new UnsupportedOperationException("nothing here is woven for coverage");
    }

    static long[] updates(int slot) {
        return null;
    }

    static void stopped(String reason) {
        stopped = reason;
    }

    public static final int ADD = DynaflowEffects.ADD;
    public static final int ADD_IF = DynaflowEffects.ADD_IF;
    public static final int SET = DynaflowEffects.SET;
    public static final int CLEAR = DynaflowEffects.CLEAR;
    public static final int RELIST = DynaflowEffects.RELIST;

    /** Makes the recorder hand everything over. */
    public static void drain() {
        synchronized (DynaflowThreads.LOCK) {
            DynaflowThreads.drainAll();
        }
    }

    /** Whether the recorder switched itself off. */
    public static boolean isOff() {
        return DynaflowThreads.off;
    }

    /** The recorder's number of an object. */
    public static long idOf(Object object) {
        return DynaflowObjects.idOf(object);
    }

    public static long valueOf(Object object) {
        return DynaflowObjects.valueOf(object);
    }

    /** Does what the agent does on a thread that ends. */
    public static void endThread() throws ReflectiveOperationException {
        java.lang.reflect.Method ended = DynaflowRecorder.class.getDeclaredMethod("threadEnded");
        ended.setAccessible(true);
        ended.invoke(null);
    }
}
