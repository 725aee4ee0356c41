import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** What goes out of containers, and what stays, where the call does not say what went: by iterators, views, orders, lambdas. */
final class Changes {
    enum Colour { RED, BLUE }

    static final class Box {
        final int order;
        int weight;
        int mark;

        Box(int order) {
            this.order = order;
        }

        /** Of a box that stayed. */
        void load() {
            weight = 1; //: at load
            weigh();
        }

        int weigh() {
            return weight; //: at weigh
        }

        /** Of a box that went. */
        void mark() {
            mark = 1; //: at mark
            look();
        }

        int look() {
            return mark; //: at look
        }
    }

    static final Comparator<Box> ORDER = new Comparator<Box>() {
        @Override
        public int compare(Box one, Box two) {
            return one.order - two.order;
        }
    };

    /** Fills a collection with three boxes and removes the second one that its iterator gives. */
    abstract static class Removes<C extends Collection<Box>> {
        C boxes;

        abstract C made();

        void run() {
            boxes = made();
            boxes.add(new Box(1));
            boxes.add(new Box(2));
            boxes.add(new Box(3));
            Iterator<Box> all = boxes.iterator();
            Box first = all.next();
            Box second = all.next();
            all.remove(); //: at iteratorRemove
            boxes.size(); //: at sizeAfter
            Box third = all.next();
            second.mark();
            first.load();
            third.load();
        }
    }

    //: pair Lists.boxes.[]: iteratorRemove -> sizeAfter
    //: pair Lists.boxes.[].weight: load -> weigh
    //: none Lists.boxes.[].mark: mark -> look
    static final class Lists extends Removes<List<Box>> {
        @Override
        List<Box> made() {
            return new ArrayList<>();
        }
    }

    //: pair Linked.boxes.[]: iteratorRemove -> sizeAfter
    //: pair Linked.boxes.[].weight: load -> weigh
    //: none Linked.boxes.[].mark: mark -> look
    static final class Linked extends Removes<LinkedList<Box>> {
        @Override
        LinkedList<Box> made() {
            return new LinkedList<>();
        }
    }

    //: pair Vectors.boxes.[].weight: load -> weigh
    //: none Vectors.boxes.[].mark: mark -> look
    static final class Vectors extends Removes<Vector<Box>> {
        @Override
        Vector<Box> made() {
            return new Vector<>();
        }
    }

    //: pair Deques.boxes.[].weight: load -> weigh
    //: none Deques.boxes.[].mark: mark -> look
    static final class Deques extends Removes<ArrayDeque<Box>> {
        @Override
        ArrayDeque<Box> made() {
            return new ArrayDeque<>();
        }
    }

    //: pair Heaps.boxes.[].weight: load -> weigh
    //: none Heaps.boxes.[].mark: mark -> look
    static final class Heaps extends Removes<PriorityQueue<Box>> {
        @Override
        PriorityQueue<Box> made() {
            return new PriorityQueue<>(3, ORDER);
        }
    }

    //: pair Sets.boxes.[]: iteratorRemove -> sizeAfter
    //: pair Sets.boxes.[].weight: load -> weigh
    //: none Sets.boxes.[].mark: mark -> look
    static final class Sets extends Removes<Set<Box>> {
        @Override
        Set<Box> made() {
            return new HashSet<>();
        }
    }

    //: pair Trees.boxes.[].weight: load -> weigh
    //: none Trees.boxes.[].mark: mark -> look
    static final class Trees extends Removes<TreeSet<Box>> {
        @Override
        TreeSet<Box> made() {
            return new TreeSet<>(ORDER);
        }
    }

    //: pair Queues.boxes.[].weight: load -> weigh
    //: none Queues.boxes.[].mark: mark -> look
    static final class Queues extends Removes<LinkedBlockingQueue<Box>> {
        @Override
        LinkedBlockingQueue<Box> made() {
            return new LinkedBlockingQueue<>();
        }
    }

    //: pair BothEnds.boxes.[].weight: load -> weigh
    //: none BothEnds.boxes.[].mark: mark -> look
    static final class BothEnds extends Removes<LinkedBlockingDeque<Box>> {
        @Override
        LinkedBlockingDeque<Box> made() {
            return new LinkedBlockingDeque<>();
        }
    }

    //: pair Concurrent.boxes.[].weight: load -> weigh
    //: none Concurrent.boxes.[].mark: mark -> look
    static final class Concurrent extends Removes<ConcurrentLinkedQueue<Box>> {
        @Override
        ConcurrentLinkedQueue<Box> made() {
            return new ConcurrentLinkedQueue<>();
        }
    }

    //: pair Parts.boxes.[].weight: load -> weigh
    //: none Parts.boxes.[].mark: mark -> look
    static final class Parts extends Removes<List<Box>> {
        @Override
        List<Box> made() {
            List<Box> all = new ArrayList<>();
            all.add(new Box(0));
            return all.subList(1, 1);
        }
    }

    //: pair Wrapped.boxes.[].weight: load -> weigh
    //: none Wrapped.boxes.[].mark: mark -> look
    static final class Wrapped extends Removes<Collection<Box>> {
        @Override
        Collection<Box> made() {
            return Collections.checkedCollection(new ArrayList<Box>(), Box.class);
        }
    }

