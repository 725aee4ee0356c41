package java.lang;

import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * The fields a class declares that the JDK sets when it reads an object of the class from a stream. It knows nothing of
 * streams or objects, and asks what the JDK asked before it read the first such object, so that no class is loaded for it.
 */
final class DynaflowStored {
    private static final DynaflowStored NOTHING = new DynaflowStored(0, false);

    /** Text numbers of what the fields are called, see {@link DynaflowWords#STORED}. */
    final int[] names;
    /** The agent's numbers of the fields that hold references; 0 for others. */
    final long[] fields;
    /** Whether the class has a method that reads its objects, which says itself when the JDK sets the fields. */
    final boolean isReadByProgram;

    private DynaflowStored(int count, boolean isReadByProgram) {
        this.names = new int[count];
        this.fields = new long[count];
        this.isReadByProgram = isReadByProgram;
    }

    static DynaflowStored of(Class<?> type) {
        try {
            ObjectStreamClass described = ObjectStreamClass.lookup(type);
            return described == null ? NOTHING : of(type, described.getFields());
        } catch (RuntimeException unknown) {
            return NOTHING;
        } catch (LinkageError unknown) {
            return NOTHING;
        }
    }

    private static DynaflowStored of(Class<?> type, ObjectStreamField[] fields) {
        DynaflowStored stored = new DynaflowStored(fields.length, isReadByProgram(type));
        for (int i = 0; i < fields.length; i++) {
            Field field = declared(type, fields[i].getName());
            if (field != null) {
                String name = type.getName().concat("#").concat(field.getName()).concat("#");
                stored.names[i] = DynaflowTexts.idOf(name.concat(descriptor(field.getType())));
                stored.fields[i] = fields[i].isPrimitive() ? 0 : DynaflowNative.field(field);
            }
        }
        return stored;
    }

    /** A class may list fields it does not have; those are read, and set nothing. */
    private static Field declared(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            return Modifier.isStatic(field.getModifiers()) ? null : field;
        } catch (NoSuchFieldException none) {
            return null;
        }
    }

    private static boolean isReadByProgram(Class<?> type) {
        try {
            Method method = type.getDeclaredMethod("readObject", ObjectInputStream.class);
            int modifiers = method.getModifiers();
            return Modifier.isPrivate(modifiers) && !Modifier.isStatic(modifiers) && method.getReturnType() == void.class;
        } catch (NoSuchMethodException none) {
            return false;
        }
    }

    static String descriptor(Class<?> type) {
        if (type.isPrimitive()) {
            return type == boolean.class ? "Z" : type == long.class ? "J"
                : type.getName().substring(0, 1).toUpperCase(java.util.Locale.ROOT);
        }
        String name = type.getName().replace('.', '/');
        return type.isArray() ? name : "L".concat(name).concat(";");
    }
}
