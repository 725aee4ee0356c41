package io.dynaflow.shim;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The static state of classes that sequences use, as their initialisers left it: what fields hold, and what arrays, containers and atomic values of the JDK
 * hold there. Knows nothing of sequences; state behind other objects stays as it is.
 * Invariant: a class is initialised here only where it is about to be, by the statement that uses it; of the program it runs initialisers, and {@code hashCode} and
 * {@code compareTo} of what containers held.
 */
final class Statics {
    /** Longest array, and largest container, of which a copy is kept. */
    private static final int MOST = 4096;

    private final Set<Class<?>> known = new HashSet<Class<?>>();
    private final List<Kept> kept = new ArrayList<Kept>();

    /** What is to be as it was. */
    private interface Kept {
        void restore() throws IllegalAccessException;
    }

    /**
     * Remembers the static state of a class that is about to be used, and of those above it. What its initialiser throws is thrown, as it would be by the use;
     * where state cannot be read, it is not remembered.
     */
    void watch(Class<?> type) throws LinkageError {
        for (Class<?> c = type; c != null && c.getClassLoader() == Statics.class.getClassLoader() && known.add(c); c = c.getSuperclass()) {
            try {
                watchOwn(c);
            } catch (ReflectiveOperationException | RuntimeException e) {
                // A field of a module that is closed.
                continue;
            }
        }
    }

    private void watchOwn(Class<?> type) throws ReflectiveOperationException {
        List<Field> fields = new ArrayList<Field>();
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && canChange(field)) {
                field.setAccessible(true);
                fields.add(field);
            }
        }
        if (fields.isEmpty()) {
            return;
        }
        Class.forName(type.getName(), true, type.getClassLoader());
        for (Field field : fields) {
            Object value = field.get(null);
            if (!Modifier.isFinal(field.getModifiers())) {
                kept.add(new OfField(field, value));
            }
            Kept held = held(value);
            if (held != null) {
                kept.add(held);
            }
        }
    }

    private static boolean canChange(Field field) {
        Class<?> type = field.getType();
        return !Modifier.isFinal(field.getModifiers()) || type.isArray() || type == Object.class || Collection.class.isAssignableFrom(type)
            || Map.class.isAssignableFrom(type) || type.getName().startsWith("java.util.concurrent.atomic.");
    }

    private static Kept held(Object value) {
        if (value == null || value.getClass().isArray()) {
            return value == null || Array.getLength(value) > MOST ? null : new OfArray(value);
        }
        String name = value.getClass().getName();
        if (name.startsWith("java.util.concurrent.atomic.")) {
            return new OfAtomic(value);
        }
        if (!name.startsWith("java.util.") || value.getClass().getClassLoader() != null) {
            return null;
        }
        if (value instanceof Collection) {
            return ((Collection<?>) value).size() > MOST ? null : new OfCollection((Collection<?>) value);
        }
        return !(value instanceof Map) || ((Map<?, ?>) value).size() > MOST ? null : new OfMap((Map<?, ?>) value);
    }

    /** Makes all of it as it was, as far as that can be done. */
    void restore() {
        for (Kept one : kept) {
            try {
                one.restore();
            } catch (Throwable e) {
                // What cannot change, or holds what cannot be compared, stays.
                continue;
            }
        }
    }

    private static final class OfField implements Kept {
        private final Field field;
        private final Object value;

        OfField(Field field, Object value) {
            this.field = field;
            this.value = value;
        }

        @Override
        public void restore() throws IllegalAccessException {
            Object now = field.get(null);
            boolean isSame = field.getType().isPrimitive() ? now.equals(value) : now == value;
            if (!isSame) {
                field.set(null, value);
            }
        }
    }

    private static final class OfArray implements Kept {
        private final Object array;
        private final Object copy;

        OfArray(Object array) {
            this.array = array;
            this.copy = Member.cloneArray(array);
        }

        @Override
        public void restore() {
            System.arraycopy(copy, 0, array, 0, Array.getLength(copy));
        }
    }

    private static final class OfCollection implements Kept {
        private final Collection<Object> all;
        private final Object[] held;

        @SuppressWarnings("unchecked")
        OfCollection(Collection<?> all) {
            this.all = (Collection<Object>) all;
            this.held = all.toArray();
        }

        @Override
        public void restore() {
            if (!isSame(all.toArray(), held)) {
                all.clear();
                for (Object one : held) {
                    all.add(one);
                }
            }
        }
    }

    private static final class OfMap implements Kept {
        private final Map<Object, Object> all;
        private final Object[] keys;
        private final Object[] values;

        @SuppressWarnings("unchecked")
        OfMap(Map<?, ?> all) {
            this.all = (Map<Object, Object>) all;
            this.keys = all.keySet().toArray();
            this.values = all.values().toArray();
        }

        @Override
        public void restore() {
            if (!isSame(all.keySet().toArray(), keys) || !isSame(all.values().toArray(), values)) {
                all.clear();
                for (int i = 0; i < keys.length; i++) {
                    all.put(keys[i], values[i]);
                }
            }
        }
    }

    private static final class OfAtomic implements Kept {
        private final Object atomic;
        private final Object value;

        OfAtomic(Object atomic) {
            this.atomic = atomic;
            this.value = now();
        }

        private Object now() {
            if (atomic instanceof AtomicReference) {
                return ((AtomicReference<?>) atomic).get();
            }
            if (atomic instanceof AtomicBoolean) {
                return ((AtomicBoolean) atomic).get();
            }
            return atomic instanceof AtomicInteger || atomic instanceof AtomicLong ? ((Number) atomic).longValue() : null;
        }

        @Override
        @SuppressWarnings("unchecked")
        public void restore() {
            if (atomic instanceof AtomicReference) {
                ((AtomicReference<Object>) atomic).set(value);
            } else if (atomic instanceof AtomicBoolean) {
                ((AtomicBoolean) atomic).set((Boolean) value);
            } else if (atomic instanceof AtomicInteger) {
                ((AtomicInteger) atomic).set(((Long) value).intValue());
            } else if (atomic instanceof AtomicLong) {
                ((AtomicLong) atomic).set((Long) value);
            }
        }
    }

    private static boolean isSame(Object[] one, Object[] other) {
        if (one.length != other.length) {
            return false;
        }
        for (int i = 0; i < one.length; i++) {
            if (one[i] != other[i]) {
                return false;
            }
        }
        return true;
    }
}
