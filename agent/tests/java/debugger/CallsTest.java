package sample;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.Test;

/** Frames of the program that the JDK enters: keys, iterators, streams, reflection, threads, resources, streams of objects. */
public class CallsTest {
    @Test
    public void areKeys() {
        Map<Key, Key> hashed = new HashMap<>();
        TreeMap<Key, Key> sorted = new TreeMap<>();
        for (int number = 0; number < 4; number++) {
            Key key = new Key(number % 3);
            hashed.put(key, key);
            sorted.put(key, key);
            key.number++;
        }
        hashed.get(new Key(1));
        String.valueOf(sorted.firstKey()).concat("" + hashed.keySet());
    }

    @Test
    public void iterate() {
        Range range = new Range(3);
        int sum = 0;
        for (int each : range) {
            sum += each;
        }
        for (int each : range) {
            sum += each;
        }
        range.limit = sum;
        range.iterator().next();
        try {
            new Range(0).iterator().next();
        } catch (NoSuchElementException expected) {
            range.iterator();
        }
    }

    @Test
    public void stream() {
        Range range = new Range(2);
        IntStream.range(0, 3).map(range::add).filter(each -> range.limit > each).forEach(each -> range.limit += each);
        range.add(1);
    }

    @Test
    public void reflect() throws Throwable {
        Range range = Range.class.getDeclaredConstructor(int.class).newInstance(4);
        Range.class.getDeclaredMethod("add", int.class).invoke(range, 5);
        try {
            Range.class.getDeclaredMethod("fail").invoke(range);
        } catch (java.lang.reflect.InvocationTargetException expected) {
            range.add(1);
        }
        MethodType type = MethodType.methodType(int.class, int.class);
        range.add((int) MethodHandles.lookup().findVirtual(Range.class, "add", type).invoke(range, 6));
        Adding proxy = (Adding) Proxy.newProxyInstance(Adding.class.getClassLoader(), new Class<?>[] {Adding.class},
                (any, method, arguments) -> range.add((int) arguments[0]));
        proxy.add(7);
    }

    @Test
    public void runOnThreads() throws Exception {
        Range range = new Range(1);
        Thread thread = new Thread(() -> range.add(range.add(2)));
        thread.start();
        thread.join();
        range.add(3);
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            one.submit(() -> range.add(4)).get();
            range.limit = 9;
            one.submit(() -> range.add(5)).get();
        } finally {
            one.shutdown();
        }
    }

    @Test
    public void close() {
        for (int mode = 0; mode < 3; mode++) {
            Resource outer = new Resource(null, mode);
            try (Resource first = outer; Resource second = new Resource(first, mode)) {
                second.use();
            } catch (IllegalStateException expected) {
                outer.closed++;
            }
        }
    }

    @Test
    public void areReadFromStreams() throws Exception {
        Stored stored = new Stored(new Stored(null));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(stored);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            ((Stored) in.readObject()).sum();
        }
    }

    interface Adding {
        int add(int number);
    }

    static class Key implements Comparable<Key> {
        private int number;
        private int compared;

        Key(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return number;
        }

        @Override
        public boolean equals(Object other) {
            compared++;
            return other instanceof Key && ((Key) other).number == number;
        }

        @Override
        public int compareTo(Key other) {
            compared++;
            other.compared++;
            return Integer.compare(number, other.number);
        }

        @Override
        public String toString() {
            return number + " " + compared;
        }
    }

    static class Range implements Iterable<Integer>, Adding {
        int limit;
        private Iterator<Integer> last;

        Range(int limit) {
            this.limit = limit;
        }

        @Override
        public synchronized int add(int number) {
            return limit += number;
        }

        void fail() {
            limit = 0;
            throw new IllegalStateException("at " + limit);
        }

        @Override
        public Iterator<Integer> iterator() {
            last = new Iterator<Integer>() {
                private int at;

                @Override
                public boolean hasNext() {
                    return at < limit;
                }

                @Override
                public Integer next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    return at++;
                }
            };
            return last;
        }
    }

    static class Resource implements AutoCloseable {
        private final Resource parent;
        private final int mode;
        private int closed;

        Resource(Resource parent, int mode) {
            this.parent = parent;
            this.mode = mode;
            if (mode == 2 && parent != null) {
                throw new IllegalStateException();
            }
        }

        void use() {
            parent.closed--;
            if (mode == 1) {
                throw new IllegalStateException("closed " + closed);
            }
        }

        @Override
        public void close() {
            closed += mode;
            if (closed < 2 && mode == 1) {
                throw new IllegalStateException();
            }
        }
    }

    static class Stored implements Serializable {
        private static final long serialVersionUID = 1;
        private final Stored next;
        private int value = 2;

        Stored(Stored next) {
            this.next = next;
        }

        int sum() {
            return value + (next == null ? 0 : next.sum());
        }
    }
}
