import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;

/**
 * Says on its lines which associations a run of it covers. {@code //: at NAME} names a line. Of a variable, a line that defines
 * it (for what the caller gives: the first of the method) and a line that uses it there may be several associations:
 * {@code covered} asks for all of them, {@code partly} for some and not all, {@code open} forbids all. Behind {@code edges} it is said of
 * runs with exception edges alone.
 */
public class Covered {
    static int sink;

    static int sum(int[] of) {
        int total = 0; //: at sum.zero
        for (int i = 0; i < of.length; i++) { //: at sum.loop
            total += of[i]; //: at sum.add
        }
        return total; //: at sum.return
        //: covered total: sum.zero -> sum.add
        //: covered total: sum.add -> sum.add
        //: covered total: sum.add -> sum.return
        //: open total: sum.zero -> sum.return
        //: covered of: sum.zero -> sum.add
        //: covered i: sum.loop -> sum.add
    }

    static int grid(int width, int height) {
        int found = -1; //: at grid.none
        for (int x = 0; x < width; x++) { //: at grid.outer
            int row = x; //: at grid.row
            for (int y = 0; y < height; y++) { //: at grid.inner
                if (x * y == 4) { //: at grid.test
                    found = x; //: at grid.found
                } else if (row > 90) { //: at grid.else
                    row = 0; //: at grid.again
                }
            }
            sink += row; //: at grid.sink
        }
        return found; //: at grid.return
        //: covered found: grid.found -> grid.return
        //: open found: grid.none -> grid.return
        //: covered y: grid.inner -> grid.test
        //: covered x: grid.outer -> grid.test
        //: covered row: grid.row -> grid.sink
        //: partly row: grid.row -> grid.else
        //: open row: grid.again -> grid.else
        //: open row: grid.again -> grid.sink
    }

    /** Called with 0 alone: the division throws out of the method. */
    static int left(int by) {
        int kept = 7; //: at left.kept
        if (by > 100) {
            kept = 8; //: at left.large
        }
        int used = kept * 3 / by; //: at left.divide
        if (used == 5) {
            used = 6;
        }
        return used + kept; //: at left.return
        //: covered kept: left.kept -> left.divide
        //: open kept: left.large -> left.divide
        //: open kept: left.kept -> left.return
        //: open used: left.divide -> left.return
    }

    /** The first two calls throw into the handler, from before and from behind the definition. */
    static int caught(int[] of, int at) {
        int seen = 1; //: at caught.one
        boolean again = at > 5; //: at caught.again
        do {
            try {
                if (at == 6) {
                    throw new IllegalStateException();
                }
                seen += of[at]; //: at caught.read
                again = false;
            } catch (ArrayIndexOutOfBoundsException outside) {
                seen = 100; //: at caught.hundred
                again = false;
            } catch (IllegalStateException six) {
                at = 0; //: at caught.zero
            }
        } while (again);
        return seen; //: at caught.return
        //: covered seen: caught.one -> caught.read
        //: covered seen: caught.read -> caught.return
        //: open seen: caught.read -> caught.read
        //: edges covered seen: caught.hundred -> caught.return
        //: edges open seen: caught.hundred -> caught.read
        //: edges covered at: caught.zero -> caught.read
        //: edges open seen: caught.one -> caught.return
    }

    static int closing(boolean fail) {
        int state = 1; //: at closing.open
        try {
            if (fail) { //: at closing.if
                throw new IllegalStateException();
            }
            state = 2; //: at closing.done
        } finally {
            sink += state; //: at closing.finally
        }
        return state; //: at closing.return
        //: covered fail: closing.open -> closing.if
        //: covered state: closing.done -> closing.return
        //: edges covered state: closing.open -> closing.finally
    }

    static int pick(int kind) {
        int value = 0; //: at pick.zero
        switch (kind) { //: at pick.switch
            case 1:
                value = 10; //: at pick.ten
                // falls through
            case 2:
                value += 1; //: at pick.add
                break;
            case 3:
                value = 30; //: at pick.thirty
                break;
            default:
        }
        return value; //: at pick.return
        //: covered value: pick.ten -> pick.add
        //: open value: pick.zero -> pick.add
        //: covered value: pick.zero -> pick.return
        //: covered value: pick.add -> pick.return
        //: open value: pick.thirty -> pick.return
        //: partly kind: pick.zero -> pick.switch
    }

