package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * What woven code calls: each method turns one event into words of the calling thread's chunk. It knows nothing of
 * classes, fields or tests, only site numbers and objects. Invariants: it calls no code of the program, it keeps no object
 * alive, and should it fail it switches itself off and the program goes on.
 *
 * <p>What woven code calls at every event is kept out of line ({@code DontInline}, which the VM heeds in classes of the
 * boot loader): a call costs a nanosecond, while the same code at every access of a program makes its compilation take
 * several times as long, and most programs end before that pays. Of what is called most it is first asked whether it passes, by code that is short:
 * where much is left out, most events end there.
 */
public final class DynaflowRecorder {
    private DynaflowRecorder() {}

    /** An event of which the site says everything. */
    @DontInline
    public static void at(int site) {
        if (isWatched(site) && DynaflowMuting.passes(null, null, null, null, site)) {
            return;
        }
        atNow(site);
    }

    @DontInline
    private static void atNow(int site) {
        if (isWatched(site) && DynaflowMuting.skips(null, null, null, null, site)) {
            return;
        }
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS);
    }

    /** An invocation of a method that only reads and calls nothing is about to begin: true when nothing of it is to be recorded. */
    @DontInline
    public static boolean leavesOut(int site) {
        return DynaflowMuting.given && (DynaflowMuting.isQuiet() || DynaflowMuting.isGranted(site) || DynaflowMuting.leavesOut(site));
    }

    /** An invocation of a method is about to begin: whether that is below one that is left out. Short enough to be compiled where it is called. */
    public static boolean isQuiet() {
        return DynaflowMuting.given && DynaflowMuting.isQuiet();
    }

    /** A method ends by an exception. Where the stack has no room to ask which frames are left, it may have room for that. */
    @DontInline
    public static void threw(Object exception, int site) {
        if (exception instanceof StackOverflowError && !DynaflowMuting.loses()) {
            try {
                DynaflowOverflow.reached(exception, site);
            } catch (StackOverflowError full) {
                // Asked again where the exception comes next.
            }
        }
        if (DynaflowMuting.on && DynaflowMuting.skips(null, null, null, null, site | DynaflowMuting.ENDS)) {
            return;
        }
        here().add((long) site << DynaflowWords.PAYLOAD_BITS);
    }

    /** A handler of the method of a site got an exception. */
    @DontInline
    public static void caught(Object exception, int site) {
        if (exception instanceof StackOverflowError && !DynaflowMuting.loses()) {
            try {
                DynaflowOverflow.reached(exception, site);
            } catch (StackOverflowError full) {
                // What the handler does next shows as much of it as can be known.
            }
        }
    }

    /** An event on an object. */
    @DontInline
    public static void on(Object object, int site) {
        if (isWatched(site) && DynaflowMuting.passes(object, null, null, null, site)) {
            return;
        }
        onNow(object, site);
    }

    @DontInline
    private static void onNow(Object object, int site) {
        if (isWatched(site) && DynaflowMuting.skips(object, null, null, null, site)) {
            return;
        }
        long id = object == null ? 0 : DynaflowObjects.idOf(object);
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS | id);
    }

    /** Two objects: a reference is written into a field of an object, a clone is made of one, or two accesses at once. */
    @DontInline
    public static void objects(Object object, Object value, int site) {
        if (isWatched(site) && DynaflowMuting.passes(object, value, null, null, site)) {
            return;
        }
        objectsNow(object, value, site);
    }

    @DontInline
    private static void objectsNow(Object object, Object value, int site) {
        if (isWatched(site) && DynaflowMuting.skips(object, value, null, null, site)) {
            return;
        }
        long id = DynaflowObjects.valueOf(object);
        long written = DynaflowObjects.valueOf(value);
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS | id, written);
    }

    /** A reference is written into a field of {@code this} or into a static field. */
    @DontInline
    public static void value(Object value, int site) {
        if (isWatched(site) && DynaflowMuting.passes(value, null, null, null, site)) {
            return;
        }
        valueNow(value, site);
    }

    @DontInline
    private static void valueNow(Object value, int site) {
        if (isWatched(site) && DynaflowMuting.skips(value, null, null, null, site)) {
            return;
        }
        long written = DynaflowObjects.valueOf(value);
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS | written);
    }

    /** An array element is read, or a primitive is written into one. */
    @DontInline
    public static void element(Object array, int index, int site) {
        if (isWatched(site) && DynaflowMuting.passes(array, null, null, null, site)) {
            return;
        }
        elementNow(array, index, site);
    }

    @DontInline
    private static void elementNow(Object array, int index, int site) {
        if (isWatched(site) && DynaflowMuting.skips(array, null, null, null, index, site)) {
            return;
        }
        long id = array == null ? 0 : DynaflowObjects.idOf(array);
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS | id, index);
    }

    /** A reference is written into an array element. Should the array be first seen, the element is not listed as being there before. */
    @DontInline
    public static void elementPut(Object array, int index, Object value, int site) {
        if (isWatched(site) && DynaflowMuting.passes(array, value, null, null, site)) {
            return;
        }
        putNow(array, index, value, site);
    }

    @DontInline
    private static void putNow(Object array, int index, Object value, int site) {
        if (isWatched(site) && DynaflowMuting.skips(array, value, null, null, index, site)) {
            return;
        }
        long id = array == null ? 0 : DynaflowObjects.idOf(array, index, index + 1);
        long written = DynaflowObjects.valueOf(value);
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS | id, index, written);
    }

    /** Three objects, of accesses at once: those accessed, and values written into them. */
    @DontInline
    public static void objects(Object a, Object b, Object c, int site) {
        if (isWatched(site) && DynaflowMuting.passes(a, b, c, null, site)) {
            return;
        }
        objectsNow(a, b, c, site);
    }

    @DontInline
    private static void objectsNow(Object a, Object b, Object c, int site) {
        if (isWatched(site) && DynaflowMuting.skips(a, b, c, null, site)) {
            return;
        }
        long first = DynaflowObjects.valueOf(a);
        long second = DynaflowObjects.valueOf(b);
        long third = DynaflowObjects.valueOf(c);
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS | first, second, third);
    }

    /** The same of four. */
    @DontInline
    public static void objects(Object a, Object b, Object c, Object d, int site) {
        if (isWatched(site) && DynaflowMuting.passes(a, b, c, d, site)) {
            return;
        }
        objectsNow(a, b, c, d, site);
    }

    @DontInline
    private static void objectsNow(Object a, Object b, Object c, Object d, int site) {
        if (isWatched(site) && DynaflowMuting.skips(a, b, c, d, site)) {
            return;
        }
        long first = DynaflowObjects.valueOf(a);
        long second = DynaflowObjects.valueOf(b);
        long third = DynaflowObjects.valueOf(c);
        long fourth = DynaflowObjects.valueOf(d);
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS | first, second, third, fourth);
    }

    /** Accesses to two elements of an array at once. */
    @DontInline
    public static void element(Object array, int i, int j, int site) {
        if (isWatched(site) && DynaflowMuting.passes(array, null, null, null, site)) {
            return;
        }
        elementNow(array, i, j, site);
    }

    @DontInline
    private static void elementNow(Object array, int i, int j, int site) {
        if (isWatched(site) && DynaflowMuting.skips(array, null, null, null, (long) i << 32 | j & 0xffffffffL, site)) {
            return;
        }
        long id = array == null ? 0 : DynaflowObjects.idOf(array);
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS | id, (long) i << 32 | j & 0xffffffffL);
    }

    /** Accesses to elements of two arrays, or to two elements and another object, at once. */
    @DontInline
    public static void elementPut(Object array, int i, int j, Object other, int site) {
        if (isWatched(site) && DynaflowMuting.passes(array, other, null, null, site)) {
            return;
        }
        putNow(array, i, j, other, site);
    }

    @DontInline
    private static void putNow(Object array, int i, int j, Object other, int site) {
        if (isWatched(site) && DynaflowMuting.skips(array, other, null, null, (long) i << 32 | j & 0xffffffffL, site)) {
            return;
        }
        long id = array == null ? 0 : DynaflowObjects.idOf(array, Math.min(i, j), Math.max(i, j) + 1);
        long second = DynaflowObjects.valueOf(other);
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS | id, (long) i << 32 | j & 0xffffffffL, second);
    }

    /** Accesses to elements with one index and to other objects at once. */
    @DontInline
    public static void elementPut(Object array, int i, Object other, Object third, int site) {
        if (isWatched(site) && DynaflowMuting.passes(array, other, third, null, site)) {
            return;
        }
        putNow(array, i, other, third, site);
    }

    @DontInline
    private static void putNow(Object array, int i, Object other, Object third, int site) {
        if (isWatched(site) && DynaflowMuting.skips(array, other, third, null, i, site)) {
            return;
        }
        long id = array == null ? 0 : DynaflowObjects.idOf(array, i, i + 1);
        long second = DynaflowObjects.valueOf(other);
        long last = DynaflowObjects.valueOf(third);
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS | id, i, second, last);
    }

    /** The same with two indices. */
    @DontInline
    public static void elementPut(Object array, int i, int j, Object other, Object third, int site) {
        if (isWatched(site) && DynaflowMuting.passes(array, other, third, null, site)) {
            return;
        }
        putNow(array, i, j, other, third, site);
    }

    @DontInline
    private static void putNow(Object array, int i, int j, Object other, Object third, int site) {
        if (isWatched(site) && DynaflowMuting.skips(array, other, third, null, (long) i << 32 | j & 0xffffffffL, site)) {
            return;
        }
        long id = array == null ? 0 : DynaflowObjects.idOf(array, Math.min(i, j), Math.max(i, j) + 1);
        long second = DynaflowObjects.valueOf(other);
        long last = DynaflowObjects.valueOf(third);
        here().add((long) (site & DynaflowMuting.SITE) << DynaflowWords.PAYLOAD_BITS | id, (long) i << 32 | j & 0xffffffffL, second, last);
    }

    /** As {@link #elementPut(Object, int, Object, int)}, of accesses that read elements: an array first seen is listed whole. */
    @DontInline
    public static void elementUse(Object array, int i, Object other, int site) {
        if (isWatched(site) && DynaflowMuting.passes(array, other, null, null, site)) {
            return;
        }
        useNow(array, i, other, site);
    }

    @DontInline
    private static void useNow(Object array, int i, Object other, int site) {
        if (!DynaflowMuting.isMuted()) {
            DynaflowObjects.see(array);
        }
        putNow(array, i, other, site);
    }

    /** The same with two indices. */
    @DontInline
    public static void elementUse(Object array, int i, int j, Object other, int site) {
        if (isWatched(site) && DynaflowMuting.passes(array, other, null, null, site)) {
            return;
        }
        useNow(array, i, j, other, site);
    }

    @DontInline
    private static void useNow(Object array, int i, int j, Object other, int site) {
        if (!DynaflowMuting.isMuted()) {
            DynaflowObjects.see(array);
        }
        putNow(array, i, j, other, site);
    }

    /** The same with one index and two objects. */
    @DontInline
    public static void elementUse(Object array, int i, Object other, Object third, int site) {
        if (isWatched(site) && DynaflowMuting.passes(array, other, third, null, site)) {
            return;
        }
        useNow(array, i, other, third, site);
    }

    @DontInline
    private static void useNow(Object array, int i, Object other, Object third, int site) {
        if (!DynaflowMuting.isMuted()) {
            DynaflowObjects.see(array);
        }
        putNow(array, i, other, third, site);
    }

    /** The same with two indices and two objects. */
    @DontInline
    public static void elementUse(Object array, int i, int j, Object other, Object third, int site) {
        if (isWatched(site) && DynaflowMuting.passes(array, other, third, null, site)) {
            return;
        }
        useNow(array, i, j, other, third, site);
    }

    @DontInline
    private static void useNow(Object array, int i, int j, Object other, Object third, int site) {
        if (!DynaflowMuting.isMuted()) {
            DynaflowObjects.see(array);
        }
        putNow(array, i, j, other, third, site);
    }

    /**
     * The JDK copied elements between arrays. The site reads, the next one writes primitives, the one after it writes
     * references. What lies beyond the end of either array was not copied.
     */
    @DontInline
    public static void copied(Object from, int fromIndex, Object to, int toIndex, int count, int site) {
        if (DynaflowMuting.skips(to)) {
            return;
        }
        DynaflowRanges.copied(from, fromIndex, to, toIndex, count, site);
    }

    /** The JDK overwrote elements of an array. The site writes primitives, the next one references. */
    @DontInline
    public static void filled(Object array, int from, int to, int site) {
        if (DynaflowMuting.skips(array)) {
            return;
        }
        DynaflowRanges.filled(array, from, to, site);
    }

    /** A call begins below which other hands may access locations; the site is the call's, or -1 minus it for one of {@code Field}. */
    @DontInline
    public static void calling(int site) {
        DynaflowChunk chunk = here();
        chunk.calling = site;
        chunk.callingAt = chunk.get();
    }

    /** It returned. Other threads' chunks know of no call once they are the current one again. */
    @DontInline
    public static void called() {
        DynaflowChunk chunk = DynaflowThreads.last;
        if (chunk.thread == Thread.currentThread()) {
            chunk.calling = 0;
        }
    }

    /** A container was called, and what it holds may have changed; see {@link DynaflowEffects}. */
    @DontInline
    public static void contents(Object container, Object a, Object b, Object result, int said, int effect, int site) {
        called(container, a, b, result, null, said, effect, site);
    }

    /** As {@link #contents}, with what {@link #leaving} found before the call. */
    @DontInline
    public static void contents(
            Object container, Object a, Object b, Object result, Object leaving, int said, int effect, int site) {
        called(container, a, b, result, (DynaflowLeaving) leaving, said, effect, site);
    }

    private static void called(
            Object container, Object a, Object b, Object result, DynaflowLeaving before, int said, int effect, int site) {
        try {
            if (DynaflowMuting.skips(container)) {
                return;
            }
            if (DynaflowUnchanged.is(container, result, before, said, effect)) {
                here().add(DynaflowWords.word(DynaflowWords.UNCHANGED, DynaflowObjects.idOf(container)), site);
            } else {
                on(container, site);
                DynaflowChanges.record(container, a, b, result, before, said, effect, site);
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            fail(error);
        }
    }

    /** A container is about to be called: what the call takes out of it, if it will not say so itself. */
    @DontInline
    public static Object leaving(Object container, Object argument, int index, int effect) {
        try {
            return DynaflowMuting.skips(container) ? null : DynaflowLeaving.of(container, argument, index, effect);
        } catch (StackOverflowError error) {
            throw error;
        } catch (RuntimeException changing) {
            // Another thread changes it, or the call will throw as well.
            return null;
        } catch (Throwable error) {
            fail(error);
            return null;
        }
    }

    /** As {@link #leaving}, of an object of a class of the program: it counts only if that extends a container. */
    @DontInline
    public static Object inheritedLeaving(Object object, Object argument, int index, int effect) {
        return DynaflowContainers.isExtended(object) ? leaving(object, argument, index, effect) : null;
    }

    /** A container is about to hand what it holds to the program. */
    @DontInline
    public static void entries(Object container) {
        try {
            if (!DynaflowMuting.skips(container)) {
                DynaflowContainers.showEntries(container);
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            fail(error);
        }
    }

    /** As {@link #contents}, of an object of a class of the program: it counts only if that extends a container. */
    @DontInline
    public static void inherited(Object object, Object a, Object b, Object result, int said, int effect, int site) {
        if (DynaflowContainers.isExtended(object)) {
            contents(object, a, b, result, said, effect, site);
        }
    }

    /** As {@link #inherited}, with what {@link #leaving} found before the call. */
    @DontInline
    public static void inherited(
            Object object, Object a, Object b, Object result, Object leaving, int said, int effect, int site) {
        if (DynaflowContainers.isExtended(object)) {
            called(object, a, b, result, (DynaflowLeaving) leaving, said, effect, site);
        }
    }

    /** A call read an object of a class of the program: it counts only if that extends a container. */
    @DontInline
    public static void inherited(Object object, int site) {
        if (DynaflowContainers.isExtended(object)) {
            on(object, site);
        }
    }

    /** A container was an argument of a call that observed it. What nobody saw before is no state of anything. */
    @DontInline
    public static void observed(Object argument, Object receiver, int site) {
        if (argument == null || DynaflowMuting.isMuted() || DynaflowObjects.isLeaf(argument) || !DynaflowContainers.isKnown(argument)) {
            return;
        }
        long id = DynaflowObjects.idOf(argument);
        long of = receiver == null ? 0 : DynaflowObjects.idOf(receiver);
        here().add((long) site << DynaflowWords.PAYLOAD_BITS | id, of);
    }

    /** As {@link #observed}, of a call that filled the container. */
    @DontInline
    public static void refilled(Object argument, Object receiver, int site) {
        try {
            if (!DynaflowMuting.skips(argument)) {
                DynaflowContainers.refilled(argument, receiver, site);
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            fail(error);
        }
    }

    /** A function was made of a reference to a method of a container that changes it, and reads it if {@code reads} is 1. */
    @DontInline
    public static void bound(Object function, Object container, int reads) {
        try {
            DynaflowFunction.bind(function, container, reads != 0);
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            fail(error);
        }
    }

    /** A call applied a function. The site reads what the function is bound to, the next one writes it. */
    @DontInline
    public static void applied(Object function, Object receiver, int site) {
        DynaflowFunction.applied(function, receiver, site);
    }

    /** A stream got a function that it applies when it is gone through. */
    @DontInline
    public static void deferred(Object function) {
        DynaflowFunction.deferred(function);
    }

    /** A call went through a stream, and filled a container if that is what it answered with. Sites as of {@link #applied}. */
    @DontInline
    public static void ended(Object result, Object stream, int site) {
        DynaflowFunction.streamed(stream, site);
        if (result instanceof java.util.Collection || result instanceof java.util.Map) {
            refilled(result, stream, site + 1);
        }
    }

    /** A call begins that reads objects from a stream, if the object called is one. */
    @DontInline
    public static Object restoring(Object stream, int site) {
        try {
            return stream instanceof java.io.ObjectInputStream ? DynaflowRestored.begin(stream, site) : null;
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            fail(error);
            return null;
        }
    }

    /**
     * It returned. {@code unshared} is what it gave back, if the stream forgets it; {@code current} is 1 if it set fields of
     * the object that is just read.
     */
    @DontInline
    public static void restored(Object began, Object unshared, int current, int site) {
        if (began == null) {
            return;
        }
        try {
            boolean isKnown = ((DynaflowRestored) began).end(unshared, current != 0);
            here().add((long) site << DynaflowWords.PAYLOAD_BITS | (isKnown ? 0 : 1));
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            fail(error);
        }
    }

    /** A branch compares an int with 0. */
    @DontInline
    public static void branch(int left, int site) {
        here().add((long) site << DynaflowWords.PAYLOAD_BITS, (long) left << 32);
    }

    /** A branch compares two ints. */
    @DontInline
    public static void branch(int left, int right, int site) {
        here().add((long) site << DynaflowWords.PAYLOAD_BITS, (long) left << 32 | right & 0xffffffffL);
    }

    /** A branch compares a reference with null. */
    @DontInline
    public static void branch(Object value, int site) {
        here().add((long) site << DynaflowWords.PAYLOAD_BITS, value == null ? 1 : 0);
    }

    /** A branch compares two references. */
    @DontInline
    public static void branch(Object left, Object right, int site) {
        here().add((long) site << DynaflowWords.PAYLOAD_BITS, left == right ? 1 : 0);
    }

    /** A switch looks at its key. */
    @DontInline
    public static void select(int key, int site) {
        here().add((long) site << DynaflowWords.PAYLOAD_BITS, key);
    }

    /** A test method of a test class begins. */
    public static void test(Object instance, int site) {
        DynaflowMuting.begin(1);
        long id = instance == null ? 0 : DynaflowObjects.idOf(instance);
        int suite = instance == null ? 0 : instance.getClass().getName().hashCode();
        DynaflowChunk chunk = here();
        chunk.frames.suite = suite;
        chunk.add(DynaflowWords.word(DynaflowWords.TEST_METHOD, id), site, suite & 0xffffffffL);
    }

    /** A test method ends, by an exception if {@code threw} is 1. Returns when its record is in the file. */
    public static void testEnd(int threw, int site) {
        DynaflowMuting.count();
        here().add(DynaflowWords.word(DynaflowWords.TEST_METHOD_END, threw), site);
        sync();
    }

    /** An argument of the call that follows. */
    public static void argument(int value) {
        here().add(DynaflowValues.intWord(value));
    }

    /** An argument of the call that follows. */
    public static void argument(long value) {
        here().add(DynaflowWords.word(DynaflowWords.VALUE_LONG, 0), value);
    }

    /** An argument of the call that follows. */
    public static void argument(float value) {
        here().add(DynaflowValues.floatWord(value));
    }

    /** An argument of the call that follows. */
    public static void argument(double value) {
        here().add(DynaflowWords.word(DynaflowWords.VALUE_DOUBLE, 0), DynaflowValues.bits(value));
    }

    /** An argument of the call that follows. */
    public static void argument(Object value) {
        DynaflowValues.add(0, value);
    }

    /** A test class is about to make a call. */
    public static void call(Object receiver, int site) {
        on(receiver, site);
    }

    /** A call without a result returned. */
    public static void returned(int site) {
        here().add(returnedWord(site), DynaflowWords.word(DynaflowWords.VALUE_VOID, 0));
    }

    /** A call returned. */
    public static void returned(int value, int site) {
        here().add(returnedWord(site), DynaflowValues.intWord(value));
    }

    /** A call returned. */
    public static void returned(long value, int site) {
        here().add(returnedWord(site), DynaflowWords.word(DynaflowWords.VALUE_LONG, 0), value);
    }

    /** A call returned. */
    public static void returned(float value, int site) {
        here().add(returnedWord(site), DynaflowValues.floatWord(value));
    }

    /** A call returned. */
    public static void returned(double value, int site) {
        long head = DynaflowWords.word(DynaflowWords.VALUE_DOUBLE, 0);
        here().add(returnedWord(site), head, DynaflowValues.bits(value));
    }

    /** A call returned. */
    public static void returned(Object value, int site) {
        DynaflowValues.add(returnedWord(site), value);
    }

    /** Our worker begins a test. */
    public static void beginTest(String name) {
        try {
            DynaflowMuting.begin(0);
            long text = DynaflowTexts.idOf(name);
            here().add(DynaflowWords.word(DynaflowWords.TEST_BEGIN, text));
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            fail(error);
        }
    }

    /** Our worker ends the test of this thread. */
    public static void endTest(boolean failed) {
        here().add(DynaflowWords.word(DynaflowWords.TEST_END, failed ? 1 : 0));
    }

    /** Returns when the records of all tests that our worker ended are in the file. */
    public static void settle() {
        sync();
    }

    /** Our worker starts the statement with this index. */
    public static void statement(int index) {
        here().add(DynaflowWords.word(DynaflowWords.STATEMENT, index));
    }

    /** The result of the statement our worker just ran. */
    public static void result(Object value) {
        returned(value, 0);
    }

    private static long returnedWord(int site) {
        return DynaflowWords.word(DynaflowWords.RETURNED, site);
    }

    /** Whether an event may be left out, by the site that woven code passes. */
    private static boolean isWatched(int site) {
        return site < 0 ? DynaflowMuting.on : DynaflowMuting.some;
    }

    /** The chunk of the calling thread, with room for an event. */
    static DynaflowChunk here() {
        DynaflowChunk chunk = DynaflowThreads.last;
        return chunk.thread == Thread.currentThread() && chunk.get() < chunk.limit ? chunk : room();
    }

    @DontInline
    private static DynaflowChunk room() {
        try {
            synchronized (DynaflowThreads.LOCK) {
                return DynaflowThreads.room();
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            fail(error);
            return DynaflowThreads.SINK;
        }
    }

    private static void sync() {
        try {
            synchronized (DynaflowThreads.LOCK) {
                DynaflowThreads.drainAll();
            }
            DynaflowNative.sync();
            if (DynaflowMuting.on) {
                synchronized (DynaflowThreads.LOCK) {
                    DynaflowMuting.learn(DynaflowNative.verdicts(true));
                }
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            fail(error);
        }
    }

    /** Called by the agent once the class is defined. */
    private static void start() {
        DynaflowMuting.start(DynaflowNative.mutes());
        DynaflowWarmUp.run();
    }

    /**
     * Called by the agent before it weaves a class: whether the class's loader finds this class, as the JVM will when woven
     * code first runs. The JVM remembers the answer, so that the loader is asked no more often than without this.
     */
    private static boolean isFoundBy(ClassLoader loader) {
        try {
            return Class.forName("java.lang.DynaflowRecorder", false, loader) == DynaflowRecorder.class;
        } catch (VirtualMachineError error) {
            // Says nothing of the loader: too little stack or memory left just here.
            return true;
        } catch (Throwable error) {
            return false;
        }
    }

    /** Called by the agent on a thread that ends. */
    private static void threadEnded() {
        try {
            synchronized (DynaflowThreads.LOCK) {
                DynaflowThreads.forgetCurrent();
            }
        } catch (Throwable error) {
            fail(error);
        }
    }

    /** Called by the agent when the VM ends. */
    private static void finish() {
        synchronized (DynaflowThreads.LOCK) {
            DynaflowMuting.count();
            DynaflowThreads.drainAll();
            DynaflowThreads.switchOff();
        }
    }

    /** Something is wrong in here: the recorder stops, the program does not. */
    static void fail(Throwable error) {
        boolean first = !DynaflowThreads.off;
        DynaflowThreads.switchOff();
        if (first) {
            try {
                DynaflowNative.stopped(error.getClass().getName());
            } catch (Throwable ignored) {
                // It is off; there is no way left to say so.
            }
        }
    }
}
