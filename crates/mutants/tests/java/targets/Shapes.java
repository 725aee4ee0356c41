//: operators all
//: twins only
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Places where types are hard to know: before constructors, amid expressions, in handlers, loops, lambdas and wide variables. */
class Shapes extends ArrayList<String> {
    private final long weight;
    private static int made;

    Shapes(int a, int b) {
        super(a > b ? a - b : b - a);
        weight = a * 3L + (b > 2 ? b : -b);
        made++;
    }

    Shapes(double share, long by) {
        this((int) (share * 10) + 1, by > 4 ? 1 : (int) by);
        trim(by);
    }

    void trim(long by) {
        if (by != 3 && by + weight > 5) {
            add("trimmed" + (by << 2));
        }
    }

    static String joined(int a, double d) {
        StringBuilder text = new StringBuilder(new String(new char[a > 0 ? a : 1]).length() + "x" + (d < 2 ? d : d * 2));
        text.append(a * d).append(new Shapes(a + 1, a - 1).weight);
        return text.toString();
    }

    static int caught(int[] all, int at) {
        int sum = 0;
        try {
            for (int i = 0; i <= at; i++) {
                sum += all[i] * (i % 2 == 0 ? 1 : -1);
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            sum = -sum - 1;
        } finally {
            sum ^= 5;
        }
        return sum;
    }

    static int switched(int value) {
        switch (value - 1) {
            case 0:
                return value + 10;
            case 1:
                value *= 3;
            case 2:
                return value & 6 | 1;
            default:
                return ~value >>> 28;
        }
    }

    static synchronized float locked(float value, Object lock) {
        synchronized (lock) {
            return value > 1.5f ? value * 2 - 1 : -value;
        }
    }

    static int nested(int[][] grid, List<int[]> rows) {
        int best = Integer.MIN_VALUE;
        for (int[] row : grid) {
            for (int cell : row) {
                best = cell > best ? cell : best;
            }
        }
        for (int[] row : rows) {
            best += row[row.length - 1];
        }
        return best;
    }

    static Object run() {
        made = 0;
        IntUnaryOperator twice = x -> x + x * made;
        List<int[]> rows = new ArrayList<>();
        rows.add(new int[] {1, 2});
        String text = new Shapes(0.3, 2L) + joined(2, 1.5) + caught(new int[] {4, 5, 6}, 1) + caught(new int[] {4}, 3);
        text += switched(1) + "," + switched(2) + "," + switched(3) + "," + switched(9);
        text += locked(2f, text) + "," + locked(1f, text) + nested(new int[][] {{1, 7}, {3}}, rows);
        return text + twice.applyAsInt(3) + made;
    }
}
