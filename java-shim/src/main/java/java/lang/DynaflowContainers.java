package java.lang;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;

/**
 * Records what containers of the JDK hold: all of it when a container is first seen or may have changed in any way. {@link DynaflowChanges} knows
 * what a single call changed. It calls methods of the JDK's own containers alone, holds no lock while it does, and what it finds there is
 * as fleeting as the container; should one change under its hands, what it recorded so far stands.
 */
final class DynaflowContainers {
    private DynaflowContainers() {}

    /** A site wrote each element of an array; what elements are there when the site is 0. */
    static void storedElements(Object[] elements, int site) {
        storedElements(elements, 0, elements.length, site);
    }

    static void storedElements(Object[] elements, int from, int to, int site) {
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
        add(DynaflowWords.HELD, id, value);
    }

    static void isIn(long id, Object value) {
        add(DynaflowWords.HELD_AT_LEAST_ONCE, id, value);
    }

    static void goesOut(long id, Object value) {
        add(DynaflowWords.RELEASED, id, value);
    }

    private static void add(long how, long id, Object value) {
        long number = DynaflowObjects.valueOf(value);
        if (number >= DynaflowWords.ID_FIRST) {
            DynaflowRecorder.here().add(DynaflowWords.word(how, id), number);
        }
    }

    static void emptied(long id) {
        DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.EMPTIED, id));
    }

    /** Whether an object's class is one of the JDK's. */
    static boolean isOfJdk(Object object) {
        return object.getClass().getClassLoader() == null;
    }

    /** See {@link DynaflowRecorder#refilled}. */
    static void refilled(Object argument, Object receiver, int site) {
        if (argument != null && isKnown(argument)) {
            DynaflowRecorder.observed(argument, receiver, site);
            relist(argument);
        }
    }

    /** Anything may have happened to a container: lists all of it again. */
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
            emptied(id);
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

    /** Whether a class of entries, by its name, belongs to a class of maps. */
    static boolean isPartOf(Class<?> map, String entry) {
        for (Class<?> at = map; at != null; at = at.getSuperclass()) {
            if (entry.startsWith(at.getName().concat("$"))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Lists the contents of containers that were just seen for the first time, the elements of arrays that are shown by lists,
     * and what is met meanwhile.
     */
    static void listFresh(Object[] fresh) {
        DynaflowChunk chunk = DynaflowRecorder.here();
        if (chunk.thread == null) {
            return;
        }
        for (Object container : fresh) {
            chunk.addUnlisted(container);
        }
        if (chunk.listing) {
            return;
        }
        int from = chunk.recordedFrom;
        int end = chunk.recordedEnd;
        Object recorded = end == 0 ? null : fresh[0];
        chunk.recordedEnd = 0;
        chunk.listing = true;
        try {
            for (Object next = chunk.nextUnlisted(); next != null; next = chunk.nextUnlisted()) {
                DynaflowMirror mirror = DynaflowObjects.mirrorOf(next.getClass());
                if (next instanceof Object[]) {
                    boolean isRecorded = next == recorded;
                    listElements((Object[]) next, isRecorded ? from : 0, isRecorded ? end : 0);
                } else if (mirror != null) {
                    list(next, mirror, DynaflowObjects.idOf(next));
                }
            }
        } finally {
            chunk.listing = false;
        }
    }

    /** Records everything a container holds as coming into the one with this number. */
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
            // Another thread changes it right now; what was listed so far was there.
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