    /** What the outer frame defines, the inner one does not use. */
    static int recurse(int n) {
        int mark = 0; //: at recurse.zero
        if (n == 1) {
            mark = 5; //: at recurse.five
            recurse(2);
            if (n < 10) {
                throw new IllegalStateException();
            }
        }
        return mark; //: at recurse.return
        //: covered mark: recurse.zero -> recurse.return
        //: open mark: recurse.five -> recurse.return
    }

    /** What one thread defines, the other does not use; the first one never gets there. */
    static int meet(boolean first, CountDownLatch defined, CountDownLatch used) throws InterruptedException {
        int mark = 0; //: at meet.zero
        if (first) {
            mark = 5; //: at meet.five
            defined.countDown();
            used.await();
            if (sink > Integer.MIN_VALUE) {
                throw new IllegalStateException();
            }
        } else {
            defined.await();
        }
        sink += mark; //: at meet.use
        used.countDown();
        return mark;
        //: covered mark: meet.zero -> meet.use
        //: open mark: meet.five -> meet.use
    }

    static class Base {
        final int held;

        Base(int held) {
            if (held < 0) {
                throw new IllegalArgumentException();
            }
            this.held = held; //: at base.held
        }
    }

    /** Made with -1 alone: the constructor of the superclass throws. */
    static class Derived extends Base {
        int own;

        Derived(int n) {
            super(n > 3 ? n * 2 : n + 0); //: at derived.super
            own = n; //: at derived.own
            sink += own;
            //: partly n: derived.super -> derived.super
            //: open n: derived.super -> derived.own
        }
    }

    /** Made with 4 and then with 5. */
    static class Whole extends Base {
        int own;

        Whole(int n) {
            super(n); //: at whole.super
            int twice = n * 2; //: at whole.twice
            if (n > 4) { //: at whole.if
                own = twice; //: at whole.own
            }
            sink += own; //: at whole.sink
            //: covered n: whole.super -> whole.if
            //: covered twice: whole.twice -> whole.own
            //: covered this.own: whole.own -> whole.sink
        }
    }

    int count;

    int bump(int by) {
        if (by > 0) {
            count = by; //: at bump.set
        }
        return count + by; //: at bump.return
        //: covered this.count: bump.set -> bump.return
    }

    static int first(int by) {
        // Named by the line that its caller's value has: the first of the method.
        if (by > 0) { //: at first.if
            return by; //: at first.by
        }
        return -by; //: at first.minus
        //: covered by: first.if -> first.by
        //: open by: first.if -> first.minus
    }

    static int lambda(int from) {
        IntUnaryOperator twice = x -> {
            int y = x * 2; //: at lambda.twice
            if (y > 10) {
                y = 1; //: at lambda.one
            }
            return y; //: at lambda.return
            //: covered y: lambda.twice -> lambda.return
            //: open y: lambda.one -> lambda.return
        };
        return twice.applyAsInt(from);
    }

    static final int SIZE;

    static {
        int size = 3; //: at init.three
        if (Boolean.getBoolean("covered.large")) {
            size = 4; //: at init.four
        }
        SIZE = size; //: at init.size
        //: covered size: init.three -> init.size
        //: open size: init.four -> init.size
    }

    /** Loaded, and never run. */
    static int never(int a) {
        int b = a; //: at never.b
        if (a > 0) {
            b++;
        }
        return b; //: at never.return
        //: open b: never.b -> never.return
    }

    static void failing(Runnable body) {
        try {
            body.run();
            throw new AssertionError("it does not fail");
        } catch (IllegalStateException | ArithmeticException | IllegalArgumentException expected) {
            sink++;
        }
    }

    static void threads() throws InterruptedException {
        CountDownLatch defined = new CountDownLatch(1);
        CountDownLatch used = new CountDownLatch(1);
        Thread thread = new Thread(() -> failing(() -> {
            try {
                meet(true, defined, used);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
        thread.start();
        meet(false, defined, used);
        thread.join();
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(sum(new int[] {1, 2, 3}) + grid(3, 3));
        failing(() -> left(0));
        System.out.println(caught(new int[] {1, 2}, 7) + caught(new int[] {1, 2}, 6) + caught(new int[] {1, 2}, 1));
        System.out.println(closing(false));
        failing(() -> closing(true));
        System.out.println(pick(1) + pick(9));
        failing(() -> recurse(1));
        threads();
        failing(() -> new Derived(-1));
        System.out.println(new Whole(4).own + new Whole(5).own);
        System.out.println(new Covered().bump(2) + first(3) + lambda(4) + SIZE + sink);
    }
}
