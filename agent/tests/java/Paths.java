import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveAction;
import java.util.stream.IntStream;

/**
 * Tasks on threads of every kind. Each has an object of its own that it writes once and reads once, along calls that spell
 * the task's number: as many pairs as tasks, each with equal contexts, or something was lost or mixed up.
 */
public class Paths {
    public static final class Node {
        final int id;
        int value;
        int noise;

        Node(int id) {
            this.id = id;
        }

        public void write() {
            go(true, id);
        }

        public void read() {
            go(false, id);
        }

        void go(boolean writes, int path) {
            switch (path & 3) {
                case 0: a0(writes, path >> 2); break;
                case 1: b0(writes, path >> 2); break;
                case 2: c0(writes, path >> 2); break;
                default: d0(writes, path >> 2);
            }
        }

        void a0(boolean writes, int path) { at1(writes, path); }
        void b0(boolean writes, int path) { at1(writes, path); }
        void c0(boolean writes, int path) { at1(writes, path); }
        void d0(boolean writes, int path) { at1(writes, path); }

        void at1(boolean writes, int path) {
            switch (path & 3) {
                case 0: a1(writes, path >> 2); break;
                case 1: b1(writes, path >> 2); break;
                case 2: c1(writes, path >> 2); break;
                default: d1(writes, path >> 2);
            }
        }

        void a1(boolean writes, int path) { at2(writes, path); }
        void b1(boolean writes, int path) { at2(writes, path); }
        void c1(boolean writes, int path) { at2(writes, path); }
        void d1(boolean writes, int path) { at2(writes, path); }

        void at2(boolean writes, int path) {
            switch (path & 3) {
                case 0: a2(writes, path >> 2); break;
                case 1: b2(writes, path >> 2); break;
                case 2: c2(writes, path >> 2); break;
                default: d2(writes, path >> 2);
            }
        }

        void a2(boolean writes, int path) { at3(writes, path); }
        void b2(boolean writes, int path) { at3(writes, path); }
        void c2(boolean writes, int path) { at3(writes, path); }
        void d2(boolean writes, int path) { at3(writes, path); }

        void at3(boolean writes, int path) {
            switch (path & 3) {
                case 0: a3(writes, path >> 2); break;
                case 1: b3(writes, path >> 2); break;
                case 2: c3(writes, path >> 2); break;
                default: d3(writes, path >> 2);
            }
        }

        void a3(boolean writes, int path) { at4(writes, path); }
        void b3(boolean writes, int path) { at4(writes, path); }
        void c3(boolean writes, int path) { at4(writes, path); }
        void d3(boolean writes, int path) { at4(writes, path); }

        void at4(boolean writes, int path) {
            switch (path & 3) {
                case 0: a4(writes, path >> 2); break;
                case 1: b4(writes, path >> 2); break;
                case 2: c4(writes, path >> 2); break;
                default: d4(writes, path >> 2);
            }
        }

        void a4(boolean writes, int path) { at5(writes, path); }
        void b4(boolean writes, int path) { at5(writes, path); }
        void c4(boolean writes, int path) { at5(writes, path); }
        void d4(boolean writes, int path) { at5(writes, path); }

        void at5(boolean writes, int path) {
            switch (path & 3) {
                case 0: a5(writes, path >> 2); break;
                case 1: b5(writes, path >> 2); break;
                case 2: c5(writes, path >> 2); break;
                default: d5(writes, path >> 2);
            }
        }

        void a5(boolean writes, int path) { at6(writes, path); }
        void b5(boolean writes, int path) { at6(writes, path); }
        void c5(boolean writes, int path) { at6(writes, path); }
        void d5(boolean writes, int path) { at6(writes, path); }

        void at6(boolean writes, int path) {
            switch (path & 3) {
                case 0: a6(writes, path >> 2); break;
                case 1: b6(writes, path >> 2); break;
                case 2: c6(writes, path >> 2); break;
                default: d6(writes, path >> 2);
            }
        }

        void a6(boolean writes, int path) { leaf(writes); }
        void b6(boolean writes, int path) { leaf(writes); }
        void c6(boolean writes, int path) { leaf(writes); }
        void d6(boolean writes, int path) { leaf(writes); }

        void leaf(boolean writes) {
            if (writes) {
                value = id + 1;
            } else if (value != id + 1) {
                throw new AssertionError("task " + id);
            }
        }

        /** Some tasks say much more than others. */
        int babble(int words) {
            int sum = 0;
            for (int i = 0; i < words; i++) {
                sum += noise;
            }
            return sum;
        }
    }

    /** A class initialiser, which pins the virtual thread that runs it. */
    public static class Pin {
        static {
            Node node = PINNED.get();
            node.write();
            pause();
            node.read();
        }
    }

