package java.lang;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import jdk.internal.vm.annotation.DontInline;

/**
 * What a call by woven code changed in a container, by the effect that woven code names (see {@link DynaflowEffects}); where that cannot be
 * known the container is listed again. Effects come in groups, a method for each, which gets what it needs of the call: the container, two
 * arguments, the result as a reference and as a number ({@code answer}), what was looked up before, the effect. It knows nothing of
 * how containers are listed. Invariants: no code of the program is called, and nothing is allocated for the calls that programs make most.
 */
final class DynaflowChanges {
    /** What was passed and returned came in and went out. Groups are sets of bits, one for each effect. */
    private static final int MOVED = 1 << DynaflowEffects.ADD
        | 1 << DynaflowEffects.ADD_IF
        | 1 << DynaflowEffects.SET
        | 1 << DynaflowEffects.TAKE
        | 1 << DynaflowEffects.TAKE_IF
        | 1 << DynaflowEffects.REPLACE
        | 1 << DynaflowEffects.SWAP_IF
        | 1 << DynaflowEffects.TAKE_ENTRY;
    /** A map got a value for a key, or one was computed. */
    private static final int MAPPED = 1 << DynaflowEffects.PUT
        | 1 << DynaflowEffects.PUT_IF_ABSENT
        | 1 << DynaflowEffects.RESULT
        | 1 << DynaflowEffects.MERGE;
    /** Something went out that the call does not return. */
    private static final int TAKEN_OUT = 1 << DynaflowEffects.REMOVE
        | 1 << DynaflowEffects.REMOVE_KEY
        | 1 << DynaflowEffects.TAKE_FOUND
        | 1 << DynaflowEffects.SET_FOUND;
    /** Nothing came in or went out. */
    private static final int STAYED = 1 << DynaflowEffects.ORDER | 1 << DynaflowEffects.IF;

    private DynaflowChanges() {}

    /** Records what a call changed. Its parameters are what woven code passes: everything else here has fewer. */
    @DontInline
    static void record(
            Object container, Object a, Object b, Object result, DynaflowLeaving before, int answer, int effect, int site) {
        DynaflowMirror mirror = container == null ? null : DynaflowObjects.mirrorOf(container.getClass());
        if (mirror == null || mirror.kind == DynaflowKinds.NONE) {
            return;
        }
        int group = 1 << effect;
        if (effect == DynaflowEffects.FILL) {
            filled(container, a, result, site);
        } else if (mirror.kind == DynaflowKinds.VIEW && DynaflowContainers.underneath(container) instanceof Object[]) {
            array(container, before, answer, effect, site);
        } else if ((group & MOVED) != 0) {
            moved(container, a, b, result, answer, effect);
        } else if ((group & MAPPED) != 0) {
            mapped(container, a, b, result, before, effect);
        } else if ((group & TAKEN_OUT) != 0) {
            takenOut(container, a, result, before, answer, effect);
        } else if ((group & STAYED) == 0) {
            all(container, a, result, answer, effect);
        }
    }

    /** See {@link #MOVED}. */
    static void moved(Object container, Object a, Object b, Object result, int answer, int effect) {
        long id = DynaflowObjects.idOf(container);
        switch (effect) {
            case DynaflowEffects.ADD:
                DynaflowContainers.comesIn(id, a);
                break;
            case DynaflowEffects.ADD_IF:
                if (answer != 0) {
                    DynaflowContainers.comesIn(id, a);
                }
                break;
            case DynaflowEffects.SET:
                swapped(id, result, a);
                break;
            case DynaflowEffects.REPLACE:
                swapped(id, result, b);
                break;
            case DynaflowEffects.SWAP_IF:
                if (answer != 0) {
                    swapped(id, a, b);
                }
                break;
            case DynaflowEffects.TAKE_ENTRY:
                entryTaken(id, result);
                break;
            default:
                DynaflowContainers.goesOut(id, result);
        }
    }

    private static void swapped(long id, Object out, Object in) {
        DynaflowContainers.goesOut(id, out);
        DynaflowContainers.comesIn(id, in);
    }

    private static void entryTaken(long id, Object entry) {
        if (entry instanceof Map.Entry && DynaflowContainers.isOfJdk(entry)) {
            DynaflowContainers.goesOut(id, ((Map.Entry<?, ?>) entry).getKey());
            DynaflowContainers.goesOut(id, ((Map.Entry<?, ?>) entry).getValue());
        }
    }

