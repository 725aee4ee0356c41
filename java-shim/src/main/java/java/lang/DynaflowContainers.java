package java.lang;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;
import jdk.internal.vm.annotation.DontInline;

/**
 * Tells what containers of the JDK hold: all of it when a container is first seen, and what changes when woven code calls it.
 * It calls methods of the JDK's own containers alone, holds no lock while it does, and what it finds there is as fleeting as
 * the container; should one change under its hands, what it told so far stands.
 */
final class DynaflowContainers {
    private DynaflowContainers() {}

    /** Woven code called a container; see {@link DynaflowEffects}. */
    @DontInline
    static void changed(
            Object container, Object a, Object b, Object result, DynaflowLeaving leaving, int answer, int effect, int site) {
        DynaflowMirror mirror = container == null ? null : DynaflowObjects.mirrorOf(container.getClass());
        if (mirror == null || mirror.kind == DynaflowKinds.NONE) {
            return;
        }
        if (effect == DynaflowEffects.FILL) {
            filled(container, a, result, site);
            return;
        }
        int kind = mirror.kind;
        boolean said = answer != 0;
        if (kind == DynaflowKinds.VIEW && underneath(container) instanceof Object[]) {
            Object[] elements = (Object[]) underneath(container);
            changedArray(elements, mirror.shown(container) == elements, leaving, answer, effect, site);
            return;
        }
        long id = DynaflowObjects.idOf(container);
        switch (effect) {
            case DynaflowEffects.ADD:
                comesIn(id, a);
                break;
            case DynaflowEffects.ADD_IF:
                if (said) {
                    comesIn(id, a);
                }
                break;
            case DynaflowEffects.SET:
                goesOut(id, result);
                comesIn(id, a);
                break;
            case DynaflowEffects.PUT:
            case DynaflowEffects.PUT_IF_ABSENT:
            case DynaflowEffects.RESULT:
                boolean isComputed = effect == DynaflowEffects.RESULT;
                int key = DynaflowMaps.key(container, isComputed ? null : result, leaving);
                if (key == DynaflowLeaving.ANYTHING) {
                    relist(container, kind, id);
                } else if (isComputed) {
                    DynaflowMaps.computed(id, a, result, leaving, key);
                } else {
                    DynaflowMaps.put(id, a, b, result, leaving, key);
                }
                break;
            case DynaflowEffects.TAKE:
            case DynaflowEffects.TAKE_IF:
                goesOut(id, result);
                break;
            case DynaflowEffects.REMOVE:
                if (said && leaving == null) {
                    removed(container, mirror, id, a);
                } else if (said) {
                    leaves(container, kind, id, leaving);
                }
                break;
            case DynaflowEffects.REMOVE_KEY:
                goesOut(id, result);
                if (!DynaflowObjects.isLeaf(a)) {
                    removed(container, mirror, id, a);
                }
                break;
            case DynaflowEffects.CLEAR:
                empty(container, kind, id);
                break;
            case DynaflowEffects.ORDER:
            case DynaflowEffects.IF:
                break;
            case DynaflowEffects.MERGE:
                if (leaving != null && leaving.isFound) {
                    DynaflowMaps.replaced(id, leaving, result);
                } else if (!DynaflowMaps.merged(container, id, a, b, result, leaving)) {
                    relist(container, kind, id);
                }
                break;
            case DynaflowEffects.ADD_ALL:
                addAll(container, mirror, id, a);
                break;
            case DynaflowEffects.TAKE_FOUND:
                leaves(container, kind, id, leaving);
                break;
            case DynaflowEffects.SET_FOUND:
                if (leaves(container, kind, id, leaving)) {
                    comesIn(id, a);
                }
                break;
            case DynaflowEffects.REPLACE:
                goesOut(id, result);
                comesIn(id, b);
                break;
            case DynaflowEffects.RELIST_IF:
                if (said) {
                    relist(container, kind, id);
                }
                break;
            case DynaflowEffects.TAKE_ENTRY:
                if (result instanceof Map.Entry && isOfJdk(result)) {
                    goesOut(id, ((Map.Entry<?, ?>) result).getKey());
                    goesOut(id, ((Map.Entry<?, ?>) result).getValue());
                }
                break;
            case DynaflowEffects.SWAP_IF:
                if (said) {
                    goesOut(id, a);
                    comesIn(id, b);
                }
                break;
            case DynaflowEffects.SHOW:
                show(container, id, result);
                break;
            case DynaflowEffects.ASSIGN:
                assign(id, a);
                break;
            case DynaflowEffects.ASSIGN_IF:
                if (said) {
                    assign(id, a);
                }
                break;
            default:
                relist(container, kind, id);
        }
    }