    public static final ThreadLocal<Node> PINNED = new ThreadLocal<Node>();
    static int words;

    public static void main(String[] arguments) throws Exception {
        int tasks = Integer.parseInt(arguments[1]);
        words = Integer.parseInt(arguments[2]);
        switch (arguments[0]) {
            case "threads": threads(tasks); break;
            case "pool": pool(tasks); break;
            case "stream": IntStream.range(0, tasks).parallel().forEach(Paths::task); break;
            case "fork": ForkJoinPool.commonPool().invoke(new Range(0, tasks)); break;
            case "completable": completable(tasks); break;
            case "virtual": virtual(tasks); break;
            default: pinned(tasks);
        }
        System.out.println("ok");
    }

    private static void task(int id) {
        Node node = new Node(id);
        node.write();
        if (id % 7 == 0) {
            node.babble(words);
        }
        node.read();
    }

    /** Short-lived threads, some dozens at a time. */
    private static void threads(int tasks) throws InterruptedException {
        List<Thread> started = new ArrayList<Thread>();
        for (int id = 0; id < tasks; id++) {
            final int task = id;
            Thread thread = new Thread(() -> task(task));
            thread.start();
            started.add(thread);
            if (id % 50 == 49) {
                for (Thread one : started) {
                    one.join();
                }
                started.clear();
            }
        }
        for (Thread one : started) {
            one.join();
        }
    }

    private static void pool(int tasks) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(5);
        List<Future<?>> all = new ArrayList<Future<?>>();
        for (int id = 0; id < tasks; id++) {
            final int task = id;
            all.add(pool.submit(() -> task(task)));
        }
        for (Future<?> one : all) {
            one.get();
        }
        // Not shut down: its threads are daemons of nobody, and live when the VM is ended.
        System.out.println("ok");
        System.exit(0);
    }

    private static void completable(int tasks) {
        CompletableFuture<?>[] all = new CompletableFuture<?>[tasks];
        for (int id = 0; id < tasks; id++) {
            Node node = new Node(id);
            all[id] = CompletableFuture.runAsync(node::write).thenRunAsync(node::read);
        }
        CompletableFuture.allOf(all).join();
    }

    /** All alive at once, between their write and their read. */
    private static void virtual(int tasks) throws Exception {
        CountDownLatch written = new CountDownLatch(tasks);
        List<Thread> all = new ArrayList<Thread>();
        for (int id = 0; id < tasks; id++) {
            final int task = id;
            all.add(startVirtual(() -> {
                Node node = new Node(task);
                node.write();
                node.babble(words);
                written.countDown();
                try {
                    written.await();
                } catch (InterruptedException error) {
                    throw new AssertionError(error);
                }
                node.read();
            }));
        }
        for (Thread one : all) {
            one.join();
        }
    }

    /** Virtual threads that sleep in class initialisers, and in monitors. */
    private static void pinned(int tasks) throws Exception {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (InputStream in = Paths.class.getResourceAsStream("Paths$Pin.class")) {
            for (int next = in.read(); next >= 0; next = in.read()) {
                read.write(next);
            }
        }
        final byte[] bytes = read.toByteArray();
        List<Thread> all = new ArrayList<Thread>();
        for (int id = 0; id < tasks; id++) {
            final Node node = new Node(id);
            all.add(startVirtual(() -> {
                if (node.id % 4 == 0) {
                    PINNED.set(node);
                    new Loader(bytes).pin();
                } else {
                    synchronized (node) {
                        node.write();
                        pause();
                        node.read();
                    }
                }
            }));
        }
        for (Thread one : all) {
            one.join();
        }
    }

    public static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException error) {
            throw new AssertionError(error);
        }
    }

    static final class Loader extends ClassLoader {
        private final byte[] bytes;

        Loader(byte[] bytes) {
            super(Paths.class.getClassLoader());
            this.bytes = bytes;
        }

        void pin() {
            try {
                Class<?> pin = defineClass("Paths$Pin", bytes, 0, bytes.length);
                Class.forName(pin.getName(), true, this);
            } catch (ClassNotFoundException error) {
                throw new AssertionError(error);
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> own = name.equals("Paths$Pin") ? findLoadedClass(name) : null;
            return own != null ? own : super.loadClass(name, resolve);
        }
    }

    private static Thread startVirtual(Runnable body) throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        return (Thread) start.invoke(null, body);
    }

    static final class Range extends RecursiveAction {
        private static final long serialVersionUID = 1;
        final int from;
        final int to;

        Range(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            if (to - from == 1) {
                task(from);
            } else {
                int middle = (from + to) / 2;
                invokeAll(new Range(from, middle), new Range(middle, to));
            }
        }
    }
}
