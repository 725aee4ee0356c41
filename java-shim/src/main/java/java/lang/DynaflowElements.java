package java.lang;

/** Where arrays of a type keep their elements. It knows nothing of what is in them. Invariant: all arrays of references are alike. */
final class DynaflowElements {
    private static final DynaflowElements REFERENCES = new DynaflowElements(Object[].class);
    private static final DynaflowElements[] PRIMITIVES = {
        new DynaflowElements(boolean[].class),
        new DynaflowElements(byte[].class),
        new DynaflowElements(short[].class),
        new DynaflowElements(char[].class),
        new DynaflowElements(int[].class),
        new DynaflowElements(long[].class),
        new DynaflowElements(float[].class),
        new DynaflowElements(double[].class),
    };

    private final Class<?> type;
    /** Where the first one is. */
    final long base;
    /** How far apart they are; at least 1. */
    final long scale;

    private DynaflowElements(Class<?> type) {
        this.type = type;
        this.base = DynaflowOffsets.base(type);
        this.scale = Math.max(1, DynaflowOffsets.scale(type));
    }

    static DynaflowElements of(Class<?> array) {
        for (DynaflowElements known : PRIMITIVES) {
            if (known.type == array) {
                return known;
            }
        }
        return REFERENCES;
    }
}