    /** See {@link #MAPPED}; {@code a} is the key, {@code b} the value. */
    static void mapped(Object map, Object a, Object b, Object result, DynaflowLeaving before, int effect) {
        if (effect == DynaflowEffects.MERGE) {
            merged(map, a, b, result, before);
            return;
        }
        long id = DynaflowObjects.idOf(map);
        boolean isComputed = effect == DynaflowEffects.RESULT;
        int key = DynaflowMaps.key(map, isComputed ? null : result, before);
        if (key == DynaflowLeaving.ANYTHING) {
            DynaflowContainers.relist(map);
        } else if (isComputed) {
            DynaflowMaps.computed(id, a, result, before, key);
        } else {
            DynaflowMaps.put(id, a, b, result, before, key);
        }
    }

    private static void merged(Object map, Object key, Object value, Object result, DynaflowLeaving before) {
        long id = DynaflowObjects.idOf(map);
        if (before != null && before.isFound) {
            DynaflowMaps.replaced(id, before, result);
        } else if (!DynaflowMaps.merged(map, id, key, value, result, before)) {
            DynaflowContainers.relist(map);
        }
    }

    /** See {@link #TAKEN_OUT}. */
    static void takenOut(Object container, Object a, Object result, DynaflowLeaving before, int answer, int effect) {
        switch (effect) {
            case DynaflowEffects.REMOVE:
                if (answer != 0 && before == null) {
                    removed(container, a);
                } else if (answer != 0) {
                    takeFound(container, before);
                }
                break;
            case DynaflowEffects.REMOVE_KEY:
                DynaflowContainers.goesOut(DynaflowObjects.idOf(container), result);
                if (!DynaflowObjects.isLeaf(a)) {
                    removed(container, a);
                }
                break;
            case DynaflowEffects.SET_FOUND:
                if (takeFound(container, before)) {
                    DynaflowContainers.comesIn(DynaflowObjects.idOf(container), a);
                }
                break;
            default:
                takeFound(container, before);
        }
    }

    /** Something that equals a value went out. */
    private static void removed(Object container, Object value) {
        DynaflowMirror mirror = DynaflowObjects.mirrorOf(container.getClass());
        boolean isWhole = mirror != null && mirror.isWhole;
        if (DynaflowObjects.isLeaf(value)) {
            // What equals it is a leaf as well, or a class of the program is asymmetric; but a key takes a value along.
            if (!isWhole) {
                DynaflowContainers.relist(container);
            }
        } else if (isWhole && !isSorted(container) && hasIdentityEquals(value)) {
            DynaflowContainers.goesOut(DynaflowObjects.idOf(container), value);
        } else {
            DynaflowContainers.relist(container);
        }
    }

    /** What was found before the call went out; false when nothing was found, so that all is listed again. */
    private static boolean takeFound(Object container, DynaflowLeaving before) {
        if (before == null) {
            DynaflowContainers.relist(container);
            return false;
        }
        long id = DynaflowObjects.idOf(container);
        DynaflowContainers.goesOut(id, before.first);
        DynaflowContainers.goesOut(id, before.second);
        return true;
    }

    /** The contents changed as a whole. */
    static void all(Object container, Object a, Object result, int answer, int effect) {
        switch (effect) {
            case DynaflowEffects.CLEAR:
                cleared(container);
                break;
            case DynaflowEffects.ADD_ALL:
                allAdded(container, a);
                break;
            case DynaflowEffects.SHOW:
                shown(container, result);
                break;
            case DynaflowEffects.ASSIGN:
                assigned(container, a);
                break;
            case DynaflowEffects.ASSIGN_IF:
                if (answer != 0) {
                    assigned(container, a);
                }
                break;
            case DynaflowEffects.RELIST_IF:
                if (answer != 0) {
                    DynaflowContainers.relist(container);
                }
                break;
            default:
                DynaflowContainers.relist(container);
        }
    }

    private static void assigned(Object container, Object value) {
        long id = DynaflowObjects.idOf(container);
        DynaflowContainers.emptied(id);
        DynaflowContainers.comesIn(id, value);
    }

    /** Of what a view shows, clearing it may leave a part. */
    private static void cleared(Object container) {
        DynaflowMirror mirror = DynaflowObjects.mirrorOf(container.getClass());
        if (mirror == null || mirror.kind == DynaflowKinds.VIEW) {
            DynaflowContainers.relist(container);
        } else {
            DynaflowContainers.emptied(DynaflowObjects.idOf(container));
        }
    }

