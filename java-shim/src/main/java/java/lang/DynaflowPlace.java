package java.lang;

import java.lang.ref.WeakReference;

/**
 * The field that a handle of the JDK accesses: a {@code VarHandle}, a field updater or a method handle of a field. It knows nothing
 * of what is done with it. Handles say which field theirs is by fields of their own, which are looked at once for each handle as a
 * rule; handles are not kept alive. Invariants: the field of a class that is not recorded is no place; that of a recorded
 * class which is not found is a lost one, and any field of the class may be it.
 */
final class DynaflowPlace extends WeakReference<Object> {
    /** By identity hash of the handle; what another handle drives out is found again. */
    private static final DynaflowPlace[] KNOWN = new DynaflowPlace[1024];

    private static final int GET_STATIC = 2;
    private static final int PUT_FIELD = 3;
    private static final int PUT_STATIC = 4;

    /** What a lost place has for its text. */
    private static final int LOST = -1;

    /** What the analysis calls the field; 0 when it is no place, {@link #LOST} when it is one, but not known which. */
    private final int text;
    final boolean isStatic;
    /** For method handles: whether they set the field. */
    final boolean isSetter;
    /** For method handles: whether they cast the value first. */
    final boolean isCast;

    /** For handles and updaters: of which class the objects and the values must be; null for any. */
    private final WeakReference<Class<?>> holders;
    private final WeakReference<Class<?>> values;

    private DynaflowPlace(Object handle, int text, boolean isStatic, boolean isSetter, boolean isCast) {
        super(handle);
        this.text = text;
        this.isStatic = isStatic;
        this.isSetter = isSetter;
        this.isCast = isCast;
        this.holders = type(handle, "receiverType", "cclass");
        this.values = type(handle, "fieldType", "vclass");
    }

    /** Whether it is no field of a recorded class. */
    boolean isNone() {
        return text == 0;
    }

    /** Records what was done to it in an object, null for a static field, by a call of a site. */
    void record(Object handle, Object holder, Object value, int how, int site) {
        if (text != LOST) {
            DynaflowHands.record(isStatic ? null : holder, text, value, how, site);
        } else if ((how & DynaflowHands.WRITE) != 0) {
            DynaflowHands.recordLost(isStatic ? classOf(handle) : holder);
        }
    }

    /** Whether a {@code VarHandle} or an updater writes a value into an object, and does not refuse one of both. */
    static boolean takes(Object handle, Object holder, Object value) {
        try {
            DynaflowPlace place = of(handle);
            return isOf(holder, place.holders) && (value == null || isOf(value, place.values));
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
            return false;
        }
    }

    private static boolean isOf(Object object, WeakReference<Class<?>> types) {
        Class<?> type = types == null ? null : types.get();
        return types == null || type != null && type.isInstance(object);
    }

    private static WeakReference<Class<?>> type(Object handle, String handles, String updaters) {
        Object type = DynaflowOffsets.reference(handle, handles);
        Object of = type instanceof Class ? type : DynaflowOffsets.reference(handle, updaters);
        return of instanceof Class ? new WeakReference<Class<?>>((Class<?>) of) : null;
    }

    /** The place of a {@code VarHandle} or an updater. */
    static DynaflowPlace of(Object handle) {
        int slot = System.identityHashCode(handle) & KNOWN.length - 1;
        DynaflowPlace known = KNOWN[slot];
        if (known == null || known.get() != handle) {
            known = find(handle);
            KNOWN[slot] = known;
        }
        return known;
    }

    /** The place of a method handle of a field. */
    static DynaflowPlace ofMethodHandle(Object handle) {
        int slot = System.identityHashCode(handle) & KNOWN.length - 1;
        DynaflowPlace known = KNOWN[slot];
        if (known == null || known.get() != handle) {
            known = findMember(handle);
            KNOWN[slot] = known;
        }
        return known;
    }

    private static DynaflowPlace find(Object handle) {
        // Since Java 22 some initialise a class first.
        Object target = DynaflowOffsets.reference(handle, "target");
        Object direct = target == null ? handle : target;
        Object base = DynaflowOffsets.reference(direct, "base");
        if (base instanceof Class) {
            return at(handle, (Class<?>) base, DynaflowOffsets.number(direct, "fieldOffset"), true);
        }
        Object receiver = DynaflowOffsets.reference(direct, "receiverType");
        if (receiver instanceof Class) {
            return at(handle, (Class<?>) receiver, DynaflowOffsets.number(direct, "fieldOffset"), false);
        }
        Object of = DynaflowOffsets.reference(handle, "tclass");
        return at(handle, of instanceof Class ? (Class<?>) of : null, DynaflowOffsets.number(handle, "offset"), false);
    }

    private static DynaflowPlace at(Object handle, Class<?> type, long offset, boolean isStatic) {
        int text = 0;
        for (Class<?> at = type; at != null && at.getClassLoader() != null; at = at.getSuperclass()) {
            DynaflowFields fields = fields(at);
            int found = fields == null ? -1 : fields.at(offset, isStatic);
            if (found >= 0) {
                text = fields.texts[found];
                break;
            }
            text = fields == null || fields.isWhole ? text : LOST;
        }
        return new DynaflowPlace(handle, text, isStatic, false, false);
    }

    /** The class of a static field that a handle accesses. */
    private static Class<?> classOf(Object handle) {
        Object member = DynaflowOffsets.reference(handle, "member");
        if (member != null) {
            return (Class<?>) DynaflowOffsets.reference(member, "clazz");
        }
        Object target = DynaflowOffsets.reference(handle, "target");
        return (Class<?>) DynaflowOffsets.reference(target == null ? handle : target, "base");
    }

    private static DynaflowPlace findMember(Object handle) {
        Object member = DynaflowOffsets.reference(handle, "member");
        Object type = member == null ? null : DynaflowOffsets.reference(member, "clazz");
        if (type instanceof Class && ((Class<?>) type).getClassLoader() != null) {
            String name = (String) DynaflowOffsets.reference(member, "name");
            DynaflowFields fields = fields((Class<?>) type);
            int found = fields == null || name == null ? -1 : fields.named(name);
            if (found >= 0 || fields != null && !fields.isWhole) {
                int kind = (int) (DynaflowOffsets.number(member, "flags") >>> 24) & 15;
                Object of = DynaflowOffsets.reference(handle, "fieldType");
                boolean isCast = of instanceof Class && of != Object.class && !((Class<?>) of).isPrimitive() && !((Class<?>) of).isInterface();
                boolean isSetter = kind == PUT_FIELD || kind == PUT_STATIC;
                boolean isStatic = kind == GET_STATIC || kind == PUT_STATIC;
                return new DynaflowPlace(handle, found < 0 ? LOST : fields.texts[found], isStatic, isSetter, isCast);
            }
        }
        return new DynaflowPlace(handle, 0, false, false, false);
    }

    /** The fields a class declares; null when the recorder is off. */
    static DynaflowFields fields(Class<?> type) {
        DynaflowMirror mirror = DynaflowObjects.mirrorOf(type);
        return mirror == null ? null : mirror.fields(type);
    }
}
