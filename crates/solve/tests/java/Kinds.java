/** What numbers and arrays do, method by method. */
public final class Kinds {
    private Kinds() {}

    static int ints(int a, int b) {
        return (a + b) * 31 - (a << b) + (a >> b) + (a >>> b) ^ (a & b) ^ (a | b) ^ ~a;
    }

    static int divide(int a, int b) {
        return a / b + a % b;
    }

    static long longs(long a, int b) {
        return (a * 1000003L << b) + (a >>> b) - (a >> b) + (a < b ? -a : a);
    }

    static long divideLongs(long a, long b) {
        return a / b - a % b;
    }

    static double doubles(double a, double b) {
        return a < b ? a / b + 0.1 : a * b - a;
    }

    static int orders(double a, double b) {
        int found = 0;
        if (a < b) {
            found += 1;
        }
        if (a >= b) {
            found += 2;
        }
        if (a == b) {
            found += 4;
        }
        if (a != a) {
            found += 8;
        }
        return found;
    }

    static long conversions(double a, int b) {
        return (int) a + (long) a + (byte) b + (char) b + (short) b + (long) (float) b + (int) (float) a;
    }

    static int chosen(int a) {
        switch (a) {
            case 0: return 10;
            case 1:
            case 2: return 20;
            case 1000: return 30;
            default: return a > 5 ? 40 : 50;
        }
    }

    static int sorted(int[] a, int key) {
        int[] copy = new int[a.length];
        for (int i = 0; i < a.length; i++) {
            copy[i] = a[i];
        }
        for (int i = 1; i < copy.length; i++) {
            if (copy[i] < copy[i - 1]) {
                int other = copy[i];
                copy[i] = copy[i - 1];
                copy[i - 1] = other;
                a[i] = 0;
            }
        }
        return copy[key];
    }

    static int bytes(byte[] a, int b) {
        a[0] = (byte) b;
        return a[0] + a.length;
    }

    static int called(int a, int b) {
        return Math.max(divide(a, b), Math.abs(a)) + chosen(b);
    }

    static int refusing(int a) {
        if (a < 0) {
            throw new IllegalArgumentException("negative");
        }
        return a;
    }

    static int made(int size) {
        return new int[size].length;
    }

    static int endless(int a) {
        return endless(a + 1);
    }

    static String text(int a) {
        return "a" + a;
    }

    static int handled(int a) {
        try {
            return 1 / a;
        } catch (ArithmeticException e) {
            return 0;
        }
    }

    static double remainder(double a) {
        return a % 2;
    }
}
