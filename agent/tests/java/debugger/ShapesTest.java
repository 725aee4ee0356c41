package sample;

import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What Java makes frames and fields of: constructors, inner classes, lambdas, enums, shadowed fields, callbacks into the test. */
public class ShapesTest extends AnsweredShapes {
    private Shape shape = new Shape("test");

    @Before
    public void prepares() {
        shape.grow(1);
    }

    @After
    public void looks() {
        shape.size();
    }

    @Test
    public void constructsInLayers() {
        new Round("layers", 2).size();
        for (int size = 0; size < 3; size++) {
            try {
                new Round(size);
            } catch (IllegalStateException expected) {
                shape.grow(size);
            }
        }
    }

    @Test
    public void failsInsideConstructors() {
        for (String name : new String[] {"early", "late", "fine"}) {
            try {
                new Failing(shape, name).size();
            } catch (IllegalStateException expected) {
                shape.grow(2);
                shape.size();
            }
        }
    }

    @Test
    public void hasInnerAndAnonymousObjects() throws Exception {
        Shape.Corner corner = shape.new Corner(3);
        corner.move(4);
        shape.counter(5).call();
        shape.counter(6).call();
        corner.outer().size();
    }

    @Test
    public void hasLambdas() {
        shape.each(other -> other.grow(1));
        Supplier<Integer> size = shape.sizer();
        size.get();
        Shape bound = new Shape("bound");
        shape.each(bound::take);
        bound.size();
    }

    @Test
    public void isCalledBack() {
        shape.each(this::answers);
        shape.size();
        run(3);
        looksAtItself();
    }

    private void answers(Shape other) {
        other.grow(7);
        other.size();
        other.size = 8;
        inherited = (int) other.size;
    }

    @Override
    void answer(int depth) {
        inherited += depth;
        shape.grow(depth);
    }

    @Test
    public void shadowsFields() {
        Round round = new Round("shadow", 1);
        round.name();
        ((Shape) round).name();
        round.both();
        Round.made = 5;
        Shape.made();
    }

    @Test
    public void sharesAndReplaces() {
        Shape left = new Shape("left");
        Shape right = new Shape("right");
        Shape shared = new Shape("shared");
        left.next = shared;
        right.next = shared;
        shape.next = left;
        shape.other = right;
        shared.grow(3);
        shape.deep();
        right.next = null;
        shape.deep();
        shape.other = shape;
        shape.deep();
        shared.next = left;
        left.grow(2);
        shape.deep();
    }

    @Test
    public void isTooDeep() {
        Shape last = shape;
        for (int depth = 0; depth < 8; depth++) {
            last.next = new Shape("deep");
            last = last.next;
        }
        last.grow(4);
        shape.recurse(0);
        shape.next.next.recurse(0);
    }

    @Test
    public void usesEnumsAndConstants() {
        for (Kind kind : Kind.values()) {
            kind.use();
            kind.next().use();
            switch (kind) {
                case FIRST:
                    kind.uses = 5;
                    break;
                default:
                    kind.use();
            }
        }
        Kind.valueOf("SECOND").use();
        new Shape("constant").limited();
    }

    @Test
    public void comparesByBridges() {
        Round[] rounds = {new Round("b", 2), new Round("a", 1)};
        Arrays.sort(rounds);
        rounds[0].size();
    }

    @Test
    public void triesAndFinally() {
        for (int size = 0; size < 4; size++) {
            try {
                shape.tries(size);
            } catch (RuntimeException expected) {
                shape.size();
            }
        }
    }

    @Test
    public void initialisesLate() {
        Late.touch();
        Late.touch();
        try {
            new Broken();
        } catch (ExceptionInInitializerError expected) {
            shape.size();
        }
    }

    interface Limited {
        int[] LIMITS = {3, 4};
        Shape SHARED = new Shape("limit");

        default long limited() {
            return SHARED.size() + LIMITS.length;
        }
    }

    static class Shape implements Limited {
        static int made;
        static Shape newest;
        final String name;
        volatile long size = 1;
        double weight;
        Shape next;
        Shape other;

        Shape(String name) {
            this(name, 0);
            weight = made;
        }

