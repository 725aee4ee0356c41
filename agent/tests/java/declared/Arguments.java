import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;

/** Containers that calls are given: what looks into one reads it, what fills one writes it, what shows one does neither. */
final class Arguments {
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

    abstract static class Holder {
        final List<Box> from = new ArrayList<>();
        final List<Box> to = new ArrayList<>();
        final Map<String, Box> map = new HashMap<>();

        void fill() {
            from.add(new Box(1)); //: at fromAdd
            to.add(new Box(2)); //: at toAdd
            map.put("a", new Box(3)); //: at mapPut
        }

        int sizes() {
            int sum = from.size(); //: at fromSize
            sum += to.size(); //: at toSize
            return sum + map.size(); //: at mapSize
        }
    }

    //: pair Adds.from.[]: fromAdd -> adds
    //: pair Adds.to.[]: adds -> toSize
    //: none Adds.from.[]: adds -> fromSize
    //: none Adds.to.[]: toAdd -> adds
    //: pair Adds.to.[]: addsAt -> addsAfter
    //: pair Adds.from.[]: fromAdd -> addsAt
    //: pair Adds.map.[]: mapPut -> addsValues
    //: none Adds.map.[]: addsValues -> mapSize
    //: none Adds.from.[]: fromAdd -> addsValues
    //: pair Adds.to.[].weight: load -> weigh
    static final class Adds extends Holder {
        void run() {
            fill();
            to.addAll(from); //: at adds
            sizes();
            to.addAll(0, from); //: at addsAt
            to.size(); //: at addsAfter
            to.addAll(map.values()); //: at addsValues
            sizes();
            map.get("a").load(1);
            map.clear();
            to.get(to.size() - 1).weigh();
        }
    }

    /** What is added to itself is read before it is written. */
    //: pair AddsItself.to.[]: toAdd -> itself
    //: none AddsItself.to.[]: itself -> itself
    //: pair AddsItself.to.[]: itself -> toSize
    static final class AddsItself extends Holder {
        void run() {
            fill();
            to.addAll(to); //: at itself
            sizes();
        }
    }

    //: pair Copies.from.[]: fromAdd -> copies
    //: pair Copies.from.[]: fromAdd -> copiesToSet
    //: pair Copies.map.[]: mapPut -> copiesMap
    //: pair Copies.map.[]: mapPut -> copiesKeys
    //: none Copies.from.[]: copies -> fromSize
    //: none Copies.from.[]: fromAdd -> wraps
    //: none Copies.from.[]: fromAdd -> makesEmpty
    //: none Copies.map.[]: mapPut -> wrapsMap
    static final class Copies extends Holder {
        Object copy;

        void run() {
            fill();
            copy = new ArrayList<>(from); //: at copies
            copy = new HashSet<>(from); //: at copiesToSet
            copy = new TreeMap<>(map); //: at copiesMap
            copy = new ArrayList<>(map.keySet()); //: at copiesKeys
            copy = Collections.unmodifiableList(from); //: at wraps
            copy = Collections.synchronizedMap(map); //: at wrapsMap
            copy = new ArrayList<Box>(3); //: at makesEmpty
            sizes();
        }
    }

    //: pair Puts.map.[]: mapPut -> puts
    //: pair Puts.other.[]: puts -> putsGet
    //: none Puts.map.[]: puts -> mapSize
    //: pair Puts.other.[].weight: load -> weigh
    static final class Puts extends Holder {
        final Map<String, Box> other = new TreeMap<>();

        void run() {
            fill();
            other.putAll(map); //: at puts
            other.get("a"); //: at putsGet
            sizes();
            map.remove("a").load(1).weigh();
        }
    }

