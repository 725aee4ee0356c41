import java.util.ArrayList;
import java.util.List;

/**
 * Invocations that are left out because such ones show nothing new: what they write is unknown, and what was there before does not reach
 * what reads it afterwards. Each scene first repeats an invocation until it is left out, and then writes, lets it overwrite, and reads.
 */
public class Muted {
    static final int MANY = 3000;

    static class Counter {
        int n;
        Counter next;
        final int[] cells = new int[4];
        final List<Object> list = new ArrayList<>();

        void bump() {
            n = n + 1; //: at bumped
        }

        int bumped() {
            return n; //: at readBumped
        }

        void reset() {
            n = 0; //: at reset
        }

        int afterReset() {
            return n; //: at readReset
        }

        void link(Counter other) {
            next = other; //: at linked
        }

        void relink() {
            next = new Counter();
            next.n = 1;
        }

        int throughLink() {
            return next.n; //: at readThroughLink
        }

        void setUp(int value) {
            next.n = value; //: at setUp
        }

        void fill(int value) {
            cells[1] = value; //: at filled
        }

        void refill(int value) {
            cells[1] = value;
        }

        int filled() {
            return cells[1]; //: at readFilled
        }

        void put(Object value) {
            list.clear();
            list.add(value); //: at put
        }

        void putAgain(Object value) {
            list.set(0, value);
        }

        Object got() {
            return list.get(0); //: at got
        }
    }

    static int shared;

    static void share() {
        shared = 7; //: at shared
    }

    static void shareAgain() {
        shared = shared + 1;
    }

    static int readShared() {
        return shared; //: at readShared
    }

    /** A constructor that fails in the one it invokes ends without a word. */
    static class Failing extends Base {
        int value;

        Failing(boolean fails) {
            super(fails);
            value = 1;
        }
    }

    static class Base {
        int base;

        Base(boolean fails) {
            base = 2;
            if (fails) {
                throw new IllegalStateException();
            }
        }
    }

    static class Careful {
        int tries;
        int state;

        /** Whoever takes the failed constructor for active takes the write for one to its object. */
        void tryAgain() {
            try {
                new Failing(true);
            } catch (IllegalStateException expected) {
                tries = tries + 1;
            }
        }

        void begin() {
            tries = 0; //: at begun
        }

        int tries() {
            return tries; //: at readTries
        }
    }

    /** The stack overflows in an invocation that is left out, and a frame below the ones that are over writes. */
    static class Deep {
        int depth;
        int caught;

        void fall() {
            try {
                sink();
            } catch (StackOverflowError error) {
                caught = caught + 1;
            }
        }

        private int sink() {
            depth = depth + 1;
            return sink() + depth;
        }

        void calm() {
            caught = 0; //: at calmed
        }

        int caught() {
            return caught; //: at readCaught
        }
    }

    /** An object that is made while its constructor's frame is recorded and the one above it could be left out. */
    static class Above extends Below {
        int own;

        Above() {
            super();
            own = below; //: at readBelow
        }
    }

    static class Below {
        int below;

        Below() {
            init();
        }

        void init() {
            below = 3; //: at initialised
        }
    }

    public static void main(String[] args) {
        Counter counter = new Counter();
        Counter other = new Counter();
        counter.bump();
        counter.bumped();
        other.n = 5;
        counter.link(other);
        counter.throughLink();
        for (int i = 0; i < MANY; i++) {
            counter.bump();
            counter.relink();
            counter.refill(i);
            counter.list.clear();
            counter.list.add(i);
            counter.putAgain(i);
            shareAgain();
        }
        counter.reset();
        counter.bump();
        counter.afterReset();
        counter.link(other);
        counter.setUp(9);
        counter.relink();
        counter.throughLink();
        counter.fill(8);
        counter.refill(9);
        counter.filled();
        Object value = new Object();
        counter.put(value);
        counter.putAgain(value);
        counter.got();
        share();
        shareAgain();
        readShared();
        Careful careful = new Careful();
        for (int i = 0; i < MANY; i++) {
            careful.tryAgain();
        }
        careful.begin();
        careful.tryAgain();
        careful.tries();
        Deep deep = new Deep();
        for (int i = 0; i < 6; i++) {
            deep.fall();
        }
        deep.calm();
        deep.fall();
        deep.caught();
        for (int i = 0; i < MANY; i++) {
            new Above();
        }
        System.out.println(counter.n + shared + careful.tries + deep.caught);
    }

    //: pair Counter.n: bumped -> readBumped
    //: pair Above.below: initialised -> readBelow
    //: none Counter.n: reset -> readReset
    //: none Counter.next.n: setUp -> readThroughLink
    //: none Counter.cells.[]: filled -> readFilled
    //: none Counter.list.[]: put -> got
    //: none Muted.shared: shared -> readShared
    //: none Careful.tries: begun -> readTries
    //: none Deep.caught: calmed -> readCaught
    //: not-entry Above.below: Above.<init> -> readBelow
}
