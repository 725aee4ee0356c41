package io.dynaflow.shim;

import io.dynaflow.mutants.Switch;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Ends tests that run too long: one that computes by the processor time of the whole JVM, collecting garbage included, one that waits by the clock. First the mutant is switched off and
 * the thread interrupted, with which most loops end; then the owner is asked to give up. Knows nothing of tests. Invariant: the
 * watched thread is interrupted only between {@link #arm} and {@link #disarm}.
 */
final class TimeLimit extends Thread {
    /** What to do with a thread that goes on nevertheless. */
    interface Surrender {
        void giveUp();
    }

    private static final long MILLION = 1000000;
    private static final long TICK_MILLIS = 20;
    private static final long GRACE_MILLIS = 300;
    /** The kernel's line about this process, and the places of user and system time behind the name in it; in hundredths of a second. */
    private static final String TIMES = "/proc/self/stat";
    private static final int USER_TIME = 11;
    private static final long MILLIS_OF_A_JIFFY = 10;

    private final Thread watched;
    private final Surrender surrender;
    private long run;
    private long cpuLimit;
    private long clockEnd;
    private boolean armed;
    private boolean fired;
    /** The run that was looked at last, and the processor time then. */
    private long seen;
    private long cpuBefore;

    /** Watches the thread that calls this. */
    TimeLimit(Surrender surrender) {
        super("dynaflow-time-limit");
        this.watched = Thread.currentThread();
        this.surrender = surrender;
        setDaemon(true);
        setPriority(MAX_PRIORITY);
    }

    synchronized void arm(long cpuMillis, long clockMillis) {
        run++;
        cpuLimit = cpuMillis;
        clockEnd = System.nanoTime() + clockMillis * MILLION;
        armed = true;
        fired = false;
    }

    /** Whether the time was over. The watched thread is no longer interrupted afterwards. */
    synchronized boolean disarm() {
        boolean late = armed && fired;
        armed = false;
        // Also clears an interrupt that a test aimed at its own thread.
        Thread.interrupted();
        return late;
    }

    @Override
    public void run() {
        while (true) {
            pause(TICK_MILLIS);
            long late = interruptIfLate();
            if (late != 0) {
                pause(GRACE_MILLIS);
                if (stillRunning(late)) {
                    surrender.giveUp();
                    return;
                }
            }
        }
    }

    private synchronized long interruptIfLate() {
        if (!armed) {
            return 0;
        }
        long cpu = processorMillis();
        if (seen != run) {
            seen = run;
            cpuBefore = cpu;
        }
        if (cpu - cpuBefore < cpuLimit && System.nanoTime() - clockEnd < 0) {
            return 0;
        }
        fired = true;
        // The guards of the mutant let its loop end as the original's, unless compiled code looks no more.
        Switch.active = 0;
        watched.interrupt();
        return run;
    }

    private synchronized boolean stillRunning(long which) {
        return armed && run == which;
    }

    /** The processor time of this process; 0 where it is not known, so that the clock alone decides. */
    static long processorMillis() {
        try {
            InputStream in = new FileInputStream(TIMES);
            try {
                byte[] line = new byte[1024];
                int length = Math.max(0, in.read(line));
                String text = new String(line, 0, length, StandardCharsets.US_ASCII);
                String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
                return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1])) * MILLIS_OF_A_JIFFY;
            } finally {
                in.close();
            }
        } catch (IOException e) {
            return 0;
        } catch (RuntimeException e) {
            return 0;
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            // Nobody but a test gone astray interrupts this thread; it goes on watching.
            return;
        }
    }
}
