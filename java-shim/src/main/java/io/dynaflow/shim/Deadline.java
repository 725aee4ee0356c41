package io.dynaflow.shim;

/**
 * Ends what one thread runs when its time is over: first by an interrupt, then by asking its owner to give up. Knows neither what
 * runs nor how time is measured. Invariant: the watched thread is interrupted only between {@link #begin} and {@link #disarm}.
 */
abstract class Deadline extends Thread {
    /** What to do with a thread that an interrupt does not end. */
    interface Surrender {
        void giveUp();
    }

    /** Nanoseconds of a millisecond. */
    static final long MILLION = 1000000;
    /** In a cold JVM, where classes are loaded and initialised meanwhile, a run may take so many times as long, and so long at most if it may not anyway. */
    private static final long COLD = 20;
    private static final long COLD_MILLIS = 10000;

    private final Thread watched;
    private final long graceMillis;
    private final Surrender surrender;
    private long run;
    private boolean armed;
    private boolean fired;
    private boolean cold;

    /** Watches a thread, which has so long to end after it was interrupted; a group of null is that of the thread that calls this. */
    Deadline(ThreadGroup group, String name, Thread watched, long graceMillis, Surrender surrender) {
        super(group, name);
        this.watched = watched;
        this.graceMillis = graceMillis;
        this.surrender = surrender;
        setDaemon(true);
        setPriority(MAX_PRIORITY);
    }

    /** How long each run that begins from now on may take. */
    abstract void limit(long millis);

    /** A run begins, with the limit that was set last. */
    abstract void arm();

    /** Whether nothing ran in this JVM before what begins from now on. */
    synchronized void cold(boolean isCold) {
        cold = isCold;
    }

    /** How long a run may take now that may take so long in a warm JVM; called with the lock held. */
    final long allowed(long millis) {
        return cold ? Math.max(millis, Math.min(COLD * millis, COLD_MILLIS)) : millis;
    }

    /** How long to sleep until the next look. */
    abstract long tickMillis();

    /** Whether the time of this run is over; called with the lock held. Each run has a number of its own. */
    abstract boolean isOver(long run);

    /** Whether the thread waits for a time, or for another thread to wake it. */
    final boolean waits() {
        State state = watched.getState();
        return state == State.WAITING || state == State.TIMED_WAITING;
    }

    /** The time is over, and the thread about to be interrupted. */
    void ending() {}

    /** A run begins. */
    synchronized void begin() {
        run++;
        armed = true;
        fired = false;
    }

    /** Whether the time was over. The watched thread is no longer interrupted afterwards. */
    synchronized boolean disarm() {
        boolean late = armed && fired;
        armed = false;
        // Also clears an interrupt that what ran aimed at its own thread.
        Thread.interrupted();
        return late;
    }

    @Override
    public void run() {
        while (true) {
            pause(tickMillis());
            long late = interruptIfLate();
            if (late != 0) {
                pause(graceMillis);
                if (stillRunning(late)) {
                    surrender.giveUp();
                    return;
                }
            }
        }
    }

    private synchronized long interruptIfLate() {
        if (!armed || !isOver(run)) {
            return 0;
        }
        fired = true;
        ending();
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
            // Nobody but what runs gone astray interrupts this thread; it goes on watching.
            return;
        }
    }
}
