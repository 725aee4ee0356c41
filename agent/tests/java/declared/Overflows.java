import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Stacks that overflow, interpreted and compiled: the innermost frames end without a word, for there is no room to say it. Whatever is
 * done after the error was caught is done without them.
 */
final class Overflows {
    /**
     * Not recorded. Lets another thread do something just before the stack is full: what this thread does then is the first thing after
     * the other one's, and takes more stack to report than what it did before.
     */
    static final class Library {
        private static final int NEVER = Integer.MAX_VALUE;
        private static volatile int asked;
        private static volatile int done;
        private static int depth;
        private static int last = NEVER;

        /** Dives, and catches everything: no recorded method is left where the error goes on. */
        static void dives(Dive dive) {
            try {
                dive.alone(0);
            } catch (Throwable expected) {
                return;
            }
        }

        /** Called at each depth. */
        static void deeper() {
            if (++depth == last) {
                int number = done + 1;
                asked = number;
                while (done != number) {}
            }
        }

        /** Lets the other thread come so many calls before the end, which is where it was when nobody came. */
        static void prepare(int before, Runnable dive) {
            depth = 0;
            last = NEVER;
            isOverflowed(dive);
            last = depth - before;
            depth = 0;
        }

        /** Waits until something is to be done; false when there is nothing more. */
        static boolean isAsked() {
            while (asked == done) {
                Thread.yield();
            }
            return asked > 0;
        }

        static void isDone() {
            done = asked;
        }

        static void end() {
            asked = -1;
        }

        /** Calls what it is given and catches everything. */
        static boolean isOverflowed(Runnable called) {
            try {
                called.run();
                return false;
            } catch (Throwable error) {
                return error instanceof StackOverflowError;
            }
        }
    }

    /** Never comes to an end: alone, or by turns with another method. */
    static final class Dive {
        int depth;

        int alone(int more) {
            Library.deeper();
            return alone(more + 1) + 1;
        }

        int byTurns(int more) {
            Library.deeper();
            depth = more;
            return otherTurn(more + 1) + 1;
        }

        int otherTurn(int more) {
            return byTurns(more + depth) + 1;
        }
    }

    /** What another thread does. */
    static final class Other extends Thread {
        private int count;

        @Override
        public void run() {
            while (Library.isAsked()) {
                count++;
                Library.isDone();
            }
        }
    }

    /** Catches where the stack is nearly empty. What it calls then neither reads nor writes at first. */
    //: pair Shallow.state: helped -> shallowRead
    //: defined-by Shallow.state: helped -> Shallow.alone,Shallow.first,Shallow.second
    //: defined-by Shallow.state: helped -> Shallow.byTurns,Shallow.first,Shallow.second
    //: defined-by Shallow.state: helped -> Shallow.atLast,Shallow.first,Shallow.second
    //: defined-by Shallow.state: helped -> Shallow.inLibrary,Shallow.first,Shallow.second
    //: defined-by Shallow.state: helped -> Shallow.inJdk,Shallow.first,Shallow.second
    //: used-by Shallow.state: shallowRead -> Shallow.alone
    //: not-defined-by Shallow.state: helped -> Shallow.alone,Dive.alone,Shallow.first,Shallow.second
    //: not-defined-by Shallow.state: helped -> Shallow.byTurns,Dive.byTurns,Shallow.first,Shallow.second
    //: not-defined-by Shallow.state: helped -> Shallow.byTurns,Dive.byTurns,Dive.otherTurn,Shallow.first,Shallow.second
    //: not-defined-by Shallow.state: helped -> Shallow.atLast,Dive.alone,Shallow.first,Shallow.second
    //: not-defined-by Shallow.state: helped -> Shallow.inLibrary,1.run,Dive.alone,Shallow.first,Shallow.second
    //: not-defined-by Shallow.state: helped -> Shallow.inLibrary,1.run,Shallow.first,Shallow.second
    //: not-defined-by Shallow.state: helped -> Shallow.inJdk,2.call,Dive.alone,Shallow.first,Shallow.second
    //: not-defined-by Shallow.state: helped -> Shallow.inJdk,2.call,Shallow.first,Shallow.second
    //: defined-by Shallow.state: helped -> Shallow.aboveLibrary,Shallow.first,Shallow.second
    //: not-defined-by Shallow.state: helped -> Shallow.aboveLibrary,Dive.alone,Shallow.first,Shallow.second
    //: exit Shallow.state: helped -> Shallow.aboveLibrary
    //: exit Shallow.state: helped -> Shallow.alone
    //: exit Shallow.state: helped -> Shallow.byTurns
    //: exit Shallow.state: helped -> Shallow.atLast
    //: exit Shallow.state: helped -> Shallow.inLibrary
    //: exit Shallow.state: helped -> Shallow.inJdk
    static final class Shallow {
        final Dive dive = new Dive();
        int state;

        int alone() {
            int seen = 0;
            try {
                seen = dive.alone(0);
            } catch (StackOverflowError expected) {
                seen = -1;
            }
            first();
            return seen + state; //: at shallowRead
        }

