package io.dynaflow.shim;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an array or a container of the JDK holds, where that is little. Knows nothing of how it was reached.
 * Containers that the program makes its own are not gone through: what their methods do is the program's.
 * Invariant: writing runs no code of the program; finding out may, where a view or a wrapper leads back into it.
 */
final class Contents {
    /** Most elements, or entries: more of them nobody reads. */
    private static final int MOST = 8;
    /** How many containers stand in each other at most: what a deeper one holds is not written. */
    private static final int DEEPEST = 3;

    private final int kind;
    private final Class<?> array;
    /** What it holds; of a container of the JDK that is an element, its contents. */
    private final Object[] elements;

    private Contents(int kind, Class<?> array, Object[] elements) {
        this.kind = kind;
        this.array = array;
        this.elements = elements;
    }

    /** The contents; null of what is no such container, or holds much. */
    static Contents of(Object value) {
        Contents contents = value != null && value.getClass().isArray() ? array(value) : container(value);
        if (contents != null) {
            contents.lookInside(DEEPEST - 1);
        }
        return contents;
    }

    /** Arrays are left as they are: those in containers are equal where they are the same. */
    private void lookInside(int deeper) {
        for (int i = 0; i < elements.length && deeper > 0; i++) {
            Contents inside = container(elements[i]);
            if (inside != null) {
                inside.lookInside(deeper - 1);
                elements[i] = inside;
            }
        }
    }

    private static Contents container(Object value) {
        if (value == null) {
            return null;
        }
        Class<?> type = value.getClass();
        if (type.getClassLoader() != null || !type.getName().startsWith("java.util.")) {
            return null;
        }
        if (value instanceof List) {
            return collection(Protocol.LIST, (Collection<?>) value);
        }
        if (value instanceof Set) {
            return collection(Protocol.SET, (Collection<?>) value);
        }
        if (value instanceof Map) {
            return map((Map<?, ?>) value);
        }
        if (value instanceof Optional) {
            Optional<?> optional = (Optional<?>) value;
            Object[] held = optional.isPresent() ? new Object[] {optional.get()} : new Object[0];
            return new Contents(Protocol.OPTIONAL, null, held);
        }
        return null;
    }

    private static Contents array(Object value) {
        Class<?> type = value.getClass();
        int length = Array.getLength(value);
        if (length > MOST) {
            return null;
        }
        Object[] elements = new Object[length];
        for (int i = 0; i < length; i++) {
            elements[i] = Array.get(value, i);
        }
        return new Contents(Protocol.ARRAY, type, elements);
    }

    private static Contents collection(int kind, Collection<?> value) {
        return value.size() > MOST ? null : new Contents(kind, null, value.toArray());
    }

    private static Contents map(Map<?, ?> value) {
        if (value.size() > MOST) {
            return null;
        }
        Object[] entries = new Object[2 * value.size()];
        int at = 0;
        for (Map.Entry<?, ?> entry : value.entrySet()) {
            entries[at++] = entry.getKey();
            entries[at++] = entry.getValue();
        }
        return new Contents(Protocol.MAP, null, entries);
    }

    void write(Output out) {
        Class<?> type = array == null ? Object.class : array.getComponentType();
        out.u8(Protocol.CONTENTS);
        out.u8(kind);
        if (kind == Protocol.ARRAY) {
            out.classRef(array);
        }
        out.i32(elements.length);
        for (Object element : elements) {
            if (element instanceof Contents) {
                ((Contents) element).write(out);
            } else {
                Values.observe(out, element, type);
            }
        }
    }
}
