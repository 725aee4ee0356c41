import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** The shapes in which state is kept, shared, replaced and reached. */
final class Shapes {
    static final class Cell {
        int value;

        void set(int to) {
            value = to; //: at set
        }

        int get() {
            return value; //: at get
        }
    }

    // Arrays: exact by index while running, one name once generalised.
    //: pair Indexed.numbers.[]: storeOne -> loadOne
    //: none Indexed.numbers.[]: storeTwo -> loadOne
    //: pair Indexed.numbers.[]: storeTwo -> loadTwo
    //: pair Indexed.numbers.[]: makeNumbers -> loadThree
    static final class Indexed {
        int[] numbers = new int[3]; //: at makeNumbers

        void run() {
            numbers[1] = 1; //: at storeOne
            numbers[2] = 2; //: at storeTwo
            int one = numbers[1]; //: at loadOne
            int two = numbers[2]; //: at loadTwo
            int three = numbers[0]; //: at loadThree
        }
    }

    //: pair Table.rows.[].[].value: set -> get
    //: pair Table.rows.[].[]: fillRow -> readRow
    //: none Table.rows.[].[]: oldRow -> readRow
    static final class Table {
        final Cell[][] rows = new Cell[2][2];

        void run() {
            rows[0][1] = new Cell(); //: at oldRow
            rows[0] = new Cell[] {new Cell(), new Cell()}; //: at fillRow
            Cell cell = rows[0][1]; //: at readRow
            cell.set(1);
            cell.get();
        }
    }

    //: pair Bulk.to.[]: bulkCopy -> bulkRead
    //: pair Bulk.from.[]: bulkWrite -> bulkCopy
    //: pair Bulk.to.[]: bulkFill -> bulkReadAgain
    //: none Bulk.to.[]: bulkCopy -> bulkReadAgain
    //: none Bulk.to.[]: bulkCopy -> bulkReadBeside
    //: none Bulk.to.[]: bulkWrite -> bulkRead
    static final class Bulk {
        final int[] from = new int[4];
        final int[] to = new int[4];

        void run() {
            from[1] = 5; //: at bulkWrite
            System.arraycopy(from, 0, to, 1, 3); //: at bulkCopy
            int copied = to[2]; //: at bulkRead
            int beside = to[0]; //: at bulkReadBeside
            java.util.Arrays.fill(to, 7); //: at bulkFill
            int filled = to[2]; //: at bulkReadAgain
        }
    }

    // Static state belongs to the class.
    //: pair Counter.count: countUp -> counted
    //: pair Counter.last.value: set -> get
    static final class Counter {
        static int count;
        static Cell last = new Cell();

        static void up() {
            count = count + 1; //: at countUp
        }

        static int get() {
            return count; //: at counted
        }

        static void touch() {
            last.set(1);
            last.get();
        }

        static void run() {
            up();
            get();
            touch();
        }
    }

    // Fields of the same name in a class and its superclass differ.
    static class Upper {
        int hidden;

        void setUpper() {
            hidden = 1; //: at upperSet
        }

        int getUpper() {
            return hidden; //: at upperGet
        }
    }

    //: pair Lower.hidden: lowerSet -> lowerGet
    //: pair Lower.hidden: upperSet -> upperGet
    //: none Lower.hidden: upperSet -> lowerGet
    //: none Lower.hidden: lowerSet -> upperGet
    static final class Lower extends Upper {
        int hidden;

        void setLower() {
            hidden = 2; //: at lowerSet
        }

        int getLower() {
            return hidden; //: at lowerGet
        }

        static void run() {
            Lower lower = new Lower();
            lower.setUpper();
            lower.setLower();
            lower.getUpper();
            lower.getLower();
        }
    }

    // A write through any alias kills; an alias of another object does not.
    //: pair Aliased.cell.value: aliasWrite -> get
    //: none Aliased.cell.value: set -> get
    //: none Aliased.cell.value: otherWrite -> get
    static final class Aliased {
        final Cell cell = new Cell();

        void fill() {
            cell.set(1);
        }

        int look() {
            return cell.get();
        }

        static void run() {
            Aliased aliased = new Aliased();
            Cell alias = aliased.cell;
            Cell other = new Cell();
            aliased.fill();
            alias.value = 2; //: at aliasWrite
            other.value = 3; //: at otherWrite
            aliased.look();
        }
    }

