import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A program with as many language features as fit; its output must not change when it is woven. */
public class Features {
    private static final StringBuilder LOG = new StringBuilder();
    private static int counter;
    private static long wideCounter = 1L << 40;
    private static double ratio = 0.5;
    private static Object shared;

    enum Color {
        RED { int code() { return 1; } }, GREEN { int code() { return 2; } }, BLUE { int code() { return 3; } };
        abstract int code();
    }

    interface Shape {
        double area();
        default String describe() { return getClass().getSimpleName() + " " + twice(area()); }
        static double twice(double value) { return value * 2; }
    }

    record Circle(double radius) implements Shape {
        Circle {
            if (radius < 0) throw new IllegalArgumentException("negative");
        }
        public double area() { return 3 * radius * radius; }
    }

    record Pair<A, B>(A first, B second) { }

    sealed interface Tree permits Leaf, Node { }
    record Leaf(int value) implements Tree { }
    record Node(Tree left, Tree right) implements Tree { }

    static class Base implements Serializable {
        protected int early = 7;
        long big;
        float small = 1.5f;
        double wide = 2.5;
        String name;
        boolean flag;
        byte octet;
        char letter = 'x';
        short brief;
        transient Object other;
        Base(String name) { this.name = name; setup(); }
        void setup() { early = 8; }
        @Override protected void finalize() { }
    }

    static class Derived extends Base {
        final int[] data;
        int later = 5;
        private Derived next;
        Derived(int size) { super(size > 3 ? "large" : size > 1 ? "medium" : "small"); data = new int[size]; }
        Derived() { this(failing(0) ? 2 : 4); later++; }
        Derived(Runnable action) { super(run(action)); data = null; }
        @Override void setup() { early = 100; later = 50; }
        Derived link(Derived other) { next = other; return this; }
        int chain() { return next == null ? later : later + next.chain(); }
    }

    class Inner {
        int value = outerField;
        class Deeper { int sum = value + outerField; }
    }

    private int outerField = 11;

    static boolean failing(int value) { return value != 0; }
    static String run(Runnable action) { action.run(); return "ran"; }

    static void log(Object value) { LOG.append(value).append('\n'); }

    static void arrays() {
        boolean[] z = {true, false};
        byte[] b = {1, 2};
        char[] c = {'a', 'b'};
        short[] s = {3, 4};
        int[] i = {5, 6};
        long[] j = {7L, 8L};
        float[] f = {9f, 10f};
        double[] d = {11d, 12d};
        String[] t = {"p", "q"};
        Object[] o = {t, null, i};
        int[][] grid = new int[3][4];
        long[][][] cube = new long[2][2][];
        cube[1][0] = j;
        z[1] ^= z[0];
        b[0] += 3;
        c[1]++;
        s[1] -= 1;
        i[0] <<= 2;
        j[1] *= j[0]--;
        f[0] /= 2;
        d[1] %= 5;
        t[0] += t[1];
        o[1] = o[0];
        grid[1][2] = i[0] + grid[2][3]++;
        log(Arrays.toString(z) + Arrays.toString(b) + Arrays.toString(c) + Arrays.toString(s) + Arrays.toString(i));
        log(Arrays.toString(j) + Arrays.toString(f) + Arrays.toString(d) + Arrays.toString(t) + (o[1] == t));
        log(Arrays.deepToString(grid) + cube[1][0][1]);
        int[] bulk = Arrays.copyOf(i, 5);
        System.arraycopy(bulk, 0, bulk, 1, 3);
        Arrays.fill(bulk, 3, 5, -1);
        Arrays.fill(d, 0.25);
        Object[] copied = Arrays.copyOfRange(o, 1, 4);
        long[] cloned = j.clone();
        String[][] deep = {t.clone(), Arrays.copyOf(o, 1, String[][].class)[0]};
        log(Arrays.toString(bulk) + Arrays.toString(d) + copied.length + cloned[1] + deep[0][1] + (deep[1] == t));
        attempt(() -> System.arraycopy(i, 0, j, 0, 1));
        attempt(() -> Arrays.fill(i, 1, 9, 0));
        attempt(() -> i[2] = 1);
        attempt(() -> ((Object[]) t)[0] = 1);
        attempt(() -> log(((long[]) null)[0]));
        attempt(() -> log(new int[-1]));
    }

