import java.util.Arrays;

/**
 * Accesses that follow each other with nothing in between that could come between them, and such that look so: the first ones may be
 * recorded in one batch, and each gives what it gives alone. Invariant: what it prints depends on nothing.
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

        /** Four cells, each of which but this one is given something else. */
        void share(Cell second, Cell third, Cell last) {
            second.value = 1; //: at shareValue
            third.wide = 2; //: at shareWide
            last.next = this; //: at shareNext
        }

        int onlyValue() {
            return value; //: at onlyValue
        }

        long onlyWide() {
            return wide; //: at onlyWide
        }

        Cell onlyNext() {
            return next; //: at onlyNext
        }

        /** What throws in the middle ends it; nothing in here catches that. */
        int open(Cell[] of, int i) {
            value = i; //: at openBefore
            int seen = of[i].value; //: at openThrower
            wide = seen; //: at openBehind
            return seen;
        }

        int opened(Cell[] of, int i) {
            try {
                return open(of, i);
            } catch (RuntimeException expected) {
                return value + (int) wide; //: at openCaught
            }
        }

        /** The same of a length, a division and a store. */
        int halved(int[] of, int by) {
            value = 5; //: at halvedBefore
            int half = of.length / by;
            value = half; //: at halvedBehind
            of[half] = value;
            wide = half; //: at halvedLast
            return half;
        }

        int halvedOr(int[] of, int by) {
            try {
                return halved(of, by);
            } catch (RuntimeException expected) {
                return value + (int) wide; //: at halvedCaught
            }
        }
    }

    private final Cell[] cells = new Cell[4];
    private final long[] sums = new long[4];
    private final Cell[] spare = new Cell[4];
    private final int[] fixed = new int[4];
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

    /** One index of two arrays, two indices of two arrays. */
    static void move(Cell[] to, Cell[] from, int i) {
        to[i] = from[i]; //: at moveOne
    }

    static void move(Cell[] to, int i, Cell[] from, int j) {
        to[i] = from[j]; //: at moveTwo
    }

    Cell spareFirst() {
        return spare[0]; //: at spareFirst
    }

    Cell spareSecond() {
        return spare[1]; //: at spareSecond
    }

    /** What a final field holds is read twice, and changed in between. */
    int twice(int i) {
        fixed[i] = 1; //: at fixedFirst
        fixed[i + 1] = fixed[i]; //: at fixedSecond
        return fixed[i + 1]; //: at fixedLast
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
        move(all.spare, all.cells, 0);
        move(all.spare, 1, all.cells, 0);
        System.out.println(all.spareFirst() == all.spareSecond());
        System.out.println(all.twice(0) + all.twice(2));
        Cell[] four = {new Cell(), new Cell(), new Cell(), new Cell()};
        four[0].share(four[1], four[2], four[3]);
        System.out.println(four[1].onlyValue() + four[2].onlyWide() + (four[3].onlyNext() == four[0] ? 1 : 0));
        Cell cell = new Cell();
        System.out.println(cell.opened(four, 4) + cell.opened(null, 1) + cell.opened(new Cell[2], 1));
        cell = new Cell();
        System.out.println(cell.halvedOr(new int[2], 0) + cell.halvedOr(null, 1));
        cell = new Cell();
        System.out.println(cell.halvedOr(new int[3], 1));
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
//: pair Together.spare.[]: moveOne -> spareFirst
//: pair Together.spare.[]: moveTwo -> spareSecond
//: none Together.spare.[]: moveOne -> spareSecond
//: none Together.spare.[]: moveTwo -> spareFirst
//: pair Together.fixed.[]: fixedFirst -> fixedSecond
//: pair Together.fixed.[]: fixedSecond -> fixedLast
//: none Together.fixed.[]: fixedFirst -> fixedLast
//: pair Cell.value: shareValue -> onlyValue
//: pair Cell.wide: shareWide -> onlyWide
//: pair Cell.next: shareNext -> onlyNext
//: pair Cell.value: openBefore -> openCaught
//: none Cell.wide: openBehind -> openCaught
//: pair Cell.value: halvedBefore -> halvedCaught
//: pair Cell.value: halvedBehind -> halvedCaught
//: none Cell.wide: halvedLast -> halvedCaught
