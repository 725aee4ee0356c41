package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What kind of container the objects of a class are. It looks at classes, never at objects, loads no class of the program and
 * runs no code of it. A container can be listed if the JDK lists it without a lock and without calling the program.
 */
final class DynaflowKinds {
    /** No container of the JDK. */
    static final int NONE = 0;
    /** A container that cannot be listed: a lock guards it, or a class of the program extends it. */
    static final int CLOSED = 1;
    /** A collection that can be listed. */
    static final int COLLECTION = 2;
    /** A map that can be listed. */
    static final int MAP = 3;
    /** A map's entry that has its own key and value. */
    static final int ENTRY = 4;
    /** An {@code Optional}. */
    static final int OPTIONAL = 5;
    /** An {@code AtomicReference}. */
    static final int REFERENCE = 6;
    /** An {@code AtomicReferenceArray}. */
    static final int REFERENCES = 7;
    /** Something that shows the contents of another container: a view, an iterator. */
    static final int VIEW = 8;

    /** Fields by which a view knows what it shows, the better one first. */
    private static final String[] SHOWN = {
        "this$0", "this$1", "root", "map", "m", "c", "list", "al", "q", "base", "tree", "l", "e", "s", "i", "it", "itr",
        "entrySet", "collection", "outer", "keyIterator", "val$c", "val$i", "val$it", "val$spliterator",
    };

    private DynaflowKinds() {}

    /** The kind of a class; for a view, {@link #shownBy} is not null. */
    static int of(Class<?> type) {
        if (type.isInterface() || type.isArray() || type.isPrimitive()) {
            return NONE;
        }
        if (type.getClassLoader() != null || !isInPackages(type.getName())) {
            return extendsContainer(type) ? CLOSED : NONE;
        }
        if (!isContainer(type)) {
            return NONE;
        }
        return shownBy(type) != null ? VIEW : own(type);
    }

    private static boolean extendsContainer(Class<?> type) {
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
            || type == AtomicReferenceArray.class;
    }

    private static int own(Class<?> type) {
        if (type == Optional.class) {
            return OPTIONAL;
        }
        if (type == AtomicReference.class) {
            return REFERENCE;
        }
        if (type == AtomicReferenceArray.class) {
            return REFERENCES;
        }
        if (isGuarded(type.getName())) {
            return CLOSED;
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
            || name.startsWith("java.util.Hashtable")
            || name.startsWith("java.util.Properties")
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
        if (isGuarded(type.getName()) && type.getName().indexOf('$') < 0) {
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
