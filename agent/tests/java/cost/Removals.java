import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Takes elements out of containers one by one, in ways that do not say what they take. */
final class Removals {
    final List<Object> list = new ArrayList<>();
    final LinkedList<Object> linked = new LinkedList<>();
    final Map<Integer, Object> map = new HashMap<>();
    final Map<Integer, Object> ordered = new LinkedHashMap<>();
    final TreeMap<Integer, Object> sorted = new TreeMap<>();
    final HashSet<Object> set = new HashSet<>();
    final AtomicReferenceArray<Object> slots;
    final int count;

    Removals(int count) {
        this.count = count;
        slots = new AtomicReferenceArray<>(count);
    }

    void run() {
        for (int i = 0; i < count; i++) {
            Object some = new Object();
            list.add(some);
            linked.add(some);
            map.put(i, some);
            ordered.put(i, some);
            sorted.put(i, some);
            set.add(some);
            Collections.addAll(linked, some);
        }
        for (int i = 0; i < count; i++) {
            slots.set(i, list.get(i));
            map.compute(i, (key, old) -> new Object());
            map.keySet().remove(i);
            set.remove(list.get(i));
            sorted.pollFirstEntry();
            ordered.replace(i, list.get(i));
        }
        for (ListIterator<Object> all = list.listIterator(); all.hasNext();) {
            all.next();
            all.set(new Object());
        }
        clear(list);
        clear(linked);
        clear(ordered.values());
    }

    static void clear(Collection<?> all) {
        for (Iterator<?> each = all.iterator(); each.hasNext();) {
            each.next();
            each.remove();
        }
    }

    public static void main(String[] arguments) {
        new Removals(Integer.parseInt(arguments[0])).run();
        System.out.println("ok");
    }
}
