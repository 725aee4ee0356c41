import java.util.function.Supplier;

/** What holds when invocations begin and end, and the frames by which definitions and uses come about. */
final class Invocations {
    static final class Log {
        int lines;

        void write() {
            lines = 1; //: at logWrite
        }

        int read() {
            return lines; //: at logRead
        }
    }

    /** A definition that was overwritten before the end is none at the end; one whose place was replaced is neither. */
    //: exit Account.balance: secondDeposit -> Account.deposit
    //: not-exit Account.balance: firstDeposit -> Account.deposit
    //: throws Account.balance: secondDeposit -> Account.deposit
    //: not-throws Account.balance: firstDeposit -> Account.deposit
    //: exit Account.log.lines: logWrite -> Account.deposit
    //: exit Account.log: logReplace -> Account.replace
    //: exit Account.log.lines: logReplace -> Account.replace
    //: not-exit Account.log.lines: logWrite -> Account.replace
    //: not-throws Account.log: logReplace -> Account.replace
    //: exit Log.lines: logWrite -> Log.write
    //: entry Account.balance: Account.total -> total
    //: entry Account.log.lines: Account.lines -> logRead
    //: entry Account.never: Account.readsNever -> never
    //: not-entry Account.both: Account.writesAndReads -> bothRead
    //: pair Account.both: bothSet -> bothRead
    //: direct Account.balance: secondDeposit -> total
    //: not-nested Account.balance: secondDeposit -> total
    //: nested Account.log.lines: logReplace -> logRead
    //: not-direct Account.log.lines: logReplace -> logRead
    //: direct Account.log.lines: logWrite -> logRead
    //: none Account.never: secondDeposit -> never
    static final class Account {
        int balance;
        int never;
        int both;
        Log log = new Log();

        void deposit(boolean fails) {
            balance = 1; //: at firstDeposit
            balance = 2; //: at secondDeposit
            log.write();
            if (fails) {
                throw new IllegalStateException("declared");
            }
        }

        void replace() {
            log.write();
            log = new Log(); //: at logReplace
        }

        int total() {
            return balance; //: at total
        }

        int lines() {
            return log.read();
        }

        int readsNever() {
            return never; //: at never
        }

        int writesAndReads() {
            both = 3; //: at bothSet
            return both; //: at bothRead
        }

        static void run() {
            Account account = new Account();
            account.deposit(false);
            account.total();
            account.lines();
            account.replace();
            account.lines();
            account.readsNever();
            account.writesAndReads();
            try {
                account.deposit(true);
            } catch (IllegalStateException declared) {
                account.total();
            }
        }
    }

    /** Only the outermost invocation on an object begins and ends for it. */
    //: exit Outermost.value: innerSet -> Outermost.outer
    //: not-exit Outermost.value: innerSet -> Outermost.inner
    //: entry Outermost.value: Outermost.outer -> innerGet
    //: not-entry Outermost.value: Outermost.inner -> innerGet
    //: exit Other.calls: otherSet -> Other.call
    //: exit Other.back.value: innerSet -> Other.call
    static final class Outermost {
        int value;

        void outer() {
            inner();
        }

        private void inner() {
            int before = value; //: at innerGet
            value = before + 1; //: at innerSet
        }

        static void run() {
            Outermost root = new Outermost();
            root.outer();
            root.outer();
            new Other(root).call();
        }
    }

    static final class Other {
        final Outermost back;
        int calls;

        Other(Outermost back) {
            this.back = back;
        }

        void call() {
            calls = 1; //: at otherSet
            back.outer();
        }
    }

    /** A chain of frames begins with the outermost one on the root, or, without one, with the outermost of the program. */
    //: defined-by Log.lines: logWrite -> Log.write
    //: not-defined-by Log.lines: logWrite -> Account.deposit,Log.write
    //: defined-by Account.log.lines: logWrite -> Account.deposit,Log.write
    //: not-defined-by Account.log.lines: logWrite -> Log.write
    //: used-by Account.log.lines: logRead -> Account.lines,Log.read
    //: not-used-by Account.log.lines: logRead -> Log.read
    //: defined-by Log.lines: aliasWrite -> Invocations.main,Alias.run,Alias.change
    //: not-defined-by Log.lines: aliasWrite -> Alias.change
    //: used-by Log.lines: logRead -> Log.read
    static final class Alias {
        private Alias() {
        }