    static void attempt(Runnable action) {
        try {
            action.run();
            log("fine");
        } catch (RuntimeException e) {
            StringBuilder trace = new StringBuilder();
            for (StackTraceElement element : e.getStackTrace()) {
                if (element.getClassName().startsWith("Features")) trace.append(' ').append(element);
            }
            log(e.getClass().getName() + ": " + e.getMessage() + trace);
        }
    }

    static int nested(int n) {
        int result = 0;
        try {
            try {
                if (n == 0) return result;
                if (n == 1) throw new IllegalStateException("one");
                result = 10 / (n - 2);
            } catch (ArithmeticException e) {
                result = -1;
                throw e;
            } finally {
                counter++;
                result += 5;
            }
        } catch (IllegalStateException | ArithmeticException e) {
            result += 1000;
        } finally {
            wideCounter += result;
        }
        return result;
    }

    static String control(int n) {
        StringBuilder out = new StringBuilder();
        outer:
        for (int i = 0; i < n; i++) {
            for (int j = n; ; j--) {
                if (j < i) continue outer;
                if (i * j > 20) break outer;
                out.append(i * j).append(',');
            }
        }
        int k = 0;
        do { k += 3; } while (k < n);
        while (k-- > 0) if ((k & 1) == 0) out.append(k);
        switch (n % 5) { case 0: out.append("zero"); case 1: out.append("one"); break; default: out.append("many"); }
        switch (n) { case -100: out.append('a'); break; case 7: out.append('b'); break; case 1000000: out.append('c'); }
        switch ("key" + n) { case "key7": out.append("seven"); break; case "key8": out.append("eight"); break; }
        String word = switch (Color.values()[n % 3]) { case RED -> "r"; case GREEN -> { counter += 2; yield "g"; } default -> "b"; };
        return out + word + (n > 5 ? n > 6 ? "big" : "six" : "little");
    }

    static synchronized Object monitors(Object lock) {
        synchronized (lock) {
            synchronized (LOG) {
                shared = lock;
                if (counter > 1000) throw new IllegalStateException();
            }
        }
        return shared;
    }

    static int sum(Tree tree) {
        if (tree instanceof Leaf leaf) return leaf.value();
        if (tree instanceof Node node && node.left() != null) return sum(node.left()) + sum(node.right());
        return 0;
    }

    static class Resource implements AutoCloseable {
        final String id;
        Resource(String id) { this.id = id; log("open " + id); }
        @Override public void close() { log("close " + id); if (id.equals("bad")) throw new IllegalStateException("close"); }
    }

    static void resources() {
        try (Resource a = new Resource("a"); Resource b = new Resource("bad")) {
            log(a.id + b.id);
            throw new IllegalArgumentException("body");
        } catch (RuntimeException e) {
            log(e.getMessage() + e.getSuppressed().length);
        }
    }

    static void objects() throws Exception {
        Derived a = new Derived(2), b = new Derived();
        log(a.name + a.early + a.later + b.later + b.data.length + a.link(b).chain());
        a.big = a.big++ + ++b.big;
        a.wide -= a.small *= 2;
        a.flag |= b.flag = true;
        a.octet += 300;
        a.letter++;
        a.brief = (short) (a.octet << 3);
        a.other = a.other == null ? b : a;
        log(a.big + " " + a.wide + a.small + a.flag + a.octet + a.letter + a.brief + (a.other == b));
        attempt(() -> new Derived(() -> { throw new IllegalStateException("in super argument"); }));
        attempt(() -> new Circle(-1));
        attempt(() -> log(((Derived) null).later));
        attempt(() -> ((Derived) null).big = 4);
        Features outer = new Features();
        log(outer.new Inner().new Deeper().sum);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(a);
        Derived copy = (Derived) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        log(copy.name + copy.chain() + bytes.size());
        log(new Circle(2).describe() + new Circle(2).equals(new Circle(2)) + new Pair<>("k", 3));
        log(Arrays.toString(Derived.class.getDeclaredFields().length == 3 ? new int[0] : null));
        log(sum(new Node(new Leaf(3), new Node(new Leaf(4), new Leaf(5)))));
    }

