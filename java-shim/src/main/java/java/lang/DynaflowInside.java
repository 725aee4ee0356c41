package java.lang;

import java.lang.reflect.Field;
import java.util.Collection;

/**
 * Where containers keep what they hold, for those that cannot be asked: a lock guards them, or a class of the program extends
 * them and may override what would be called. They are read field by field, without a lock and without a call; what another
 * thread changes meanwhile is seen or not.
 */
final class DynaflowInside {
    /** An array whose elements are held. */
    private static final int ARRAY = 0;
    /** The first of a chain of nodes. */
    private static final int CHAIN = 1;
    /** An array of the first ones of chains of nodes. */
    private static final int TABLE = 2;
    /** Another container. */
    private static final int OTHER = 3;
    /** The root of a tree of nodes. */
    private static final int TREE = 4;
    /** The one element, as often as the container is large. */
    private static final int SAME = 5;

    /** Class, shape, field, and for nodes the fields of the next one (of the next two in a tree) and of what they hold. */
    private static final Object[][] PLACES = {
        {"java.util.ArrayList", ARRAY, "elementData"},
        {"java.util.Vector", ARRAY, "elementData"},
        {"java.util.ArrayDeque", ARRAY, "elements"},
        {"java.util.PriorityQueue", ARRAY, "queue"},
        {"java.util.concurrent.ArrayBlockingQueue", ARRAY, "items"},
        {"java.util.concurrent.PriorityBlockingQueue", ARRAY, "queue"},
        {"java.util.LinkedList", CHAIN, "first", "next", "item"},
        {"java.util.concurrent.LinkedBlockingQueue", CHAIN, "head", "next", "item"},
        {"java.util.concurrent.LinkedBlockingDeque", CHAIN, "first", "next", "item"},
        {"java.util.HashMap", TABLE, "table", "next", "key", "value"},
        {"java.util.Hashtable", TABLE, "table", "next", "key", "value"},
        {"java.util.concurrent.ConcurrentHashMap", TABLE, "table", "next", "key", "val"},
        {"java.util.TreeMap", TREE, "root", "left", "right", "key", "value"},
        {"java.util.IdentityHashMap", ARRAY, "table"},
        {"java.util.EnumMap", ARRAY, "vals"},
        {"java.util.concurrent.CopyOnWriteArrayList", ARRAY, "array"},
        {"java.util.concurrent.ConcurrentLinkedQueue", CHAIN, "head", "next", "item"},
        {"java.util.concurrent.ConcurrentLinkedDeque", CHAIN, "head", "next", "item"},
        {"java.util.HashSet", OTHER, "map"},
        {"java.util.concurrent.ConcurrentSkipListSet", OTHER, "m"},
        {"java.util.concurrent.CopyOnWriteArraySet", OTHER, "al"},
        {"java.util.TreeSet", OTHER, "m"},
        {"java.util.concurrent.DelayQueue", OTHER, "q"},
        {"java.util.Collections$CopiesList", SAME, "element"},
    };

    private final int shape;
    private final long field;
    private final long next;
    private final long[] held;

    private DynaflowInside(int shape, long field, long next, long[] held) {
        this.shape = shape;
        this.field = field;
        this.next = next;
        this.held = held;
    }

    /** Where objects of a class keep what they hold; null when that is not known. */
    static DynaflowInside of(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (at.getClassLoader() == null) {
                for (Object[] place : PLACES) {
                    if (at.getName().equals(place[0])) {
                        return of(at, place);
                    }
                }
            }
        }
        return null;
    }

    private static DynaflowInside of(Class<?> type, Object[] place) {
        try {
            Field field = type.getDeclaredField((String) place[2]);
            Class<?> node = field.getType().isArray() ? field.getType().getComponentType() : field.getType();
            long next = place.length > 3 ? number(node, place[3]) : 0;
            long[] held = new long[place.length > 4 ? place.length - 4 : 0];
            for (int i = 0; i < held.length; i++) {
                held[i] = number(node, place[i + 4]);
            }
            return new DynaflowInside((Integer) place[1], DynaflowNative.field(field), next, held);
        } catch (NoSuchFieldException other) {
            return null;
        }
    }

    private static long number(Class<?> node, Object name) throws NoSuchFieldException {
        return DynaflowNative.field(node.getDeclaredField((String) name));
    }

    /** The container in which another one keeps its elements; null when it keeps them otherwise. */
    Object other(Object container) {
        return shape == OTHER ? DynaflowNative.get(container, field) : null;
    }

    /** The array in which a container keeps its elements; null when it keeps them otherwise. */
    Object[] array(Object container) {
        return shape == ARRAY ? (Object[]) DynaflowNative.get(container, field) : null;
    }

    /** Records all that a container holds as coming into the one with this number. */
    void list(Object container, long id) {
        Object kept = DynaflowNative.get(container, field);
        if (kept == null) {
            return;
        }
        switch (shape) {
            case ARRAY:
                for (Object element : (Object[]) kept) {
                    DynaflowContainers.comesIn(id, element);
                }
                break;
            case CHAIN:
                listChain(kept, id);
                break;
            case TABLE:
                for (Object first : (Object[]) kept) {
                    listChain(first, id);
                }
                break;
            case TREE:
                listTree(kept, id);
                break;
            case SAME:
                if (!((Collection<?>) container).isEmpty()) {
                    DynaflowContainers.comesIn(id, kept);
                }
                break;
            default:
                DynaflowMirror mirror = DynaflowObjects.mirrorOf(kept.getClass());
                if (mirror != null) {
                    DynaflowContainers.list(kept, mirror, id);
                }
        }
    }

    /** Goes down the left side itself, so that the tree's height bounds the stack. */
    private void listTree(Object root, long id) {
        for (Object node = root; node != null; node = DynaflowNative.get(node, held[0])) {
            listTree(DynaflowNative.get(node, next), id);
            for (int i = 1; i < held.length; i++) {
                DynaflowContainers.comesIn(id, DynaflowNative.get(node, held[i]));
            }
        }
    }

    /** Nodes that were taken out refer to themselves, or to nothing. */
    private void listChain(Object first, long id) {
        Object node = first;
        while (node != null) {
            for (long field : held) {
                DynaflowContainers.comesIn(id, DynaflowNative.get(node, field));
            }
            Object following = DynaflowNative.get(node, next);
            node = following == node ? null : following;
        }
    }
}
