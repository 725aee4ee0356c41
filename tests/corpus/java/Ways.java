import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Ways through methods that exceptions, loops and constructors take, in one thread; prints what came of them. */
public class Ways {
    private static final StringBuilder LOG = new StringBuilder();
    private int field;
    private static int shared;

    Ways(int value) {
        this(value, check(value));
        field++;
    }

    private Ways(int value, int checked) {
        super();
        int a = value;
        try {
            field = 10 / (checked - 1);
            a = field;
        } catch (ArithmeticException e) {
            a = -1;
        } finally {
            field += a;
        }
    }

    static int check(int value) {
        if (value == 3) throw new IllegalStateException("three");
        return value;
    }

    static int nested(int kind) {
        int x = 0;
        for (int i = 0; i < 6; i++) {
            try {
                x += 1;
                try {
                    x = thrower(kind + i, x);
                    if (x > 100) break;
                } catch (IllegalArgumentException e) {
                    x += 10;
                    if (i == 2) continue;
                    x = thrower(kind + i + 1, x);
                } finally {
                    x += 100 / (kind + i - 4);
                    shared = x;
                }
                x *= 2;
            } catch (IllegalStateException | ArithmeticException e) {
                x -= 3;
                shared += x;
            }
        }
        return x;
    }

    static int thrower(int kind, int x) {
        int y = x;
        switch (kind % 5) {
            case 0: y++;
            case 1: return y;
            case 2: throw new IllegalArgumentException("a" + y);
            case 3: y = -1; throw new IllegalStateException();
            default: return y * 2;
        }
    }

    static int locked(Object lock, Object[] values, int from) {
        int sum = 0;
        synchronized (lock) {
            for (int i = from; ; i++) {
                synchronized (values[i]) {
                    sum += values[i].hashCode() == 0 ? 1 : i;
                    if (i == 2) return sum;
                }
            }
        }
    }

    static String words(String word) {
        String out;
        switch (word) {
            case "one": out = "1"; break;
            case "two": out = "2"; break;
            case "three":
            case "drei": out = "3"; break;
            default: out = null;
        }
        return out.trim();
    }

    static int atStart(int n) {
        do {
            n -= 3;
        } while (n > 0);
        return n;
    }

    static long forever(List<Integer> list) {
        Iterator<Integer> each = list.iterator();
        long sum = 0;
        double half = 0.5;
        while (true) {
            int next = each.next();
            sum += next;
            half = half * sum;
            if (half > 1e6) half = -half;
        }
    }

    static int recursive(int depth, int[] seen) {
        int before = seen[0];
        try {
            if (depth == 0) throw new UnsupportedOperationException();
            seen[0] = depth;
            return recursive(depth - 1, seen) + before;
        } catch (UnsupportedOperationException e) {
            if (depth % 2 == 0) throw e;
            seen[0] = before;
            return depth;
        } finally {
            seen[1] += before;
        }
    }

    static Object cast(Object value, int[] array, int index) {
        int at = index;
        try {
            array[at] = array[at + 1];
            at = array.length;
            return (String) value;
        } catch (ClassCastException e) {
            return at;
        } catch (ArrayIndexOutOfBoundsException e) {
            at--;
            return array[at];
        }
    }

    int fields(Ways other, int n) {
        int old = field;
        field = n;
        if (n > 2) other.field = old;
        for (int i = n; i > 0; i--) field += other.field > i ? other.field : -i;
        return field == old ? 0 : field + other.field;
    }

    static int lambda(int n) {
        int captured = n * 2;
        IntUnaryOperator plus = v -> { int w = v; if (w > 3) w += captured; return w; };
        int r = 0;
        for (int i = 0; i < n; i++) r = plus.applyAsInt(r + i);
        return r;
    }

    static int wide(long a, double b, int c) {
        long l = a; double d = b; float f = c; boolean z = c > 1; char h = (char) c;
        for (; l < 20; l += 3) {
            d = z ? d * l : d - f;
            z = !z;
            if (d > 50) { h++; d = 0; }
        }
        return (int) d + h;
    }

    interface Act {
        Object act() throws Throwable;
    }

    static void run(String name, Act act) {
        Object result;
        try {
            result = act.act();
        } catch (Throwable e) {
            result = e.getClass().getName() + ": " + e.getMessage();
        }
        LOG.append(name).append(' ').append(result).append(' ').append(shared).append('\n');
    }

    public static void main(String[] args) {
        for (int k = 0; k < 7; k++) {
            int i = k;
            run("new", () -> new Ways(i).field);
            run("nested", () -> nested(i));
            run("thrower", () -> thrower(i, i));
            run("start", () -> atStart(i));
            run("lambda", () -> lambda(i));
            run("wide", () -> wide(i, i, i));
            run("recursive", () -> { int[] seen = new int[2]; return recursive(i, seen) + seen[1] * 1000; });
            run("fields", () -> new Ways(0).fields(i == 4 ? null : new Ways(1), i));
            run("cast", () -> cast(i % 2 == 0 ? "s" : (Object) 7, i == 5 ? null : new int[i], i / 2));
        }
        Object[] values = {"a", "", 3, 4};
        run("locked", () -> locked(values, values, 0));
        run("locked", () -> locked(values, values, 3));
        run("locked", () -> locked(values, new Object[] {1, null}, 0));
        run("locked", () -> locked(null, values, 0));
        for (String word : new String[] {"one", "two", "drei", "four"}) run("words", () -> words(word));
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < 9; i++) list.add(i);
        run("forever", () -> forever(list));
        System.out.print(LOG);
    }
}
