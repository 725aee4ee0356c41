package java.lang;

import java.lang.ref.WeakReference;

/** One object the recorder has seen: a weak reference, so that recording keeps nothing alive. */
class DynaflowEntry extends WeakReference<Object> {
    private static final int RESTORED = 1 << 31;

    /** The identity hash of the object, never negative; and above it, whether it was told what a stream put into it. */
    private int hash;
    /**
     * The object's number, 0 until it is announced, negative once the object was told dead. Volatile, and written after
     * the announcement: whoever reads a number here writes it after the announcement in the order of happens-before.
     */
    volatile long id;

    DynaflowEntry(Object object, int hash) {
        super(object);
        this.hash = hash;
    }

    /** The identity hash of the object. */
    final int hash() {
        return hash & ~RESTORED;
    }

    /** True the first time: from now on it is told what a stream put into the object. Under the lock. */
    final boolean restore() {
        boolean first = hash >= 0;
        hash |= RESTORED;
        return first;
    }
}
