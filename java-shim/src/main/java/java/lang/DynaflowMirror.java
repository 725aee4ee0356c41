package java.lang;

import java.lang.reflect.Field;

/** A class object the recorder has seen, with what it must know of the objects of the class. */
final class DynaflowMirror extends DynaflowEntry {
    private static final byte UNKNOWN = 0;
    private static final byte IDENTITY = 1;
    private static final byte OWN = 2;

    /** What kind of container they are, see {@link DynaflowKinds}. */
    final int kind;
    /** Where they keep what they hold, if they are looked into. */
    final DynaflowInside inside;
    /** Whether the class is one of the program's that extends a container. */
    final boolean isExtended;
    /** For views: the agent's number of the field by which they know what they show. */
    private final long shownBy;
    /** Whether they are equal to themselves alone; asked for when it first matters. */
    private byte equality = UNKNOWN;
    /** Null until an object of the class is read from a stream. */
    private DynaflowStored stored;

    DynaflowMirror(Class<?> type, int hash) {
        super(type, hash);
        int found = DynaflowKinds.of(type);
        Field field = found == DynaflowKinds.VIEW ? DynaflowKinds.shownBy(type) : null;
        this.shownBy = field == null ? 0 : DynaflowNative.field(field);
        this.inside = found == DynaflowKinds.INSIDE ? DynaflowInside.of(type) : null;
        this.isExtended = DynaflowKinds.extendsContainer(type);
        this.kind = found == DynaflowKinds.VIEW && shownBy == 0 ? DynaflowKinds.CLOSED : found;
    }

    /** What a view of this class shows, null if nothing. */
    Object shown(Object view) {
        return DynaflowNative.get(view, shownBy);
    }

    /** What the JDK reads from a stream into the fields this class, which {@code type} is, declares. */
    DynaflowStored stored(Class<?> type) {
        if (stored == null) {
            stored = DynaflowStored.of(type);
        }
        return stored;
    }

    /** Whether objects of this class, which {@code type} is, inherit {@code equals} from {@code Object}. */
    boolean hasIdentityEquals(Class<?> type) {
        if (equality == UNKNOWN) {
            equality = DynaflowNative.hasIdentityEquals(type) ? IDENTITY : OWN;
        }
        return equality == IDENTITY;
    }
}
