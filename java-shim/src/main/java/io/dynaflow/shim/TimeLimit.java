package io.dynaflow.shim;

import io.dynaflow.mutants.Switch;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Ends tests that run too long: one that computes by the processor time of the whole JVM, collecting garbage included, one that waits by the
 * clock. The mutant is switched off before the thread is interrupted, with which most loops end. Knows nothing of tests.
 * Invariant: processor time is counted from the first look at a run, at most a tick after it began.
 */
final class TimeLimit extends Deadline {
    private static final long TICK_MILLIS = 20;
    private static final long GRACE_MILLIS = 300;
    /** A run that gets no processor is ended by the clock, after so many times the limit. */
    private static final long CLOCK = 10;
    /** One that waits for a time or for another thread, which it does as long on any machine, after so many. */
    private static final long WAITING = 2;
    /** The kernel's line about this process, and the places of user and system time behind the name in it; in hundredths of a second. */
    private static final String TIMES = "/proc/self/stat";
    private static final int USER_TIME = 11;
    private static final long MILLIS_OF_A_JIFFY = 10;

    private long limitMillis = 1000;
    private long cpuLimit;
    private long waitLimit;
    private long clockEnd;
    /** The run that was looked at last, the processor time when it was first, when it was last, and how long it waited, in nanoseconds. */
    private long seen;
    private long cpuBefore;
    private long looked;
    private long waited;

    /** Watches the thread that calls this; a group of null is that of this thread. */
    TimeLimit(ThreadGroup group, Surrender surrender) {
        super(group, "dynaflow-time-limit", Thread.currentThread(), GRACE_MILLIS, surrender);
    }

    @Override
    synchronized void limit(long millis) {
        limitMillis = millis;
    }

    @Override
    synchronized void arm() {
        long millis = allowed(limitMillis);
        arm(millis, CLOCK * millis);
        waitLimit = WAITING * millis;
    }

    synchronized void arm(long cpuMillis, long clockMillis) {
        cpuLimit = cpuMillis;
        waitLimit = clockMillis;
        clockEnd = System.nanoTime() + clockMillis * MILLION;
        begin();
    }

    @Override
    long tickMillis() {
        return TICK_MILLIS;
    }

    @Override
    boolean isOver(long run) {
        long cpu = processorMillis();
        long now = System.nanoTime();
        if (seen != run) {
            seen = run;
            cpuBefore = cpu;
            waited = 0;
        } else if (waits()) {
            waited += now - looked;
        }
        looked = now;
        return cpu - cpuBefore >= cpuLimit || waited >= waitLimit * MILLION || now - clockEnd >= 0;
    }

    /** The guards of the mutant let its loop end as the original's, unless compiled code looks no more. */
    @Override
    void ending() {
        Switch.active = 0;
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
}
