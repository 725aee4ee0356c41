package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * The fields that a recorded class declares: what the analysis calls them, and where the JVM keeps them. It knows nothing of
 * objects. Invariants: a field that is no location of the program has the text 0; which classes are not known whole is known.
 */
final class DynaflowFields {
    private static final DynaflowFields NONE = new DynaflowFields(new Field[0], true);
    /** Those of a recorded class that the JDK does not list, because the class of one is missing. */
    private static final DynaflowFields UNLISTED = new DynaflowFields(new Field[0], false);

    private final String[] names;
    /** Text numbers, see {@link DynaflowWords#STORED}. */
    final int[] texts;
    /** Offsets as {@code Unsafe} counts them; -1 when they are not known. */
    private final long[] offsets;
    final boolean[] isStatic;
    /** Whether all fields are here, and where they are is known. */
    final boolean isWhole;

    private DynaflowFields(Field[] fields, boolean areAll) {
        this.names = new String[fields.length];
        this.texts = new int[fields.length];
        this.offsets = new long[fields.length];
        this.isStatic = new boolean[fields.length];
        boolean isWhole = areAll;
        for (int i = 0; i < fields.length; i++) {
            Field field = fields[i];
            names[i] = field.getName();
            isStatic[i] = Modifier.isStatic(field.getModifiers());
            offsets[i] = DynaflowOffsets.of(field, isStatic[i]);
            isWhole &= offsets[i] >= 0;
            if (!names[i].startsWith("$")) {
                String name = field.getDeclaringClass().getName().concat("#").concat(names[i]).concat("#");
                texts[i] = DynaflowTexts.idOf(name.concat(DynaflowStored.descriptor(field.getType())));
            }
        }
        this.isWhole = isWhole;
    }

    /** Those of a class; listing them may load the classes of their types, which whoever accesses them by name has done. */
    static DynaflowFields of(Class<?> type) {
        if (!DynaflowNative.isRecorded(type.getName())) {
            return NONE;
        }
        try {
            return new DynaflowFields(type.getDeclaredFields(), true);
        } catch (RuntimeException unknown) {
            return UNLISTED;
        } catch (LinkageError unknown) {
            return UNLISTED;
        }
    }

    /** Whether the class is a recorded one. */
    boolean isRecorded() {
        return this != NONE;
    }

    /** The place of a field in this table; -1 when the class does not declare it. */
    int named(String name) {
        for (int i = 0; i < names.length; i++) {
            // The JDK interns the names of fields.
            if (names[i] == name) {
                return i;
            }
        }
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** The same by the field's offset. */
    int at(long offset, boolean ofClass) {
        for (int i = 0; i < offsets.length; i++) {
            if (offsets[i] == offset && isStatic[i] == ofClass) {
                return i;
            }
        }
        return -1;
    }
}