    //: pair Compares.from.[]: fromAdd -> containsAll
    //: pair Compares.to.[]: toAdd -> containsAll
    //: pair Compares.from.[]: fromAdd -> equals
    //: pair Compares.to.[]: toAdd -> equals
    //: pair Compares.from.[]: fromAdd -> disjoint
    //: pair Compares.to.[]: toAdd -> disjoint
    //: none Compares.map.[]: mapPut -> equals
    //: none Compares.from.[]: fromAdd -> containsOne
    static final class Compares extends Holder {
        boolean is;

        void run() {
            fill();
            is = to.containsAll(from); //: at containsAll
            is = to.equals(from); //: at equals
            is = Collections.disjoint(to, from); //: at disjoint
            is = to.contains(null); //: at containsOne
        }
    }

    //: pair Removes.from.[]: fromAdd -> removes
    //: pair Removes.to.[]: removes -> toSize
    //: none Removes.from.[]: removes -> fromSize
    //: pair Removes.from.[]: fromAdd -> retains
    //: none Removes.to.[].mark: mark -> look
    static final class Removes extends Holder {
        void run() {
            fill();
            Box old = to.get(0);
            to.addAll(from);
            to.removeAll(from); //: at removes
            sizes();
            to.retainAll(from); //: at retains
            old.mark();
            old.look();
        }
    }

    //: pair Drains.queue.[]: queueAdd -> drains
    //: pair Drains.queue.[]: drains -> queueSize
    //: pair Drains.into.[]: drains -> intoSize
    //: none Drains.into.[]: intoAdd -> drains
    //: none Drains.into.[]: intoAdd -> intoSize
    //: pair Drains.into.[].weight: load -> weigh
    //: none Drains.queue.[].weight: load -> weigh
    static final class Drains {
        final LinkedBlockingQueue<Box> queue = new LinkedBlockingQueue<>();
        final List<Box> into = new ArrayList<>();

        void run() {
            Box box = new Box(1);
            into.add(new Box(2)); //: at intoAdd
            queue.add(box); //: at queueAdd
            queue.drainTo(into); //: at drains
            queue.size(); //: at queueSize
            into.size(); //: at intoSize
            box.load(3).weigh();
        }
    }

    //: pair Statics.from.[]: fromAdd -> copiesOver
    //: pair Statics.to.[]: copiesOver -> toSize
    //: none Statics.to.[]: toAdd -> copiesOver
    //: none Statics.from.[]: copiesOver -> fromSize
    //: none Statics.to.[].mark: mark -> look
    //: pair Statics.to.[].weight: load -> weigh
    //: pair Statics.from.[]: fromAdd -> finds
    //: pair Statics.to.[]: addsMany -> addsManySize
    //: none Statics.to.[]: copiesOver -> addsManySize
    static final class Statics extends Holder {
        void run() {
            fill();
            Box old = to.get(0);
            Collections.copy(to, from); //: at copiesOver
            sizes();
            old.mark();
            old.look();
            Collections.indexOfSubList(to, from); //: at finds
            Box more = new Box(5);
            Collections.addAll(to, more, more); //: at addsMany
            to.size(); //: at addsManySize
            to.remove(more);
            more.load(2).weigh();
        }
    }

    /** A list that shows an array is as many locations as the array has elements. */
    //: pair Arrayed.array.[]: secondSet -> addsArray
    //: pair Arrayed.array.[]: firstSet -> addsArray
    //: none Arrayed.array.[]: addsArray -> arrayGet
    static final class Arrayed extends Holder {
        final Box[] array = new Box[2];

        void run() {
            array[1] = new Box(1); //: at secondSet
            array[0] = new Box(2); //: at firstSet
            to.addAll(Arrays.asList(array)); //: at addsArray
            array[0].weigh(); //: at arrayGet
        }
    }

    /** A class of the program that says itself how it is gone through. */
    static final class Own extends ArrayList<Box> {
        private static final long serialVersionUID = 1;

        Own() {
        }

        Own(Collection<Box> from) {
            super(from); //: at superCopies
        }

        @Override
        public Object[] toArray() {
            return super.toArray(); //: at ownToArray
        }

