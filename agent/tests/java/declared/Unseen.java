import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Arrays that the JVM or the JDK makes, fills or puts in order where nothing is woven. */
final class Unseen {
    /** Something to hold. */
    static final class Box {
        final int weight;
        int mark;

        Box(int weight) {
            this.weight = weight;
        }

        void mark() {
            mark = 1; //: at mark
        }

        int look() {
            return mark; //: at look
        }
    }

    static final Comparator<Box> BY_WEIGHT = (one, other) -> one.weight - other.weight;

    /** Marks and looks at a box in a frame of its own, whether it holds the box or not. */
    abstract static class Holder {
        Box[] boxes;

        void touch(Box box) {
            box.mark();
            box.look();
        }

        Box first() {
            return boxes[0]; //: at first
        }
    }

    //: pair Grid.cells.[].[]: setCell -> getCell
    //: none Grid.cells.[].[]: makeCells -> getCell
    //: pair Grid.cells.[].[]: makeCells -> firstCell
    static final class Grid {
        int[][] cells;

        void make() {
            cells = new int[2][3]; //: at makeCells
        }

        void set(int[] row) {
            row[2] = 5; //: at setCell
        }

        int get() {
            return cells[1][2]; //: at getCell
        }

        int first() {
            return cells[0][0]; //: at firstCell
        }

        static void run() {
            Grid grid = new Grid();
            grid.make();
            grid.set(grid.cells[1]);
            grid.get();
            grid.first();
        }
    }

    //: pair Rows.rows.[].[].[].mark: mark -> look
    static final class Rows extends Holder {
        Box[][][] rows;

        void run(Box box) {
            Box[][][] made = new Box[2][2][1];
            made[0] = new Box[3][1];
            rows = made;
            made[1][1][0] = box;
            touch(box);
        }
    }

    //: pair Made.boxes.[].mark: mark -> look
    //: pair MadeAndStored.boxes.[].mark: mark -> look
    //: none MadeAndReplaced.boxes.[].mark: mark -> look
    static final class Made extends Holder {
        void run(Box box) {
            boxes = Stream.of(new Box(1), box).toArray(Box[]::new);
            touch(box);
        }
    }

    static final class MadeAndStored extends Holder {
        void run(Box box) {
            Box[] made = Stream.of(new Box(1), box).toArray(Box[]::new);
            made[0] = new Box(2);
            boxes = made;
            touch(box);
        }
    }

    static final class MadeAndReplaced extends Holder {
        void run(Box box) {
            boxes = Stream.of(new Box(1), box).toArray(Box[]::new);
            boxes[1] = null;
            touch(box);
        }
    }

    //: pair Copies.copies.[].mark: mark -> look
    //: none NoCopies.copies.[].mark: mark -> look
    static final class Copies extends Holder {
        List<Box> copies;

        void run(Box box) {
            copies = Collections.nCopies(2, box);
            touch(box);
        }
    }

    static final class NoCopies extends Holder {
        List<Box> copies;

        void run(Box box) {
            copies = Collections.nCopies(0, box);
            touch(box);
        }
    }

    //: pair Words.words.[]: split -> word
    static final class Words {
        String[] words;

        void run() {
            words = "a,b".split(","); //: at split
            System.out.println(words[1]); //: at word
        }
    }

    // The light box stands behind the heavy one and comes first.
    //: none SortedLight.boxes.[].mark: mark -> look
    //: pair SortedHeavy.boxes.[].mark: mark -> look
    //: none SortedLight.boxes.[]: sortReplace -> first
    //: pair SortedHeavy.boxes.[]: sort -> first
    //: none SortedHeavy.boxes.[]: sortFill -> first
    //: pair SortedHeavy.boxes.[]: sortFill -> sort
    abstract static class Sorted extends Holder {
        void fill(Box light, Box heavy) {
            boxes = new Box[2];
            boxes[0] = heavy; //: at sortFill
            boxes[1] = light;
        }

        void sort() {
            Arrays.sort(boxes, BY_WEIGHT); //: at sort
        }

        void replaceFirst() {
            boxes[0] = null; //: at sortReplace
        }
    }

    static final class SortedLight extends Sorted {
        void run(Box light) {
            fill(light, new Box(9));
            sort();
            replaceFirst();
            touch(light);
        }
    }

    static final class SortedHeavy extends Sorted {
        void run(Box heavy) {
            fill(new Box(0), heavy);
            sort();
            first();
            replaceFirst();
            touch(heavy);
        }
    }

