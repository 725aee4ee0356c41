package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;

/**
 * What kind of container the objects of a class are. It looks at classes, never at objects, loads no class of the program and
 * runs no code of it. A container can be listed if the JDK lists it without a lock and without calling the program, or if
 * {@link DynaflowInside} knows where it keeps what it holds.
 */
final class DynaflowKinds {
    /** No container of the JDK. */
    static final int NONE = 0;
    /** A container that cannot be listed. */
    static final int CLOSED = 1;
    /** A collection that can be listed. */
    static final int COLLECTION = 2;
    /** A map that can be listed. */
    static final int MAP = 3;
    /** A map's entry that has its own key and value. */
    static final int ENTRY = 4;
    /** An {@code Optional}. */
    static final int OPTIONAL = 5;
    /** An {@code AtomicReference}, alone or with a stamp or mark. */
    static final int REFERENCE = 6;
    /** An {@code AtomicReferenceArray}. */
    static final int REFERENCES = 7;
    /** A container that is not asked but looked into: a lock guards it, or a class of the program extends it. */
    static final int INSIDE = 8;
    /** Something that shows the contents of another container or the elements of an array: a view, an iterator. */
    static final int VIEW = 9;

    /** Fields by which a view knows what it shows, the better one first. */
    private static final String[] SHOWN = {
        "this$0", "this$1", "root", "map", "m", "c", "list", "al", "q", "base", "tree", "l", "e", "s", "i", "it", "itr",
        "entrySet", "collection", "outer", "keyIterator", "a", "val$c", "val$i", "val$it", "val$spliterator",
    };

    private DynaflowKinds() {}

    /** The kind of a class; for a view, {@link #shownBy} is not null. */
    static int of(Class<?> type) {
        if (type.isInterface() || type.isArray() || type.isPrimitive()) {
            return NONE;
        }
        if (type.getClassLoader() != null || !isInPackages(type.getName())) {
            return !extendsContainer(type) ? NONE : DynaflowInside.of(type) == null ? CLOSED : INSIDE;
        }
        if (!isContainer(type)) {
            return NONE;
        }
        return shownBy(type) != null ? VIEW : own(type);
    }

    /** Whether a class of the program extends a container. */
    static boolean extendsContainer(Class<?> type) {
        if (type.getClassLoader() == null && isInPackages(type.getName())) {
            return false;
        }
        for (Class<?> above = type.getSuperclass(); above != null; above = above.getSuperclass()) {
            if (above.getClassLoader() == null && isInPackages(above.getName())) {
                return isContainer(above) && !above.getSimpleName().startsWith("Abstract");
            }
        }
        return false;
    }

    private static boolean isInPackages(String name) {
        int end = name.lastIndexOf('.');
        String home = end < 0 ? "" : name.substring(0, end);
        return home.equals("java.util") || home.equals("java.util.concurrent") || home.equals("java.util.concurrent.atomic");
    }

    private static boolean isContainer(Class<?> type) {
        return Collection.class.isAssignableFrom(type)
            || Map.class.isAssignableFrom(type)
            || Iterator.class.isAssignableFrom(type)
            || Enumeration.class.isAssignableFrom(type)
            || Spliterator.class.isAssignableFrom(type)
            || Map.Entry.class.isAssignableFrom(type)
            || type == Optional.class
            || type == AtomicReference.class
            || type == AtomicStampedReference.class
            || type == AtomicMarkableReference.class
            || type == AtomicReferenceArray.class;
    }

    private static int own(Class<?> type) {
        if (type == Optional.class) {
            return OPTIONAL;
        }
        if (type == AtomicReference.class || type == AtomicStampedReference.class || type == AtomicMarkableReference.class) {
            return REFERENCE;
        }
        if (type == AtomicReferenceArray.class) {
            return REFERENCES;
        }
        if (isGuarded(type.getName())) {
            return DynaflowInside.of(type) == null ? CLOSED : INSIDE;
        }
        if (Collection.class.isAssignableFrom(type)) {
            return COLLECTION;
        }
        if (Map.class.isAssignableFrom(type)) {
            return MAP;
        }
        return Map.Entry.class.isAssignableFrom(type) ? ENTRY : CLOSED;
    }

    /** Whether listing the objects of a class of the JDK takes a lock, computes elements, or never ends. */
    private static boolean isGuarded(String name) {
        return name.equals("java.util.Vector")
            || name.equals("java.util.Stack")
            || name.startsWith("java.util.Collections$Copies")
            || name.startsWith("java.util.ImmutableCollections$Stable")
            || name.startsWith("java.util.ImmutableCollections$Lazy")
            || name.startsWith("java.util.Scanner")
            || name.startsWith("java.util.ServiceLoader")
            || name.contains("Blocking")
            || name.contains("DelayQueue")
            || name.contains("DelayedWorkQueue")
            || name.contains("SynchronousQueue");
    }

    /** The field by which objects of a class of the JDK know the container they show; null when they show none. */
    static Field shownBy(Class<?> type) {
        String own = type.getName();
        if (own.indexOf('$') < 0 && (isGuarded(own) || own.equals("java.util.Properties"))) {
            return null;
        }
        for (String name : SHOWN) {
            for (Class<?> at = type; at != null && at.getClassLoader() == null; at = at.getSuperclass()) {
                for (Field field : at.getDeclaredFields()) {
                    if (field.getName().equals(name)
                            && !Modifier.isStatic(field.getModifiers())
                            && isShown(type, name, field.getType())) {
                        return field;
                    }
                }
            }
        }
        return null;
    }

    /** Maps keep their views in fields as well, and trees their roots. */
    private static boolean isShown(Class<?> view, String name, Class<?> type) {
        if (Map.class.isAssignableFrom(view)) {
            return Map.class.isAssignableFrom(type);
        }
        if (name.equals("a")) {
            return view.getName().startsWith("java.util.Arrays$") && type == Object[].class;
        }
        if (name.equals("root")) {
            return Collection.class.isAssignableFrom(type);
        }
        return Collection.class.isAssignableFrom(type)
            || Map.class.isAssignableFrom(type)
            || Iterator.class.isAssignableFrom(type)
            || Enumeration.class.isAssignableFrom(type)
            || Spliterator.class.isAssignableFrom(type)
            || Map.Entry.class.isAssignableFrom(type);
    }
}
