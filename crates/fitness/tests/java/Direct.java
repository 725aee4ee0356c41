/** Calls that a test makes itself, and calls within these. */
public final class Direct {
    public static int sign(int n) {
        if (n < 0) { return -1; } // @sign
        return n > 0 ? 1 : 0; // @zero
    }

    public static int twice(int n) {
        if (hidden(n)) { return 0; } // @twice
        return 2 * sign(n);
    }

    private static boolean hidden(int n) {
        return n == 7; // @hidden
    }

    public static int count(int n) {
        return n == 0 ? 0 : 1 + count(n - 1); // @count
    }

    public static void plain() {}

    public static void main(String[] args) {
        Show.branches(args[0]);
        Show.direct("sign(I)I", "sign itself", () -> sign(5)); //: sign, zero
        Show.direct("twice(I)I", "sign within twice", () -> twice(5)); //: twice
        Show.direct("count(I)I", "a call that calls itself", () -> count(3)); //: count
        Show.direct("sign(J)I", "another method of the name", () -> sign(5)); //:
        Show.met("nobody's", () -> sign(5)); //:
        Show.direct("sign(I)I", "behind another call", () -> { plain(); return sign(-1); }); //: sign
    }
}