    //: none InParts.boxes.[].mark: mark -> look
    //: pair InParts.boxes.[]: partFill -> first
    //: none InParts.boxes.[]: partSort -> first
    static final class InParts extends Holder {
        void run(Box light) {
            boxes = new Box[3];
            boxes[0] = new Box(7); //: at partFill
            boxes[1] = new Box(9);
            boxes[2] = light;
            Arrays.sort(boxes, 1, 3, BY_WEIGHT); //: at partSort
            first();
            boxes[1] = null;
            touch(light);
        }
    }

    //: none ListSorted.boxes.[].mark: mark -> look
    //: pair ListSorted.boxes.[]: listSort -> first
    static final class ListSorted extends Holder {
        void run(Box light) {
            boxes = new Box[] {new Box(9), light};
            Collections.sort(Arrays.asList(boxes), BY_WEIGHT); //: at listSort
            first();
            boxes[0] = null;
            touch(light);
        }
    }

    //: pair Numbers.numbers.[]: numberSort -> number
    //: none Numbers.numbers.[]: numberFill -> number
    //: pair Numbers.numbers.[]: numberAll -> numberAgain
    //: none Numbers.numbers.[]: numberSort -> numberAgain
    static final class Numbers {
        int[] numbers = new int[2];

        void run() {
            numbers[0] = 4; //: at numberFill
            numbers[1] = 3;
            Arrays.sort(numbers); //: at numberSort
            System.out.println(numbers[0]); //: at number
            Arrays.setAll(numbers, i -> i); //: at numberAll
            System.out.println(numbers[0]); //: at numberAgain
        }
    }

    //: none Replaced.boxes.[].mark: mark -> look
    //: pair Replaced.boxes.[]: setAll -> first
    static final class Replaced extends Holder {
        void run(Box box) {
            boxes = new Box[] {box};
            Arrays.setAll(boxes, i -> new Box(i)); //: at setAll
            first();
            touch(box);
        }
    }

    // The array is longer than the list: what stands behind the null stays.
    //: pair IntoKnown.boxes.[].mark: mark -> look
    //: pair IntoKnown.boxes.[]: toKnown -> first
    //: none IntoKnownReplaced.boxes.[].mark: mark -> look
    static final class IntoKnown extends Holder {
        void run(Box box) {
            boxes = new Box[] {new Box(1), new Box(2), box};
            Collections.singletonList(new Box(3)).toArray(boxes); //: at toKnown
            first();
            touch(box);
        }
    }

    static final class IntoKnownReplaced extends Holder {
        void run(Box box) {
            boxes = new Box[] {box, new Box(2), new Box(3)};
            Collections.singletonList(new Box(4)).toArray(boxes);
            touch(box);
        }
    }

    //: not-exit Filled.boxes.[]: newFilled -> Filled.fill
    //: exit Filled.boxes.[]: filledLoop -> Filled.fill
    //: exit Filled.boxes: newFilled -> Filled.fill
    //: exit Half.boxes.[]: newHalf -> Half.fill
    //: exit Half.boxes.[]: halfStore -> Half.fill
    //: not-exit NoElement.boxes.[]: newNone -> NoElement.fill
    //: not-exit Counted.counts.[]: newCounted -> Counted.fill
    //: exit Counted.counts.[]: countedFill -> Counted.fill
    static final class Filled extends Holder {
        void fill() {
            boxes = new Box[2]; //: at newFilled
            for (int i = 0; i < 2; i++) {
                boxes[i] = new Box(i); //: at filledLoop
            }
        }
    }

    static final class Half extends Holder {
        void fill() {
            boxes = new Box[2]; //: at newHalf
            boxes[1] = new Box(1); //: at halfStore
        }
    }

    static final class NoElement extends Holder {
        void fill() {
            boxes = new Box[0]; //: at newNone
        }
    }

    static final class Counted {
        int[] counts;

        void fill() {
            counts = new int[1000]; //: at newCounted
            Arrays.fill(counts, 0, 10, 1);
            Arrays.fill(counts, 10, 1000, 2); //: at countedFill
        }
    }

    public static void main(String[] arguments) {
        Grid.run();
        new Rows().run(new Box(1));
        new Made().run(new Box(1));
        new MadeAndStored().run(new Box(1));
        new MadeAndReplaced().run(new Box(1));
        new Copies().run(new Box(1));
        new NoCopies().run(new Box(1));
        new Words().run();
        new SortedLight().run(new Box(1));
        new SortedHeavy().run(new Box(5));
        new InParts().run(new Box(1));
        new ListSorted().run(new Box(1));
        new Numbers().run();
        new Replaced().run(new Box(1));
        new IntoKnown().run(new Box(1));
        new IntoKnownReplaced().run(new Box(1));
        new Filled().fill();
        new Half().fill();
        new NoElement().fill();
        new Counted().fill();
    }
}
