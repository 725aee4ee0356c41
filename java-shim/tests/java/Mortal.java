/** Most objects die young, and the recorder learns of it however large the heap is. */
final class Mortal {
    private static final int OBJECTS = 4000000;

    /** Some live for a while, so that collections find them alive. */
    static final Object[] LAST = new Object[1000];

    public static void main(String[] arguments) {
        int dead = 0;
        for (int i = 0; i < OBJECTS; i++) {
            Object object = new Object();
            LAST[i % LAST.length] = object;
            DynaflowRecorder.on(object, Check.SITE);
            if (i % 100000 == 0) {
                dead += takeDead();
            }
        }
        DynaflowNative.drain();
        dead += takeDead();
        Check.that(dead > OBJECTS / 2, "only " + dead + " of " + OBJECTS + " deaths were recorded");
        Check.that(DynaflowNative.stopped == null, "stopped: " + DynaflowNative.stopped);
        System.out.println("ok");
    }

    /** How many deaths were recorded since the last call. */
    private static int takeDead() {
        int dead = 0;
        synchronized (DynaflowNative.class) {
            for (long[] run : DynaflowNative.RUNS) {
                for (int at = 1; at < run.length; at++) {
                    if (Check.number(run[at]) == 1) {
                        at++;
                    } else if (Check.number(run[at]) == 2) {
                        dead++;
                    }
                }
            }
            DynaflowNative.RUNS.clear();
        }
        return dead;
    }
}