        int byTurns() {
            try {
                return dive.byTurns(0);
            } catch (Error expected) {
                first();
            }
            return state;
        }

        int atLast() {
            try {
                dive.alone(0);
            } finally {
                first();
                return state;
            }
        }

        int inLibrary() {
            boolean isOverflowed = Library.isOverflowed(new Runnable() {
                @Override
                public void run() {
                    dive.alone(0);
                }
            });
            first();
            return isOverflowed ? state : -1;
        }

        int aboveLibrary() {
            Library.dives(dive);
            first();
            return state;
        }

        int inJdk() throws InterruptedException {
            FutureTask<Integer> task = new FutureTask<Integer>(new Callable<Integer>() {
                @Override
                public Integer call() {
                    return dive.alone(0);
                }
            });
            task.run();
            first();
            try {
                return task.get();
            } catch (ExecutionException expected) {
                return expected.getCause() instanceof StackOverflowError ? state : -1;
            }
        }

        void first() {
            second();
        }

        void second() {
            state = 2; //: at helped
        }
    }

    /** Catches in the midst of a recursion of the method that catches: what is called from there on belongs to frames that are over. */
    //: pair Each.state: midst -> midstRead
    //: none Above.each.state: midst -> midstRead
    //: not-defined-by Above.each.state: midst -> Above.call,Each.dive,Each.help
    //: none Above.each.state: midst -> afterRead
    //: pair Each.state: midst -> afterRead
    //: exit Each.state: midst -> Each.dive
    //: not-exit Above.each.state: midst -> Above.call
    static final class Each {
        private static final int MIDST = 40;
        int state;

        int dive(int depth, Above above) {
            Library.deeper();
            try {
                return depth < MIDST ? dive(depth + 1, above) : new Above().call(this, depth);
            } catch (StackOverflowError error) {
                if (depth != MIDST) {
                    throw error;
                }
            }
            help();
            return state; //: at midstRead
        }

        void help() {
            state = 3; //: at midst
        }

        int after() {
            return state; //: at afterRead
        }
    }

    /** Is called above that. */
    static final class Above {
        Each each;

        int call(Each from, int depth) {
            each = from;
            return from.dive(depth + 1, this);
        }
    }

    /** Lets go of a lock, and catches at the end of the stack, at any depth: whatever is known there, it is known again further down. */
    //: pair Locked.state: behindLocks -> locksRead
    //: exit Locked.state: behindLocks -> Locked.caught
    //: defined-by Locked.state: behindLocks -> Locked.caught,Locked.helper
    //: not-defined-by Locked.state: behindLocks -> Locked.caught,Locked.locked,Locked.helper
    static final class Locked {
        int state;

        int locked(int depth) {
            Library.deeper();
            synchronized (this) {
                return locked(depth + 1) + 1;
            }
        }

        int caught() {
            try {
                locked(0);
            } catch (VirtualMachineError expected) {
                helper();
            }
            return state; //: at locksRead
        }

        void helper() {
            state = 5; //: at behindLocks
        }
    }

    private Overflows() {}

    static int round(int before) throws InterruptedException {
        Shallow shallow = new Shallow();
        final Dive dive = new Dive();
        Runnable alone = new Runnable() {
            @Override
            public void run() {
                dive.alone(0);
            }
        };
        Runnable byTurns = new Runnable() {
            @Override
            public void run() {
                dive.byTurns(0);
            }
        };
        Library.prepare(before, alone);
        int sum = shallow.alone();
        Library.prepare(before, byTurns);
        sum = sum * 31 + shallow.byTurns();
        Library.prepare(before, alone);
        sum = sum * 31 + shallow.atLast();
        Library.prepare(before, alone);
        sum = sum * 31 + shallow.inLibrary();
        Library.prepare(before, alone);
        sum = sum * 31 + shallow.inJdk();
        Library.prepare(before, alone);
        sum = sum * 31 + shallow.aboveLibrary();
        Library.prepare(before, new Runnable() {
            @Override
            public void run() {
                new Each().dive(Each.MIDST + 1, new Above());
            }
        });
        final Each each = new Each();
        sum = sum * 31 + each.dive(0, null);
        sum = sum * 31 + each.after();
        Library.prepare(before, new Runnable() {
            @Override
            public void run() {
                new Locked().locked(0);
            }
        });
        return sum * 31 + new Locked().caught();
    }

    public static void main(String[] arguments) throws InterruptedException {
        final StringBuilder out = new StringBuilder();
        Thread thread = new Thread(null, new Runnable() {
            @Override
            public void run() {
                try {
                    for (int i = 0; i < 16; i++) {
                        out.append(round(i % 8 * 3)).append(i % 8 == 7 ? '\n' : ' ');
                    }
                } catch (InterruptedException unexpected) {
                    out.append(unexpected);
                }
            }
        }, "small stack", 256 << 10);
        Other other = new Other();
        other.start();
        thread.start();
        thread.join();
        Library.end();
        other.join();
        System.out.print(out);
    }
}
