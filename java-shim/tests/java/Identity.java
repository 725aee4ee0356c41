import java.util.HashMap;
import java.util.Map;

/** Every live object has its own number and keeps it; a dead object's number is reported and never given again. */
final class Identity {
    /** Static, so that nothing in it can be collected before the last check. */
    static Object[] live;

    public static void main(String[] arguments) {
        int count = Integer.parseInt(arguments[0]);
        live = new Object[count];
        Map<Long, Integer> ids = new HashMap<Long, Integer>();
        int collisions = 0;
        Map<Integer, Integer> hashes = new HashMap<Integer, Integer>();
        for (int i = 0; i < count; i++) {
            live[i] = new Object();
            DynaflowRecorder.on(live[i], Check.SITE);
            Check.that(ids.put(DynaflowNative.idOf(live[i]), i) == null, "number given twice at " + i);
            collisions += hashes.put(System.identityHashCode(live[i]), i) == null ? 0 : 1;
            DynaflowRecorder.on(new Object(), Check.SITE);
        }
        Check.that(collisions > 0, "no two identity hashes were equal: this shows nothing");
        System.gc();
        for (int i = 0; i < count; i++) {
            DynaflowRecorder.on(new Object(), Check.SITE);
            Integer owner = ids.get(DynaflowNative.idOf(live[i]));
            Check.that(owner != null && owner == i, "object " + i + " changed its number after a collection");
        }
        System.gc();
        for (int i = 0; i < 2 * count + 40000; i++) {
            DynaflowRecorder.on(new Object(), Check.SITE);
        }
        DynaflowNative.drain();
        check(ids);
        System.out.println("ok");
    }

    private static void check(Map<Long, Integer> live) {
        Map<Long, Boolean> announced = new HashMap<Long, Boolean>();
        int dead = 0;
        for (long[] run : DynaflowNative.RUNS) {
            for (int at = 1; at < run.length; at++) {
                long id = Check.payload(run[at]);
                if (Check.number(run[at]) == 1) {
                    Check.that(announced.put(id, true) == null, "announced twice: " + id);
                    at++;
                } else if (Check.number(run[at]) == 2) {
                    Check.that(announced.put(id, false) == Boolean.TRUE, "died without a life: " + id);
                    Check.that(!live.containsKey(id), "reported dead but lives: " + id);
                    dead++;
                } else {
                    Check.that(announced.get(id) == Boolean.TRUE, "mentioned unannounced or dead: " + id);
                }
            }
        }
        Check.that(dead > 0, "no death was reported");
        Check.that(DynaflowNative.stopped == null, "stopped: " + DynaflowNative.stopped);
    }
}
