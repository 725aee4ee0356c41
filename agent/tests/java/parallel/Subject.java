import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What tests that run at the same time do: every test prepares while others run already, then all run at once, each with
 * threads it starts. Method names end with the test's number.
 */
public class Subject {
    static final int TESTS = 4;
    private static final AtomicInteger PREPARED = new AtomicInteger();
    private static final AtomicInteger RUNNING = new AtomicInteger();

    int state;
    int fixture;
    int left;

    /** In a method that runs before the test: waits until as many tests run as prepared themselves before. */
    void prepare() throws Exception {
        await(PREPARED.getAndIncrement());
        fixture = 1;
        fixture += 1;
    }

    /** In a method that runs after it. */
    void tidy() {
        left = 1;
        left += 1;
    }

    /** Returns when all tests run. */
    void meet() throws Exception {
        RUNNING.incrementAndGet();
        await(TESTS);
    }

    private static void await(int running) throws Exception {
        long end = System.nanoTime() + 100_000_000_000L;
        while (RUNNING.get() < running) {
            if (System.nanoTime() > end) {
                throw new AssertionError("tests do not run at the same time");
            }
            Thread.sleep(1);
        }
    }

    /** What a test runs itself, in a thread, in a thread of that thread, and in a pool. */
    void work(final Runnable here, final Runnable thread, final Runnable grandchild, Runnable pool) throws Exception {
        meet();
        here.run();
        Thread started = new Thread(new Runnable() {
            @Override
            public void run() {
                Thread more = new Thread(grandchild);
                more.start();
                thread.run();
                try {
                    more.join();
                } catch (InterruptedException error) {
                    throw new AssertionError(error);
                }
            }
        });
        started.start();
        ExecutorService executor = Executors.newFixedThreadPool(2);
        executor.submit(pool).get();
        executor.shutdown();
        started.join();
    }

    void here0() {
        state = 1;
        state += 1;
    }

    void thread0() {
        state = 1;
        state += 1;
    }

    void grandchild0() {
        state = 1;
        state += 1;
    }

    void pool0() {
        state = 1;
        state += 1;
    }

    void here1() {
        state = 1;
        state += 1;
    }

    void thread1() {
        state = 1;
        state += 1;
    }

    void grandchild1() {
        state = 1;
        state += 1;
    }

    void pool1() {
        state = 1;
        state += 1;
    }

    void here2() {
        state = 1;
        state += 1;
    }

    void thread2() {
        state = 1;
        state += 1;
    }

    void grandchild2() {
        state = 1;
        state += 1;
    }

    void pool2() {
        state = 1;
        state += 1;
    }

    void here3() {
        state = 1;
        state += 1;
    }

    void thread3() {
        state = 1;
        state += 1;
    }

    void grandchild3() {
        state = 1;
        state += 1;
    }

    void pool3() {
        state = 1;
        state += 1;
    }
}
