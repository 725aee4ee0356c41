package java.lang;

/** Elements of arrays that calls of the JDK read and write at once. It knows nothing of which calls these are. */
final class DynaflowRanges {
    private DynaflowRanges() {}

    /** See {@link DynaflowRecorder#copied}. */
    static void copied(Object from, int fromIndex, Object to, int toIndex, int count, int site) {
        int held = Math.min(java.lang.reflect.Array.getLength(from) - fromIndex, count);
        int copied = Math.min(java.lang.reflect.Array.getLength(to) - toIndex, held);
        if (copied > 0) {
            range(DynaflowWords.READ_RANGE, from, fromIndex, copied, site);
            filled(to, toIndex, toIndex + copied, site + 1);
        }
    }

    /** See {@link DynaflowRecorder#filled}. */
    static void filled(Object array, int from, int to, int site) {
        int end = Math.min(java.lang.reflect.Array.getLength(array), to);
        if (!(array instanceof Object[])) {
            if (from < end) {
                range(DynaflowWords.WRITE_RANGE, array, from, end - from, site);
            }
            return;
        }
        if (from < end) {
            DynaflowObjects.idOf(array, from, end);
        }
        for (int i = from; i < end; i++) {
            DynaflowRecorder.elementPut(array, i, ((Object[]) array)[i], site + 1);
        }
    }

    /** All elements of an array of primitives were overwritten. */
    static void overwritten(Object array, int site) {
        int length = java.lang.reflect.Array.getLength(array);
        if (length > 0) {
            range(DynaflowWords.WRITE_RANGE, array, 0, length, site);
        }
    }

    static void range(long word, Object array, int from, int count, int site) {
        long id = DynaflowObjects.idOf(array);
        DynaflowRecorder.here().add(DynaflowWords.word(word, id), site, (long) from << 32 | count);
    }
}