    /** Fills a map, and removes by iterators of each of its views. */
    abstract static class RemovesFromMap {
        Map<Integer, Box> map;

        abstract Map<Integer, Box> made();

        void run() {
            map = made();
            Box[] boxes = new Box[4];
            for (int i = 0; i < 4; i++) {
                boxes[i] = new Box(i);
                map.put(i, boxes[i]);
            }
            removeFirst(map.keySet(), 0);
            removeFirst(map.values(), boxes[1]);
            for (Iterator<Map.Entry<Integer, Box>> all = map.entrySet().iterator(); all.hasNext();) {
                if (all.next().getKey() == 2) {
                    all.remove();
                }
            }
            map.size();
            for (int i = 0; i < 3; i++) {
                boxes[i].mark();
            }
            boxes[3].load();
        }

        static void removeFirst(Collection<?> view, Object wanted) {
            for (Iterator<?> all = view.iterator(); all.hasNext();) {
                if (all.next() == wanted) {
                    all.remove();
                }
            }
        }
    }

    //: pair Hashed.map.[].weight: load -> weigh
    //: none Hashed.map.[].mark: mark -> look
    static final class Hashed extends RemovesFromMap {
        @Override
        Map<Integer, Box> made() {
            return new HashMap<>();
        }
    }

    //: pair Ordered.map.[].weight: load -> weigh
    //: none Ordered.map.[].mark: mark -> look
    static final class Ordered extends RemovesFromMap {
        @Override
        Map<Integer, Box> made() {
            return new LinkedHashMap<>();
        }
    }

    //: pair Treed.map.[].weight: load -> weigh
    //: none Treed.map.[].mark: mark -> look
    static final class Treed extends RemovesFromMap {
        @Override
        Map<Integer, Box> made() {
            return new TreeMap<>();
        }
    }

    //: pair TreedPart.map.[].weight: load -> weigh
    //: none TreedPart.map.[].mark: mark -> look
    static final class TreedPart extends RemovesFromMap {
        @Override
        Map<Integer, Box> made() {
            return new TreeMap<Integer, Box>().headMap(9);
        }
    }

    //: pair Table.map.[].weight: load -> weigh
    //: none Table.map.[].mark: mark -> look
    static final class Table extends RemovesFromMap {
        @Override
        Map<Integer, Box> made() {
            return new Hashtable<>();
        }
    }

    //: pair Shared.map.[].weight: load -> weigh
    //: none Shared.map.[].mark: mark -> look
    static final class Shared extends RemovesFromMap {
        @Override
        Map<Integer, Box> made() {
            return new ConcurrentHashMap<>();
        }
    }

    //: pair Replaced.list.[]: listSet -> listGet
    //: none Replaced.list.[]: listAdd -> listGet
    //: pair Replaced.list.[].weight: load -> weigh
    //: none Replaced.list.[].mark: mark -> look
    static final class Replaced {
        final List<Box> list = new ArrayList<>();

        void run() {
            Box old = new Box(1);
            Box with = new Box(2);
            list.add(old); //: at listAdd
            ListIterator<Box> all = list.listIterator();
            all.next();
            all.set(with); //: at listSet
            list.get(0); //: at listGet
            old.mark();
            with.load();
        }
    }

    /** Only the element that was replaced is defined. */
    //: pair Elements.array.[]: arrayReplaces -> firstGet
    //: pair Elements.array.[]: arrayMade -> secondGet
    //: none Elements.array.[]: arrayReplaces -> secondGet
    static final class Elements {
        final Box[] array = new Box[2];

        void run() {
            for (int i = 0; i < 2; i++) {
                array[i] = new Box(i); //: at arrayMade
            }
            ListIterator<Box> all = Arrays.asList(array).listIterator();
            all.next();
            all.set(new Box(3)); //: at arrayReplaces
            array[0].weigh(); //: at firstGet
            array[1].weigh(); //: at secondGet
        }
    }

    /** A key that is removed takes its value along. */
    //: none KeySets.map.[].mark: mark -> look
    //: pair KeySets.map.[].weight: load -> weigh
    //: none KeySets.treed.[].mark: mark -> look
    //: pair KeySets.treed.[].weight: load -> weigh
    //: none KeySets.colours.[].mark: mark -> look
    //: pair KeySets.colours.[].weight: load -> weigh
    static final class KeySets {
        final Map<Object, Box> map = new HashMap<>();
        final Map<String, Box> treed = new TreeMap<>();
        final Map<Colour, Box> colours = new EnumMap<>(Colour.class);

        void run() {
            Box old = new Box(1);
            Box kept = new Box(2);
            map.put("a", old);
            map.put(Colour.BLUE, old);
            map.put("b", kept);
            map.keySet().remove("a");
            map.keySet().remove(Colour.BLUE);
            map.keySet().remove("c");
            treed.put("a", old);
            treed.put("b", kept);
            treed.keySet().remove("a");
            colours.put(Colour.RED, old);
            colours.put(Colour.BLUE, kept);
            colours.remove(Colour.RED);
            old.mark();
            kept.load();
        }
    }