    // A write above replaces everything below it.
    //: pair Replaced.cell.value: replace -> get
    //: none Replaced.cell.value: set -> get
    //: pair Replaced.cell: replace -> reads
    static final class Replaced {
        Cell cell = new Cell();

        void run() {
            cell.set(1);
            cell = new Cell(); //: at replace
            Cell now = cell; //: at reads
            now.get();
        }
    }

    // The same object by two paths.
    //: pair Shared.left.value: set -> get
    //: pair Shared.right.value: set -> get
    //: none Shared.apart.value: set -> get
    static final class Shared {
        final Cell left = new Cell();
        final Cell right = left;
        final Cell apart = new Cell();

        void run() {
            left.set(1);
            right.get();
        }
    }

    // Recursion and calls back: the outermost frame on an object is what counts.
    //: pair Recursive.depth: recurse -> depthRead
    //: pair Recursive.seen: callBack -> seenRead
    static final class Recursive {
        int depth;
        int seen;

        void go(int levels) {
            depth = levels; //: at recurse
            if (levels > 0) {
                go(levels - 1);
            }
            int now = depth; //: at depthRead
        }

        void each(IntConsumer consumer) {
            consumer.accept(1);
            int now = seen; //: at seenRead
        }

        void run() {
            go(3);
            each(value -> seen = value); //: at callBack
        }
    }

    // An exception leaves what was written before it.
    //: pair Thrower.state: beforeThrow -> afterCatch
    //: none Thrower.state: neverWritten -> afterCatch
    static final class Thrower {
        int state;

        void fail(boolean really) {
            state = 1; //: at beforeThrow
            if (really) {
                throw new IllegalStateException();
            }
            state = 2; //: at neverWritten
        }

        int look() {
            return state; //: at afterCatch
        }

        static void run() {
            Thrower thrower = new Thrower();
            try {
                thrower.fail(true);
            } catch (IllegalStateException expected) {
                thrower.look();
            }
        }
    }

    // A constructor that lets others see its object before it ends, and writes on.
    //: pair Leaky.first: leakFirst -> leakSeen
    //: none Leaky.second: leakSecond -> leakSeenSecond
    //: pair Leaky.second: leakSecond -> leakLater
    static final class Leaky {
        static Leaky known;
        int first;
        int second;

        Leaky() {
            first = 1; //: at leakFirst
            known = this;
            Leaky.look();
            second = 2; //: at leakSecond
        }

        static void look() {
            known.seen();
        }

        void seen() {
            int a = first; //: at leakSeen
            int b = second; //: at leakSeenSecond
        }

        int later() {
            return second; //: at leakLater
        }
    }

    // Inner classes reach the outer object by a field like any other; lambdas by what they capture.
    //: pair Outer.value: innerSet -> outerGet
    //: pair Inner.this$0.value: innerSet -> innerGet
    static final class Outer {
        int value;

        final class Inner {
            void set() {
                value = 1; //: at innerSet
            }

            int get() {
                return value; //: at innerGet
            }
        }

        int get() {
            return value; //: at outerGet
        }

        void run() {
            Inner inner = new Inner();
            inner.set();
            inner.get();
            get();
        }
    }

    //: pair Colour.uses: colourSet -> colourGet
    enum Colour {
        RED,
        GREEN;

        private int uses;

        void use() {
            uses++; //: at colourSet
        }

        int uses() {
            return uses; //: at colourGet
        }
    }

    //: none Colour.uses: apartSet -> colourGet
    static void constants() {
        Colour.RED.use();
        Colour.RED.uses();
        Colour.GREEN.uses = 4; //: at apartSet
    }

    //: pair Lazy.made.value: set -> get
    //: pair Lazy.made: lazyMake -> lazyAgain
    static final class Lazy {
        private Cell made;

        Cell get(Supplier<Cell> maker) {
            if (made == null) { //: at lazyAgain
                made = maker.get(); //: at lazyMake
            }
            return made;
        }

        void run() {
            get(Cell::new).set(2);
            get(Cell::new).get();
        }
    }

    public static void main(String[] arguments) {
        new Indexed().run();
        new Table().run();
        new Bulk().run();
        Counter.run();
        Lower.run();
        Aliased.run();
        new Replaced().run();
        new Shared().run();
        new Recursive().run();
        Thrower.run();
        new Leaky().later();
        new Outer().run();
        constants();
        new Lazy().run();
        System.out.println("ok");
    }
}
