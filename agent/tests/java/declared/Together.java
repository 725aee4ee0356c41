import java.util.Arrays;

/**
 * Accesses that follow each other with nothing in between that could come between them, and such that look so: the first ones may be
 * told at once, and each is told as if alone. Invariant: what it prints depends on nothing.
 */
final class Together {
    static final class Cell {
        int value;
        long wide;
        Cell next;
        volatile Cell seen;
        static int made;

        int both() {
            return value + (int) wide; //: at both
        }

        void set(int value, Cell next) {
            this.value = value; //: at setValue
            this.next = next; //: at setNext
            wide = value; //: at setWide
        }

        Cell turn() {
            Cell last = next; //: at turnRead
            next = seen; //: at turnNext
            seen = last; //: at turnSeen
            made++;
            return last;
        }

        void nothing() {
        }
    }

    private final Cell[] cells = new Cell[4];
    private final long[] sums = new long[4];
    private Cell top = new Cell();

    Together() {
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new Cell(); //: at fill
        }
    }

    /** Reads and writes of one field, and of one element. */
    void add(int i) {
        top.value += i; //: at addValue
        top.wide += i; //: at addWide
        sums[i] += top.wide; //: at addSum
        cells[i].value++; //: at count
    }

    /** What throws in the middle leaves no event, and what came before it does. */
    int broken(Cell[] of, int i) {
        int seen = 0;
        try {
            top.value = i; //: at before
            seen = of[i].value; //: at thrower
            top.wide = seen; //: at behind
        } catch (RuntimeException expected) {
            seen = top.value; //: at caught
        }
        return seen;
    }

    /** The same of elements: the store is refused, the loads happened. */
    Object refused(Object[] of, Object value) {
        try {
            Object had = of[0]; //: at had
            of[0] = of[1]; //: at moved
            of[1] = value; //: at refusal
            return had;
        } catch (ArrayStoreException expected) {
            return of[0]; //: at kept
        }
    }

    /** Two elements of one array: each write is one of its own element. */
    void swap(int i, int j) {
        long[] of = sums;
        long had = of[i];
        long other = of[j];
        of[i] = other; //: at swapFirst
        of[j] = had; //: at swapSecond
    }

    long first() {
        return sums[0]; //: at first
    }

    long second() {
        return sums[1]; //: at second
    }

    int sum() {
        int sum = 0;
        for (int i = 0; i < cells.length; i++) {
            sum += cells[i].both() + (int) sums[i]; //: at sum
        }
        return sum + top.both();
    }

    void link() {
        top.set(3, cells[0]); //: at link
        top.seen = cells[top.both() > 0 ? 1 : 2];
        for (Cell cell = top.turn(); cell != null; cell = cell.turn()) {
            cell.nothing();
        }
        if (top.turn() != null && top.next != null) {
            top = top.next; //: at replace
        }
    }

    public static void main(String[] arguments) {
        Together all = new Together();
        for (int i = 0; i < 40; i++) {
            all.add(i % 4);
        }
        System.out.println(all.sum());
        all.link();
        System.out.println(all.broken(all.cells, 1) + all.broken(all.cells, 9) + all.broken(null, 2));
        all.cells[2] = null;
        System.out.println(all.broken(all.cells, 2));
        all.cells[2] = all.cells[1];
        System.out.println(all.refused(all.cells, "no cell") == all.cells[3]);
        all.swap(0, 1);
        System.out.println(all.first() + all.second());
        System.out.println(all.sum() + Cell.made + Arrays.hashCode(all.sums));
    }
}

//: pair Cell.value: setValue -> both
//: pair Together.top.value: addValue -> addValue
//: pair Together.sums.[]: addSum -> addSum
//: pair Together.sums.[]: addSum -> sum
//: pair Together.cells.[].value: count -> both
//: pair Together.cells.[]: fill -> sum
//: pair Cell.next: setNext -> turnRead
//: pair Cell.next: turnNext -> turnRead
//: none Cell.seen: turnSeen -> turnRead
//: pair Together.top.value: before -> caught
//: none Together.top.wide: addWide -> caught
//: pair Together.cells.[]: moved -> kept
//: none Together.cells.[]: refusal -> kept
//: pair Together.sums.[]: swapFirst -> first
//: pair Together.sums.[]: swapSecond -> second
//: none Together.sums.[]: swapSecond -> first
//: none Together.sums.[]: swapFirst -> second
