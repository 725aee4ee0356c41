import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the JDK hands to the program's lambdas while it goes through a container. */
final class Lambdas {
    static final class Box {
        int weight;
        int mark;

        Box(int weight) {
            this.weight = weight;
        }

        Box load(int more) {
            weight = more; //: at load
            return this;
        }

        int weigh() {
            return weight; //: at weigh
        }

        void mark() {
            mark = 1; //: at mark
        }

        int look() {
            return mark; //: at look
        }
    }

    /** Marks and looks at a box in a frame of this object, whether it is held or not. */
    abstract static class Holder {
        Map<String, Box> map = new HashMap<>();
        List<Box> list = new ArrayList<>();

        void touch(Box box) {
            box.mark();
            box.look();
        }

        Box put(String name) {
            Box box = new Box(1);
            map.put(name, box);
            return box;
        }

        Box add() {
            Box box = new Box(1);
            list.add(box);
            return box;
        }
    }

    //: pair ForEach.map.[]: eachPut -> eachMap
    //: pair ForEach.map.[].weight: load -> weigh
    //: none ForEach.map.[]: eachMap -> eachMap
    static final class ForEach extends Holder {
        void run() {
            map.put("a", new Box(1)); //: at eachPut
            map.forEach((name, box) -> box.load(2)); //: at eachMap
            map.forEach((name, box) -> box.weigh());
        }
    }

    /** An entry that a lambda sets is the map's. */
    //: pair EachEntry.map.[]: entrySet -> entryGet
    //: pair EachEntry.map.[].weight: load -> weigh
    //: none EachEntry.map.[].mark: mark -> look
    //: pair EachSorted.map.[]: sortedSet -> entryGet
    //: none EachSorted.map.[].mark: mark -> look
    //: pair EachLinked.map.[]: linkedSet -> entryGet
    //: none EachLinked.map.[].mark: mark -> look
    //: pair EachGuarded.map.[]: guardedSet -> entryGet
    //: none EachGuarded.map.[].mark: mark -> look
    //: pair EachStreamed.map.[]: streamSet -> entryGet
    //: none EachStreamed.map.[].mark: mark -> look
    //: pair EachRemaining.map.[]: remainingSet -> entryGet
    //: none EachRemaining.map.[].mark: mark -> look
    //: pair EachCopied.map.[]: copiedSet -> entryGet
    //: none EachCopied.map.[].mark: mark -> look
    //: pair EachPart.map.[]: partSet -> entryGet
    //: none EachPart.map.[].mark: mark -> look
    abstract static class Entries extends Holder {
        abstract void replace(Box with);

        int get() {
            return map.get("a") //: at entryGet
                .load(3).weigh();
        }

        void run() {
            Box old = put("a");
            replace(new Box(2));
            get();
            touch(old);
        }
    }

    static final class EachEntry extends Entries {
        @Override
        void replace(Box with) {
            map.entrySet().forEach(entry -> entry.setValue(with)); //: at entrySet
        }
    }

    static final class EachSorted extends Entries {
        EachSorted() {
            map = new TreeMap<>();
        }

        @Override
        void replace(Box with) {
            map.entrySet().forEach(entry -> entry.setValue(with)); //: at sortedSet
        }
    }

    static final class EachLinked extends Entries {
        EachLinked() {
            map = new LinkedHashMap<>();
        }

        @Override
        void replace(Box with) {
            map.entrySet().removeIf(entry -> entry.setValue(with) == with); //: at linkedSet
        }
    }

    static final class EachGuarded extends Entries {
        EachGuarded() {
            map = new Hashtable<>();
        }

        @Override
        void replace(Box with) {
            map.entrySet().forEach(entry -> entry.setValue(with)); //: at guardedSet
        }
    }

    static final class EachStreamed extends Entries {
        @Override
        void replace(Box with) {
            map.entrySet().stream().filter(entry -> entry.getKey() != null)
                .forEach(entry -> entry.setValue(with)); //: at streamSet
        }
    }

    static final class EachRemaining extends Entries {
        @Override
        void replace(Box with) {
            map.entrySet().iterator().forEachRemaining(entry -> entry.setValue(with)); //: at remainingSet
        }
    }

    static final class EachCopied extends Entries {
        @Override
        @SuppressWarnings("unchecked")
        void replace(Box with) {
            for (Object entry : map.entrySet().toArray()) {
                ((Map.Entry<String, Box>) entry).setValue(with); //: at copiedSet
            }
        }
    }

    static final class EachPart extends Entries {
        EachPart() {
            map = new TreeMap<>();
        }

        @Override
        void replace(Box with) {
            ((TreeMap<String, Box>) map).headMap("b").entrySet().forEach(entry -> entry.setValue(with)); //: at partSet
        }
    }

