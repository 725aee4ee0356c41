package java.lang;

/** Value words: what a test passes to a call and gets back, when tests are carved. Calls nothing a program overrides. */
final class DynaflowValues {
    private DynaflowValues() {}

    /** Appends the value words of a reference, behind a word of another kind if that is not 0. */
    static void add(long before, Object value) {
        try {
            if (value == null) {
                emit(before, DynaflowWords.VALUE_NULL, 0);
            } else if (value instanceof String) {
                emit(before, DynaflowWords.VALUE_STRING, DynaflowTexts.idOf((String) value));
            } else if (value instanceof Class) {
                emit(before, DynaflowWords.VALUE_CLASS, DynaflowTexts.idOf(((Class<?>) value).getName()));
            } else if (value instanceof Enum) {
                addEnum(before, (Enum<?>) value);
            } else if (!addBoxed(before, value)) {
                emit(before, DynaflowWords.VALUE_OBJECT, DynaflowObjects.idOf(value));
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
        }
    }

    private static void addEnum(long before, Enum<?> value) {
        String name = value.getDeclaringClass().getName().concat("#").concat(value.name());
        long text = DynaflowTexts.idOf(name);
        long word = DynaflowWords.word(DynaflowWords.VALUE_ENUM, DynaflowObjects.idOf(value));
        DynaflowChunk chunk = DynaflowRecorder.here();
        if (before == 0) {
            chunk.add(word, text);
        } else {
            chunk.add(before, word, text);
        }
    }

    /** Whether the value is a box, by its exact class; appends it if so. */
    private static boolean addBoxed(long before, Object value) {
        Class<?> type = value.getClass();
        if (type == Integer.class) {
            boxed(before, 'I', intWord(((Integer) value).intValue()));
        } else if (type == Boolean.class) {
            boxed(before, 'Z', intWord(((Boolean) value).booleanValue() ? 1 : 0));
        } else if (type == Character.class) {
            boxed(before, 'C', intWord(((Character) value).charValue()));
        } else if (type == Byte.class) {
            boxed(before, 'B', intWord(((Byte) value).byteValue()));
        } else if (type == Short.class) {
            boxed(before, 'S', intWord(((Short) value).shortValue()));
        } else if (type == Float.class) {
            boxed(before, 'F', floatWord(((Float) value).floatValue()));
        } else if (type == Long.class) {
            boxed(before, 'J', DynaflowWords.VALUE_LONG, ((Long) value).longValue());
        } else if (type == Double.class) {
            boxed(before, 'D', DynaflowWords.VALUE_DOUBLE, bits(((Double) value).doubleValue()));
        } else {
            return false;
        }
        return true;
    }

    private static void boxed(long before, char kind, long value) {
        long box = DynaflowWords.word(DynaflowWords.VALUE_BOXED, kind);
        DynaflowChunk chunk = DynaflowRecorder.here();
        if (before == 0) {
            chunk.add(box, value);
        } else {
            chunk.add(before, box, value);
        }
    }

    private static void boxed(long before, char kind, long number, long value) {
        long box = DynaflowWords.word(DynaflowWords.VALUE_BOXED, kind);
        long head = DynaflowWords.word(number, 0);
        DynaflowChunk chunk = DynaflowRecorder.here();
        if (before == 0) {
            chunk.add(box, head, value);
        } else {
            chunk.add(before, box, head, value);
        }
    }

    private static void emit(long before, long number, long payload) {
        long word = DynaflowWords.word(number, payload);
        DynaflowChunk chunk = DynaflowRecorder.here();
        if (before == 0) {
            chunk.add(word);
        } else {
            chunk.add(before, word);
        }
    }

    static long intWord(int value) {
        return DynaflowWords.word(DynaflowWords.VALUE_INT, value & 0xffffffffL);
    }

    static long floatWord(float value) {
        return DynaflowWords.word(DynaflowWords.VALUE_FLOAT, Float.floatToRawIntBits(value) & 0xffffffffL);
    }

    static long bits(double value) {
        return Double.doubleToRawLongBits(value);
    }
}
