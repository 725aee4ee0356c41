package java.lang;

import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.ref.WeakReference;

/**
 * A call that reads objects from a stream, from its begin to its end: records what the JDK put into the objects it made meanwhile.
 * The stream keeps a table of all objects it reads, in the order of their making, so nothing has to be searched for, and what
 * is not read yet is not in the part of the table that is looked at. If the program meets an object while the stream is still reading, in a
 * method of its own that the stream calls, everything complete so far is recorded at that point. It calls no method of the program and loads no
 * class.
 */
final class DynaflowRestored {
    private static final Class<?> TABLE = DynaflowJdkFields.typeOf(ObjectInputStream.class, "handles");
    private static final Class<?> CONTEXT = DynaflowJdkFields.typeOf(ObjectInputStream.class, "curContext");
    private static final long HANDLES = DynaflowJdkFields.of(ObjectInputStream.class, "handles");
    private static final long CURRENT = DynaflowJdkFields.of(ObjectInputStream.class, "curContext");
    private static final long ENTRIES = DynaflowJdkFields.of(TABLE, "entries");
    private static final long STATUS = DynaflowJdkFields.of(TABLE, "status");
    private static final long SIZE = DynaflowJdkFields.of(TABLE, "size");
    private static final long OBJECT = DynaflowJdkFields.of(CONTEXT, "obj");
    private static final long DESCRIBED = DynaflowJdkFields.of(CONTEXT, "desc");

    /** Status of an object that was read with all that it refers to. */
    private static final byte COMPLETE = 1;
    /** Most objects that are looked at again because they were not complete. */
    private static final int MOST_OPEN = 16;

    private final Object stream;
    private final int site;
    /** How many objects the stream had read before, and the last one of them. */
    private final int before;
    private final Object last;
    /** Objects seen before the call began have lower numbers. */
    private final long mark;

    /** Before this one all objects in the table were looked at. */
    private int seen;
    /** Those of them that were not complete, the latest ones. */
    private final int[] open = new int[MOST_OPEN];
    private int openCount;
    private boolean recording;
    /** The call that the thread was in when this one began. */
    private WeakReference<DynaflowRestored> outer;

    private DynaflowRestored(Object stream, int site, int before, Object last, long mark) {
        this.stream = stream;
        this.site = site;
        this.seen = before;
        this.before = before;
        this.last = last;
        this.mark = mark;
    }

    static DynaflowRestored begin(Object stream, int site) {
        Object[] entries = entries(stream);
        int before = entries == null ? 0 : size(stream);
        Object last = before == 0 ? null : entries[before - 1];
        DynaflowChunk chunk = DynaflowRecorder.here();
        chunk.add(DynaflowWords.word(DynaflowWords.RESTORING, 0));
        DynaflowRestored call = new DynaflowRestored(stream, site, before, last, DynaflowObjects.mark());
        call.outer = chunk.restoring;
        chunk.frames.passes.end();
        chunk.restoring = chunk.thread == null ? null : new WeakReference<DynaflowRestored>(call);
        return call;
    }

    /** The calling thread met an object for the first time during a call; one that threw is not over for us before the next. */
    static void met(DynaflowChunk chunk, Object object) {
        DynaflowRestored call = chunk.restoring.get();
        if (call == null) {
            chunk.restoring = null;
        } else if (!call.recording && isUnderstood()) {
            call.recording = true;
            call.recordComplete();
            call.recordAbove(object);
            call.recording = false;
        }
    }

    /** Whether this JDK's streams say what they read. */
    private static boolean isUnderstood() {
        return HANDLES != 0 && ENTRIES != 0 && STATUS != 0 && SIZE != 0 && CURRENT != 0 && OBJECT != 0 && DESCRIBED != 0;
    }

