package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * What methods of {@code sun.misc.Unsafe} call that access memory of objects: which field or element it is, by its offset. It knows
 * nothing of what becomes of it; see {@link DynaflowHands}. Invariants: memory that is no object's costs a comparison; where no field
 * is at an offset of a recorded object, what wrote its fields is unknown from then on. The JDK lets memory be copied and set in arrays
 * of primitives alone.
 */
public final class DynaflowUnsafe {
    private DynaflowUnsafe() {}

    /** A primitive of 1 byte was written. */
    public static void wrote1(Object base, long offset) {
        access(base, offset, 1, null, DynaflowHands.WRITE);
    }

    /** It was read. */
    public static void read1(Object base, long offset) {
        access(base, offset, 1, null, DynaflowHands.READ);
    }

    /** A primitive of 2 bytes was written. */
    public static void wrote2(Object base, long offset) {
        access(base, offset, 2, null, DynaflowHands.WRITE);
    }

    /** It was read. */
    public static void read2(Object base, long offset) {
        access(base, offset, 2, null, DynaflowHands.READ);
    }

    /** A primitive of 4 bytes was written. */
    public static void wrote4(Object base, long offset) {
        access(base, offset, 4, null, DynaflowHands.WRITE);
    }

    /** It was read. */
    public static void read4(Object base, long offset) {
        access(base, offset, 4, null, DynaflowHands.READ);
    }

    /** It was compared, and another one written if it was {@code done}. */
    public static void swapped4(Object base, long offset, boolean done) {
        access(base, offset, 4, null, done ? DynaflowHands.READ | DynaflowHands.WRITE : DynaflowHands.READ);
    }

    /** It was read, and another one written. */
    public static void updated4(Object base, long offset) {
        access(base, offset, 4, null, DynaflowHands.READ | DynaflowHands.WRITE);
    }

    /** A primitive of 8 bytes was written. */
    public static void wrote8(Object base, long offset) {
        access(base, offset, 8, null, DynaflowHands.WRITE);
    }

    /** It was read. */
    public static void read8(Object base, long offset) {
        access(base, offset, 8, null, DynaflowHands.READ);
    }

    /** It was compared, and another one written if it was {@code done}. */
    public static void swapped8(Object base, long offset, boolean done) {
        access(base, offset, 8, null, done ? DynaflowHands.READ | DynaflowHands.WRITE : DynaflowHands.READ);
    }

    /** It was read, and another one written. */
    public static void updated8(Object base, long offset) {
        access(base, offset, 8, null, DynaflowHands.READ | DynaflowHands.WRITE);
    }

    /** A reference was written. */
    public static void wrote(Object base, long offset, Object value) {
        access(base, offset, 1, value, DynaflowHands.WRITE);
    }

    /** A reference was read. */
    public static void read(Object base, long offset) {
        access(base, offset, 1, null, DynaflowHands.READ);
    }

    /** A reference was compared, and another one written if it was {@code done}. */
    public static void swapped(Object base, long offset, Object value, boolean done) {
        access(base, offset, 1, value, done ? DynaflowHands.READ | DynaflowHands.WRITE : DynaflowHands.READ);
    }

    /** A reference was read, and another one written. */
    public static void updated(Object base, long offset, Object value) {
        access(base, offset, 1, value, DynaflowHands.READ | DynaflowHands.WRITE);
    }

    /** Memory was copied. */
    public static void copied(Object from, long fromOffset, Object to, long toOffset, long bytes) {
        stretch(from, fromOffset, bytes, DynaflowHands.READ);
        stretch(to, toOffset, bytes, DynaflowHands.WRITE);
    }

    /** Memory was set. */
    public static void set(Object base, long offset, long bytes) {
        stretch(base, offset, bytes, DynaflowHands.WRITE);
    }

    @DontInline
    private static void stretch(Object array, long offset, long bytes, int how) {
        try {
            if (array != null && bytes > 0 && array.getClass().isArray() && DynaflowObjects.isKnown(array)) {
                DynaflowElements elements = DynaflowElements.of(array.getClass());
                long end = (offset - elements.base + bytes + elements.scale - 1) / elements.scale;
                int length = java.lang.reflect.Array.getLength(array);
                int first = (int) Math.max(0, Math.min(length, (offset - elements.base) / elements.scale));
                DynaflowHands.elements(array, first, (int) Math.min(length, end), how);
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
        }
    }

    private static void access(Object base, long offset, int width, Object value, int how) {
        if (base == null) {
            return;
        }
        Class<?> type = base.getClass();
        if (type.isArray() || type == Class.class || type.getClassLoader() != null) {
            inObject(base, type, offset, width, value, how);
        }
    }

    @DontInline
    private static void inObject(Object base, Class<?> type, long offset, int width, Object value, int how) {
        try {
            if (type.isArray()) {
                inArray(base, type, offset, width, value, how);
            } else if (type == Class.class) {
                inFields((Class<?>) base, null, offset, value, how);
            } else {
                inFields(type, base, offset, value, how);
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
        }
    }

    /** The elements that so many bytes are in. */
    private static void inArray(Object array, Class<?> type, long offset, int width, Object value, int how) {
        if (!DynaflowObjects.isKnown(array)) {
            return;
        }
        DynaflowElements elements = DynaflowElements.of(type);
        long scale = elements.scale;
        long first = offset - elements.base;
        int length = java.lang.reflect.Array.getLength(array);
        for (long at = first / scale; first >= 0 && at <= (first + width - 1) / scale && at < length; at++) {
            DynaflowHands.element(array, (int) at, value, how);
        }
    }

    private static void inFields(Class<?> type, Object object, long offset, Object value, int how) {
        boolean isRecorded = false;
        for (Class<?> at = type; at != null && at.getClassLoader() != null; at = at.getSuperclass()) {
            DynaflowFields fields = DynaflowPlace.fields(at);
            isRecorded |= fields != null && fields.isRecorded();
            int found = fields == null ? -1 : fields.at(offset, object == null);
            if (found >= 0) {
                if (fields.texts[found] != 0) {
                    DynaflowHands.recordHere(object, fields.texts[found], value, how);
                }
                return;
            }
        }
        if (isRecorded && (how & DynaflowHands.WRITE) != 0) {
            DynaflowHands.recordLost(object == null ? type : object);
        }
    }
}
