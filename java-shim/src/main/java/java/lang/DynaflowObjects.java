package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * Exact identity: numbers for objects, found by identity hash, compared by reference. Numbers are given in the order of
 * first sight and never again. Lookups take no lock; everything that changes the table does. It calls no method that a
 * program can override.
 */
final class DynaflowObjects {
    private static final int FIRST_CAPACITY = 1 << 14;
    /** From this capacity on, the garbage collector is asked who is dead before the table is doubled. */
    private static final int ASK_FROM = 1 << 18;
    /** What asking may cost for each object first seen since, in nanoseconds. */
    private static final int ASK_FOR = 1000;

    private static volatile DynaflowTable table = new DynaflowTable(FIRST_CAPACITY);
    private static long nextId = DynaflowWords.ID_FIRST;
    /** The first number given after the collector was last asked, and how long that took, in nanoseconds. */
    private static long askedBefore = DynaflowWords.ID_FIRST;
    private static long tookToAsk;
    /** Containers entered under the present hold of the lock, to be listed after it; null when there is none. */
    private static Object[] unlisted;

    private DynaflowObjects() {}

    /** The number of an object that is not null; 0 when the recorder is off. */
    static long idOf(Object object) {
        long known = known(object);
        return known != 0 ? known : meet(object, System.identityHashCode(object));
    }

    /**
     * The number of an array, the elements of which from {@code from} to before {@code end} the caller records: should the array be
     * seen for the first time, what it holds there is not listed.
     */
    static long idOf(Object array, int from, int end) {
        long known = known(array);
        if (known != 0) {
            return known;
        }
        DynaflowChunk chunk = DynaflowRecorder.here();
        chunk.recordedFrom = from;
        chunk.recordedEnd = end;
        try {
            return meet(array, System.identityHashCode(array));
        } finally {
            chunk.recordedEnd = 0;
        }
    }

    /** The number of an object that was seen before; 0 when it was not, or is just being announced. */
    static long known(Object object) {
        DynaflowEntry entry = seen(object);
        return entry == null ? 0 : entry.id;
    }

    /** What there is of an object that was seen before; null when it was not, or is just being announced. */
    static DynaflowEntry seen(Object object) {
        DynaflowTable known = table;
        // Some thread's chunk, its own mostly; tables never shrink, so that every slot is one of this table.
        DynaflowChunk chunk = DynaflowThreads.last;
        DynaflowEntry met = known.entries[chunk.met];
        if (met != null && met.get() == object && met.id > 0) {
            return met;
        }
        int hash = System.identityHashCode(object);
        long[] keys = known.keys;
        int mask = keys.length - 1;
        int at = hash & mask;
        for (long key = keys[at]; key != 0; key = keys[at]) {
            if ((int) (key >>> 32) == hash) {
                DynaflowEntry entry = known.entries[(int) key];
                if (entry != null && entry.get() == object && entry.id > 0) {
                    chunk.met = (int) key;
                    return entry;
                }
            }
            at = at + 1 & mask;
        }
        return null;
    }

    /** Announces an array, if it is not null: whole, when it is seen for the first time. */
    static void see(Object array) {
        if (array != null) {
            idOf(array);
        }
    }

    /** The number of a value that is written into a location, so that it becomes an edge. */
    static long valueOf(Object value) {
        if (value == null) {
            return DynaflowWords.ID_NULL;
        }
        return isValue(value) ? DynaflowWords.ID_SINK : idOf(value);
    }

    /** Whether no element of an array is an edge of the memory graph, by the array's class. */
    static boolean holdsLeaves(Object[] array) {
        Class<?> type = array.getClass();
        return type == String[].class || type == Integer[].class || type == Long[].class || type == Double[].class;
    }

    /** Whether a value is no edge of the memory graph: null, a string, a boxed value. */
    static boolean isLeaf(Object value) {
        return value == null || isValue(value);
    }

    private static boolean isValue(Object value) {
        Class<?> type = value.getClass();
        if (value instanceof Number) {
            return type == Integer.class
                    || type == Long.class
                    || type == Double.class
                    || type == Float.class
                    || type == Byte.class
                    || type == Short.class;
        }
        return type == String.class || type == Boolean.class || type == Character.class;
    }

    /** What the recorder knows of a class; null when it is off. */
    static DynaflowMirror mirrorOf(Class<?> type) {
        int hash = System.identityHashCode(type);
        DynaflowEntry known = table.find(type, hash);
        if (known == null && idOf(type) != 0) {
            known = table.find(type, hash);
        }
        return (DynaflowMirror) known;
    }

    @DontInline
    private static long meet(Object object, int hash) {
        try {
            long id;
            Object[] fresh;
            synchronized (DynaflowThreads.LOCK) {
                id = DynaflowThreads.off ? 0 : enter(object, hash);
                fresh = unlisted;
                unlisted = null;
            }
            if (fresh != null) {
                DynaflowContainers.listFresh(fresh);
            }
            DynaflowChunk chunk = DynaflowRecorder.here();
            if (chunk.restoring != null) {
                DynaflowRestored.met(chunk, object);
            }
            return id;
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
            return 0;
        }
    }

    /** Objects that were seen before have numbers below this one. */
    static long mark() {
        synchronized (DynaflowThreads.LOCK) {
            return nextId;
        }
    }

    /** True once for an object that was not seen before the mark was set; false when the recorder is off. */
    static boolean isRestored(Object object, long mark) {
        long id = idOf(object);
        int hash = System.identityHashCode(object);
        synchronized (DynaflowThreads.LOCK) {
            DynaflowEntry entry = table.find(object, hash);
            return id >= mark && entry != null && entry.restore();
        }
    }