        Shape(String name, long size) {
            this.name = name;
            this.size += size;
            made++;
            newest = this;
            if (size < 0) {
                throw new IllegalStateException(name + this.size);
            }
        }

        static int made() {
            return made + (newest == null ? 0 : (int) newest.size);
        }

        String name() {
            return name;
        }

        void grow(long by) {
            size += by;
            weight *= 2;
        }

        long size() {
            return weight > 100 ? 0 : size;
        }

        void take(Shape other) {
            this.other = other;
            other.other = this;
            other.grow(this.size);
        }

        void each(Consumer<Shape> consumer) {
            Shape last = newest;
            consumer.accept(this);
            consumer.accept(last);
        }

        Supplier<Integer> sizer() {
            Shape last = newest;
            return () -> (int) (size + last.size());
        }

        Callable<Long> counter(int start) {
            return new Callable<Long>() {
                private long counted = start + size;

                @Override
                public Long call() {
                    counted += start;
                    grow(counted);
                    return counted;
                }
            };
        }

        long deep() {
            long sum = size;
            if (next != null) {
                sum += next.size + (next.next == null ? 0 : next.next.size);
            }
            if (other != null && other.next != null) {
                sum += other.next.size();
            }
            return sum;
        }

        long recurse(int depth) {
            weight = depth;
            return next == null ? size : next.recurse(depth + 1) + next.size;
        }

        long tries(int how) {
            try {
                grow(how);
                if (how == 1) {
                    throw new IllegalStateException();
                }
                fails(how);
                return size;
            } catch (IllegalStateException caught) {
                weight = size;
                if (how == 1) {
                    return fails(3);
                }
            } finally {
                size = how;
            }
            return size();
        }

        private synchronized long fails(int how) {
            weight = how;
            if (how == 2) {
                return ((Shape) null).size;
            }
            if (how == 3) {
                throw new UnsupportedOperationException(Long.toString(size));
            }
            return size / how;
        }

        class Corner {
            private int x;

            Corner(int x) {
                this.x = x;
                size = x;
            }

            void move(int by) {
                x += by;
                size += x;
                Shape.this.next = new Shape("corner");
                next.size = 3;
            }

            Shape outer() {
                return Shape.this;
            }
        }
    }

    static class Round extends Shape implements Comparable<Round> {
        final int name;
        long radius = size;

        Round(int size) {
            super("round", size - 1);
            name = size;
            grow(radius);
        }

        Round(String name, int size) {
            super(pick(name), size);
            this.name = size;
        }

        private static String pick(String name) {
            return newest == null ? name : newest.name + name;
        }

        long both() {
            return name + super.name.length() + radius;
        }

        @Override
        public int compareTo(Round other) {
            return Long.compare(radius, other.radius);
        }

        @Override
        void grow(long by) {
            super.grow(by);
            radius = by;
        }
    }

    static class Failing extends Shape {
        final Shape from;
        long taken;

        Failing(Shape from, String name) {
            super(name, name.equals("early") ? -1 : 1);
            this.from = from;
            taken = from.size();
            from.other = this;
            if (name.equals("late")) {
                throw new IllegalStateException();
            }
            taken = 2;
        }
    }

    enum Kind {
        FIRST,
        SECOND {
            @Override
            int use() {
                return super.use() + uses;
            }
        };

        int uses;
        Kind before;

        int use() {
            return ++uses;
        }

        Kind next() {
            Kind next = values()[(ordinal() + 1) % values().length];
            next.before = this;
            return next.before;
        }
    }

    static class Late {
        static Shape shape = new Shape("late");
        static int touched = (int) shape.size();

        static void touch() {
            touched += shape.size();
        }
    }

    static class Broken {
        static int tried = 1;
        static Shape shape = tried > 0 ? fails() : null;

        static Shape fails() {
            tried = 2;
            throw new IllegalStateException();
        }
    }
}

/** A class of the program that a test class extends: its frames are the program's, on an object of the test class. */
abstract class AnsweredShapes {
    int inherited;

    void run(int depth) {
        inherited = depth;
        if (depth > 0) {
            answer(depth);
            run(depth - 1);
        }
    }

    int looksAtItself() {
        return inherited;
    }

    abstract void answer(int depth);
}
