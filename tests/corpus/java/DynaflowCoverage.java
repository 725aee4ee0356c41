package java.lang;

/** Collects nothing: woven classes must behave like the originals whatever becomes of what they cover. */
public final class DynaflowCoverage {
    private DynaflowCoverage() { }

    public static void cover(int a, long b) { }

    public static long[] begin(int a) {
        return null;
    }

    public static void step(long[] a, int b) { }

    public static void end(long[] a, int b) { }
}