        @Override
        public Iterator<Box> iterator() {
            return super.iterator(); //: at ownIterator
        }

        @Override
        public boolean addAll(Collection<? extends Box> more) {
            return super.addAll(more); //: at superAddAll
        }

        int count() {
            return size(); //: at ownCount
        }
    }

    /** One that does not. */
    static final class Plain extends ArrayList<Box> {
        private static final long serialVersionUID = 1;
    }

    //: pair Programs.own.[]: ownAdd -> ownToArray
    //: none Programs.own.[]: ownAdd -> givesOwn
    //: pair Programs.plain.[]: plainAdd -> givesPlain
    //: pair Programs.from.[]: fromAdd -> superAddAll
    //: none Programs.from.[]: fromAdd -> ownGets
    //: none Programs.from.[]: fromAdd -> listGets
    //: pair Programs.from.[]: fromAdd -> plainGets
    //: pair Programs.from.[]: fromAdd -> skeletonGets
    //: none Programs.from.[]: fromAdd -> bagGets
    //: pair Programs.from.[]: fromAdd -> bagLoop
    //: pair Programs.from.[]: fromAdd -> superCopies
    //: none Programs.from.[]: fromAdd -> newOwn
    //: pair Own.[]: superCopies -> ownCount
    static final class Programs extends Holder {
        final Own own = new Own();
        final Plain plain = new Plain();
        Own made;

        void run() {
            fill();
            own.add(new Box(1)); //: at ownAdd
            plain.add(new Box(1)); //: at plainAdd
            to.addAll(own); //: at givesOwn
            to.addAll(plain); //: at givesPlain
            own.addAll(from); //: at ownGets
            List<Box> list = own;
            list.addAll(from); //: at listGets
            plain.addAll(from); //: at plainGets
            new Skeleton().addAll(from); //: at skeletonGets
            new Bag().addAll(from); //: at bagGets
            made = new Own(from); //: at newOwn
            made.count();
        }
    }

    /** The JDK's skeleton looks into what it is given. */
    static final class Skeleton extends AbstractList<Box> {
        final List<Box> boxes = new ArrayList<>();

        @Override
        public Box get(int index) {
            return boxes.get(index);
        }

        @Override
        public int size() {
            return boxes.size();
        }

        @Override
        public void add(int index, Box box) {
            boxes.add(index, box);
        }
    }

    /** By such a name, but no method of a container. */
    static final class Bag {
        Box first;

        boolean addAll(Collection<Box> more) {
            for (Box box : more) { //: at bagLoop
                first = box;
            }
            return true;
        }
    }

    //: pair Texts.other.[]: otherAppend -> appends
    //: pair Texts.other.[]: otherAppend -> copiesText
    //: pair Texts.other.[]: otherAppend -> compares
    //: none Texts.other.[]: appends -> otherLength
    //: none Texts.text.[]: otherAppend -> appends
    //: pair Texts.words.[]: wordsAdd -> joins
    //: pair Texts.bits.[]: bitsSet -> intersects
    //: pair Texts.mask.[]: maskSet -> intersects
    //: pair Texts.mask.[]: maskSet -> masks
    //: none Texts.mask.[]: masks -> maskSize
    //: pair Texts.bits.[]: masks -> bitsSize
    static final class Texts {
        final StringBuilder text = new StringBuilder();
        final StringBuilder other = new StringBuilder();
        final List<String> words = new ArrayList<>();
        final BitSet bits = new BitSet();
        final BitSet mask = new BitSet();

        void run() {
            other.append("a"); //: at otherAppend
            text.append(other); //: at appends
            other.length(); //: at otherLength
            new StringBuilder(other).append(1); //: at copiesText
            "a".contentEquals(other); //: at compares
            words.add("a"); //: at wordsAdd
            String.join(",", words); //: at joins
            bits.set(1); //: at bitsSet
            mask.set(1); //: at maskSet
            bits.intersects(mask); //: at intersects
            bits.and(mask); //: at masks
            bits.cardinality(); //: at bitsSize
            mask.cardinality(); //: at maskSize
        }
    }

