package io.dynaflow.shim;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;

/**
 * Literals and observed values on the wire, and the conversions Java makes when a value is passed. Knows nothing of
 * statements. Invariant: writing an observed value runs no code of the program under test.
 */
final class Values {
    private final Names names;
    private final Map<Long, Object> constants = new HashMap<Long, Object>();

    Values(Names names) {
        this.names = names;
    }

    /** Reads a literal or, for {@link Protocol#VARIABLE}, the value of an earlier statement. */
    Object read(Input in, Object[] variables) throws Unrunnable {
        int tag = in.u8();
        switch (tag) {
            case Protocol.NULL: return null;
            case Protocol.BOOLEAN: return in.u8() != 0;
            case Protocol.BYTE: return (byte) in.u8();
            case Protocol.CHAR: return (char) in.u16();
            case Protocol.SHORT: return (short) in.u16();
            case Protocol.INT: return in.i32();
            case Protocol.LONG: return in.i64();
            case Protocol.FLOAT: return Float.intBitsToFloat(in.i32());
            case Protocol.DOUBLE: return Double.longBitsToDouble(in.i64());
            case Protocol.STRING: return in.text();
            case Protocol.ENUM: return constant(in.i32(), in.i32());
            case Protocol.CLASS: return names.type(in.i32());
            case Protocol.BOXED: return read(in, variables);
            case Protocol.PARSED: return Parsed.of(names.text(in.i32()), in.text());
            case Protocol.VARIABLE: return variable(in.i32(), variables);
            default: throw new Malformed("a value with the tag " + tag);
        }
    }

    private static Object variable(int index, Object[] variables) throws Unrunnable {
        if (index < 0 || index >= variables.length) {
            throw new Unrunnable("there is no statement " + index);
        }
        return variables[index];
    }

    private Object constant(int owner, int name) throws Unrunnable {
        long key = (long) owner << 32 | name;
        Object known = constants.get(key);
        if (known != null) {
            return known;
        }
        Class<?> type = names.type(owner);
        Object constant;
        try {
            Field field = type.getDeclaredField(names.text(name));
            field.setAccessible(true);
            constant = field.isEnumConstant() ? field.get(null) : null;
        } catch (ReflectiveOperationException e) {
            constant = null;
        } catch (RuntimeException inaccessible) {
            constant = null;
        }
        if (constant == null) {
            throw new Unrunnable("no enum constant " + type.getName() + "." + names.text(name));
        }
        constants.put(key, constant);
        return constant;
    }

    /** The value as a parameter of this type takes it, by the conversions of Java's method invocation. */
    static Object convert(Object value, Class<?> type) throws Unrunnable {
        if (!type.isPrimitive()) {
            if (value == null || type.isInstance(value)) {
                return value;
            }
            throw wrongType(value, type);
        }
        Object converted = value == null ? null : primitive(value, type);
        if (converted == null) {
            throw wrongType(value, type);
        }
        return converted;
    }

    private static Object primitive(Object value, Class<?> type) {
        Class<?> from = value.getClass();
        if (type == int.class) {
            return from == Integer.class ? value : whole(value, from) && from != Long.class ? (Object) number(value).intValue() : null;
        }
        if (type == boolean.class) {
            return from == Boolean.class ? value : null;
        }
        if (type == char.class) {
            return from == Character.class ? value : null;
        }
        if (type == byte.class) {
            return from == Byte.class ? value : null;
        }
        if (type == short.class) {
            return from == Short.class ? value : from == Byte.class ? (Object) ((Byte) value).shortValue() : null;
        }
        if (type == long.class) {
            return whole(value, from) ? (Object) number(value).longValue() : null;
        }
        if (type == float.class) {
            return from == Float.class || whole(value, from) ? (Object) number(value).floatValue() : null;
        }
        boolean numeric = from == Float.class || from == Double.class || whole(value, from);
        return numeric ? (Object) number(value).doubleValue() : null;
    }

    private static boolean whole(Object value, Class<?> from) {
        return from == Integer.class || from == Long.class || from == Short.class || from == Byte.class
            || from == Character.class;
    }

    private static Number number(Object value) {
        return value instanceof Character ? (Number) (int) (Character) value : (Number) value;
    }

    private static Unrunnable wrongType(Object value, Class<?> type) {
        String what = value == null ? "null" : "a value of " + value.getClass().getName();
        return new Unrunnable(what + " does not fit " + type.getName());
    }

    /** Writes what a statement gave; `type` is its static type. */
    static void observe(Output out, Object value, Class<?> type) {
        if (type == void.class) {
            out.u8(Protocol.VOID);
        } else if (value == null) {
            out.u8(Protocol.NULL);
        } else if (type.isPrimitive()) {
            literal(out, value);
        } else {
            reference(out, value);
        }
    }

    private static void reference(Output out, Object value) {
        if (value instanceof String && Output.fits((String) value) && !namesAnIdentity((String) value)) {
            out.u8(Protocol.STRING);
            out.text((String) value);
        } else if (value instanceof Enum) {
            out.u8(Protocol.ENUM);
            out.classRef(((Enum<?>) value).getDeclaringClass());
            out.text(((Enum<?>) value).name());
        } else if (value instanceof Class) {
            out.u8(Protocol.CLASS);
            out.text(((Class<?>) value).getName());
        } else if (isBoxed(value.getClass())) {
            out.u8(Protocol.BOXED);
            literal(out, value);
        } else {
            object(out, value);
        }
    }

    private static void object(Output out, Object value) {
        String text = Parsed.text(value);
        out.u8(text == null ? Protocol.OBJECT : Protocol.PARSED);
        out.classRef(Stub.reported(value));
        if (text != null) {
            out.text(text);
        }
    }

    /**
     * Whether the text has what `Object.toString()` gives, a name and an identity hash: it differs from run to run, so
     * nobody may rely on it.
     */
    static boolean namesAnIdentity(String text) {
        for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
            int end = at + 1;
            while (end < text.length() && Character.digit(text.charAt(end), 16) >= 0) {
                end++;
            }
            char before = at == 0 ? ' ' : text.charAt(at - 1);
            boolean named = Character.isJavaIdentifierPart(before) || before == ';';
            boolean ended = end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end));
            if (named && ended && end > at + 1 && end <= at + 9) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBoxed(Class<?> type) {
        return type == Integer.class || type == Boolean.class || type == Long.class || type == Double.class
            || type == Character.class || type == Byte.class || type == Short.class || type == Float.class;
    }

    private static void literal(Output out, Object value) {
        if (value instanceof Integer) {
            out.u8(Protocol.INT);
            out.i32((Integer) value);
        } else if (value instanceof Boolean) {
            out.u8(Protocol.BOOLEAN);
            out.u8((Boolean) value ? 1 : 0);
        } else if (value instanceof Long) {
            out.u8(Protocol.LONG);
            out.i64((Long) value);
        } else if (value instanceof Double) {
            out.u8(Protocol.DOUBLE);
            out.i64(Double.doubleToRawLongBits((Double) value));
        } else if (value instanceof Character) {
            out.u8(Protocol.CHAR);
            out.u16((Character) value);
        } else if (value instanceof Byte) {
            out.u8(Protocol.BYTE);
            out.u8((Byte) value);
        } else if (value instanceof Short) {
            out.u8(Protocol.SHORT);
            out.u16((Short) value);
        } else {
            out.u8(Protocol.FLOAT);
            out.i32(Float.floatToRawIntBits((Float) value));
        }
    }
}
