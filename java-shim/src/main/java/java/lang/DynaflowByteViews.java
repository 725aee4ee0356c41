package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * What {@code VarHandle}s call that show an array of bytes as one of a wider type: how wide a value is shows by its type, and
 * whether an exchange was made shows when the value found is compared with the expected one. It knows nothing of what becomes of it;
 * see {@link DynaflowHands}. Invariant: an access concerns all bytes of the value.
 */
public final class DynaflowByteViews {
    private DynaflowByteViews() {}

    @DontInline
    private static void access(Object array, int index, int width, int how) {
        try {
            if (DynaflowObjects.isKnown(array)) {
                if ((how & DynaflowHands.READ) != 0) {
                    DynaflowHands.elements(array, index, index + width, DynaflowHands.READ);
                }
                if ((how & DynaflowHands.WRITE) != 0) {
                    DynaflowHands.elements(array, index, index + width, DynaflowHands.WRITE);
                }
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
        }
    }

    private static int swapping(boolean done) {
        return done ? DynaflowHands.READ | DynaflowHands.WRITE : DynaflowHands.READ;
    }

    public static void read(Object array, int index, short found) {
        access(array, index, 2, DynaflowHands.READ);
    }

    public static void wrote(Object array, int index, short value) {
        access(array, index, 2, DynaflowHands.WRITE);
    }

    public static void read(Object array, int index, char found) {
        access(array, index, 2, DynaflowHands.READ);
    }

    public static void wrote(Object array, int index, char value) {
        access(array, index, 2, DynaflowHands.WRITE);
    }

    public static void read(Object array, int index, int found) {
        access(array, index, 4, DynaflowHands.READ);
    }

    public static void wrote(Object array, int index, int value) {
        access(array, index, 4, DynaflowHands.WRITE);
    }

    public static void read(Object array, int index, long found) {
        access(array, index, 8, DynaflowHands.READ);
    }

    public static void wrote(Object array, int index, long value) {
        access(array, index, 8, DynaflowHands.WRITE);
    }

    public static void read(Object array, int index, float found) {
        access(array, index, 4, DynaflowHands.READ);
    }

    public static void wrote(Object array, int index, float value) {
        access(array, index, 4, DynaflowHands.WRITE);
    }

    public static void read(Object array, int index, double found) {
        access(array, index, 8, DynaflowHands.READ);
    }

    public static void wrote(Object array, int index, double value) {
        access(array, index, 8, DynaflowHands.WRITE);
    }

    public static void swapped(Object array, int index, int value, boolean done) {
        access(array, index, 4, swapping(done));
    }

    public static void exchanged(Object array, int index, int expected, int found) {
        access(array, index, 4, swapping(expected == found));
    }

    public static void updated(Object array, int index, int value) {
        access(array, index, 4, DynaflowHands.READ | DynaflowHands.WRITE);
    }

    public static void swapped(Object array, int index, long value, boolean done) {
        access(array, index, 8, swapping(done));
    }

    public static void exchanged(Object array, int index, long expected, long found) {
        access(array, index, 8, swapping(expected == found));
    }

    public static void updated(Object array, int index, long value) {
        access(array, index, 8, DynaflowHands.READ | DynaflowHands.WRITE);
    }

    public static void swapped(Object array, int index, float value, boolean done) {
        access(array, index, 4, swapping(done));
    }

    public static void exchanged(Object array, int index, float expected, float found) {
        access(array, index, 4, swapping(Float.floatToRawIntBits(expected) == Float.floatToRawIntBits(found)));
    }

    public static void updated(Object array, int index, float value) {
        access(array, index, 4, DynaflowHands.READ | DynaflowHands.WRITE);
    }

    public static void swapped(Object array, int index, double value, boolean done) {
        access(array, index, 8, swapping(done));
    }

    public static void exchanged(Object array, int index, double expected, double found) {
        access(array, index, 8, swapping(Double.doubleToRawLongBits(expected) == Double.doubleToRawLongBits(found)));
    }

    public static void updated(Object array, int index, double value) {
        access(array, index, 8, DynaflowHands.READ | DynaflowHands.WRITE);
    }
}
