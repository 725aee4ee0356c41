package java.lang;

import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.vm.annotation.DontInline;

/**
 * What methods of the JDK call by which fields and elements are accessed without an instruction of the program: reflection,
 * {@code VarHandle}, field updaters, method handles of fields and JNI; {@link DynaflowUnsafe} is for {@code Unsafe}. Each call becomes
 * accesses at the call that the innermost recorded method is in. It knows nothing of why. Invariants: what is done to classes of the
 * JDK costs a look at their loader; an access that did not happen is not recorded; as {@link DynaflowRecorder}, it calls no code of the
 * program and keeps no object alive.
 *
 * <p>A handle that is passed as its own holder is one of a static field.
 */
public final class DynaflowHands {
    static final int READ = 1;
    static final int WRITE = 2;

    /** How many frames stand before the program's as a rule: those of the JDK's method and ours, those of a method handle. */
    private static final int BEHIND_JDK = 6;
    private static final int BEHIND_HANDLE = 10;

    private DynaflowHands() {}

    /** A primitive was written through a {@code Field}. */
    public static void fieldWrote(Object field, Object holder) {
        fieldWrote(field, holder, null);
    }

    /** A reference, or what was in it, was written through a {@code Field}. */
    public static void fieldWrote(Object field, Object holder, Object value) {
        if (((Field) field).getDeclaringClass().getClassLoader() != null) {
            field((Field) field, holder, value, WRITE);
        }
    }

    /** Whether a field that native code set of an object, or of a class, may be one of the program's. Called by the agent. */
    static boolean isOfProgram(Object of, boolean isStatic) {
        return of != null && (isStatic ? (Class<?>) of : of.getClass()).getClassLoader() != null;
    }

    /** Native code set a field. Called by the agent. */
    static boolean jniWrote(Object field, Object holder, Object value) {
        fieldWrote(field, holder, value);
        return true;
    }

    /** A {@code Field} was read. */
    public static void fieldRead(Object field, Object holder) {
        if (((Field) field).getDeclaringClass().getClassLoader() != null) {
            field((Field) field, holder, null, READ);
        }
    }

