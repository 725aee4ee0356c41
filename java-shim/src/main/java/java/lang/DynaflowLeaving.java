package java.lang;

import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What a call is about to take out of a container, found before the call where the call itself does not say: what an iterator
 * gave last, what a map has for a key. It calls methods of the JDK's own classes alone, with keys whose methods are the JDK's,
 * and changes nothing; what it cannot find without that it does not find.
 */
final class DynaflowLeaving {
    /** The element, or the key of a map. */
    final Object first;
    /** The value of a map. */
    final Object second;
    /** The index of the element, if it is one of a list; negative when that is not known. */
    final int index;

    private DynaflowLeaving(Object first, Object second, int index) {
        this.first = first;
        this.second = second;
        this.index = index;
    }

    /** What a call with this effect takes out, by its first reference and first number; null when that is not known. */
    static DynaflowLeaving of(Object container, Object argument, int index, int effect) {
        DynaflowMirror mirror = container == null ? null : DynaflowObjects.mirrorOf(container.getClass());
        if (mirror == null) {
            return null;
        }
        if (effect == DynaflowEffects.MERGE) {
            return mapped(container, argument);
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

    static DynaflowLeaving element(Object element, int index) {
        return new DynaflowLeaving(element, null, index);
    }

    static DynaflowLeaving entry(Object key, Object value) {
        return new DynaflowLeaving(key, value, -1);
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
}
