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
    /** For iterators: how they know what they gave last; null when that is not known. */
    final DynaflowLast last;
    /**
     * Whether such a container, though it shows the contents of another one, is all there is to see of it: a set that keeps a
     * map. Of others, what goes out may take more along.
     */
    final boolean isWhole;
    /** Where the JDK's class keeps what its objects hold, though they may be asked; asked for when it first matters. */
    private DynaflowInside place;
    private boolean isPlaceKnown;
    /** In which field they know how much they hold, 0 for none, negative before it first matters. */
    private long size = -1;
    /** Whether the class is one of the program's that extends a container. */
    final boolean isExtended;
    /** For views: the agent's number of the field by which they know what they show. */
    private final long shownBy;
    /** Whether they are equal to themselves alone; asked for when it first matters. */
    private byte equality = UNKNOWN;
    /** Null until an object of the class is read from a stream. */
    private DynaflowStored stored;
    /** Null until somebody accesses a field of the class by other means than its own code. */
    private DynaflowFields fields;

    DynaflowMirror(Class<?> type, int hash) {
        super(type, hash);
        int found = DynaflowKinds.of(type);
        Field field = found == DynaflowKinds.VIEW ? DynaflowKinds.shownBy(type) : null;
        this.shownBy = field == null ? 0 : DynaflowNative.field(field);
        this.inside = found == DynaflowKinds.INSIDE ? DynaflowInside.of(type) : null;
        this.last = found == DynaflowKinds.VIEW ? DynaflowLast.of(type, field) : null;
        this.isWhole = found != DynaflowKinds.VIEW || type.getName().indexOf('$') < 0;
        this.isExtended = DynaflowKinds.extendsContainer(type);
        this.kind = found == DynaflowKinds.VIEW && shownBy == 0 ? DynaflowKinds.CLOSED : found;
    }

    /** What a view of this class shows, null if nothing. */
    Object shown(Object view) {
        return DynaflowNative.get(view, shownBy);
    }

    /** Where objects of this class, which {@code type} is, keep what they hold; null when that is not known. */
    DynaflowInside inside(Class<?> type) {
        if (!isPlaceKnown && inside == null) {
            place = DynaflowInside.of(type);
            isPlaceKnown = true;
        }
        return inside == null ? place : inside;
    }

    /** The agent's number of the field in which objects of this class, which {@code type} is, know how much they hold; 0 for none. */
    long size(Class<?> type) {
        if (size < 0) {
            size = DynaflowSizes.place(type);
        }
        return size;
    }

    /** What the JDK reads from a stream into the fields this class, which {@code type} is, declares. */
    DynaflowStored stored(Class<?> type) {
        if (stored == null) {
            stored = DynaflowStored.of(type);
        }
        return stored;
    }

    /** The fields this class, which {@code type} is, declares, as the locations they are; none when it is not recorded. */
    DynaflowFields fields(Class<?> type) {
        if (fields == null) {
            fields = DynaflowFields.of(type);
        }
        return fields;
    }

    /** Whether objects of this class, which {@code type} is, inherit {@code equals} from {@code Object}. */
    boolean hasIdentityEquals(Class<?> type) {
        if (equality == UNKNOWN) {
            equality = DynaflowNative.hasIdentityEquals(type) ? IDENTITY : OWN;
        }
        return equality == IDENTITY;
    }
}
