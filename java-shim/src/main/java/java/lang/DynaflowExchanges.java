package java.lang;

/**
 * What methods of the JDK call that exchange a value if it is the expected one and return the value found: whether they did shows when
 * both are compared as they compare. It knows nothing of what becomes of it; see {@link DynaflowHands}.
 */
public final class DynaflowExchanges {
    private DynaflowExchanges() {}

    public static void varExchanged(Object handle, Object holder, boolean expected, boolean found) {
        DynaflowHands.varSwapped(handle, holder, expected == found);
    }

    public static void varExchanged(Object handle, Object holder, byte expected, byte found) {
        DynaflowHands.varSwapped(handle, holder, expected == found);
    }

    public static void varExchanged(Object handle, Object holder, short expected, short found) {
        DynaflowHands.varSwapped(handle, holder, expected == found);
    }

    public static void varExchanged(Object handle, Object holder, char expected, char found) {
        DynaflowHands.varSwapped(handle, holder, expected == found);
    }

    public static void varExchanged(Object handle, Object holder, int expected, int found) {
        DynaflowHands.varSwapped(handle, holder, expected == found);
    }

    public static void varExchanged(Object handle, Object holder, long expected, long found) {
        DynaflowHands.varSwapped(handle, holder, expected == found);
    }

    public static void varExchanged(Object handle, Object holder, float expected, float found) {
        DynaflowHands.varSwapped(handle, holder, Float.floatToRawIntBits(expected) == Float.floatToRawIntBits(found));
    }

    public static void varExchanged(Object handle, Object holder, double expected, double found) {
        DynaflowHands.varSwapped(handle, holder, Double.doubleToRawLongBits(expected) == Double.doubleToRawLongBits(found));
    }

    public static void varExchanged(Object handle, Object holder, Object expected, Object value, Object found) {
        DynaflowHands.varSwapped(handle, holder, value, expected == found);
    }

    public static void elementExchanged(Object array, int index, boolean expected, boolean found) {
        DynaflowHands.elementSwapped(array, index, expected == found);
    }

    public static void elementExchanged(Object array, int index, byte expected, byte found) {
        DynaflowHands.elementSwapped(array, index, expected == found);
    }

    public static void elementExchanged(Object array, int index, short expected, short found) {
        DynaflowHands.elementSwapped(array, index, expected == found);
    }

    public static void elementExchanged(Object array, int index, char expected, char found) {
        DynaflowHands.elementSwapped(array, index, expected == found);
    }

    public static void elementExchanged(Object array, int index, int expected, int found) {
        DynaflowHands.elementSwapped(array, index, expected == found);
    }

    public static void elementExchanged(Object array, int index, long expected, long found) {
        DynaflowHands.elementSwapped(array, index, expected == found);
    }

    public static void elementExchanged(Object array, int index, float expected, float found) {
        DynaflowHands.elementSwapped(array, index, Float.floatToRawIntBits(expected) == Float.floatToRawIntBits(found));
    }

    public static void elementExchanged(Object array, int index, double expected, double found) {
        DynaflowHands.elementSwapped(array, index, Double.doubleToRawLongBits(expected) == Double.doubleToRawLongBits(found));
    }

    public static void elementExchanged(Object array, int index, Object expected, Object value, Object found) {
        DynaflowHands.elementSwapped(array, index, value, expected == found);
    }
}
