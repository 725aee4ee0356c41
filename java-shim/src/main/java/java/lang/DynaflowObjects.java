package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * Exact identity: numbers for objects, found by identity hash, compared by reference. Numbers are given in the order of
 * first sight and never again. Lookups take no lock; everything that changes the table does. It calls no method that a
 * program can override.
 */
final class DynaflowObjects {
    private static final int FIRST_CAPACITY = 1 << 14;

    private static volatile DynaflowTable table = new DynaflowTable(FIRST_CAPACITY);
    private static long nextId = DynaflowWords.ID_FIRST;

    private DynaflowObjects() {}

    /** The number of an object that is not null; 0 when the recorder is off. */
    static long idOf(Object object) {
        int hash = System.identityHashCode(object);
        DynaflowTable known = table;
        long[] keys = known.keys;
        int mask = keys.length - 1;
        int at = hash & mask;
        for (long key = keys[at]; key != 0; key = keys[at]) {
            if ((int) (key >>> 32) == hash) {
                DynaflowEntry entry = known.entries[(int) key];
                if (entry != null && entry.get() == object) {
                    long id = entry.id;
                    if (id > 0) {
                        return id;
                    }
                }
            }
            at = at + 1 & mask;
        }
        return meet(object, hash);
    }

    /** The number of a value that is written into a location, so that it becomes an edge. */
    static long valueOf(Object value) {
        if (value == null) {
            return DynaflowWords.ID_NULL;
        }
        return isLeaf(value) ? DynaflowWords.ID_SINK : idOf(value);
    }

    private static boolean isLeaf(Object value) {
        Class<?> type = value.getClass();
        return type == String.class
                || type == Integer.class
                || type == Long.class
                || type == Boolean.class
                || type == Character.class
                || type == Double.class
                || type == Float.class
                || type == Byte.class
                || type == Short.class;
    }

    @DontInline
    private static long meet(Object object, int hash) {
        try {
            synchronized (DynaflowThreads.LOCK) {
                return DynaflowThreads.off ? 0 : enter(object, hash);
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
            return 0;
        }
    }

    /** Looks again under the lock, and numbers the object if it really is new. */
    private static long enter(Object object, int hash) {
        long known = table.find(object, hash);
        if (known != 0) {
            return known;
        }
        // Makes this thread the current one, so that others' words, which may mention the dead, come first.
        DynaflowRecorder.here();
        if (table.isFull()) {
            sweep();
        }
        boolean isMirror = object instanceof Class;
        long mirror = isMirror ? 0 : idOf(object.getClass());
        DynaflowEntry entry = new DynaflowEntry(object, hash);
        long id = nextId++;
        if (isMirror) {
            Class<?> type = (Class<?>) object;
            DynaflowNative.describe(id, type.getName(), new DynaflowSupers(type).toString());
        } else {
            DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.OBJECT, id), mirror);
        }
        entry.id = id;
        table.insert(entry);
        return id;
    }

    /** Drops the entries of dead objects, tells of them, and doubles the table when most entries live. */
    private static void sweep() {
        reserveStack(64);
        DynaflowTable old = table;
        table = old.withoutDead();
        for (int slot = 1; slot < old.count; slot++) {
            long id = old.entries[slot].id;
            if (id < 0) {
                DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.DEAD, -id));
            }
        }
    }

    /** Overflows the stack here, if at all, and not in the middle of a change. */
    static int reserveStack(int frames) {
        return frames == 0 ? 0 : 1 + reserveStack(frames - 1);
    }
}