    static <T extends Comparable<T>> T largest(List<? extends T> list) {
        Iterator<? extends T> iterator = list.iterator();
        T best = iterator.next();
        while (iterator.hasNext()) { T next = iterator.next(); if (next.compareTo(best) > 0) best = next; }
        return best;
    }

    static long varargs(String format, long first, double second, Object... rest) {
        return format.length() + first + (long) second + rest.length;
    }

    static void lambdas() {
        int captured = counter;
        Supplier<List<String>> make = ArrayList::new;
        Function<Integer, Function<Integer, Integer>> add = x -> y -> x + y + captured;
        BiFunction<String, Integer, Character> at = String::charAt;
        List<String> list = make.get();
        Collections.addAll(list, "pear", "fig", "apple");
        Collections.sort(list);
        list.removeIf(word -> word.length() == 3);
        log(list + largest(list) + add.apply(2).apply(3) + at.apply("abc", 1));
        log(IntStream.range(0, 5).mapToObj(n -> "n" + n).collect(Collectors.joining("-")));
        Runnable anonymous = new Runnable() { int count = captured; public void run() { log("anonymous " + (++count - captured)); } };
        anonymous.run();
        log(varargs("f", 1L << 33, 2.9, "a", 1, 'c') + varargs("g", 2, 3));
    }

    static void containers() {
        Map<String, List<Integer>> map = new LinkedHashMap<>();
        for (int i = 0; i < 6; i++) map.computeIfAbsent(i % 2 == 0 ? "even" : "odd", key -> new ArrayList<>()).add(i);
        for (Map.Entry<String, List<Integer>> entry : map.entrySet()) log(entry.getKey() + entry.getValue());
        Deque<Integer> deque = new ArrayDeque<>(List.of(1, 2, 3));
        deque.push(0);
        deque.addLast(4);
        log(deque.pollFirst() + deque.peekLast() + " " + deque);
        AtomicInteger atomic = new AtomicInteger();
        AtomicLong wide = new AtomicLong(1L << 35);
        log(atomic.incrementAndGet() + wide.getAndAdd(5L) + wide.get());
        Optional<String> some = Optional.of("x").map(x -> x + x).filter(x -> !x.isEmpty());
        log(some.orElse("none") + Optional.empty().isPresent());
        StringBuilder builder = new StringBuilder("abc").append(1).append(2L).append(3f).append(4d).append('c').append(true);
        log(builder.insert(0, 9L).reverse().deleteCharAt(0));
        Map<Integer, String> plain = new HashMap<>();
        log(plain.put(1, "a") + plain.put(1, "b") + plain.merge(1, "c", String::concat) + new TreeSet<>(plain.values()).first());
        attempt(() -> List.of().iterator().next());
        attempt(() -> new ArrayList<Integer>().get(0));
        class Counting extends ArrayList<Integer> {
            int adds;
            @Override public boolean add(Integer value) { adds++; return super.add(value); }
        }
        Counting counting = new Counting();
        counting.add(3);
        counting.addAll(List.of(4, 5));
        log(counting.adds + "" + counting + counting.hashCode());
    }

    static void threads() throws Exception {
        int[] total = new int[1];
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            int id = t;
            threads[t] = new Thread(() -> { for (int i = 0; i < 1000; i++) synchronized (total) { total[0] += id; } });
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        log(total[0]);
    }

    static int recursive(int depth) {
        return depth == 0 ? 0 : 1 + recursive(depth - 1);
    }

    static int overflow() {
        try { return overflow() + 1; } catch (StackOverflowError e) { return 1; }
    }

    static long loopAtStart(long n) {
        for (;;) { if (n <= 1) return n; n = n % 2 == 0 ? n / 2 : n - 1; }
    }