    /** A list that shows an array was called: what it writes are elements. Its size stays. */
    private static void changedArray(
            Object[] elements, boolean isDirect, DynaflowLeaving leaving, int answer, int effect, int site) {
        int index = effect == DynaflowEffects.SET && isDirect ? answer : leaving == null ? -1 : leaving.index;
        if (index >= 0 && index < elements.length) {
            stored(elements, site, 1L << DynaflowWords.STORED_ELEMENT_BIT | index, elements[index]);
        } else if (effect == DynaflowEffects.SET_FOUND || effect == DynaflowEffects.SET || effect == DynaflowEffects.RELIST || effect == DynaflowEffects.ORDER) {
            storedElements(elements, site);
        }
    }

    /**
     * A call filled an array. One it made is listed when it is seen; into one that was known the JDK wrote what the container holds, and
     * a null behind it.
     */
    private static void filled(Object container, Object given, Object result, int site) {
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
        storedElements((Object[]) array, 0, end, site);
    }

    /** A site wrote each element of an array; what elements are there when the site is 0. */
    static void storedElements(Object[] elements, int site) {
        storedElements(elements, 0, elements.length, site);
    }

    private static void storedElements(Object[] elements, int from, int to, int site) {
        int end = Math.min(to, elements.length);
        for (int i = from; i < end; i++) {
            if (site != 0 || !DynaflowObjects.isLeaf(elements[i])) {
                stored(elements, site, 1L << DynaflowWords.STORED_ELEMENT_BIT | i, elements[i]);
            }
        }
    }

    /** What the elements of an array first seen refer to, but for those that the present event records. */
    private static void listElements(Object[] elements, int recordedFrom, int recordedEnd) {
        if (!DynaflowObjects.holdsLeaves(elements)) {
            storedElements(elements, 0, recordedEnd == 0 ? elements.length : recordedFrom, 0);
            storedElements(elements, recordedEnd == 0 ? elements.length : recordedEnd, elements.length, 0);
        }
    }

