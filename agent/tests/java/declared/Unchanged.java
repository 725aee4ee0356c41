import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Calls that could change a container and do not, only read it; what keys and caches make of what they are given. */
final class Unchanged {
    /** Something to hold, equal to others of its name. */
    static final class Box {
        final String name;
        int mark;

        Box(String name) {
            this.name = name;
        }

        void mark() {
            mark = 1; //: at mark
        }

        int look() {
            return mark; //: at look
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Box && ((Box) other).name.equals(name);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    //: pair Lists.list.[]: listAdd -> listSize
    //: pair Lists.list.[]: listAdd -> listRemove
    //: pair Lists.list.[]: listAdd -> listRemoveIf
    //: pair Lists.list.[]: listAdd -> listRemoveAll
    //: pair Lists.list.[]: listAdd -> listRetainAll
    //: pair Lists.list.[]: listAdd -> listAddAll
    //: pair Lists.list.[]: listAdd -> listAddAllAt
    //: pair Lists.list.[]: listAdd -> listReplace
    //: none Lists.list.[]: listRemove -> listSize
    //: none Lists.list.[]: listRemoveIf -> listSize
    //: none Lists.list.[]: listRemoveAll -> listSize
    //: none Lists.list.[]: listRetainAll -> listSize
    //: none Lists.list.[]: listAddAll -> listSize
    //: none Lists.list.[]: listAddAllAt -> listSize
    //: none Lists.list.[]: listReplace -> listSize
    //: pair Lists.list.[]: listChange -> listChanged
    //: none Lists.list.[]: listAdd -> listChanged
    //: pair Lists.list.[]: listCleared -> listEmpty
    //: none Lists.list.[]: listClear -> listEmpty
    static final class Lists {
        final List<Box> list = new ArrayList<>();

        void run() {
            list.add(new Box("a")); //: at listAdd
            list.remove(new Box("b")); //: at listRemove
            list.removeIf(box -> box.name.isEmpty()); //: at listRemoveIf
            list.removeAll(Collections.singleton(new Box("c"))); //: at listRemoveAll
            list.retainAll(new ArrayList<>(list)); //: at listRetainAll
            list.addAll(Collections.<Box>emptyList()); //: at listAddAll
            list.addAll(0, Collections.<Box>emptyList()); //: at listAddAllAt
            Collections.replaceAll(list, new Box("d"), null); //: at listReplace
            System.out.println(list.size()); //: at listSize
            list.removeIf(box -> box.name.equals("a")); //: at listChange
            System.out.println(list.size()); //: at listChanged
            list.add(null);
            list.clear(); //: at listCleared
            list.clear(); //: at listClear
            System.out.println(list.isEmpty()); //: at listEmpty
        }
    }

    //: pair Sets.set.[]: setAdd -> setSize
    //: pair Sets.set.[]: setAdd -> setAgain
    //: none Sets.set.[]: setAgain -> setSize
    //: none Sets.set.[]: setAddAll -> setSize
    //: none Sets.set.[]: setRemove -> setSize
    //: none Sets.set.[].mark: mark -> look
    static final class Sets {
        final Set<Box> set = new HashSet<>();

        void run() {
            Box equal = new Box("a");
            set.add(new Box("a")); //: at setAdd
            set.add(equal); //: at setAgain
            set.addAll(Arrays.asList(equal)); //: at setAddAll
            set.remove(new Box("b")); //: at setRemove
            System.out.println(set.size()); //: at setSize
            equal.mark();
            equal.look();
        }
    }

    //: pair Maps.map.[]: mapPut -> mapSize
    //: pair Maps.map.[]: mapPut -> mapRemove
    //: pair Maps.map.[]: mapPut -> mapAbsent
    //: none Maps.map.[]: mapRemove -> mapSize
    //: none Maps.map.[]: mapRemoveBoth -> mapSize
    //: none Maps.map.[]: mapKeys -> mapSize
    //: none Maps.map.[]: mapAbsent -> mapSize
    //: none Maps.map.[]: mapComputed -> mapSize
    //: none Maps.map.[]: mapPresent -> mapSize
    //: none Maps.map.[]: mapReplace -> mapSize
    //: pair Maps.map.[]: mapSame -> mapSame2
    //: none Maps.map.[]: mapPut -> mapSame2
    //: pair Maps.map.[]: mapNull -> mapWithNull
    //: pair Maps.map.[]: mapGone -> mapWithoutNull
    //: none Maps.map.[]: mapNull -> mapWithoutNull
    static final class Maps {
        final Map<String, Box> map = new HashMap<>();

        void run() {
            Box box = new Box("a");
            map.put("a", box); //: at mapPut
            map.remove("b"); //: at mapRemove
            map.remove("a", new Box("b")); //: at mapRemoveBoth
            map.keySet().remove("b"); //: at mapKeys
            map.putIfAbsent("a", new Box("c")); //: at mapAbsent
            map.computeIfAbsent("a", key -> new Box(key)); //: at mapComputed
            map.computeIfPresent("b", (key, old) -> old); //: at mapPresent
            map.replace("b", box); //: at mapReplace
            System.out.println(map.size()); //: at mapSize
            map.put("a", box); //: at mapSame
            System.out.println(map.size()); //: at mapSame2
            map.put("n", null); //: at mapNull
            System.out.println(map.size()); //: at mapWithNull
            map.remove("n"); //: at mapGone
            System.out.println(map.size()); //: at mapWithoutNull
        }
    }

    //: pair Others.queue.[]: queueAdd -> queuePoll
    //: pair Others.queue.[]: queuePoll -> queueEmpty
    //: none Others.queue.[]: queueAgain -> queueEmpty
    //: pair Others.count.[]: countSet -> countGet
    //: none Others.count.[]: countFail -> countGet
    //: pair Others.count.[]: countDone -> countLast
    //: pair Others.reference.[]: refSet -> refGet
    //: none Others.reference.[]: refFail -> refGet
    static final class Others {
        final Queue<Box> queue = new ArrayDeque<>();
        final AtomicInteger count = new AtomicInteger();
        final AtomicReference<Box> reference = new AtomicReference<>();

        void run() {
            queue.add(new Box("a")); //: at queueAdd
            queue.poll(); //: at queuePoll
            queue.poll(); //: at queueAgain
            System.out.println(queue.isEmpty()); //: at queueEmpty
            count.set(1); //: at countSet
            count.compareAndSet(5, 6); //: at countFail
            System.out.println(count.get()); //: at countGet
            count.compareAndSet(1, 2); //: at countDone
            System.out.println(count.get()); //: at countLast
            reference.set(null); //: at refSet
            reference.compareAndSet(new Box("x"), new Box("y")); //: at refFail
            System.out.println(reference.get()); //: at refGet
        }
    }

    /** Marks and looks at a box in a frame of its own, whether it holds the box or not. */
    abstract static class Holder {
        void touch(Box box) {
            box.mark();
            box.look();
        }
    }

    // The map keeps the key it has.
    //: none NewKey.map.[].mark: mark -> look
    //: pair OldKey.map.[].mark: mark -> look
    //: none OldValue.map.[].mark: mark -> look
    //: pair KeyAndValue.map.[].mark: mark -> look
    //: pair TwoKeys.map.[].mark: mark -> look
    //: pair NotAKey.map.[].mark: mark -> look
    //: none NoKeyAnyMore.map.[].mark: mark -> look
    abstract static class Keyed extends Holder {
        final Map<Object, Box> map = new HashMap<>();
    }

    static final class NewKey extends Keyed {
        void run(Box key) {
            map.put(new Box("k"), new Box("v"));
            map.put(key, new Box("w"));
            touch(key);
        }
    }

    static final class OldKey extends Keyed {
        void run(Box key) {
            map.put(key, new Box("v"));
            map.put(new Box("k"), new Box("w"));
            touch(key);
        }
    }

    static final class OldValue extends Keyed {
        void run(Box value) {
            map.put(new Box("k"), value);
            map.put(new Box("k"), new Box("w"));
            touch(value);
        }
    }

    static final class KeyAndValue extends Keyed {
        void run(Box both) {
            map.put(both, both);
            map.put(both, new Box("w"));
            touch(both);
        }
    }

    static final class TwoKeys extends Keyed {
        void run(Box value) {
            map.put("one", value);
            map.computeIfAbsent("two", key -> value);
            map.remove("one");
            touch(value);
        }
    }

    static final class NotAKey extends Keyed {
        void run(Box value) {
            map.put("one", value);
            map.remove(value);
            touch(value);
        }
    }

    static final class NoKeyAnyMore extends Keyed {
        void run(Box key) {
            map.put(key, null);
            map.put(new Box("k"), null);
            map.remove(new Box("k"));
            touch(key);
        }
    }

    /** A cache of two entries. */
    static final class Cache extends LinkedHashMap<String, Box> {
        Cache(boolean byAccess) {
            super(4, 0.75f, byAccess);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Box> eldest) {
            return size() > 2;
        }
    }

    //: none Evicted.cache.[].mark: mark -> look
    //: none EvictedBehind.map.[].mark: mark -> look
    //: none EvictedByAbsent.cache.[].mark: mark -> look
    //: none EvictedByComputing.cache.[].mark: mark -> look
    //: pair NotEvicted.cache.[].mark: mark -> look
    //: pair Used.cache.[].mark: mark -> look
    //: none Unused.cache.[].mark: mark -> look
    //: pair Replacing.cache.[].mark: mark -> look
    abstract static class Cached extends Holder {
        final Cache cache = new Cache(false);

        void fill(Box eldest, Box second) {
            cache.put("a", eldest);
            cache.put("b", second);
        }
    }

    static final class Evicted extends Cached {
        void run(Box box) {
            fill(box, new Box("y"));
            cache.put("c", new Box("z"));
            touch(box);
        }
    }

    static final class EvictedBehind extends Holder {
        final Map<String, Box> map = Collections.synchronizedMap(new Cache(false));

        void run(Box box) {
            map.put("a", box);
            map.put("b", new Box("y"));
            map.put("c", new Box("z"));
            touch(box);
        }
    }

    static final class EvictedByAbsent extends Cached {
        void run(Box box) {
            fill(box, new Box("y"));
            cache.putIfAbsent("c", new Box("z"));
            touch(box);
        }
    }

    static final class EvictedByComputing extends Cached {
        void run(Box box) {
            fill(box, new Box("y"));
            cache.computeIfAbsent("c", key -> new Box(key));
            touch(box);
        }
    }

    static final class NotEvicted extends Cached {
        void run(Box box) {
            fill(new Box("x"), box);
            cache.put("c", new Box("z"));
            touch(box);
        }
    }

    /** The eldest entry is replaced, nothing goes. */
    static final class Replacing extends Cached {
        void run(Box box) {
            fill(new Box("x"), box);
            cache.put("a", new Box("z"));
            touch(box);
        }
    }

    static final class Used extends Holder {
        final Cache cache = new Cache(true);

        void run(Box box) {
            cache.put("a", box);
            cache.put("b", new Box("y"));
            cache.get("a");
            cache.put("c", new Box("z"));
            touch(box);
        }
    }

    static final class Unused extends Holder {
        final Cache cache = new Cache(true);

        void run(Box box) {
            cache.put("a", new Box("x"));
            cache.put("b", box);
            cache.get("a");
            cache.put("c", new Box("z"));
            touch(box);
        }
    }

    public static void main(String[] arguments) {
        new Lists().run();
        new Sets().run();
        new Maps().run();
        new Others().run();
        new NewKey().run(new Box("k"));
        new OldKey().run(new Box("k"));
        new OldValue().run(new Box("v"));
        new KeyAndValue().run(new Box("k"));
        new TwoKeys().run(new Box("v"));
        new NotAKey().run(new Box("v"));
        new NoKeyAnyMore().run(new Box("k"));
        new Evicted().run(new Box("x"));
        new EvictedBehind().run(new Box("x"));
        new EvictedByAbsent().run(new Box("x"));
        new EvictedByComputing().run(new Box("x"));
        new NotEvicted().run(new Box("x"));
        new Replacing().run(new Box("x"));
        new Used().run(new Box("x"));
        new Unused().run(new Box("x"));
    }
}