    static long wideLocals() {
        long total = 0;
        long w0 = total + 0; double x0 = w0;
        long w1 = total + 1; double x1 = w1;
        long w2 = total + 2; double x2 = w2;
        long w3 = total + 3; double x3 = w3;
        long w4 = total + 4; double x4 = w4;
        long w5 = total + 5; double x5 = w5;
        long w6 = total + 6; double x6 = w6;
        long w7 = total + 7; double x7 = w7;
        long w8 = total + 8; double x8 = w8;
        long w9 = total + 9; double x9 = w9;
        long w10 = total + 10; double x10 = w10;
        long w11 = total + 11; double x11 = w11;
        long w12 = total + 12; double x12 = w12;
        long w13 = total + 13; double x13 = w13;
        long w14 = total + 14; double x14 = w14;
        long w15 = total + 15; double x15 = w15;
        long w16 = total + 16; double x16 = w16;
        long w17 = total + 17; double x17 = w17;
        long w18 = total + 18; double x18 = w18;
        long w19 = total + 19; double x19 = w19;
        long w20 = total + 20; double x20 = w20;
        long w21 = total + 21; double x21 = w21;
        long w22 = total + 22; double x22 = w22;
        long w23 = total + 23; double x23 = w23;
        long w24 = total + 24; double x24 = w24;
        long w25 = total + 25; double x25 = w25;
        long w26 = total + 26; double x26 = w26;
        long w27 = total + 27; double x27 = w27;
        long w28 = total + 28; double x28 = w28;
        long w29 = total + 29; double x29 = w29;
        long w30 = total + 30; double x30 = w30;
        long w31 = total + 31; double x31 = w31;
        long w32 = total + 32; double x32 = w32;
        long w33 = total + 33; double x33 = w33;
        long w34 = total + 34; double x34 = w34;
        long w35 = total + 35; double x35 = w35;
        long w36 = total + 36; double x36 = w36;
        long w37 = total + 37; double x37 = w37;
        long w38 = total + 38; double x38 = w38;
        long w39 = total + 39; double x39 = w39;
        long w40 = total + 40; double x40 = w40;
        long w41 = total + 41; double x41 = w41;
        long w42 = total + 42; double x42 = w42;
        long w43 = total + 43; double x43 = w43;
        long w44 = total + 44; double x44 = w44;
        long w45 = total + 45; double x45 = w45;
        long w46 = total + 46; double x46 = w46;
        long w47 = total + 47; double x47 = w47;
        long w48 = total + 48; double x48 = w48;
        long w49 = total + 49; double x49 = w49;
        long w50 = total + 50; double x50 = w50;
        long w51 = total + 51; double x51 = w51;
        long w52 = total + 52; double x52 = w52;
        long w53 = total + 53; double x53 = w53;
        long w54 = total + 54; double x54 = w54;
        long w55 = total + 55; double x55 = w55;
        long w56 = total + 56; double x56 = w56;
        long w57 = total + 57; double x57 = w57;
        long w58 = total + 58; double x58 = w58;
        long w59 = total + 59; double x59 = w59;
        long w60 = total + 60; double x60 = w60;
        long w61 = total + 61; double x61 = w61;
        long w62 = total + 62; double x62 = w62;
        long w63 = total + 63; double x63 = w63;
        long w64 = total + 64; double x64 = w64;
        long w65 = total + 65; double x65 = w65;
        long w66 = total + 66; double x66 = w66;
        long w67 = total + 67; double x67 = w67;
        long w68 = total + 68; double x68 = w68;
        long w69 = total + 69; double x69 = w69;
        int[] array = {1, 2, 3};
        for (int i = 0; i < 300; i += 100) { array[i / 100] += (int) x69; total += array[i / 100] + w69; }
        return total;
    }

    public static void main(String[] args) throws Exception {
        arrays();
        for (int n = 0; n < 4; n++) log(nested(n));
        for (int n = 3; n < 9; n++) log(control(n));
        log(monitors("lock"));
        resources();
        objects();
        lambdas();
        containers();
        threads();
        log(recursive(500) + (overflow() > 0 ? "deep" : "shallow") + loopAtStart(1000) + wideLocals());
        for (Color color : Color.values()) log(color + "" + color.code() + Color.valueOf("RED").compareTo(color));
        log(counter + " " + wideCounter + " " + ratio + " " + (shared != null));
        assert counter > 0 : "assertions work";
        System.out.print(LOG);
    }
}
