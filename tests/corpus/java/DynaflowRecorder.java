package java.lang;

/** A recorder that records nothing: woven classes must behave like the originals whatever the recorder does. */
public final class DynaflowRecorder {
    private static boolean recorded;

    private DynaflowRecorder() { }

    public static void at(int a) { }

    /** Every other invocation is left out. */
    public static boolean leavesOut(int a) {
        recorded = !recorded;
        return !recorded;
    }

    public static boolean isQuiet() {
        return leavesOut(0);
    }

    public static void on(Object a, int b) { }

    public static void threw(Object a, int b) { }

    public static void caught(Object a, int b) { }

    public static void calling(int a) { }

    public static void called() { }

    public static void objects(Object a, Object b, int c) { }

    public static void value(Object a, int b) { }

    public static void element(Object a, int b, int c) { }

    public static void elementPut(Object a, int b, Object c, int d) { }

    public static void objects(Object a, Object b, Object c, int d) { }

    public static void element(Object a, int b, int c, int d) { }

    public static void elementPut(Object a, int b, int c, Object d, int e) { }

    public static void objects(Object a, Object b, Object c, Object d, int e) { }

    public static void elementPut(Object a, int b, Object c, Object d, int e) { }

    public static void elementPut(Object a, int b, int c, Object d, Object e, int f) { }

    public static void elementUse(Object a, int b, Object c, int d) { }

    public static void elementUse(Object a, int b, int c, Object d, int e) { }

    public static void elementUse(Object a, int b, Object c, Object d, int e) { }

    public static void elementUse(Object a, int b, int c, Object d, Object e, int f) { }

    public static void copied(Object a, int b, Object c, int d, int e, int f) { }

    public static void filled(Object a, int b, int c, int d) { }

    public static void inherited(Object a, int b) { }

    public static void inherited(Object a, Object b, Object c, Object d, int e, int f, int g) { }

    public static void inherited(Object a, Object b, Object c, Object d, Object e, int f, int g, int h) { }

    public static Object inheritedLeaving(Object a, Object b, int c, int d) {
        return null;
    }

    public static void bound(Object a, Object b, int c) { }

    public static void applied(Object a, Object b, int c) { }

    public static void deferred(Object a) { }

    public static void ended(Object a, Object b, int c) { }

    public static void contents(Object a, Object b, Object c, Object d, int e, int f, int g) { }

    public static void contents(Object a, Object b, Object c, Object d, Object e, int f, int g, int h) { }

    public static Object leaving(Object a, Object b, int c, int d) {
        return null;
    }

    public static void entries(Object a) { }

    public static void observed(Object a, Object b, int c) { }

    public static void refilled(Object a, Object b, int c) { }

    public static Object restoring(Object a, int b) {
        return null;
    }

    public static void restored(Object a, Object b, int c, int d) { }

    public static void branch(int a, int b) { }

    public static void branch(int a, int b, int c) { }

    public static void branch(Object a, int b) { }

    public static void branch(Object a, Object b, int c) { }

    public static void select(int a, int b) { }

    public static void test(Object a, int b) { }

    public static void testEnd(int a, int b) { }

    public static void argument(int a) { }

    public static void argument(long a) { }

    public static void argument(float a) { }

    public static void argument(double a) { }

    public static void argument(Object a) { }

    public static void call(Object a, int b) { }

    public static void returned(int a) { }

    public static void returned(int a, int b) { }

    public static void returned(long a, int b) { }

    public static void returned(float a, int b) { }

    public static void returned(double a, int b) { }

    public static void returned(Object a, int b) { }
}
