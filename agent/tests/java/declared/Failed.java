import java.util.ArrayList;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Constructors whose superclass's constructor throws: nothing shows that they are over, but they do nothing more. */
final class Failed {
    /** A list of a size that the JDK refuses. */
    static class Sized extends ArrayList<Object> {
        int made;

        Sized(int size) {
            super(size);
            made = size; //: at made
        }

        Sized(int size, int more) {
            this(size + more);
            made += more;
        }

        int made() {
            return made; //: at madeRead
        }
    }

    //: pair Caller.state: before -> behind
    //: pair Caller.state: handled -> read
    //: none Caller.state: before -> read
    //: used-by Caller.state: read -> Caller.read
    //: used-by Caller.state: behind -> Caller.caught
    //: defined-by Caller.state: handled -> Caller.caught
    //: exit Caller.state: handled -> Caller.caught
    static class Caller {
        int state;

        int caught(boolean chained) {
            state = 1; //: at before
            int seen = 0;
            try {
                Object failed = chained ? new Sized(-3, 1) : new Sized(-1);
                seen = failed.hashCode();
            } catch (IllegalArgumentException expected) {
                seen += state; //: at behind
                state = 2; //: at handled
            }
            return seen;
        }

        int read() {
            return state; //: at read
        }
    }

    /** The constructor itself makes others, the last of which fail. */
    //: pair Nested.depth: depth -> depthRead
    //: defined-by Nested.depth: depth -> Nested.<init>
    //: throws Nested.depth: depth -> Nested.<init>
    static class Nested extends ArrayList<Object> {
        int depth;

        Nested(int size) {
            super(size);
            depth = size; //: at depth
            if (depth() >= 0) {
                new Nested(size - 1);
            }
        }

        int depth() {
            return depth; //: at depthRead
        }
    }

    /** The JDK's constructor calls the program before it fails. */
    //: pair Callback.calls: called -> called
    static class Callback extends ThreadPoolExecutor {
        static int calls;

        Callback() {
            super(1, 0, count(), TimeUnit.SECONDS, new LinkedBlockingQueue<Runnable>());
        }

        static long count() {
            calls++; //: at called
            return 1;
        }
    }

    private Failed() {}

    public static void main(String[] arguments) {
        System.out.println(new Sized(2, 1).made());
        Caller caller = new Caller();
        System.out.println(caller.caught(false) + caller.read());
        Caller chained = new Caller();
        System.out.println(chained.caught(true) + chained.read());
        try {
            new Nested(3);
        } catch (IllegalArgumentException expected) {
            System.out.println("nested");
        }
        for (int i = 0; i < 2; i++) {
            try {
                new Callback();
            } catch (IllegalArgumentException expected) {
                System.out.println("callback");
            }
        }
        System.out.println(caller.read());
    }
}
