import java.lang.reflect.Array;

/** What {@code java.lang.reflect.Array} does to elements is done at the call below which it does it, be that of a library. */
final class Arrayed {
    /** Is not recorded. */
    static final class Library {
        static void set(Object array, int index, Object value) {
            Array.set(array, index, value);
        }

        static Object get(Object array, int index) {
            return Array.get(array, index);
        }

        static Object grow(Object array, int length) {
            Object longer = Array.newInstance(array.getClass().getComponentType(), length);
            for (int i = 0; i < Array.getLength(array); i++) {
                Array.set(longer, i, Array.get(array, i));
            }
            return longer;
        }

        /** Sets an element on a thread without a recorded method. */
        static void setElsewhere(final Object array, final int index, final Object value) {
            Thread thread = new Thread(new Setter(array, index, value));
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        static final class Setter implements Runnable {
            final Object array;
            final int index;
            final Object value;

            Setter(Object array, int index, Object value) {
                this.array = array;
                this.index = index;
                this.value = value;
            }

            @Override
            public void run() {
                Array.set(array, index, value);
            }
        }
    }

    static final class Leaf {
        int value;

        void put(int to) {
            value = to; //: at leafPut
        }

        int read() {
            return value; //: at leafRead
        }
    }

    //: pair Direct.leaves.[]: setLeaf -> leafSeen
    //: none Direct.leaves.[]: bornLeaf -> leafSeen
    //: pair Direct.leaves.[].value: leafPut -> leafRead
    //: nested Direct.leaves.[].value: setLeaf -> leafRead
    //: pair Direct.leaves.[]: setLeaf -> gotLeaf
    //: none Direct.leaves.[]: bornLeaf -> gotLeaf
    //: pair Direct.numbers.[]: setNumber -> numberSeen
    //: none Direct.numbers.[]: bornNumber -> numberSeen
    //: pair Direct.numbers.[]: setNumber -> gotNumber
    static final class Direct {
        final Leaf[] leaves = new Leaf[2];
        final double[] numbers = new double[2];

        void fill() {
            leaves[0] = new Leaf(); //: at bornLeaf
            leaves[1] = leaves[0];
            numbers[1] = 1; //: at bornNumber
        }

        void set(Leaf to) {
            Array.set(leaves, 0, to); //: at setLeaf
            Array.setDouble(numbers, 1, 2); //: at setNumber
        }

        void refuse() {
            try {
                Array.set(leaves, 1, "no leaf");
            } catch (IllegalArgumentException expected) {
                System.out.println("refused");
            }
            try {
                Array.set(leaves, 2, null);
            } catch (ArrayIndexOutOfBoundsException expected) {
                System.out.println("refused");
            }
        }

        int seen() {
            return leaves[0].read(); //: at leafSeen
        }

        Object got() {
            return Array.get(leaves, 0); //: at gotLeaf
        }

        double number() {
            return numbers[1]; //: at numberSeen
        }

        double gotNumber() {
            return Array.getDouble(numbers, 1); //: at gotNumber
        }

        static void run() {
            Direct direct = new Direct();
            direct.fill();
            Leaf leaf = new Leaf();
            direct.set(leaf);
            direct.refuse();
            direct.seen();
            leaf.put(4);
            direct.seen();
            direct.got();
            direct.number();
            direct.gotNumber();
        }
    }

    //: pair Kept.leaves.[]: keptBorn -> keptSeen
    //: none Kept.leaves.[]: keptRefused -> keptSeen
    static final class Kept {
        final Leaf[] leaves = new Leaf[1];

        void fill() {
            leaves[0] = new Leaf(); //: at keptBorn
        }

        void refuse() {
            try {
                Array.set(leaves, 0, "no leaf"); //: at keptRefused
            } catch (IllegalArgumentException expected) {
                System.out.println("refused");
            }
        }

        Object seen() {
            return leaves[0]; //: at keptSeen
        }

        static void run() {
            Kept kept = new Kept();
            kept.fill();
            kept.refuse();
            kept.seen();
        }
    }

    //: pair Below.all.[]: belowSet -> belowSeen
    //: none Below.all.[]: belowBorn -> belowSeen
    //: pair Below.all.[]: belowBorn -> grown
    //: pair Below.all.[].value: leafPut -> leafRead
    //: pair Below.all.[]: grown -> grownSeen
    //: none Below.all.[]: belowSet -> grownSeen
    static final class Below {
        Object[] all = new Object[2];

        void fill() {
            all[0] = "born"; //: at belowBorn
            all[1] = "other";
        }

        void grow() {
            all = (Object[]) Library.grow(all, 3); //: at grown
        }

        void set(Object to) {
            Library.set(all, 0, to); //: at belowSet
        }

        Object seen() {
            return all[0]; //: at belowSeen
        }

        int deep() {
            return ((Leaf) all[0]).read();
        }

        Object grownSeen() {
            return all[1]; //: at grownSeen
        }

        static void run() {
            Below below = new Below();
            below.fill();
            below.grow();
            Leaf leaf = new Leaf();
            below.set(leaf);
            below.seen();
            leaf.put(4);
            below.deep();
            below.grownSeen();
        }
    }

    // Below no recorded method nobody knows on whose behalf it was written.
    //: none Elsewhere.all.[]: elseBorn -> elseSeen
    //: pair Elsewhere.all.[]: elseBorn -> elseOther
    //: pair Elsewhere.all.[]: elseLater -> elseLast
    static final class Elsewhere {
        final int[] all = new int[2];

        void fill() {
            all[0] = 1; //: at elseBorn
        }

        int other() {
            return all[0]; //: at elseOther
        }

        int seen() {
            return all[0]; //: at elseSeen
        }

        void later() {
            all[0] = 3; //: at elseLater
        }

        int last() {
            return all[0]; //: at elseLast
        }

        static void run() {
            Elsewhere elsewhere = new Elsewhere();
            elsewhere.fill();
            elsewhere.other();
            Library.setElsewhere(elsewhere.all, 0, 2);
            elsewhere.seen();
            elsewhere.later();
            elsewhere.last();
        }
    }

    //: pair Grid.cells.[].[]: cellSet -> cellSeen
    //: none Grid.cells.[].[]: gridMade -> cellSeen
    //: pair Grid.cells.[].[]: gridMade -> otherCellSeen
    static final class Grid {
        int[][] cells;

        void make() {
            cells = (int[][]) Array.newInstance(int.class, 2, 3); //: at gridMade
        }

        void set() {
            Array.setInt(Array.get(cells, 1), 2, 5); //: at cellSet
        }

        int seen() {
            return cells[1][2]; //: at cellSeen
        }

        int other() {
            return cells[0][0]; //: at otherCellSeen
        }

        static void run() {
            Grid grid = new Grid();
            grid.make();
            grid.set();
            grid.seen();
            grid.other();
        }
    }

    public static void main(String[] args) {
        Direct.run();
        Kept.run();
        Below.run();
        Elsewhere.run();
        Grid.run();
        System.out.println("done");
    }
}
