package io.dynaflow.shim;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads that sequences left behind, in the thread group of the thread that runs sequences. Knows nothing of sequences.
 * Invariant: a thread that waits is no burden, however long it was busy before.
 */
final class Strays {
    /** Most of them before the JVM is worn. */
    private static final int MOST = 64;
    /** Processor time, in nanoseconds, after which one that is still running counts as one that does not stop: it takes the processors from all others, even while this JVM waits for work. */
    private static final long BUSY_NANOS = 30000000L;
    /** How often such threads are looked at again, after how long, and what they use meanwhile if they compute: one that waits outside of Java, for a connection, seems to run as well. */
    private static final int LOOKS = 5;
    private static final long WATCHED_MILLIS = 10;
    private static final long USED_NANOS = 1000000L;

    private final Thread runs;
    private final ThreadGroup group;

    /** Those beside a thread. */
    Strays(Thread runs) {
        this.runs = runs;
        this.group = runs.getThreadGroup();
    }

    /** Whether another JVM costs less than these: there are many, or one goes on computing. */
    boolean areTooMany() {
        int estimated = group.activeCount();
        return estimated > MOST || estimated > 1 && isAnyBusy(estimated);
    }

    private boolean isAnyBusy(int estimated) {
        Thread[] all = new Thread[2 * estimated];
        int count = group.enumerate(all);
        List<Thread> suspects = new ArrayList<Thread>();
        long before = 0;
        for (int i = 0; i < count; i++) {
            if (all[i] != runs && all[i].getState() == Thread.State.RUNNABLE) {
                long used = processorNanos(all[i]);
                if (used > BUSY_NANOS) {
                    suspects.add(all[i]);
                    before += used;
                }
            }
        }
        return !suspects.isEmpty() && goOn(suspects, before);
    }

    /** Whether threads use more processor time than they had used. On a busy machine one that computes may have to wait for its turn. */
    private static boolean goOn(List<Thread> threads, long before) {
        try {
            for (int look = 0; look < LOOKS; look++) {
                Thread.sleep(WATCHED_MILLIS);
                if (used(threads) - before > USED_NANOS) {
                    return true;
                }
            }
        } catch (InterruptedException e) {
            // It was meant for a sequence, which has ended: the next request looks again.
        }
        return false;
    }

    /** The processor time of some threads; one that ended has none. */
    private static long used(List<Thread> threads) {
        long used = 0;
        for (Thread thread : threads) {
            used += Math.max(0, processorNanos(thread));
        }
        return used;
    }

    /** The processor time of a thread that runs; 0 where the JVM does not measure it. */
    private static long processorNanos(Thread thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
            ? threads.getThreadCpuTime(thread.getId()) : 0;
    }
}