    /** Whether an object was seen before. */
    static boolean isKnown(Object object) {
        return table.find(object, System.identityHashCode(object)) != null;
    }

    /** Whether an object was seen before. For objects that are, mostly, the one seen last. */
    static boolean isSeen(Object object) {
        return known(object) != 0;
    }

    /** From now on an object that was not seen before stands for the contents of the container with this number. */
    static void show(Object object, long container) {
        int hash = System.identityHashCode(object);
        synchronized (DynaflowThreads.LOCK) {
            if (!DynaflowThreads.off && table.find(object, hash) == null) {
                enterView(object, hash, container);
            }
        }
    }

    /** A function that was not seen before is bound to a container. */
    static void bind(Object function, Object container, boolean reads) {
        int hash = System.identityHashCode(function);
        idOf(container);
        synchronized (DynaflowThreads.LOCK) {
            DynaflowEntry of = table.find(container, System.identityHashCode(container));
            if (DynaflowThreads.off || of == null || table.find(function, hash) != null) {
                return;
            }
            DynaflowRecorder.here();
            DynaflowMirror mirror = mirrorUnderLock(function.getClass());
            DynaflowFunction entry = new DynaflowFunction(function, hash, of, reads);
            long id = nextId++;
            DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.OBJECT, id), mirror.id);
            entry.id = id;
            add(entry);
        }
    }

    /** What a function is bound to; null when it is bound to no container. */
    static DynaflowFunction bound(Object function) {
        DynaflowEntry entry = table.find(function, System.identityHashCode(function));
        return entry instanceof DynaflowFunction ? (DynaflowFunction) entry : null;
    }

    /** Looks again under the lock, and numbers the object if it really is new. */
    private static long enter(Object object, int hash) {
        DynaflowEntry known = table.find(object, hash);
        if (known != null) {
            return known.id;
        }
        // Makes this thread the current one, so that others' words, which may mention the dead, come first.
        DynaflowRecorder.here();
        if (table.isFull()) {
            sweep();
        }
        if (object instanceof Class) {
            return enterMirror((Class<?>) object, hash);
        }
        DynaflowMirror mirror = mirrorUnderLock(object.getClass());
        Object shown = mirror.kind == DynaflowKinds.VIEW ? mirror.shown(object) : null;
        if (shown != null && shown != object) {
            return enterView(object, hash, enter(shown, System.identityHashCode(shown)));
        }
        DynaflowEntry entry = new DynaflowEntry(object, hash);
        long id = nextId++;
        DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.OBJECT, id), DynaflowWords.word(length(object), mirror.id));
        entry.id = id;
        add(entry);
        if (object instanceof Object[] || mirror.kind > DynaflowKinds.CLOSED && mirror.kind < DynaflowKinds.VIEW) {
            toBeListed(object);
        }
        return id;
    }

    /** One more than the length of an array; 0 for other objects and where it is too long. */
    private static long length(Object object) {
        int length = object.getClass().isArray() ? java.lang.reflect.Array.getLength(object) : DynaflowWords.LENGTHS;
        return length < DynaflowWords.LENGTHS ? length + 1 : 0;
    }

    private static long enterMirror(Class<?> type, int hash) {
        DynaflowMirror entry = new DynaflowMirror(type, hash);
        long id = nextId++;
        DynaflowNative.describe(id, type.getName(), new DynaflowSupers(type).toString());
        entry.id = id;
        add(entry);
        return id;
    }

    private static long enterView(Object object, int hash, long shown) {
        DynaflowMirror mirror = mirrorUnderLock(object.getClass());
        DynaflowEntry entry = new DynaflowEntry(object, hash);
        long id = nextId++;
        DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.VIEW, id), shown, mirror.id);
        entry.id = id;
        add(entry);
        return id;
    }

    private static DynaflowMirror mirrorUnderLock(Class<?> type) {
        int hash = System.identityHashCode(type);
        enter(type, hash);
        return (DynaflowMirror) table.find(type, hash);
    }

    private static void add(DynaflowEntry entry) {
        if (table.isFull()) {
            sweep();
        }
        table.insert(entry);
    }

    /** Contents are listed after the lock is released: the containers' own locks are none of ours. */
    private static void toBeListed(Object container) {
        int count = unlisted == null ? 0 : unlisted.length;
        Object[] longer = new Object[count + 1];
        if (count > 0) {
            System.arraycopy(unlisted, 0, longer, 0, count);
        }
        longer[count] = container;
        unlisted = longer;
    }

    /** Drops the entries of dead objects, records the deaths, and doubles the table when most entries live. */
    private static void sweep() {
        reserveStack(64);
        ask();
        DynaflowTable old = table;
        table = old.withoutDead();
        for (int slot = 1; slot < old.count; slot++) {
            long id = old.entries[slot].id;
            if (id < 0) {
                DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.DEAD, -id));
            }
        }
    }

    /**
     * Asks the collector who is dead. By themselves collectors do not say for long: a collection of the young generation
     * takes the entries that it moves to the old one for strong references and keeps what they refer to, so that in a large
     * heap neither dies.
     */
    private static void ask() {
        if (table.entries.length < ASK_FROM || tookToAsk > (nextId - askedBefore) * ASK_FOR) {
            return;
        }
        long begin = System.nanoTime();
        Runtime.getRuntime().gc();
        tookToAsk = System.nanoTime() - begin;
        askedBefore = nextId;
    }

    /** Overflows the stack here, if at all, and not in the middle of a change. */
    static int reserveStack(int frames) {
        return frames == 0 ? 0 : 1 + reserveStack(frames - 1);
    }
}