    /** A call that throws reads nothing. */
    //: none Throws.from.[]: fromAdd -> throwsAdd
    static final class Throws extends Holder {
        void run() {
            fill();
            try {
                Collections.<Box>emptyList().addAll(from); //: at throwsAdd
            } catch (UnsupportedOperationException expected) {
                sizes();
            }
        }
    }

    /** What the calls of a container give that is gone through elsewhere is read where the call is. */
    //: pair Sources.from.[]: fromAdd -> toArray
    //: pair Sources.from.[]: fromAdd -> streams
    //: none Sources.to.[]: toAdd -> streams
    //: pair Sources.all.[].weight: load -> weigh
    //: none Sources.all.[]: toArray -> allGet
    //: none Sources.all.[].mark: mark -> look
    //: pair Sources.shown.[].weight: load -> weigh
    static final class Sources extends Holder {
        Box[] all;
        Object[] shown;

        void run() {
            fill();
            Box[] made = from.toArray(new Box[0]); //: at toArray
            from.stream() //: at streams
                .map(Box::weigh).count();
            from.clear();
            Box old = made[0];
            all = made;
            all[0] //: at allGet
                .load(2).weigh();
            all[0] = null;
            old.mark();
            old.look();
            shown = Arrays.asList(old, new Box(3)).toArray();
            ((Box) shown[1]).load(4).weigh();
        }
    }

    /** Entries that were copied out of a map show the map. */
    //: pair Entries.map.[]: entrySets -> entriesGet
    //: none Entries.map.[].mark: mark -> look
    //: pair EntriesAdded.map.[]: addedSets -> addedGet
    //: none EntriesAdded.map.[].mark: mark -> look
    //: pair EntriesMost.map.[]: mostSets -> mostGet
    //: none EntriesMost.map.[].mark: mark -> look
    //: none EntriesOther.map.[]: otherSets -> otherGet
    static final class Entries extends Holder {
        void run() {
            fill();
            Box old = map.get("a");
            List<Map.Entry<String, Box>> all = new ArrayList<>(map.entrySet());
            all.get(0).setValue(new Box(4)); //: at entrySets
            map.get("a"); //: at entriesGet
            old.mark();
            old.look();
        }
    }

    static final class EntriesAdded extends Holder {
        final Set<Map.Entry<String, Box>> all = new HashSet<>();

        void run() {
            fill();
            Box old = map.get("a");
            all.addAll(map.entrySet());
            Map.Entry<String, Box> first = all.iterator().next();
            first.setValue(new Box(4)); //: at addedSets
            map.get("a"); //: at addedGet
            old.mark();
            old.look();
        }
    }

    static final class EntriesMost extends Holder {
        void run() {
            fill();
            Box old = map.get("a");
            Map.Entry<String, Box> most = Collections.max(map.entrySet(), (one, two) -> 0);
            most.setValue(new Box(4)); //: at mostSets
            map.get("a"); //: at mostGet
            old.mark();
            old.look();
        }
    }

    static final class EntriesOther extends Holder {
        void run() {
            fill();
            Map<String, Box> other = new HashMap<>(map);
            List<Map.Entry<String, Box>> all = new ArrayList<>(other.entrySet());
            all.get(0).setValue(new Box(4)); //: at otherSets
            map.get("a"); //: at otherGet
        }
    }

    public static void main(String[] arguments) {
        new Adds().run();
        new AddsItself().run();
        new Copies().run();
        new Puts().run();
        new Compares().run();
        new Removes().run();
        new Drains().run();
        new Statics().run();
        new Arrayed().run();
        new Programs().run();
        new Texts().run();
        new Throws().run();
        new Sources().run();
        new Entries().run();
        new EntriesAdded().run();
        new EntriesMost().run();
        new EntriesOther().run();
        System.out.println("ok");
    }
}