    @DontInline
    private static void field(Field field, Object holder, Object value, int how) {
        try {
            DynaflowFields fields = DynaflowPlace.fields(field.getDeclaringClass());
            int found = fields == null ? -1 : fields.named(field.getName());
            if (found < 0 && fields != null && !fields.isWhole && how == WRITE) {
                recordLost(Modifier.isStatic(field.getModifiers()) ? field.getDeclaringClass() : holder);
            } else if (found >= 0 && fields.texts[found] != 0) {
                DynaflowChunk chunk = DynaflowRecorder.here();
                int caller = chunk.fieldCaller;
                chunk.fieldCaller = 0;
                Object of = fields.isStatic[found] ? null : holder;
                record(of, fields.texts[found], value, how, caller < 0 ? -1 - caller : siteHere());
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
        }
    }

    /** A primitive was written through a {@code VarHandle} or an updater. */
    public static void varWrote(Object handle, Object holder) {
        var(handle, holder, null, WRITE);
    }

    /** A reference was. */
    public static void varWrote(Object handle, Object holder, Object value) {
        var(handle, holder, value, WRITE);
    }

    /** A {@code VarHandle} or an updater is about to write a primitive, unless it refuses the object. */
    public static void varSets(Object handle, Object holder) {
        varSets(handle, holder, null);
    }

    /** It is about to write a reference, unless it refuses the object or the value. */
    public static void varSets(Object handle, Object holder, Object value) {
        if (holder != null && holder.getClass().getClassLoader() != null && DynaflowPlace.takes(handle, holder, value)) {
            handled(handle, holder, value, WRITE);
        }
    }

    /** A {@code VarHandle} or an updater read its field. */
    public static void varRead(Object handle, Object holder) {
        var(handle, holder, null, READ);
    }

    /** It compared its field with a primitive and wrote another one if it was {@code done}. */
    public static void varSwapped(Object handle, Object holder, boolean done) {
        var(handle, holder, null, done ? READ | WRITE : READ);
    }

    /** The same with references. */
    public static void varSwapped(Object handle, Object holder, Object value, boolean done) {
        var(handle, holder, value, done ? READ | WRITE : READ);
    }

    /** It read its field and wrote a primitive. */
    public static void varUpdated(Object handle, Object holder) {
        var(handle, holder, null, READ | WRITE);
    }

    /** It read its field and wrote a reference. */
    public static void varUpdated(Object handle, Object holder, Object value) {
        var(handle, holder, value, READ | WRITE);
    }

    private static void var(Object handle, Object holder, Object value, int how) {
        if (holder == handle || holder.getClass().getClassLoader() != null) {
            handled(handle, holder, value, how);
        }
    }

    @DontInline
    private static void handled(Object handle, Object holder, Object value, int how) {
        try {
            DynaflowPlace place = DynaflowPlace.of(handle);
            if (!place.isNone()) {
                place.record(handle, holder, value, how, siteHere());
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
        }
    }

    /** A {@code VarHandle} is about to write a primitive into an element, unless it refuses the index. */
    public static void elementSets(Object array, int index) {
        if (array != null && index >= 0 && index < java.lang.reflect.Array.getLength(array)) {
            element(array, index, null, WRITE);
        }
    }

    /** It is about to write a reference, unless it refuses the index or the value. */
    public static void elementSets(Object array, int index, Object value) {
        if (array instanceof Object[] && index >= 0 && index < ((Object[]) array).length
                && (value == null || array.getClass().getComponentType().isInstance(value))) {
            element(array, index, value, WRITE);
        }
    }

    /** A primitive was written into an element by a method handle. */
    public static void elementWrote(Object array, int index) {
        element(array, index, null, WRITE);
    }

    /** A reference was. */
    public static void elementWrote(Object array, int index, Object value) {
        element(array, index, value, WRITE);
    }

    /** An element was read by a {@code VarHandle}. */
    public static void elementRead(Object array, int index) {
        element(array, index, null, READ);
    }

    /** An element was compared with a primitive and written if it was {@code done}. */
    public static void elementSwapped(Object array, int index, boolean done) {
        element(array, index, null, done ? READ | WRITE : READ);
    }

    /** The same with references. */
    public static void elementSwapped(Object array, int index, Object value, boolean done) {
        element(array, index, value, done ? READ | WRITE : READ);
    }

    /** An element was read, and a primitive written. */
    public static void elementUpdated(Object array, int index) {
        element(array, index, null, READ | WRITE);
    }

    /** An element was read, and a reference written. */
    public static void elementUpdated(Object array, int index, Object value) {
        element(array, index, value, READ | WRITE);
    }

    /** {@code java.lang.reflect.Array} accessed an element. Called by the agent. */
    static void nativeElement(Object array, int index, Object value, boolean isWrite) {
        element(array, index, array instanceof Object[] ? value : null, isWrite ? WRITE : READ);
    }

    /** An array that nobody saw before is none of the program's so far. */
    @DontInline
    static void element(Object array, int index, Object value, int how) {
        try {
            if (DynaflowObjects.isKnown(array)) {
                recordHere(array, 1L << DynaflowWords.STORED_ELEMENT_BIT | index, value, how);
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
        }
    }

    /** A method handle asks where its field is, and next for the object. */
    public static void handleOf(Object handle) {
        try {
            DynaflowPlace place = DynaflowPlace.ofMethodHandle(handle);
            if (!place.isNone()) {
                DynaflowRecorder.here().handled = place;
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
        }
    }

    /** It knows the object now and accesses the field next, unless it casts the value first. */
    public static void handleBase(Object holder) {
        if (holder.getClass().getClassLoader() != null) {
            handled(DynaflowRecorder.here(), holder);
        }
    }

    @DontInline
    private static void handled(DynaflowChunk chunk, Object holder) {
        DynaflowPlace place = chunk.handled;
        if (place == null) {
            return;
        }
        chunk.handled = null;
        try {
            if (place.isSetter && place.isCast) {
                chunk.handledOf = new WeakReference<Object>(holder);
            } else {
                byMethodHandle(place, holder, null);
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
        }
    }

    /** A method handle of a static field is about to access it, unless it casts the value first. */
    public static void handleStatic(Object handle) {
        try {
            DynaflowPlace place = DynaflowPlace.ofMethodHandle(handle);
            if (!place.isNone() && !(place.isSetter && place.isCast)) {
                byMethodHandle(place, null, null);
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
        }
    }

    /** A method handle cast a value: one that it writes next, or one that it read. */
    public static void handleCast(Object handle, Object value) {
        try {
            DynaflowPlace place = DynaflowPlace.ofMethodHandle(handle);
            if (place.isNone() || !place.isSetter) {
                return;
            }
            if (place.isStatic) {
                byMethodHandle(place, null, value);
                return;
            }
            DynaflowChunk chunk = DynaflowRecorder.here();
            Object holder = chunk.handledOf == null ? null : chunk.handledOf.get();
            chunk.handledOf = null;
            if (holder != null) {
                byMethodHandle(place, holder, value);
            }
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
        }
    }

    /** Since Java 18, {@code Field} uses method handles. Its own hook reports the access next, for the same call. */
    private static void byMethodHandle(DynaflowPlace place, Object holder, Object value) {
        int calling = DynaflowRecorder.here().callingNow();
        int caller = calling < 0 ? calling : DynaflowNative.caller(BEHIND_HANDLE);
        if (caller < 0) {
            DynaflowRecorder.here().fieldCaller = caller;
        } else {
            place.record(place.get(), holder, value, place.isSetter ? WRITE : READ, caller);
        }
    }

    private static int siteHere() {
        int calling = DynaflowRecorder.here().callingNow();
        int caller = calling != 0 ? calling : DynaflowNative.caller(BEHIND_JDK);
        return caller < 0 ? -1 - caller : caller;
    }

    /** Records accesses at the call that the calling thread is in. */
    static void recordHere(Object holder, long place, Object value, int how) {
        record(holder, place, value, how, siteHere());
    }

    /** Whether it is known without a look at the stack which call the calling thread is in. */
    private static boolean isCalling() {
        return DynaflowRecorder.here().callingNow() != 0;
    }

    /** What was added since {@link #isCalling} was done below that call, unless it was handed over. */
    private static void stillCalling(boolean isCalling) {
        DynaflowChunk chunk = DynaflowRecorder.here();
        if (isCalling && chunk.calling != 0) {
            chunk.callingAt = chunk.get();
        }
    }

    /** Elements of an array of primitives from one to before another were accessed. */
    static void elements(Object array, int from, int end, int how) {
        boolean isCalling = isCalling();
        int site = siteHere();
        if (from < end && (how == WRITE || site != 0)) {
            long word = how == WRITE ? DynaflowWords.WRITE_RANGE : DynaflowWords.READ_RANGE;
            DynaflowRanges.range(word, array, from, end - from, site);
            stillCalling(isCalling);
        }
    }

    /** Some field of an object, or some static field if it is a class, was written. */
    static void recordLost(Object of) {
        long id = DynaflowObjects.idOf(of);
        DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.HAND_WRITE, id), 0, 0, DynaflowWords.ID_NULL);
    }

    /** Records accesses at a call; 0 when no recorded method is active. */
    static void record(Object holder, long place, Object value, int how, int site) {
        boolean isCalling = isCalling();
        long of = holder == null ? 0 : DynaflowObjects.idOf(holder);
        if ((how & READ) != 0 && site != 0) {
            DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.HAND_READ, of), site, place);
        }
        if ((how & WRITE) != 0) {
            long written = DynaflowObjects.valueOf(value);
            DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.HAND_WRITE, of), site, place, written);
        }
        stillCalling(isCalling);
    }
}
