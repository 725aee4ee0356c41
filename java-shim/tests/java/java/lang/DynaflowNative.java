package java.lang;

import java.util.ArrayList;
import java.util.List;

/** In place of the agent: keeps what the recorder hands over, so that a program can hold it against what it did. */
public final class DynaflowNative {
    private DynaflowNative() {}

    /** Runs of words in the order they were handed over; the first number of each is the thread, the rest the words. */
    public static final List<long[]> RUNS = new ArrayList<long[]>();

    public static final List<String> MIRRORS = new ArrayList<String>();
    public static final List<String> TEXTS = new ArrayList<String>();
    public static volatile boolean listening = true;
    public static volatile boolean throwing;
    public static volatile String stopped;
    public static volatile int syncs;

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

    static void stopped(String reason) {
        stopped = reason;
    }

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
