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
    /** How long such threads are watched, and what they use then if they compute: one that waits outside of Java, for a connection, seems to run as well. */
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
        return !suspects.isEmpty() && used(suspects) - before > USED_NANOS;
    }

    /** The processor time of some threads after a while; one that ended has none. */
    private static long used(List<Thread> threads) {
        try {
            Thread.sleep(WATCHED_MILLIS);
        } catch (InterruptedException e) {
            // Whoever aimed at a sequence came too late.
            return 0;
        }
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
