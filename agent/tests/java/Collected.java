import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.WeakHashMap;

/** What a program can see of its own objects: reflection, reachability, its own identity map. */
public class Collected {
    static class Holder {
        Object content;

        Holder with(Object content) {
            this.content = content;
            return this;
        }
    }

    static boolean isGone(WeakReference<?> dropped) throws Exception {
        for (int i = 0; i < 50 && dropped.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return dropped.get() == null;
    }

    /** What was passed to calls, stored and copied is garbage while the method that did so still runs. */
    static void forgets() throws Exception {
        Holder key = new Holder();
        Map<Object, Object> map = new WeakHashMap<Object, Object>();
        map.put(key, "x");
        System.out.println(map.containsKey(key) + " " + (map.get(key) != null));
        Holder[] array = {new Holder()};
        Holder[] copied = array.clone();
        System.arraycopy(array, 0, copied, 0, 1);
        WeakReference<Object> wasKey = new WeakReference<Object>(key);
        WeakReference<Object> wasElement = new WeakReference<Object>(array[0]);
        WeakReference<Object> wasArray = new WeakReference<Object>(array);
        WeakReference<Object> wasCopied = new WeakReference<Object>(copied);
        key = null;
        array = null;
        copied = null;
        System.out.println("key collected " + isGone(wasKey));
        System.out.println("element collected " + isGone(wasElement));
        System.out.println("arrays collected " + isGone(wasArray) + " " + isGone(wasCopied));
    }

    public static void main(String[] arguments) throws Exception {
        for (Field field : Holder.class.getDeclaredFields()) {
            System.out.println(field);
        }
        WeakReference<Holder> dropped = new WeakReference<Holder>(new Holder().with(new int[10]));
        System.out.println("collected " + isGone(dropped));
        forgets();
        Map<Object, Object> map = new IdentityHashMap<Object, Object>();
        Holder kept = new Holder().with("x");
        map.put(kept, kept);
        System.out.println(map.get(kept) == kept);
        System.out.println(new Throwable().getStackTrace().length);
    }
}
