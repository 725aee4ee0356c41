package java.lang;

import java.lang.ref.WeakReference;

/** One object the recorder has seen: a weak reference, so that recording keeps nothing alive. */
class DynaflowEntry extends WeakReference<Object> {
    /** The identity hash of the object. */
    final int hash;
    /**
     * The object's number, 0 until it is announced, negative once the object was told dead. Volatile, and written after
     * the announcement: whoever reads a number here writes it after the announcement in the order of happens-before.
     */
    volatile long id;

    DynaflowEntry(Object object, int hash) {
        super(object);
        this.hash = hash;
    }
}
