import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.SynchronousQueue;

/** If one event happens before another in the memory model, it is handed over first, whatever orders the two. */
final class HappensBefore {
    static volatile int turn;
    static final int ROUNDS = 9000;

    public static void main(String[] arguments) throws Exception {
        byVolatile();
        byQueue();
        byStartAndJoin();
        DynaflowNative.drain();
        long last = -1;
        int seen = 0;
        for (long[] run : DynaflowNative.RUNS) {
            for (int at = 1; at < run.length; at++) {
                if (Check.number(run[at]) == Check.SITE) {
                    long stamp = run[++at];
                    Check.that(stamp == last + 1, "stamp " + stamp + " after " + last);
                    last = stamp;
                    seen++;
                }
            }
        }
        Check.that(seen == stamps, "lost: " + (stamps - seen));
        System.out.println("ok");
    }

    static int stamps;

    private static void event() {
        DynaflowRecorder.select(stamps++, Check.SITE);
    }

    /** Three threads take turns, several events a turn, while others keep the recorder busy. */
    private static void byVolatile() throws Exception {
        Thread[] noise = new Thread[2];
        turn = 0;
        for (int i = 0; i < noise.length; i++) {
            noise[i] = new Thread(new Runnable() {
                @Override
                public void run() {
                    for (int k = 0; k < 100000 && turn < ROUNDS; k++) {
                        DynaflowRecorder.at(Check.SITE + 1);
                    }
                }
            });
            noise[i].start();
        }
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            final int mine = i;
            threads[i] = new Thread(new Runnable() {
                @Override
                public void run() {
                    for (int now = turn; now < ROUNDS; now = turn) {
                        if (now % 3 == mine) {
                            for (int k = 0; k < now % 7; k++) {
                                event();
                            }
                            turn = now + 1;
                        } else {
                            Thread.yield();
                        }
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (Thread thread : noise) {
            thread.join();
        }
    }

    private static void byQueue() throws Exception {
        final SynchronousQueue<Integer> queue = new SynchronousQueue<Integer>();
        final CyclicBarrier barrier = new CyclicBarrier(2);
        Thread other = new Thread(new Runnable() {
            @Override
            public void run() {
                try {
                    for (int i = 0; i < 2000; i++) {
                        queue.take();
                        event();
                        barrier.await();
                    }
                } catch (InterruptedException error) {
                    throw new AssertionError(error);
                } catch (BrokenBarrierException error) {
                    throw new AssertionError(error);
                }
            }
        });
        other.start();
        for (int i = 0; i < 2000; i++) {
            event();
            queue.put(i);
            barrier.await();
        }
        other.join();
    }

    private static void byStartAndJoin() throws Exception {
        for (int i = 0; i < 300; i++) {
            event();
            Thread thread = new Thread(new Runnable() {
                @Override
                public void run() {
                    event();
                }
            });
            thread.start();
            thread.join();
            event();
        }
    }
}
