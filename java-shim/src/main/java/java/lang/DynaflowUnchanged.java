package java.lang;

/**
 * Which calls that may change a container changed nothing: they only read. It goes by what the call answered and by the sizes before
 * and after it, calls no method of the program, and takes a call for one that changed something where it cannot know. A call that puts a
 * value where an equal or the same one was changes something: it puts it there.
 */
final class DynaflowUnchanged {
    private DynaflowUnchanged() {}

    /** Whether a call with this effect, answer and outcome left the container as it was. */
    static boolean is(Object container, Object result, DynaflowLeaving before, int said, int effect) {
        if (container == null) {
            return false;
        }
        switch (effect) {
            case DynaflowEffects.ADD_IF:
            case DynaflowEffects.ADD_ALL:
            case DynaflowEffects.REMOVE:
            case DynaflowEffects.RELIST_IF:
            case DynaflowEffects.SWAP_IF:
            case DynaflowEffects.ASSIGN_IF:
            case DynaflowEffects.IF:
                return said == 0;
            case DynaflowEffects.PUT_IF_ABSENT:
                return result != null;
            case DynaflowEffects.TAKE_IF:
            case DynaflowEffects.TAKE_ENTRY:
            case DynaflowEffects.REPLACE:
                return result == null;
            case DynaflowEffects.REMOVE_KEY:
                // Without a look before, it is a map without null values.
                return result == null && (before == null || before.size < 0 || isAsLarge(container, before));
            case DynaflowEffects.MERGE:
                boolean wasThere = before != null && before.isFound && before.second != null;
                return result == null && !wasThere && (before != null && before.isFound || isAsLarge(container, before));
            case DynaflowEffects.RESULT:
                return result == null || before != null && before.key(container, false) == DynaflowLeaving.KEPT;
            case DynaflowEffects.CLEAR:
                return isAsLarge(container, before);
            case DynaflowEffects.RELIST:
                return before != null && before.size == 0 && isAsLarge(container, before);
            default:
                return false;
        }
    }

    private static boolean isAsLarge(Object container, DynaflowLeaving before) {
        return before != null && before.size >= 0 && before.size == DynaflowSizes.of(container);
    }
}
