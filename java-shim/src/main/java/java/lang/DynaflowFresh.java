package java.lang;

/**
 * Whether an object is known to the recorder, without giving it a number. Most objects that are not known were never asked for their
 * identity hash either, which their header shows. Where headers keep the hash is found out by looking at some; if they do not show it
 * plainly, the table of the recorder is asked. It knows nothing of what is done with the answer. Invariant: an object that has a number is known.
 */
final class DynaflowFresh {
    private static final int TRIES = 64;
    /** The lowest bits of a header say whether it is plain: not locked, not moved elsewhere. */
    private static final long STATE = 3;
    private static final long PLAIN = 1;
    /** The bits that a hash may have. */
    private static final long HASHES = 0x7fffffffL;
    /** The bits of the hash; 0 when headers do not show it. */
    private static final long HASH = find();

    private DynaflowFresh() {}

    /** Whether an object has a number, or may have one. */
    static boolean isKnown(Object object) {
        if (object == null || isPlain(object)) {
            return false;
        }
        return DynaflowObjects.isSeen(object) || DynaflowObjects.isKnown(object);
    }

    /** Whether the header of an object shows that it has no number; asking for its hash to look it up costs more, and hides that. */
    static boolean isPlain(Object object) {
        return HASH != 0 && (DynaflowOffsets.header(object) & (HASH | STATE)) == PLAIN;
    }

    private static long find() {
        try {
            int shift = -1;
            for (int i = 0; i < TRIES; i++) {
                Object object = new Object();
                long before = DynaflowOffsets.header(object);
                long hash = System.identityHashCode(object) & HASHES;
                long changed = before ^ DynaflowOffsets.header(object);
                int place = Long.numberOfTrailingZeros(changed) - Long.numberOfTrailingZeros(hash);
                boolean shows = place >= 0 && hash << place == changed && (before & (HASHES << place | STATE)) == PLAIN;
                if (!shows || shift >= 0 && shift != place) {
                    return 0;
                }
                shift = place;
            }
            return HASHES << shift;
        } catch (RuntimeException unknown) {
            return 0;
        }
    }
}