    /** A site wrote a location of an object; see {@link DynaflowWords#STORED}. */
    static void stored(Object object, int site, long where, Object value) {
        long id = DynaflowObjects.idOf(object);
        long written = DynaflowObjects.valueOf(value);
        DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.STORED, id), site, where, written);
    }

    /** Whether an object is of a class of the program that extends a container. */
    static boolean isExtended(Object object) {
        DynaflowMirror mirror = object == null ? null : DynaflowObjects.mirrorOf(object.getClass());
        return mirror != null && mirror.isExtended;
    }

    /** Whether what an object shows in the end, itself if it is no view, was seen before. */
    static boolean isKnown(Object container) {
        Object shown = underneath(container);
        return shown != null && DynaflowObjects.isKnown(shown);
    }

    static void comesIn(long id, Object value) {
        tell(DynaflowWords.HELD, id, value);
    }

    static void isIn(long id, Object value) {
        tell(DynaflowWords.HELD_AT_LEAST_ONCE, id, value);
    }

    static void goesOut(long id, Object value) {
        tell(DynaflowWords.RELEASED, id, value);
    }

    private static void tell(long how, long id, Object value) {
        long number = DynaflowObjects.valueOf(value);
        if (number >= DynaflowWords.ID_FIRST) {
            DynaflowRecorder.here().add(DynaflowWords.word(how, id), number);
        }
    }

    private static void assign(long id, Object value) {
        DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.EMPTIED, id));
        comesIn(id, value);
    }

    /** Of what a view shows, clearing it may leave a part. */
    private static void empty(Object container, int kind, long id) {
        if (kind == DynaflowKinds.VIEW) {
            relist(container, kind, id);
        } else {
            DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.EMPTIED, id));
        }
    }

    /** Something that equals a value went out. */
    private static void removed(Object container, DynaflowMirror mirror, long id, Object value) {
        if (DynaflowObjects.isLeaf(value)) {
            // What equals it is a leaf as well, or a class of the program is asymmetric; but a key takes a value along.
            if (!mirror.isWhole) {
                relist(container, mirror.kind, id);
            }
        } else if (mirror.isWhole && !isSorted(container) && hasIdentityEquals(value)) {
            goesOut(id, value);
        } else {
            relist(container, mirror.kind, id);
        }
    }

    /** Whether a container goes by an order, in which what equals a value need not be the value. */
    private static boolean isSorted(Object container) {
        return container instanceof SortedSet || container instanceof SortedMap;
    }

    /** What was found to leave went out; false when nothing was found, so that all is told again. */
    private static boolean leaves(Object container, int kind, long id, DynaflowLeaving leaving) {
        if (leaving == null) {
            relist(container, kind, id);
            return false;
        }
        goesOut(id, leaving.first);
        goesOut(id, leaving.second);
        return true;
    }

    /** Whether an object's class is one of the JDK's. */
    static boolean isOfJdk(Object object) {
        return object.getClass().getClassLoader() == null;
    }

    /** What a call added: everything, but that a set has what is equal once. */
    private static void addAll(Object container, DynaflowMirror mirror, long id, Object added) {
        Collection<?> all = container == added || !mirror.isWhole || isSorted(container) ? null : elements(added);
        if (all == null || container instanceof Set && !areEqualToThemselvesAlone(all)) {
            relist(container, mirror.kind, id);
            return;
        }
        for (Object element : all) {
            if (container instanceof Set) {
                isIn(id, element);
            } else {
                comesIn(id, element);
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

    /** Anything may have happened to a container: tells all of it again. */
    static void relist(Object container) {
        DynaflowMirror mirror = DynaflowObjects.mirrorOf(container.getClass());
        if (mirror != null) {
            relist(container, mirror.kind, DynaflowObjects.idOf(container));
        }
    }

    private static void relist(Object container, int kind, long id) {
        Object shown = kind == DynaflowKinds.VIEW ? underneath(container) : container;
        DynaflowMirror mirror = shown == null ? null : DynaflowObjects.mirrorOf(shown.getClass());
        if (mirror != null && mirror.kind > DynaflowKinds.CLOSED && mirror.kind < DynaflowKinds.VIEW) {
            DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.EMPTIED, id));
            list(shown, mirror, id);
        }
    }

    /** What a view shows in the end; the object itself when it is no view. */
    static Object underneath(Object container) {
        Object at = container;
        while (at != null) {
            DynaflowMirror mirror = DynaflowObjects.mirrorOf(at.getClass());
            if (mirror == null || mirror.kind != DynaflowKinds.VIEW) {
                return at;
            }
            at = mirror.shown(at);
        }
        return null;
    }

    private static boolean hasIdentityEquals(Object value) {
        if (value instanceof Enum || value instanceof Class) {
            return true;
        }
        DynaflowMirror mirror = DynaflowObjects.mirrorOf(value.getClass());
        return mirror != null && mirror.hasIdentityEquals(value.getClass());
    }

    /** An iterator of a map's entries gave one; the entry shows the map if it is one of its own. */
    private static void show(Object iterator, long id, Object result) {
        Object map = underneath(iterator);
        Object entry = underneath(result);
        if (map instanceof Map && entry instanceof Map.Entry && isPartOf(map.getClass(), entry.getClass().getName())) {
            DynaflowObjects.show(entry, id);
        }
    }

    /**
     * What is called on a container hands its elements to the program without our seeing them: if they are entries of a map,
     * they show the map. The map itself is asked; a part of it would compare keys.
     */
    static void showEntries(Object container) {
        boolean areEntries = false;
        Object at = container;
        DynaflowMirror mirror = at == null ? null : DynaflowObjects.mirrorOf(at.getClass());
        while (mirror != null && mirror.kind == DynaflowKinds.VIEW) {
            areEntries |= at.getClass().getName().contains("Entr");
            at = mirror.shown(at);
            mirror = at == null ? null : DynaflowObjects.mirrorOf(at.getClass());
        }
        if (!areEntries || mirror == null || mirror.kind != DynaflowKinds.MAP) {
            return;
        }
        long id = DynaflowObjects.idOf(at);
        try {
            for (Object entry : ((Map<?, ?>) at).entrySet()) {
                if (isPartOf(at.getClass(), entry.getClass().getName())) {
                    DynaflowObjects.show(entry, id);
                }
            }
        } catch (RuntimeException changing) {
            // Another thread changes it right now.
        }
    }

    private static boolean isPartOf(Class<?> map, String entry) {
        for (Class<?> at = map; at != null; at = at.getSuperclass()) {
            if (entry.startsWith(at.getName().concat("$"))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Tells the contents of containers that were just seen for the first time, the elements of arrays that are shown by lists,
     * and what is met meanwhile.
     */
    static void tell(Object[] fresh) {
        DynaflowChunk chunk = DynaflowRecorder.here();
        if (chunk.thread == null) {
            return;
        }
        for (Object container : fresh) {
            chunk.addUntold(container);
        }
        if (chunk.telling) {
            return;
        }
        int from = chunk.recordedFrom;
        int end = chunk.recordedEnd;
        Object recorded = end == 0 ? null : fresh[0];
        chunk.recordedEnd = 0;
        chunk.telling = true;
        try {
            for (Object next = chunk.nextUntold(); next != null; next = chunk.nextUntold()) {
                DynaflowMirror mirror = DynaflowObjects.mirrorOf(next.getClass());
                if (next instanceof Object[]) {
                    boolean isRecorded = next == recorded;
                    listElements((Object[]) next, isRecorded ? from : 0, isRecorded ? end : 0);
                } else if (mirror != null) {
                    list(next, mirror, DynaflowObjects.idOf(next));
                }
            }
        } finally {
            chunk.telling = false;
        }
    }

    /** Tells everything a container holds as coming into the one with this number. */
    static void list(Object container, DynaflowMirror mirror, long id) {
        try {
            switch (mirror.kind) {
                case DynaflowKinds.COLLECTION:
                    listAll((Collection<?>) container, id);
                    break;
                case DynaflowKinds.MAP:
                    listAll(((Map<?, ?>) container).keySet(), id);
                    listAll(((Map<?, ?>) container).values(), id);
                    break;
                case DynaflowKinds.ENTRY:
                    comesIn(id, ((Map.Entry<?, ?>) container).getKey());
                    comesIn(id, ((Map.Entry<?, ?>) container).getValue());
                    break;
                case DynaflowKinds.OPTIONAL:
                    comesIn(id, ((Optional<?>) container).orElse(null));
                    break;
                case DynaflowKinds.REFERENCE:
                    comesIn(id, referred(container));
                    break;
                case DynaflowKinds.INSIDE:
                    mirror.inside.list(container, id);
                    break;
                case DynaflowKinds.REFERENCES:
                    listAll((AtomicReferenceArray<?>) container, id);
                    break;
                default:
            }
        } catch (RuntimeException changing) {
            // Another thread changes it right now; what was told so far was there.
        }
    }

    private static Object referred(Object holder) {
        if (holder instanceof AtomicReference) {
            return ((AtomicReference<?>) holder).get();
        }
        return holder instanceof AtomicStampedReference
            ? ((AtomicStampedReference<?>) holder).getReference()
            : ((AtomicMarkableReference<?>) holder).getReference();
    }

    private static void listAll(Collection<?> elements, long id) {
        for (Iterator<?> all = elements.iterator(); all.hasNext();) {
            comesIn(id, all.next());
        }
    }

    private static void listAll(AtomicReferenceArray<?> elements, long id) {
        for (int i = 0; i < elements.length(); i++) {
            comesIn(id, elements.get(i));
        }
    }
}
