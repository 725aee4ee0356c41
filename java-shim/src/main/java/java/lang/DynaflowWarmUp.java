package java.lang;

/**
 * Runs every slow path of the recorder once when the recorder begins, so that later nothing has to be loaded. What it meets are objects of its
 * own; it knows nothing of the program. Invariant: the words that it leaves concern these objects alone.
 */
final class DynaflowWarmUp {
    private DynaflowWarmUp() {}

    static void run() {
        DynaflowObjects.idOf(DynaflowThreads.LOCK);
        java.util.Map<Object, Object> map = new java.util.HashMap<Object, Object>();
        map.put(DynaflowThreads.LOCK, "");
        DynaflowObjects.idOf(map.entrySet().iterator());
        java.util.Iterator<Object> keys = map.keySet().iterator();
        keys.next();
        Object leaving = DynaflowRecorder.leaving(keys, null, 0, DynaflowEffects.TAKE_FOUND);
        DynaflowChanges.record(keys, null, null, null, (DynaflowLeaving) leaving, 1, DynaflowEffects.TAKE_FOUND, 0);
        DynaflowChanges.record(map, DynaflowThreads.LOCK, null, null, null, 1, DynaflowEffects.REMOVE_KEY, 0);
        leaving = DynaflowRecorder.leaving(map.keySet(), null, 0, DynaflowEffects.CLEAR);
        DynaflowUnchanged.is(map, null, (DynaflowLeaving) leaving, 1, DynaflowEffects.CLEAR);
        DynaflowSizes.eldest(map);
        DynaflowRecorder.applied(keys, null, 0);
        DynaflowRecorder.ended(null, null, 0);
        DynaflowRecorder.caught(new StackOverflowError(), 0);
        synchronized (DynaflowThreads.LOCK) {
            DynaflowThreads.drainAll();
        }
    }
}