    /** Records what was read completely since the last time. */
    private void recordComplete() {
        Object[] entries = entries(stream);
        if (entries == null || isCleared(entries)) {
            return;
        }
        byte[] status = (byte[]) DynaflowNative.get(DynaflowNative.get(stream, HANDLES), STATUS);
        for (int i = openCount - 1; i >= 0; i--) {
            if (status[open[i]] == COMPLETE) {
                record(entries[open[i]]);
                System.arraycopy(open, i + 1, open, i, --openCount - i);
            }
        }
        for (int end = size(stream); seen < end; seen++) {
            if (status[seen] == COMPLETE) {
                record(entries[seen]);
            } else {
                if (openCount == MOST_OPEN) {
                    System.arraycopy(open, 1, open, 0, --openCount);
                }
                open[openCount++] = seen;
            }
        }
    }

    /** Records what was read of the object that is read now: the fields of the classes above the one whose turn it is. */
    private void recordAbove(Object object) {
        Object context = DynaflowNative.get(stream, CURRENT);
        if (context == null || DynaflowNative.get(context, OBJECT) != object) {
            return;
        }
        Class<?> now = ((ObjectStreamClass) DynaflowNative.get(context, DESCRIBED)).forClass();
        recordSerializable(object, now == null ? null : now.getSuperclass());
    }

    /** Records what the call put where; false when this JDK's streams do not show what they read. */
    boolean end(Object unshared, boolean current) {
        recording = true;
        boolean isUnderstood = isUnderstood();
        if (isUnderstood) {
            recordAll(unshared, current);
        }
        DynaflowRecorder.here().restoring = outer;
        return isUnderstood;
    }

    private void recordAll(Object unshared, boolean current) {
        Object[] entries = entries(stream);
        if (entries != null) {
            // What an object refers to is complete before the object is, and stands behind it.
            for (int i = size(stream) - 1, end = isCleared(entries) ? 0 : before; i >= end; i--) {
                record(entries[i]);
            }
        }
        record(unshared);
        if (current) {
            recordCurrent();
        }
    }

    /** The program may have made the stream forget what it read. */
    private boolean isCleared(Object[] entries) {
        return size(stream) < before || before > 0 && entries[before - 1] != last;
    }

    /** The fields the JDK sets on behalf of the object and the class whose own method reads it now. */
    private void recordCurrent() {
        Object context = DynaflowNative.get(stream, CURRENT);
        Object object = context == null ? null : DynaflowNative.get(context, OBJECT);
        if (object != null) {
            recordFields(object, ((ObjectStreamClass) DynaflowNative.get(context, DESCRIBED)).forClass());
        }
    }

    private void record(Object object) {
        boolean isObject = !DynaflowObjects.isLeaf(object)
            && !(object instanceof Class)
            && !(object instanceof ObjectStreamClass)
            && !(object instanceof Enum);
        if (!isObject) {
            return;
        }
        boolean isListed = !DynaflowObjects.isKnown(object);
        if (object instanceof Object[]) {
            DynaflowObjects.idOf(object, 0, Integer.MAX_VALUE);
        }
        if (!DynaflowObjects.isRestored(object, mark)) {
            return;
        }
        Class<?> type = object.getClass();
        if (type.isArray()) {
            recordElements(object);
            return;
        }
        recordSerializable(object, type);
        recordContents(object, isListed);
    }

    /** Records the fields of a class and those above it, but for what methods of the program read. */
    private void recordSerializable(Object object, Class<?> type) {
        for (Class<?> at = type; at != null && Serializable.class.isAssignableFrom(at); at = at.getSuperclass()) {
            DynaflowMirror mirror = DynaflowObjects.mirrorOf(at);
            if (mirror != null && !mirror.stored(at).isReadByProgram) {
                recordFields(object, at);
            }
        }
    }

    private void recordFields(Object object, Class<?> type) {
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

    private void recordElements(Object array) {
        if (!(array instanceof Object[])) {
            DynaflowRanges.overwritten(array, site);
            return;
        }
        DynaflowContainers.storedElements((Object[]) array, site);
    }

    /** What a container of the JDK holds; whether the object is one, the analysis knows. */
    private void recordContents(Object object, boolean isListed) {
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
}
