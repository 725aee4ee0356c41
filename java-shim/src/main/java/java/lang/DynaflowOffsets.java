package java.lang;

import java.lang.reflect.Field;

/**
 * Where the JVM keeps fields and elements, as its {@code Unsafe} says. It knows nothing of what they are. Invariant: it only asks;
 * what is not known is -1.
 */
final class DynaflowOffsets {
    private static final boolean IS_INTERNAL = isInternal();

    private DynaflowOffsets() {}

    /** Since Java 9 the JDK has one of its own, which knows all fields. */
    private static boolean isInternal() {
        try {
            return Class.forName("jdk.internal.misc.Unsafe", false, null) != null;
        } catch (ClassNotFoundException old) {
            return false;
        }
    }

    static long of(Field field, boolean isStatic) {
        try {
            return IS_INTERNAL ? Internal.of(field, isStatic) : Old.of(field, isStatic);
        } catch (RuntimeException unknown) {
            return -1;
        }
    }

    /** Where the first element of arrays of a class is; -1 when that is not known. */
    static long base(Class<?> array) {
        return ask("arrayBaseOffset", array);
    }

    /** How far apart the elements are. */
    static long scale(Class<?> array) {
        return ask("arrayIndexScale", array);
    }

    /** What these give is an {@code int} in some JDKs and a {@code long} in others. */
    private static long ask(String method, Class<?> array) {
        Object unsafe = IS_INTERNAL ? Internal.UNSAFE : Old.UNSAFE;
        try {
            return ((Number) unsafe.getClass().getMethod(method, Class.class).invoke(unsafe, array)).longValue();
        } catch (ReflectiveOperationException unknown) {
            return -1;
        }
    }

    /** The first eight bytes of an object, in which the JVM keeps its identity hash, perhaps. */
    static long header(Object object) {
        return IS_INTERNAL ? Internal.UNSAFE.getLong(object, 0L) : Old.UNSAFE.getLong(object, 0L);
    }

    /** The value of a {@code long} or {@code int} field of an object of the JDK; -1 when it has no such field. */
    static long number(Object object, String name) {
        Field field = declared(object.getClass(), name);
        if (field == null) {
            return -1;
        }
        if (field.getType() == int.class) {
            return DynaflowNative.getInt(object, DynaflowNative.field(field));
        }
        long offset = of(field, false);
        return IS_INTERNAL ? Internal.UNSAFE.getLong(object, offset) : Old.UNSAFE.getLong(object, offset);
    }

    /** What a field of an object of the JDK refers to; null when it has no such field. */
    static Object reference(Object object, String name) {
        Field field = declared(object.getClass(), name);
        return field == null ? null : DynaflowNative.get(object, DynaflowNative.field(field));
    }

    private static Field declared(Class<?> type, String name) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            try {
                return at.getDeclaredField(name);
            } catch (NoSuchFieldException none) {
                // Perhaps above.
            }
        }
        return null;
    }

    /** Java 9 and later. A class of its own, because others lack what it names. */
    private static final class Internal {
        static final jdk.internal.misc.Unsafe UNSAFE = jdk.internal.misc.Unsafe.getUnsafe();

        static long of(Field field, boolean isStatic) {
            return isStatic ? UNSAFE.staticFieldOffset(field) : UNSAFE.objectFieldOffset(field);
        }
    }

    /** Java 8. */
    private static final class Old {
        static final sun.misc.Unsafe UNSAFE = sun.misc.Unsafe.getUnsafe();

        static long of(Field field, boolean isStatic) {
            return isStatic ? UNSAFE.staticFieldOffset(field) : UNSAFE.objectFieldOffset(field);
        }
    }
}
