package io.dynaflow.shim;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Threads that sequences left behind, in the thread group of the thread that runs sequences. Knows nothing of sequences.
 * Invariant: a thread that waits is no burden, however long it was busy before.
 */
final class Strays {
    /** Most of them before the JVM is worn. */
    private static final int MOST = 64;
    /** Processor time, in nanoseconds, after which one that is still running counts as one that does not stop: it takes the processors from all others, even while this JVM waits for work. */
    private static final long BUSY_NANOS = 30000000L;

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
        for (int i = 0; i < count; i++) {
            if (all[i] != runs && all[i].getState() == Thread.State.RUNNABLE && processorNanos(all[i]) > BUSY_NANOS) {
                return true;
            }
        }
        return false;
    }

    /** The processor time of a thread that runs; 0 where the JVM does not measure it. */
    private static long processorNanos(Thread thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
            ? threads.getThreadCpuTime(thread.getId()) : 0;
    }
}