    //: pair Computes.map.[]: computesAbsent -> computesGet
    //: pair Computes.map.[]: computes -> computesGet
    //: pair Computes.map.[]: merges -> computesGet
    //: pair Computes.map.[].weight: load -> weigh
    //: none Computes.map.[].mark: mark -> look
    static final class Computes extends Holder {
        void run() {
            Box first = map.computeIfAbsent("a", name -> new Box(1)); //: at computesAbsent
            get();
            Box second = map.compute("a", (name, old) -> new Box(old.load(2).weigh())); //: at computes
            get();
            Box third = map.merge("a", new Box(5), (one, two) -> two); //: at merges
            get().load(1).weigh();
            touch(first);
            touch(second);
            map.computeIfPresent("a", (name, old) -> null);
            touch(third);
        }

        Box get() {
            return map.get("a"); //: at computesGet
        }
    }

    //: pair Merges.map.[].mark: mark -> look
    static final class Merges extends Holder {
        void run() {
            map.merge("a", new Box(5), (one, two) -> two);
            Box kept = map.merge("a", new Box(6), (one, two) -> one);
            map.compute("a", (name, old) -> old);
            touch(kept);
        }
    }

    /** Values that are no objects do not hide those that are, and keys come in. */
    //: pair Counts.counts.[].weight: load -> weigh
    static final class Counts {
        final Map<Box, Integer> counts = new HashMap<>();

        void run() {
            Box box = new Box(1);
            counts.merge(box, 1, Integer::sum);
            counts.compute(box, (key, old) -> old + 1);
            box.load(2).weigh();
        }
    }

    //: none Replaced.list.[].mark: mark -> look
    //: pair Replaced.list.[].weight: load -> weigh
    //: pair Replaced.list.[]: replacedAll -> replacedGet
    //: pair Replaced.list.[]: replacedAdd -> replacedAll
    static final class Replaced extends Holder {
        void run() {
            Box old = new Box(1);
            list.add(old); //: at replacedAdd
            list.replaceAll(box -> new Box(2)); //: at replacedAll
            list.get(0) //: at replacedGet
                .load(3).weigh();
            touch(old);
        }
    }

    //: none ReplacedValues.map.[].mark: mark -> look
    //: pair ReplacedValues.map.[]: replacedPut -> replacedValues
    static final class ReplacedValues extends Holder {
        void run() {
            Box old = new Box(1);
            map.put("a", old); //: at replacedPut
            map.replaceAll((name, box) -> new Box(2)); //: at replacedValues
            touch(old);
        }
    }

    //: none Filtered.list.[].mark: mark -> look
    //: none Filtered.list.[].weight: load -> weigh
    //: pair Filtered.list.[].weight: filters -> weigh
    //: none FilteredValues.map.[].mark: mark -> look
    static final class Filtered extends Holder {
        void run() {
            Box old = add();
            Box kept = add().load(5);
            list.removeIf(box -> box == old); //: at filters
            kept.weigh();
            touch(old);
        }
    }

    static final class FilteredValues extends Holder {
        void run() {
            Box old = put("a");
            put("b");
            map.values().removeIf(box -> box == old);
            touch(old);
        }
    }

    //: pair Sorted.list.[]: sortedAdd -> sorts
    //: pair Sorted.list.[]: sorts -> sortedGet
    static final class Sorted extends Holder {
        void run() {
            list.add(new Box(2)); //: at sortedAdd
            list.sort((one, two) -> one.weigh() - two.weigh()); //: at sorts
            list.get(0); //: at sortedGet
        }
    }

    //: pair Streamed.list.[]: streamedAdd -> streams
    //: pair Streamed.list.[].weight: load -> weigh
    //: pair Streamed.copy.[].weight: load -> weigh
    //: none Streamed.list.[]: streams -> streams
    static final class Streamed extends Holder {
        List<Box> copy;

        void run() {
            list.addAll(Arrays.asList(new Box(1), new Box(2))); //: at streamedAdd
            copy = list.stream().filter(box -> box.weigh() > 0).map(box -> box.load(3)) //: at streams
                .collect(Collectors.toList());
            copy.parallelStream().mapToInt(Box::weigh).sum();
            copy.get(0).load(5);
            weighFirst();
        }

        int weighFirst() {
            return copy.get(0).weigh();
        }
    }

    public static void main(String[] arguments) {
        new ForEach().run();
        new EachEntry().run();
        new EachSorted().run();
        new EachLinked().run();
        new EachGuarded().run();
        new EachStreamed().run();
        new EachRemaining().run();
        new EachCopied().run();
        new EachPart().run();
        new Computes().run();
        new Merges().run();
        new Counts().run();
        new Replaced().run();
        new ReplacedValues().run();
        new Filtered().run();
        new FilteredValues().run();
        new Sorted().run();
        new Streamed().run();
        System.out.println("ok");
    }
}