    /** What a call added: everything, but that a set has what is equal once. */
    private static void allAdded(Object container, Object added) {
        DynaflowMirror mirror = DynaflowObjects.mirrorOf(container.getClass());
        boolean isWhole = mirror != null && mirror.isWhole;
        Collection<?> all = container == added || !isWhole || isSorted(container) ? null : elements(added);
        if (all == null || container instanceof Set && !areEqualToThemselvesAlone(all)) {
            DynaflowContainers.relist(container);
            return;
        }
        long id = DynaflowObjects.idOf(container);
        for (Object element : all) {
            if (container instanceof Set) {
                DynaflowContainers.isIn(id, element);
            } else {
                DynaflowContainers.comesIn(id, element);
            }
        }
    }

    private static boolean areEqualToThemselvesAlone(Collection<?> all) {
        for (Object element : all) {
            if (!DynaflowObjects.isLeaf(element) && !hasIdentityEquals(element)) {
                return false;
            }
        }
        return true;
    }

    /** What was added, if it can be gone through; null otherwise. */
    private static Collection<?> elements(Object added) {
        if (added instanceof Object[]) {
            return java.util.Arrays.asList((Object[]) added);
        }
        DynaflowMirror source = added == null ? null : DynaflowObjects.mirrorOf(added.getClass());
        boolean isAsked = source != null
            && (source.kind == DynaflowKinds.COLLECTION || source.kind == DynaflowKinds.VIEW && source.isWhole);
        return isAsked && added instanceof Collection ? (Collection<?>) added : null;
    }

    /** An iterator of a map's entries gave one; the entry shows the map if it is one of its own. */
    private static void shown(Object iterator, Object result) {
        Object map = DynaflowContainers.underneath(iterator);
        Object entry = DynaflowContainers.underneath(result);
        boolean areEntries = map instanceof Map && entry instanceof Map.Entry;
        if (areEntries && DynaflowContainers.isPartOf(map.getClass(), entry.getClass().getName())) {
            DynaflowObjects.show(entry, DynaflowObjects.idOf(iterator));
        }
    }

    /** A list that shows an array was called: what the call writes are elements. The size of the list stays. */
    static void array(Object list, DynaflowLeaving before, int answer, int effect, int site) {
        Object[] elements = (Object[]) DynaflowContainers.underneath(list);
        boolean isDirect = DynaflowObjects.mirrorOf(list.getClass()).shown(list) == elements;
        int index = effect == DynaflowEffects.SET && isDirect ? answer : before == null ? -1 : before.index;
        if (index >= 0 && index < elements.length) {
            DynaflowContainers.stored(elements, site, 1L << DynaflowWords.STORED_ELEMENT_BIT | index, elements[index]);
        } else if (mayWriteAll(effect)) {
            DynaflowContainers.storedElements(elements, site);
        }
    }

    private static boolean mayWriteAll(int effect) {
        return effect == DynaflowEffects.SET_FOUND
            || effect == DynaflowEffects.SET
            || effect == DynaflowEffects.RELIST
            || effect == DynaflowEffects.ORDER;
    }

    /**
     * A call filled an array. One that the call made is listed when it is seen; into one that was known the JDK wrote what the container
     * holds, and a null behind it.
     */
    static void filled(Object container, Object given, Object result, int site) {
        Object array = result instanceof Object[] ? result : given;
        if (!(array instanceof Object[])) {
            return;
        }
        if (array != given || !DynaflowObjects.isKnown(array)) {
            DynaflowObjects.idOf(array);
            return;
        }
        boolean isAsked = DynaflowObjects.mirrorOf(container.getClass()).kind == DynaflowKinds.COLLECTION;
        int end = isAsked ? ((Collection<?>) container).size() + 1 : Integer.MAX_VALUE;
        DynaflowContainers.storedElements((Object[]) array, 0, end, site);
    }

    /** Whether a container goes by an order, in which what equals a value need not be the value. */
    private static boolean isSorted(Object container) {
        return container instanceof SortedSet || container instanceof SortedMap;
    }

    private static boolean hasIdentityEquals(Object value) {
        if (value instanceof Enum || value instanceof Class) {
            return true;
        }
        DynaflowMirror mirror = DynaflowObjects.mirrorOf(value.getClass());
        return mirror != null && mirror.hasIdentityEquals(value.getClass());
    }
}
