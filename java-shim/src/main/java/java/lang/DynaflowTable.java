package java.lang;

/**
 * Entries in the order they were added, and where to find them by hash: open addressing over words (hash in the high
 * half, slot in the low half), half of them empty at least. References are stored in slot order only, which spares a
 * collector that tracks stores into old arrays. Reading takes no lock and may miss entries, never take one for another;
 * changing needs {@link DynaflowThreads#LOCK}.
 */
final class DynaflowTable {
    final long[] keys;
    /** Slot 0 is not used, so that no key is 0. */
    final DynaflowEntry[] entries;
    /** The first free slot. */
    int count = 1;

    DynaflowTable(int capacity) {
        this.keys = new long[capacity * 2];
        this.entries = new DynaflowEntry[capacity];
    }

    boolean isFull() {
        return count == entries.length;
    }

    /** The entry of an object, null when it is not here. */
    DynaflowEntry find(Object object, int hash) {
        int mask = keys.length - 1;
        int at = hash & mask;
        for (long key = keys[at]; key != 0; key = keys[at]) {
            if ((int) (key >>> 32) == hash) {
                DynaflowEntry entry = entries[(int) key];
                if (entry != null && entry.get() == object) {
                    return entry;
                }
            }
            at = at + 1 & mask;
        }
        return null;
    }

    /** Adds an entry; there is room. No call but this first one: a stack overflow must not leave half an entry. */
    void insert(DynaflowEntry entry) {
        insert(entry, entry.hash());
    }

    private void insert(DynaflowEntry entry, int hash) {
        int mask = keys.length - 1;
        int at = hash & mask;
        while (keys[at] != 0) {
            at = at + 1 & mask;
        }
        int slot = count;
        entries[slot] = entry;
        keys[at] = (long) hash << 32 | slot;
        count = slot + 1;
    }

    /**
     * A table with the entries of objects that live, twice as wide when they are more than half. Every other entry gets
     * its number negated: an object may die while this runs, and is to be dead or alive, not both.
     */
    DynaflowTable withoutDead() {
        int live = 0;
        for (int slot = 1; slot < count; slot++) {
            if (entries[slot].get() != null) {
                live++;
            }
        }
        DynaflowTable next = new DynaflowTable(live > entries.length / 2 ? entries.length * 2 : entries.length);
        for (int slot = 1; slot < count; slot++) {
            DynaflowEntry entry = entries[slot];
            if (entry.get() != null) {
                next.insert(entry);
            } else if (entry.id > 0) {
                entry.id = -entry.id;
            }
        }
        return next;
    }
}
