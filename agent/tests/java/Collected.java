import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.IdentityHashMap;
import java.util.Map;

/** What a program can see of its own objects: reflection, reachability, its own identity map. */
public class Collected {
    static class Holder {
        Object content;

        Holder with(Object content) {
            this.content = content;
            return this;
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (Field field : Holder.class.getDeclaredFields()) {
            System.out.println(field);
        }
        WeakReference<Holder> dropped = new WeakReference<Holder>(new Holder().with(new int[10]));
        for (int i = 0; i < 50 && dropped.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        System.out.println("collected " + (dropped.get() == null));
        Map<Object, Object> map = new IdentityHashMap<Object, Object>();
        Holder kept = new Holder().with("x");
        map.put(kept, kept);
        System.out.println(map.get(kept) == kept);
        System.out.println(new Throwable().getStackTrace().length);
    }
}
