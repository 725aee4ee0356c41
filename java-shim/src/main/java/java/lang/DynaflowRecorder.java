package java.lang;

/** Turns events of woven code into words; this first cut holds the signatures the worker compiles against. */
public final class DynaflowRecorder {
    private DynaflowRecorder() {}

    public static void beginTest(String name) {}

    public static void endTest(boolean failed) {}

    public static void statement(int index) {}

    public static void result(Object value) {}
}
