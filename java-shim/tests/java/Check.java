/** What the recorder test programs share. */
final class Check {
    static final int SITE = 1000;

    private Check() {}

    static void that(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    static long number(long word) {
        return word >>> 38;
    }

    static long payload(long word) {
        return word & (1L << 38) - 1;
    }
}
