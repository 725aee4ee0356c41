package java.lang;

import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What is looked up before a call of a container because the call will not say it: what it takes out (what an iterator gave last, what a
 * map has for a key), how much there is before it, which entry a cache would let go. It calls methods of the JDK's own classes alone,
 * with keys whose methods are the JDK's, and changes nothing; what it cannot find without that it does not find.
 */
final class DynaflowLeaving {
    /** The key that a call put a value for came in. */
    static final int CAME = 0;
    /** It was there, or one that equals it, which stays. */
    static final int KEPT = 1;
    /** It came in, and the eldest entry went out. */
    static final int EVICTED = 2;
    /** Anything happened. */
    static final int ANYTHING = 3;

    /** Whether what the call takes out was found. */
    final boolean isFound;
    /** The element, or the key of a map. */
    final Object first;
    /** The value of a map. */
    final Object second;
    /** The index of the element, if it is one of a list; negative when that is not known. */
    final int index;
    /** How much the container holds before the call; negative when that is not known. */
    final int size;
    /** The entry that a map may let go; null when it does not do so. */
    final Map.Entry<?, ?> eldest;

    private DynaflowLeaving(boolean isFound, Object first, Object second, int index, int size, Map.Entry<?, ?> eldest) {
        this.isFound = isFound;
        this.first = first;
        this.second = second;
        this.index = index;
        this.size = size;
        this.eldest = eldest;
    }

    /** What there is to know before a call with this effect, by its first reference and first number; null when nothing is. */
    static DynaflowLeaving of(Object container, Object argument, int index, int effect) {
        switch (effect) {
            case DynaflowEffects.PUT:
            case DynaflowEffects.PUT_IF_ABSENT:
                boolean isSimple = container == null
                    || DynaflowObjects.isLeaf(argument) && !DynaflowSizes.mayEvict(container);
                return isSimple ? null : sized(container);
            case DynaflowEffects.RESULT:
                return container == null ? null : mappedOrSized(container, argument);
            case DynaflowEffects.REMOVE_KEY:
            case DynaflowEffects.CLEAR:
            case DynaflowEffects.RELIST:
                return container == null ? null : sized(container);
            default:
                return taken(container, argument, index, effect);
        }
    }

    /** What a call takes out; null when that is not known. */
    private static DynaflowLeaving taken(Object container, Object argument, int index, int effect) {
        DynaflowMirror mirror = container == null ? null : DynaflowObjects.mirrorOf(container.getClass());
        if (mirror == null) {
            return null;
        }
        if (effect == DynaflowEffects.MERGE) {
            return mappedOrSized(container, argument);
        }
        if (effect == DynaflowEffects.REMOVE) {
            boolean isKeys = mirror.kind == DynaflowKinds.VIEW && container.getClass().getName().endsWith("$KeySet");
            return isKeys ? mapped(mirror.shown(container), argument) : null;
        }
        if (container instanceof AtomicReferenceArray) {
            return element(((AtomicReferenceArray<?>) container).get(index), index);
        }
        return mirror.last == null ? at(container, index) : mirror.last.of(container, mirror);
    }

    private static DynaflowLeaving mappedOrSized(Object map, Object key) {
        DynaflowLeaving mapped = mapped(map, key);
        return mapped == null ? sized(map) : mapped;
    }

    private static DynaflowLeaving sized(Object container) {
        int size = DynaflowSizes.of(container);
        return size < 0 ? null : new DynaflowLeaving(false, null, null, -1, size, DynaflowSizes.eldest(container));
    }

    static DynaflowLeaving element(Object element, int index) {
        return new DynaflowLeaving(true, element, null, index, DynaflowSizes.UNKNOWN, null);
    }

    static DynaflowLeaving entry(Object key, Object value) {
        return new DynaflowLeaving(true, key, value, -1, DynaflowSizes.UNKNOWN, null);
    }

    /** What stands at a place in a container that keeps its elements in an array. */
    static DynaflowLeaving at(Object container, int index) {
        DynaflowMirror mirror = DynaflowObjects.mirrorOf(container.getClass());
        DynaflowInside inside = mirror == null ? null : mirror.inside(container.getClass());
        Object[] kept = inside == null ? null : inside.array(container);
        if (kept != null) {
            return index >= 0 && index < kept.length ? element(kept[index], index) : null;
        }
        boolean mayAsk = mirror != null
            && container instanceof List
            && container instanceof RandomAccess
            && DynaflowContainers.isOfJdk(container);
        return mayAsk && index >= 0 ? element(((List<?>) container).get(index), index) : null;
    }

    /** What a map has for a key, if finding it calls nobody and changes nothing. */
    private static DynaflowLeaving mapped(Object map, Object key) {
        if (key == null || !DynaflowObjects.isLeaf(key) && !(key instanceof Enum)) {
            return null;
        }
        Class<?> type = map == null ? null : map.getClass();
        boolean mayAsk = type == java.util.HashMap.class
            || type == ConcurrentHashMap.class
            || type == java.util.EnumMap.class
            || type == TreeMap.class && ((TreeMap<?, ?>) map).comparator() == null;
        return mayAsk ? entry(key, ((Map<?, ?>) map).get(key)) : null;
    }

    /** What became of the key that a call put a value for; {@code replaced} if it is known that it had one. */
    int key(Object container, boolean replaced) {
        if (isFound) {
            return replaced || second != null ? KEPT : CAME;
        }
        int now = DynaflowSizes.of(container);
        if (replaced && now == size) {
            return KEPT;
        }
        if (now == size + 1) {
            return CAME;
        }
        if (now != size || now == 0) {
            return ANYTHING;
        }
        if (eldest == null || DynaflowSizes.eldest(container) == eldest) {
            return KEPT;
        }
        return DynaflowSizes.isGone(eldest) ? EVICTED : ANYTHING;
    }
}
