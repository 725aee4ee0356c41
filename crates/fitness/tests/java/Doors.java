/**
 * Branches of every kind. Behind each call stands what is missed then, by branch in the order of the bytes: how far the run was from taking the jump
 * ("jump"), or from going on behind it ("on"), with the operands where they are known. What javac makes of a condition jumps when it does not hold.
 */
public final class Doors {
    static boolean below(int a, int b) { return a < b; }
    static boolean alike(int a, int b) { return a == b; }
    static boolean positive(int a) { return a > 0; }
    static boolean set(boolean a) { return a; }
    static boolean long_(long a, long b) { return a >= b; }
    static boolean double_(double a, double b) { return a < b; }
    static boolean float_(float a, float b) { return a > b; }
    static boolean nothing(Object a) { return a == null; }
    static boolean same(Object a, Object b) { return a == b; }
    static boolean word(String a) { if (a.equals("key")) { return true; } return false; }
    static boolean anyCase(String a) { if (a.equalsIgnoreCase("KEY")) { return true; } return false; }
    static boolean begins(String a) { if (a.startsWith("ab")) { return true; } return false; }
    static boolean ends(String a) { if (a.endsWith("yz")) { return true; } return false; }
    static boolean holds(String a) { if (a.contains("mm")) { return true; } return false; }
    static boolean boxed(Object a, Object b) { if (a.equals(b)) { return true; } return false; }

    static int key(int a) {
        switch (a) {
            case 3: return 1;
            case 900: return 2;
            default: return 0;
        }
    }

    static int text(String a) {
        switch (a) {
            case "up": return 1;
            case "down": return 2;
            default: return 0;
        }
    }

    static int loop(int end) {
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            if (i == end) {
                sum++;
            }
        }
        return sum;
    }

    static int asserted(int a) {
        assert a > 0;
        return a;
    }

    static boolean refused(String a) {
        return a.equals("x") && a.length() > 3;
    }

    public static void main(String[] args) {
        Show.branches(args[0]);
        Show.missed("below 3 10", () -> below(3, 10)); //: true: jump 7.0(3.0 10.0)
        Show.missed("below 10 3", () -> below(10, 3)); //: false: on 8.0(10.0 3.0)
        Show.missed("alike", () -> alike(4, 40)); //: false: on 36.0(4.0 40.0)
        Show.missed("alike yes", () -> alike(4, 4)); //: true: jump 1.0(4.0 4.0)
        Show.missed("positive", () -> positive(-2)); //: false: on 3.0(-2.0 0.0)
        Show.missed("long", () -> long_(1, 1L << 40)); //: false: on 1.099511627775E12(1.0 1.099511627776E12)
        Show.missed("long beyond double", () -> long_(Long.MAX_VALUE - 1, Long.MAX_VALUE)); //: false: on 1.0(-1.0 0.0)
        Show.missed("double", () -> double_(0.5, 0.25)); //: false: on 1.25(0.5 0.25)
        Show.missed("double no number", () -> double_(Double.NaN, 1)); //: false: on far(NaN 1.0)
        Show.missed("float", () -> float_(0.5f, 2)); //: false: on 2.5(0.5 2.0)
        Show.missed("null", () -> nothing("a")); //: false: on 1.0
        Show.missed("same", () -> same("a", 1)); //: false: on 1.0
        Show.missed("word", () -> word("kex")); //: false: on 1.0(kex key)
        Show.missed("word of another length", () -> word("k")); //: false: on 256.0(k key)
        Show.missed("word found", () -> word("key")); //: true: jump 1.0
        Show.missed("any case", () -> anyCase("keZ")); //: false: on 1.0(keZ KEY)
        Show.missed("begins", () -> begins("aczzz")); //: false: on 1.0(aczzz ab)
        Show.missed("ends", () -> ends("aaaya")); //: false: on 25.0(aaaya yz)
        Show.missed("holds", () -> holds("aamla")); //: false: on 1.0(aamla mm)
        Show.missed("boxed", () -> boxed(7, 12)); //: false: on 5.0(7.0 12.0)
        Show.missed("boxed of other classes", () -> boxed(7, 12L)); //: false: on far
        Show.missed("a receiver that is null", () -> word(null)); //: NullPointerException:
        Show.missed("key", () -> key(5)); //: 0: jump 2.0(5.0 3.0) jump 895.0(5.0 900.0)
        Show.missed("key found", () -> key(900)); //: 2: jump 897.0(900.0 3.0) on 1.0(900.0 900.0)
        Show.missed("text", () -> text("dowm")); //: 0: on 274.0(dowm up) on 1.0(dowm down) jump 1.0(-1.0 0.0) jump 2.0(-1.0 1.0)
        Show.missed("loop", () -> loop(7)); //: 0: on 3.0(4.0 7.0)
        Show.missed("asserted, where that is off", () -> asserted(5)); //: 5:
        Show.missed("short circuit", () -> refused("xy")); //: false: on 128.0(xy x)
    }
}
