package io.dynaflow.shim;

/** Ends sequences that take too long by the clock. Knows nothing of what runs. Invariant: every sequence has the limit that was set last. */
final class Watchdog extends Deadline {
    private static final long GRACE_MILLIS = 100;

    private long limitMillis = 1000;
    private long end;

    Watchdog(ThreadGroup group, Thread watched, Surrender surrender) {
        super(group, "dynaflow-watchdog", watched, GRACE_MILLIS, surrender);
    }

    @Override
    synchronized void limit(long millis) {
        limitMillis = millis;
    }

    @Override
    synchronized void arm() {
        end = System.nanoTime() + allowed(limitMillis) * MILLION;
        begin();
    }

    @Override
    synchronized long tickMillis() {
        return Math.max(5, Math.min(100, limitMillis / 8));
    }

    @Override
    boolean isOver(long run) {
        return System.nanoTime() - end >= 0;
    }
}
