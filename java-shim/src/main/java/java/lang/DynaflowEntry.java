package java.lang;

import java.lang.ref.WeakReference;

/** One object the recorder has seen: a weak reference, so that recording keeps nothing alive. */
class DynaflowEntry extends WeakReference<Object> {
    private static final int RESTORED = 1 << 31;

    /** The identity hash of the object, never negative; and above it, whether it was recorded what a stream put into it. */
    private int hash;
    /**
     * The object's number, 0 until it is announced, negative once the object was recorded as dead. Volatile, and written after
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

    /** True the first time: what a stream put into the object is recorded once. Under the lock. */
    final boolean restore() {
        boolean first = hash >= 0;
        hash |= RESTORED;
        return first;
    }
}
