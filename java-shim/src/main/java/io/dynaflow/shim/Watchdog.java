package io.dynaflow.shim;

/**
 * Ends sequences that run too long: first by an interrupt, then by asking its owner to give up. Knows nothing of what
 * runs. Invariant: the watched thread is interrupted only between {@link #arm} and {@link #disarm}.
 */
final class Watchdog extends Thread {
    /** What to do with a thread that an interrupt does not end. */
    interface Surrender {
        void giveUp();
    }

    private static final long MILLION = 1000000;
    private static final long GRACE_MILLIS = 100;

    private final Thread watched;
    private final Surrender surrender;
    private long limitMillis = 1000;
    private long run;
    private long deadline;
    private boolean armed;
    private boolean fired;

    Watchdog(ThreadGroup group, Thread watched, Surrender surrender) {
        super(group, "dynaflow-watchdog");
        this.watched = watched;
        this.surrender = surrender;
        setDaemon(true);
        setPriority(MAX_PRIORITY);
    }

    synchronized void limit(long millis) {
        limitMillis = millis;
    }

    synchronized void arm() {
        run++;
        deadline = System.nanoTime() + limitMillis * MILLION;
        armed = true;
        fired = false;
    }

    /** Whether the time was over. The watched thread is no longer interrupted afterwards. */
    synchronized boolean disarm() {
        boolean late = armed && fired;
        armed = false;
        // Also clears an interrupt that the sequence aimed at its own thread.
        Thread.interrupted();
        return late;
    }

    @Override
    public void run() {
        while (true) {
            pause(tick());
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

    private synchronized long tick() {
        return Math.max(5, Math.min(100, limitMillis / 8));
    }

    private synchronized long interruptIfLate() {
        if (!armed || System.nanoTime() - deadline < 0) {
            return 0;
        }
        fired = true;
        watched.interrupt();
        return run;
    }

    private synchronized boolean stillRunning(long which) {
        return armed && run == which;
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            // Nobody but a sequence gone astray interrupts this thread; it goes on watching.
            return;
        }
    }
}