    /** In an order, another object than the one that is asked for may be what goes. */
    //: none Probed.boxes.[].mark: mark -> look
    //: none Probed.map.[].mark: mark -> look
    //: pair Probed.boxes.[].weight: load -> weigh
    static final class Probed {
        final Set<Box> boxes = new TreeSet<>(ORDER);
        final Map<Box, Box> map = new TreeMap<>(ORDER);

        void run() {
            Box old = new Box(1);
            Box kept = new Box(2);
            boxes.add(old);
            boxes.add(kept);
            map.put(old, new Box(3));
            boxes.remove(new Box(1));
            map.remove(new Box(1));
            old.mark();
            kept.load();
        }
    }

    //: none Computes.map.[].mark: mark -> look
    //: pair Computes.map.[].weight: load -> weigh
    //: pair Computes.map.[]: replaces -> replacedGet
    //: none Computes.map.[]: replacesNothing -> replacesNothing
    static final class Computes {
        final Map<String, Box> map = new HashMap<>();

        void run() {
            Box computed = new Box(1);
            Box merged = new Box(2);
            Box replaced = new Box(3);
            Box same = new Box(4);
            Box gone = new Box(5);
            map.put("computed", computed);
            map.put("merged", merged);
            map.put("replaced", replaced);
            map.put("same", same);
            map.put("gone", gone);
            map.compute("computed", (key, old) -> new Box(6));
            map.merge("merged", new Box(7), (old, more) -> more);
            map.replace("replaced", new Box(8)); //: at replaces
            map.get("replaced"); //: at replacedGet
            map.replace("absent", new Box(8)); //: at replacesNothing
            map.compute("same", (key, old) -> old);
            map.computeIfPresent("gone", (key, old) -> null);
            computed.mark();
            merged.mark();
            replaced.mark();
            gone.mark();
            same.load();
        }
    }

    //: none IfSaid.map.[].mark: mark -> look
    //: pair IfSaid.map.[].weight: load -> weigh
    static final class IfSaid {
        final Map<String, Box> map = new HashMap<>();

        void run() {
            Box old = new Box(1);
            Box kept = new Box(2);
            map.put("a", old);
            map.put("b", kept);
            map.put("c", old);
            map.remove("a", old);
            map.remove("b", old);
            map.replace("c", old, kept);
            old.mark();
            kept.load();
        }
    }

    //: none Polls.map.[].mark: mark -> look
    //: pair Polls.map.[].weight: load -> weigh
    //: pair Polls.map.[]: polls -> pollsSize
    static final class Polls {
        final TreeMap<String, Box> map = new TreeMap<>();

        void run() {
            Box old = new Box(1);
            Box kept = new Box(2);
            map.put("a", old);
            map.put("b", kept);
            map.pollFirstEntry(); //: at polls
            map.size(); //: at pollsSize
            old.mark();
            kept.load();
        }
    }

    //: none Slots.slots.[].mark: mark -> look
    //: pair Slots.slots.[].weight: load -> weigh
    //: none Slots.vector.[].mark: mark -> look
    //: pair Slots.vector.[].weight: load -> weigh
    static final class Slots {
        final AtomicReferenceArray<Box> slots = new AtomicReferenceArray<>(3);
        final Vector<Box> vector = new Vector<>();

        void run() {
            Box old = new Box(1);
            Box kept = new Box(2);
            slots.set(0, old);
            slots.set(1, kept);
            slots.set(2, old);
            slots.set(0, kept);
            slots.compareAndSet(2, old, kept);
            slots.compareAndSet(1, old, null);
            vector.add(old);
            vector.add(kept);
            vector.add(old);
            vector.setElementAt(kept, 0);
            vector.removeElementAt(2);
            old.mark();
            kept.load();
        }
    }

    /** What is added to a set of objects that are equal to themselves alone is in there once. */
    //: none AddsToSet.boxes.[].mark: mark -> look
    //: pair AddsToSet.boxes.[].weight: load -> weigh
    static final class AddsToSet {
        final Set<Box> boxes = new HashSet<>();

        void run() {
            Box old = new Box(1);
            Box kept = new Box(2);
            boxes.addAll(Arrays.asList(old, kept));
            Collections.addAll(boxes, old, kept, old);
            boxes.remove(old);
            old.mark();
            kept.load();
        }
    }

    public static void main(String[] arguments) {
        new Lists().run();
        new Linked().run();
        new Vectors().run();
        new Deques().run();
        new Heaps().run();
        new Sets().run();
        new Trees().run();
        new Queues().run();
        new BothEnds().run();
        new Concurrent().run();
        new Parts().run();
        new Wrapped().run();
        new Hashed().run();
        new Ordered().run();
        new Treed().run();
        new TreedPart().run();
        new Table().run();
        new Shared().run();
        new Replaced().run();
        new Elements().run();
        new KeySets().run();
        new Probed().run();
        new Computes().run();
        new IfSaid().run();
        new Polls().run();
        new Slots().run();
        new AddsToSet().run();
        System.out.println("ok");
    }
}
