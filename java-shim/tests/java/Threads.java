import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** However threads come and go, each one's words are handed over completely and in its order. */
final class Threads {
    static final int EVENTS = 20000;
    static final Object SHARED_LOCK = new Object();

    public static void main(String[] arguments) throws Exception {
        boolean isVirtual = arguments[0].equals("virtual");
        if (isVirtual && System.getProperty("java.specification.version").matches("1\\.8|9|1[0-9]|20")) {
            System.out.println("ok");
            return;
        }
        int count = Integer.parseInt(arguments[1]);
        final int events = EVENTS * 8 / count;
        final List<Object> shared = new ArrayList<Object>();
        for (int round = 0; round < 3; round++) {
            List<Thread> threads = new ArrayList<Thread>();
            for (int i = 0; i < count; i++) {
                final int owner = round * count + i;
                threads.add(start(isVirtual, i % 2 == 0, new Runnable() {
                    @Override
                    public void run() {
                        work(owner, events, shared);
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        DynaflowNative.drain();
        check(3 * count, events);
        System.out.println("ok");
    }

    private static Thread start(boolean isVirtual, boolean isDaemon, Runnable work) throws Exception {
        if (isVirtual) {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
        }
        Thread thread = new Thread(work);
        thread.setDaemon(isDaemon);
        thread.start();
        return thread;
    }

    private static void work(int owner, int events, List<Object> shared) {
        for (int i = 0; i < events; i++) {
            DynaflowRecorder.branch(owner, i, Check.SITE);
            if (i % 100 == 0) {
                Object object = new Object();
                Object other;
                synchronized (SHARED_LOCK) {
                    shared.add(object);
                    other = shared.get((owner * 31 + i) % shared.size());
                }
                DynaflowRecorder.on(other, Check.SITE + 1);
            }
        }
        if (owner % 3 == 0 && !isVirtual()) {
            try {
                DynaflowNative.endThread();
            } catch (ReflectiveOperationException error) {
                throw new AssertionError(error);
            }
        }
    }

    private static boolean isVirtual() {
        return Thread.currentThread().getClass() != Thread.class;
    }

    private static void check(int owners, int events) {
        Map<Long, Integer> next = new HashMap<Long, Integer>();
        Map<Long, Long> threadOf = new HashMap<Long, Long>();
        Map<Long, Boolean> announced = new HashMap<Long, Boolean>();
        for (long[] run : DynaflowNative.RUNS) {
            for (int at = 1; at < run.length; at++) {
                if (Check.number(run[at]) == 1) {
                    announced.put(Check.payload(run[at++]), true);
                } else if (Check.number(run[at]) == Check.SITE + 1) {
                    Check.that(announced.containsKey(Check.payload(run[at])), "mentioned before it was announced");
                } else if (Check.number(run[at]) == Check.SITE) {
                    at++;
                    long owner = run[at] >> 32;
                    int expected = next.containsKey(owner) ? next.get(owner) : 0;
                    Check.that((int) run[at] == expected, owner + ": " + (int) run[at] + " for " + expected);
                    next.put(owner, expected + 1);
                    Long thread = threadOf.put(owner, run[0]);
                    Check.that(thread == null || thread == run[0], "two threads under one number");
                }
            }
        }
        Check.that(next.size() == owners, "threads missing: " + next.size() + " of " + owners);
        for (Map.Entry<Long, Integer> entry : next.entrySet()) {
            Check.that(entry.getValue() == events, "events missing: " + entry);
        }
        Check.that(DynaflowNative.stopped == null, "stopped: " + DynaflowNative.stopped);
    }
}
