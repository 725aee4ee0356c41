import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;

/** Asks the recorder for the numbers of many live objects, before and after collections. */
public class Numbers {
    static final Object[] LIVE = new Object[300000];

    public static void main(String[] arguments) throws Exception {
        Method idOf = Class.forName("java.lang.DynaflowObjects").getDeclaredMethod("idOf", Object.class);
        idOf.setAccessible(true);
        long[] ids = new long[LIVE.length];
        Set<Long> numbers = new HashSet<Long>();
        Set<Integer> hashes = new HashSet<Integer>();
        for (int i = 0; i < LIVE.length; i++) {
            LIVE[i] = new Object();
            ids[i] = (Long) idOf.invoke(null, LIVE[i]);
            numbers.add(ids[i]);
            hashes.add(System.identityHashCode(LIVE[i]));
            idOf.invoke(null, new Object());
        }
        System.gc();
        int changed = 0;
        for (int i = 0; i < LIVE.length; i++) {
            changed += ids[i] == (Long) idOf.invoke(null, LIVE[i]) ? 0 : 1;
        }
        System.out.println("equal hashes " + (hashes.size() < LIVE.length));
        System.out.println("numbers " + numbers.size() + " changed " + changed);
    }
}
