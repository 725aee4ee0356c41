package java.lang;

import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Field;

/**
 * A call that reads objects from a stream, from its begin to its end: tells what the JDK put into the objects it made meanwhile.
 * The stream keeps a table of all objects it reads, in the order of their making, so nothing has to be searched for, and what
 * is not read yet is not in the part of the table that is looked at. It calls no method of the program and loads no class.
 */
final class DynaflowRestored {
    private static final long HANDLES = field(ObjectInputStream.class, "handles");
    private static final long CURRENT = field(ObjectInputStream.class, "curContext");
    private static final long ENTRIES = field(typeOf("handles"), "entries");
    private static final long SIZE = field(typeOf("handles"), "size");
    private static final long OBJECT = field(typeOf("curContext"), "obj");
    private static final long DESCRIBED = field(typeOf("curContext"), "desc");

    private final Object stream;
    /** How many objects the stream had read before, and the last one of them. */
    private final int before;
    private final Object last;
    /** Objects seen before the call began have lower numbers. */
    private final long mark;

    private DynaflowRestored(Object stream, int before, Object last, long mark) {
        this.stream = stream;
        this.before = before;
        this.last = last;
        this.mark = mark;
    }

    static DynaflowRestored begin(Object stream) {
        Object[] entries = entries(stream);
        int before = entries == null ? 0 : size(stream);
        Object last = before == 0 ? null : entries[before - 1];
        DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.RESTORING, 0));
        return new DynaflowRestored(stream, before, last, DynaflowObjects.mark());
    }

    /** Tells what the call put where; false when this JDK's streams do not say what they read. */
    boolean end(Object unshared, boolean current, int site) {
        if (HANDLES == 0 || ENTRIES == 0 || SIZE == 0 || CURRENT == 0 || OBJECT == 0 || DESCRIBED == 0) {
            return false;
        }
        Object[] entries = entries(stream);
        if (entries != null) {
            // What an object refers to is complete before the object is, and stands behind it.
            for (int i = size(stream) - 1, end = isCleared(entries) ? 0 : before; i >= end; i--) {
                tell(entries[i], site);
            }
        }
        tell(unshared, site);
        if (current) {
            tellCurrent(site);
        }
        return true;
    }

    /** A stream may have been told to forget what it read. */
    private boolean isCleared(Object[] entries) {
        return size(stream) < before || before > 0 && entries[before - 1] != last;
    }

    /** The fields the JDK sets on behalf of the object and the class whose own method reads it now. */
    private void tellCurrent(int site) {
        Object context = DynaflowNative.get(stream, CURRENT);
        Object object = context == null ? null : DynaflowNative.get(context, OBJECT);
        if (object != null) {
            tellFields(object, ((ObjectStreamClass) DynaflowNative.get(context, DESCRIBED)).forClass(), site);
        }
    }

    private void tell(Object object, int site) {
        boolean isObject = !DynaflowObjects.isLeaf(object)
            && !(object instanceof Class)
            && !(object instanceof ObjectStreamClass)
            && !(object instanceof Enum);
        if (!isObject) {
            return;
        }
        boolean isListed = !DynaflowObjects.isKnown(object);
        if (!DynaflowObjects.isRestored(object, mark)) {
            return;
        }
        Class<?> type = object.getClass();
        if (type.isArray()) {
            tellElements(object, site);
            return;
        }
        for (Class<?> at = type; at != null && Serializable.class.isAssignableFrom(at); at = at.getSuperclass()) {
            DynaflowMirror mirror = DynaflowObjects.mirrorOf(at);
            if (mirror != null && !mirror.stored(at).isReadByProgram) {
                tellFields(object, at, site);
            }
        }
        tellContents(object, isListed, site);
    }

    private static void tellFields(Object object, Class<?> type, int site) {
        DynaflowMirror mirror = DynaflowObjects.mirrorOf(type);
        if (mirror == null) {
            return;
        }
        DynaflowStored stored = mirror.stored(type);
        for (int i = 0; i < stored.names.length; i++) {
            if (stored.names[i] != 0) {
                long field = stored.fields[i];
                DynaflowContainers.stored(object, site, stored.names[i], field == 0 ? null : DynaflowNative.get(object, field));
            }
        }
    }

    private static void tellElements(Object array, int site) {
        if (!(array instanceof Object[])) {
            DynaflowRecorder.overwritten(array, site);
            return;
        }
        DynaflowContainers.storedElements((Object[]) array, site);
    }

    /** What a container of the JDK holds; whether the object is one, the analysis knows. */
    private static void tellContents(Object object, boolean isListed, int site) {
        DynaflowMirror mirror = DynaflowObjects.mirrorOf(object.getClass());
        if (mirror == null || mirror.kind == DynaflowKinds.VIEW) {
            return;
        }
        if (mirror.kind != DynaflowKinds.NONE || object.getClass().getClassLoader() == null) {
            DynaflowContainers.stored(object, site, 0, null);
        }
        if (!isListed) {
            DynaflowContainers.relist(object);
        }
    }

    private static Object[] entries(Object stream) {
        Object handles = HANDLES == 0 || ENTRIES == 0 ? null : DynaflowNative.get(stream, HANDLES);
        return handles == null ? null : (Object[]) DynaflowNative.get(handles, ENTRIES);
    }

    private static int size(Object stream) {
        return DynaflowNative.getInt(DynaflowNative.get(stream, HANDLES), SIZE);
    }

    private static Class<?> typeOf(String field) {
        try {
            return ObjectInputStream.class.getDeclaredField(field).getType();
        } catch (NoSuchFieldException none) {
            return null;
        }
    }

    private static long field(Class<?> type, String name) {
        try {
            Field field = type == null ? null : type.getDeclaredField(name);
            return field == null ? 0 : DynaflowNative.field(field);
        } catch (NoSuchFieldException none) {
            return 0;
        }
    }
}
