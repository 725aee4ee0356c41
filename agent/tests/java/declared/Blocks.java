/** Which definitions reach basic blocks when they are entered, and which uses are reachable from there. */
final class Blocks {
    // One way of a branch runs: what the block itself defines does not reach its own entry.
    //: reaches Branches.level: first -> second
    //: not-reaches Branches.level: second -> second
    //: reaches Branches.level: second -> join
    //: not-reaches Branches.level: first -> join
    //: not-reaches Branches.level: otherwise -> join
    //: uses Branches.level: join -> join
    //: not-uses Branches.level: second -> join
    //: not-uses Branches.level: first -> join
    //: pair Branches.level: second -> join
    static final class Branches {
        int level;
        int other;

        void run(boolean up) {
            level = 1; //: at first
            if (up) {
                level = 2; //: at second
            } else {
                level = 3; //: at otherwise
            }
            other = level; //: at join
        }
    }

    // Every entry counts: the second round of a loop is reached by what the first one defined.
    //: reaches Loop.sum: loopBody -> loopBody
    //: reaches Loop.sum: loopBody -> loopHead
    //: reaches Loop.sum: loopBody -> loopEnd
    //: reaches Loop.sum: loopBody -> doneRead
    //: not-reaches Loop.sum: loopBody -> loopStart
    //: uses Loop.sum: loopStart -> loopBody
    //: uses Loop.sum: loopBody -> loopBody
    //: uses Loop.sum: loopHead -> doneRead
    //: uses Loop.sum: loopEnd -> doneRead
    //: not-uses Loop.sum: loopBody -> doneRead
    //: not-uses Loop.sum: loopStart -> doneRead
    static final class Loop {
        int sum;

        void run() {
            int i = 0; //: at loopStart
            while (i < 3) { //: at loopHead
                sum = sum + i; //: at loopBody
                i++;
            }
            done(); //: at loopEnd
        }

        int done() {
            return sum; //: at doneRead
        }
    }

    // A handler is entered with what was defined when the exception was thrown; calls and try end no block.
    //: reaches Guard.state: guardSet -> failSet
    //: reaches Guard.state: failSet -> guardCatch
    //: not-reaches Guard.state: guardSet -> guardCatch
    //: not-reaches Guard.state: guardNever -> guardCatch
    //: not-reaches Guard.state: guardSet -> guardTry
    //: uses Guard.state: guardCatch -> guardSeen
    //: not-uses Guard.state: guardSet -> guardSeen
    //: not-uses Guard.state: failSet -> guardSeen
    static final class Guard {
        int state;

        int run() {
            state = 1; //: at guardSet
            try {
                fail(); //: at guardTry
                state = 2; //: at guardNever
            } catch (IllegalStateException expected) { //: at guardCatch
                return state; //: at guardSeen
            }
            return 0;
        }

        void fail() {
            state = 3; //: at failSet
            throw new IllegalStateException();
        }
    }

    // Nested state belongs to the receiver whose frame enters the block, and to no other root.
    //: reaches Owner.cell.value: ownerMake -> ownerRun
    //: reaches Owner.cell.value: put -> look
    //: not-reaches Owner.cell.value: ownerMake -> look
    //: reaches Cell.value: put -> putAgain
    //: not-reaches Owner.cell.value: put -> putAgain
    //: uses Owner.cell.value: look -> look
    //: not-uses Owner.cell.value: ownerRun -> look
    static final class Cell {
        int value;

        void put(int to) {
            value = to; //: at put
        }

        void putAgain() {
            boolean now = true; //: at putAgain
        }
    }

    static final class Owner {
        final Cell cell = new Cell(); //: at ownerMake

        int run() {
            boolean now = true; //: at ownerRun
            cell.put(1);
            cell.putAgain();
            return look();
        }

        int look() {
            return cell.value; //: at look
        }
    }

    // Uses count until the outermost invocation on the receiver ends, definitions from wherever they come.
    //: reaches Visits.count: visitSet -> visitLook
    //: reaches Visits.count: visitSet -> visitAgain
    //: uses Visits.count: visitInner -> visitAfter
    //: uses Visits.count: visitLook -> visitLook
    //: not-uses Visits.count: visitInner -> visitLook
    //: not-uses Visits.count: visitSet -> visitLook
    static final class Visits {
        int count;

        int run() {
            count = 1; //: at visitSet
            inner();
            return count; //: at visitAfter
        }

        void inner() {
            boolean now = true; //: at visitInner
        }

        int look() {
            return count; //: at visitLook
        }

        void again() {
            boolean now = true; //: at visitAgain
        }
    }

    // Static state is that of the class.
    //: reaches Shared.total: totalSet -> totalLook
    //: uses Shared.total: totalLook -> totalLook
    //: not-uses Shared.total: totalSet -> totalLook
    static final class Shared {
        static int total;

        static void set() {
            total = 4; //: at totalSet
        }

        static int look() {
            return total; //: at totalLook
        }
    }

    static class Base {
        final int size;

        Base(int size) {
            this.size = size; //: at baseSize
        }
    }

    // Called below, because JDK 8's compiler gives constants in a conditional expression no lines of their own.
    static int one() {
        return 1;
    }

    static int two() {
        return 2;
    }

    // Blocks before the super constructor is invoked are blocks of the object that is made.
    //: reaches Inner.this$0: innerMake -> innerYes
    //: not-reaches Inner.this$0: innerMake -> innerNo
    //: not-reaches Inner.this$0: innerMake -> innerMake
    //: reaches Inner.this$0: innerMake -> innerBody
    //: not-reaches Inner.size: baseSize -> innerYes
    //: reaches Inner.size: baseSize -> innerEnd
    final class Inner extends Base {
        int more;

        Inner(boolean large) { //: at innerMake
            super(large
                ? two() //: at innerYes
                : one()); //: at innerNo
            if (large) {
                more = outer(); //: at innerBody
            }
            more++; //: at innerEnd
        }

        final int outer() {
            return Blocks.this.hashCode();
        }
    }

    // What a list holds is state below it, and goes with it.
    //: reaches Shelf.cells.[].value: put -> shelfLook
    //: not-reaches Shelf.cells.[].value: put -> shelfGone
    //: uses Shelf.cells.[].value: shelfLook -> shelfLook
    static final class Shelf {
        final java.util.List<Cell> cells = new java.util.ArrayList<>();

        void run() {
            Cell cell = new Cell();
            cells.add(cell);
            cell.put(3);
            look();
            cells.clear();
            gone();
        }

        int look() {
            return cells.get(0).value; //: at shelfLook
        }

        void gone() {
            boolean now = true; //: at shelfGone
        }
    }

    public static void main(String[] arguments) {
        new Branches().run(true);
        new Loop().run();
        new Guard().run();
        new Owner().run();
        Visits visits = new Visits();
        visits.run();
        visits.look();
        visits.again();
        Shared.set();
        Shared.look();
        new Blocks().new Inner(true);
        new Shelf().run();
        System.out.println("ok");
    }
}