        static void change(Log log) {
            log.lines = 5; //: at aliasWrite
        }

        static void run() {
            Log log = new Log();
            change(log);
            log.read();
        }
    }

    /** A method that calls itself is one frame of a chain; another one of the same name is not. */
    //: defined-by Deep.value: deepest -> Deep.down
    //: not-defined-by Deep.value: deepest -> Deep.down,Deep.down
    //: defined-by Deep.value: evenSet -> Deep.even,Deep.odd,Deep.even
    //: not-defined-by Deep.value: evenSet -> Deep.even
    //: defined-by Bridged.value: bridgedSet -> Bridged.accept,Bridged.accept
    //: defined-by Bridged.value: bridgedSet -> Bridged.accept
    //: used-by Lazily.value: lazyGet -> Lazily.run,Lazily.lambda$run$0
    //: not-used-by Lazily.value: lazyGet -> Lazily.lambda$run$0
    static final class Deep {
        int value;

        void down(int levels) {
            if (levels > 0) {
                down(levels - 1);
            } else {
                value = 1; //: at deepest
            }
        }

        void even(int levels) {
            if (levels == 0) {
                value = 2; //: at evenSet
            } else {
                odd(levels - 1);
            }
        }

        private void odd(int levels) {
            even(levels);
        }

        int value() {
            return value;
        }

        static void run() {
            Deep deep = new Deep();
            deep.down(3);
            deep.value();
            deep.even(1);
            deep.value();
        }
    }

    interface Accepts<T> {
        void accept(T value);
    }

    static final class Bridged implements Accepts<String> {
        String value;

        @Override
        public void accept(String given) {
            value = given; //: at bridgedSet
        }

        String value() {
            return value;
        }

        static void run() {
            Bridged bridged = new Bridged();
            Accepts<String> any = bridged;
            any.accept("a");
            bridged.value();
            bridged.accept("b");
            bridged.value();
        }
    }

    static final class Lazily {
        int value = 1;

        int run() {
            Supplier<Integer> later = () -> value; //: at lazyGet
            return later.get();
        }
    }

    /** What ties an object to those it was made with is a field like any other. */
    //: pair 1Taking.val$log.lines: logWrite -> logRead
    //: none 1Taking.val$log: logWrite -> logRead
    static final class Captures {
        void run(final Log log) {
            class Taking {
                int take() {
                    return log.read();
                }
            }
            Taking taking = new Taking();
            log.write();
            taking.take();
        }
    }

    /** An edge that was removed leads nowhere; a path goes through an object once; a field is its class's. */
    //: pair Removes.cell.lines: logWrite -> logRead
    //: none Dropped.cell.lines: logWrite -> logRead
    //: pair Dropped.cell: dropped -> droppedRead
    //: none Ring.next.next.value: ringSet -> ringGet
    //: pair Ring.next.value: ringSet -> ringGet
    //: none Checked.$assertionsDisabled: asserts -> asserts
    static final class Removes {
        final Log cell = new Log();

        void run() {
            cell.write();
            cell.read();
        }
    }

    static final class Dropped {
        Log cell = new Log();

        void run() {
            Log old = cell;
            cell = null; //: at dropped
            if (cell == null) { //: at droppedRead
                old.write();
                old.read();
            }
        }
    }

    static final class Ring {
        Ring next;
        int value;

        void run(Ring other) {
            other.value = 1; //: at ringSet
            value = other.value; //: at ringGet
        }

        static void start() {
            Ring one = new Ring();
            Ring two = new Ring();
            one.next = two;
            two.next = one;
            one.run(two);
        }
    }

    static final class Checked {
        int value;

        void run() {
            assert value >= 0; //: at asserts
        }
    }

    public static void main(String[] arguments) {
        Account.run();
        Outermost.run();
        Alias.run();
        Deep.run();
        Bridged.run();
        new Lazily().run();
        new Captures().run(new Log());
        new Removes().run();
        new Dropped().run();
        Ring.start();
        new Checked().run();
        System.out.println("ok");
    }
}
