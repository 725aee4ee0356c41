package java.lang;

import java.lang.reflect.Field;

/**
 * Fields of classes of the JDK, found by name. It knows none of the names. Invariant: what a JDK does not have is no error, it has no
 * number and no type.
 */
final class DynaflowJdkFields {
    private DynaflowJdkFields() {}

    /** The agent's number of a field that a class declares; 0 when there is no such field or no class. */
    static long of(Class<?> type, String name) {
        Field field = declared(type, name);
        return field == null ? 0 : DynaflowNative.field(field);
    }

    /** The type of a field that a class declares; null when there is no such field. */
    static Class<?> typeOf(Class<?> type, String name) {
        Field field = declared(type, name);
        return field == null ? null : field.getType();
    }

    private static Field declared(Class<?> type, String name) {
        try {
            return type == null ? null : type.getDeclaredField(name);
        } catch (NoSuchFieldException none) {
            return null;
        }
    }
}
