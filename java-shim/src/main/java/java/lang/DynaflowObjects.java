package java.lang;

/**
 * Exact identity: a weak table from objects to numbers, by identity hash, compared by reference. Numbers are given in the
 * order of first sight and never again. Lookups take no lock; everything that changes the table does. It calls no method
 * that a program can override.
 */
final class DynaflowObjects {
    private static volatile DynaflowEntry[] table = new DynaflowEntry[1 << 14];
    /** Entries in the table, those of dead objects included. */
    private static int count;
    private static long nextId = DynaflowWords.ID_FIRST;

    private DynaflowObjects() {}

    /** The number of an object that is not null; 0 when the recorder is off. */
    static long idOf(Object object) {
        int hash = System.identityHashCode(object);
        DynaflowEntry[] entries = table;
        DynaflowEntry entry = entries[hash & entries.length - 1];
        while (entry != null) {
            if (entry.hash == hash && entry.get() == object) {
                long id = entry.id;
                if (id != 0) {
                    return id;
                }
            }
            entry = entry.next;
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
        DynaflowEntry known = find(object, hash);
        if (known != null) {
            return known.id;
        }
        // Makes this thread the current one, so that others' words, which may mention the dead, come first.
        DynaflowRecorder.here();
        if (count >= table.length) {
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
        return insert(entry, id);
    }

    private static DynaflowEntry find(Object object, int hash) {
        DynaflowEntry entry = table[hash & table.length - 1];
        while (entry != null && !(entry.hash == hash && entry.get() == object)) {
            entry = entry.next;
        }
        return entry;
    }

    /** No call in here: a stack overflow must not leave half an entry. */
    private static long insert(DynaflowEntry entry, long id) {
        DynaflowEntry[] entries = table;
        int bucket = entry.hash & entries.length - 1;
        count++;
        entry.id = id;
        entry.next = entries[bucket];
        entries[bucket] = entry;
        return id;
    }

    /** Drops the entries of dead objects, tells of them, and doubles the table when most entries live. */
    private static void sweep() {
        reserveStack(64);
        DynaflowEntry[] old = table;
        int live = 0;
        for (DynaflowEntry head : old) {
            for (DynaflowEntry entry = head; entry != null; entry = entry.next) {
                if (entry.get() != null) {
                    live++;
                }
            }
        }
        DynaflowEntry[] entries = new DynaflowEntry[live > old.length / 2 ? old.length * 2 : old.length];
        DynaflowEntry dead = null;
        int kept = 0;
        for (DynaflowEntry head : old) {
            for (DynaflowEntry entry = head; entry != null;) {
                DynaflowEntry next = entry.next;
                if (entry.get() == null) {
                    entry.next = dead;
                    dead = entry;
                } else {
                    int bucket = entry.hash & entries.length - 1;
                    entry.next = entries[bucket];
                    entries[bucket] = entry;
                    kept++;
                }
                entry = next;
            }
        }
        table = entries;
        count = kept;
        for (; dead != null; dead = dead.next) {
            DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.DEAD, dead.id));
        }
    }

    /** Overflows the stack here, if at all, and not in the middle of relinking. */
    static int reserveStack(int frames) {
        return frames == 0 ? 0 : 1 + reserveStack(frames - 1);
    }
}
