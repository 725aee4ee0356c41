package java.lang;

import java.util.Map;

/**
 * What comes into a map and goes out of it when a call puts a value for a key. A key that equals one that is there does not come in: the
 * map keeps the one it has. It looks at what is known of the map before the call and calls nobody.
 */
final class DynaflowMaps {
    /** Whether the key came in is not known; it is in there. */
    private static final int THERE = -1;

    private DynaflowMaps() {}

    /** What became of the key, see {@link DynaflowLeaving}; {@code replaced} is the value it had. */
    static int key(Object map, Object replaced, DynaflowLeaving before) {
        if (before != null) {
            return before.key(map, replaced != null);
        }
        return replaced == null ? THERE : DynaflowLeaving.KEPT;
    }

    /** A value came in, and the one that the key had, if any, went out. */
    static void put(long id, Object key, Object value, Object replaced, DynaflowLeaving before, int became) {
        DynaflowContainers.goesOut(id, replaced);
        DynaflowContainers.comesIn(id, value);
        if (became == THERE) {
            DynaflowContainers.isIn(id, key);
        } else if (became != DynaflowLeaving.KEPT) {
            DynaflowContainers.comesIn(id, key);
        }
        evicted(id, before, became);
    }

    /** A value is there, computed now or before. */
    static void computed(long id, Object key, Object value, DynaflowLeaving before, int became) {
        if (became == THERE) {
            DynaflowContainers.isIn(id, value);
            DynaflowContainers.isIn(id, key);
        } else if (became != DynaflowLeaving.KEPT) {
            DynaflowContainers.comesIn(id, value);
            DynaflowContainers.comesIn(id, key);
        }
        evicted(id, before, became);
    }

    private static void evicted(long id, DynaflowLeaving before, int became) {
        if (became == DynaflowLeaving.EVICTED) {
            Map.Entry<?, ?> eldest = before.eldest;
            DynaflowContainers.goesOut(id, eldest.getKey());
            DynaflowContainers.goesOut(id, eldest.getValue());
        }
    }

    /** A map has another value for a key than it had, or none where there was one. */
    static void replaced(long id, DynaflowLeaving before, Object value) {
        if (value == before.second) {
            return;
        }
        DynaflowContainers.goesOut(id, before.second);
        DynaflowContainers.comesIn(id, value);
        if (value == null) {
            DynaflowContainers.goesOut(id, before.first);
        } else {
            DynaflowContainers.isIn(id, before.first);
        }
    }

    /**
     * A map's value was computed from the one before. Where there are numbers and the like, there were before. False when anything may
     * have happened.
     */
    static boolean merged(Object map, long id, Object key, Object value, Object result, DynaflowLeaving before) {
        boolean mayEvict = before != null && before.eldest != null;
        if (result == null || !DynaflowObjects.isLeaf(result) || !DynaflowObjects.isLeaf(value) || mayEvict) {
            return false;
        }
        int became = key(map, null, before);
        if (became == THERE) {
            DynaflowContainers.isIn(id, key);
        } else if (became == DynaflowLeaving.CAME) {
            DynaflowContainers.comesIn(id, key);
        }
        return became != DynaflowLeaving.ANYTHING;
    }
}
