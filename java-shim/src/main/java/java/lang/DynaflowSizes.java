package java.lang;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much a container holds, and which entry a map would let go first. It asks where the JDK answers at once, without a lock and without
 * the program, and looks into fields, found by name, where a class of the program extends the container.
 */
final class DynaflowSizes {
    /** Not known. */
    static final int UNKNOWN = -1;

    /** Class and field. */
    private static final String[][] PLACES = {
        {"java.util.HashMap", "size"},
        {"java.util.TreeMap", "size"},
        {"java.util.IdentityHashMap", "size"},
        {"java.util.EnumMap", "size"},
        {"java.util.WeakHashMap", "size"},
        {"java.util.Hashtable", "count"},
        {"java.util.ArrayList", "size"},
        {"java.util.Vector", "elementCount"},
        {"java.util.LinkedList", "size"},
        {"java.util.PriorityQueue", "size"},
    };

    private static final Class<?> ENTRY = DynaflowJdkFields.typeOf(LinkedHashMap.class, "head");
    private static final long HEAD = DynaflowJdkFields.of(LinkedHashMap.class, "head");
    private static final long BEFORE = DynaflowJdkFields.of(ENTRY, "before");
    private static final long AFTER = DynaflowJdkFields.of(ENTRY, "after");

    private DynaflowSizes() {}

    /** How much a container holds, for a view the one that it shows in the end; negative when that is not known. */
    static int of(Object container) {
        Object at = DynaflowContainers.underneath(container);
        Class<?> type = at == null ? null : at.getClass();
        if (type == ConcurrentHashMap.class) {
            // Other threads change it between two looks.
            return UNKNOWN;
        }
        if (isPlainMap(type)) {
            return ((Map<?, ?>) at).size();
        }
        if (type == ArrayList.class || type == LinkedList.class || type == ArrayDeque.class || type == PriorityQueue.class) {
            return ((Collection<?>) at).size();
        }
        DynaflowMirror mirror = type == null ? null : DynaflowObjects.mirrorOf(type);
        if (mirror == null || mirror.kind == DynaflowKinds.NONE) {
            return UNKNOWN;
        }
        Object other = mirror.inside == null ? null : mirror.inside.other(at);
        if (other != null) {
            return of(other);
        }
        long place = mirror.size(type);
        return place == 0 ? UNKNOWN : DynaflowNative.getInt(at, place);
    }

    /** Whether a class is a map of the JDK's own that lets nothing go by itself. */
    static boolean isPlainMap(Class<?> type) {
        return type == HashMap.class
            || type == LinkedHashMap.class
            || type == ConcurrentHashMap.class
            || type == TreeMap.class
            || type == IdentityHashMap.class
            || type == EnumMap.class;
    }

    /** The entry that a map may let go when another one comes in; null when it does not do so. */
    static Map.Entry<?, ?> eldest(Object container) {
        boolean mayEvict = HEAD != 0 && mayEvict(container);
        return mayEvict ? (Map.Entry<?, ?>) DynaflowNative.get(DynaflowContainers.underneath(container), HEAD) : null;
    }

    /** Whether a container is, or shows, a map that may let its eldest entry go when another one comes in. */
    static boolean mayEvict(Object container) {
        if (isPlainMap(container.getClass())) {
            return false;
        }
        Object map = DynaflowContainers.underneath(container);
        return map instanceof LinkedHashMap && map.getClass() != LinkedHashMap.class;
    }

    /** Whether an entry that was a map's eldest is in no map. */
    static boolean isGone(Map.Entry<?, ?> eldest) {
        return BEFORE != 0
            && AFTER != 0
            && DynaflowNative.get(eldest, BEFORE) == null
            && DynaflowNative.get(eldest, AFTER) == null;
    }

    /** The agent's number of the field in which objects of a class know how much they hold; 0 when there is none. */
    static long place(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (String[] place : PLACES) {
                if (at.getClassLoader() == null && at.getName().equals(place[0])) {
                    return DynaflowJdkFields.of(at, place[1]);
                }
            }
        }
        return 0;
    }
}
