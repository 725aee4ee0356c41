package java.lang;

import java.lang.reflect.Field;
import java.util.Iterator;

/**
 * How iterators of the JDK know what they gave last, which is what they would remove or replace. They are read field by field,
 * found by name; of an iterator that is not listed, or of a JDK that names its fields otherwise, nothing is known.
 */
final class DynaflowLast {
    /** The index in what the iterator goes through. */
    private static final int INDEX = 0;
    /** A node. */
    private static final int NODE = 1;
    /** Another iterator does the work. */
    private static final int OTHER = 2;

    /** Class, how, the field, and for nodes the fields of what they hold, the first that there is of each. */
    private static final Object[][] PLACES = {
        {"java.util.ArrayList$Itr", INDEX, "lastRet"},
        {"java.util.ArrayList$SubList$1", INDEX, "lastRet"},
        {"java.util.Vector$Itr", INDEX, "lastRet"},
        {"java.util.ArrayDeque$DeqIterator", INDEX, "lastRet"},
        {"java.util.AbstractList$Itr", INDEX, "lastRet"},
        {"java.util.LinkedList$ListItr", NODE, "lastReturned", "item"},
        {"java.util.HashMap$HashIterator", NODE, "current", "key", "value"},
        {"java.util.LinkedHashMap$LinkedHashIterator", NODE, "current", "key", "value"},
        {"java.util.TreeMap$PrivateEntryIterator", NODE, "lastReturned", "key", "value"},
        {"java.util.TreeMap$NavigableSubMap$SubMapIterator", NODE, "lastReturned", "key", "value"},
        {"java.util.Hashtable$Enumerator", NODE, "lastReturned", "key", "value"},
        {"java.util.concurrent.ConcurrentHashMap$BaseIterator", NODE, "lastReturned", "key", "val"},
        {"java.util.concurrent.ConcurrentLinkedQueue$Itr", NODE, "lastRet", "item"},
        {"java.util.concurrent.ConcurrentLinkedDeque$AbstractItr", NODE, "lastRet", "item"},
        {"java.util.concurrent.LinkedBlockingQueue$Itr", NODE, "lastRet", "item"},
        {"java.util.concurrent.LinkedBlockingDeque$AbstractItr", NODE, "lastRet", "item"},
    };

    private final int how;
    private final long field;
    private final long first;
    private final long second;

    private DynaflowLast(int how, long field, long first, long second) {
        this.how = how;
        this.field = field;
        this.first = first;
        this.second = second;
    }

    /** How iterators of a class know; null when that is not known. {@code shownBy} is the field by which they know what they show. */
    static DynaflowLast of(Class<?> type, Field shownBy) {
        if (!Iterator.class.isAssignableFrom(type)) {
            return null;
        }
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Object[] place : PLACES) {
                if (at.getName().equals(place[0])) {
                    return of(at, place);
                }
            }
        }
        boolean isWrapped = shownBy != null && Iterator.class.isAssignableFrom(shownBy.getType());
        return isWrapped ? new DynaflowLast(OTHER, 0, 0, 0) : null;
    }

    private static DynaflowLast of(Class<?> type, Object[] place) {
        try {
            Field field = type.getDeclaredField((String) place[2]);
            long first = place.length > 3 ? number(field.getType(), (String) place[3]) : 0;
            long second = place.length > 4 ? number(field.getType(), (String) place[4]) : 0;
            return new DynaflowLast((Integer) place[1], DynaflowNative.field(field), first, second);
        } catch (NoSuchFieldException other) {
            return null;
        }
    }

    /** Nodes may inherit their fields. */
    private static long number(Class<?> node, String name) throws NoSuchFieldException {
        for (Class<?> at = node; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return DynaflowNative.field(field);
                }
            }
        }
        throw new NoSuchFieldException(name);
    }

    /** What an iterator of the class this was made for gave last; null when that is not known. */
    DynaflowLeaving of(Object iterator, DynaflowMirror mirror) {
        if (how == NODE) {
            Object node = DynaflowNative.get(iterator, field);
            if (node == null) {
                return null;
            }
            Object value = DynaflowNative.get(node, first);
            return second == 0
                ? DynaflowLeaving.element(value, -1)
                : DynaflowLeaving.entry(value, DynaflowNative.get(node, second));
        }
        Object shown = mirror.shown(iterator);
        if (shown == null) {
            return null;
        }
        if (how == INDEX) {
            return DynaflowLeaving.at(shown, DynaflowNative.getInt(iterator, field));
        }
        DynaflowMirror other = DynaflowObjects.mirrorOf(shown.getClass());
        return other == null || other.last == null ? null : other.last.of(shown, other);
    }
}
