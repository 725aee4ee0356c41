package java.lang;

/** Collects nothing: woven classes must behave like the originals whatever becomes of what they cover. */
public final class DynaflowCoverage {
    private DynaflowCoverage() { }

    public static void cover(int a, long b) { }

    public static void thrown(long a, long b, int c, int d) { }

    public static long covered(long a, long b, int c, int d) {
        return a;
    }

    public static long live(long a, int b, int c) {
        return a;
    }

    public static long[] begin(int a) {
        return null;
    }

    public static void step(long[] a, int b) { }

    public static void end(long[] a, int b) { }
}
