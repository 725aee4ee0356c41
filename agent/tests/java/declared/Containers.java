import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a container of the JDK holds is state of its owner, as long as it holds it. */
final class Containers {
    /** Something to hold. */
    static final class Box {
        int weight;
        int mark;

        Box(int weight) {
            this.weight = weight;
        }

        void load(int more) {
            weight = more; //: at load
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

    //: pair Listed.boxes.[].weight: load -> weigh
    //: pair Listed.boxes.[].weight: listAdd -> weigh
    //: pair Listed.boxes.[]: listAdd -> listLoop
    static final class Listed {
        final List<Box> boxes = new ArrayList<>();

        void add(Box box) {
            boxes.add(box); //: at listAdd
        }

        int total() {
            int sum = 0;
            for (Box box : boxes) { //: at listLoop
                sum += box.weigh();
            }
            return sum;
        }

        void load() {
            boxes.get(0).load(3);
        }

        static void run() {
            Listed all = new Listed();
            all.add(new Box(1));
            all.total();
            all.load();
            all.total();
        }
    }

    //: pair Mapped.boxes.[].weight: load -> weigh
    //: pair Mapped.boxes.[]: mapPut -> mapValues
    //: pair Mapped.boxes.[]: entrySet -> mapGet
    //: pair Mapped.boxes.[]: viewRemove -> mapGet
    static final class Mapped {
        final Map<String, Box> boxes = new HashMap<>();

        void put(String name, Box box) {
            boxes.put(name, box); //: at mapPut
        }

        int total() {
            int sum = 0;
            for (Box box : boxes.values()) { //: at mapValues
                sum += box.weigh();
            }
            return sum;
        }

        void replace(Box box) {
            for (Map.Entry<String, Box> entry : boxes.entrySet()) {
                entry.setValue(box); //: at entrySet
            }
        }

        void drop(String name) {
            boxes.keySet().remove(name); //: at viewRemove
        }

        Box get(String name) {
            return boxes.get(name); //: at mapGet
        }

        static void run() {
            Mapped all = new Mapped();
            all.put("a", new Box(1));
            all.total();
            all.replace(new Box(2));
            all.get("a").load(4);
            all.loadAll();
            all.total();
            all.drop("a");
            all.get("a");
        }

        void loadAll() {
            boxes.values().iterator().next().load(5);
        }
    }

    //: none Gone.boxes.[].mark: mark -> look
    //: none GoneByIterator.boxes.[].mark: mark -> look
    //: none GoneByView.boxes.[].mark: mark -> look
    //: none GoneByReplacement.boxes.[].mark: mark -> look
    //: none GoneFromMap.boxes.[].mark: mark -> look
    //: none GoneFromDeque.boxes.[].mark: mark -> look
    //: pair Kept.boxes.[].mark: mark -> look
    abstract static class Holder {
        final List<Box> boxes = new ArrayList<>();

        /** Marks and looks at a box in a frame of this object, whether it is held or not. */
        void touch(Box box) {
            box.mark();
            box.look();
        }
    }

    static final class Kept extends Holder {
        void run(Box box) {
            boxes.add(box);
            boxes.add(box);
            boxes.remove(box);
            touch(box);
        }
    }

    static final class Gone extends Holder {
        void run(Box box) {
            boxes.add(box);
            boxes.remove(box);
            touch(box);
        }
    }

    static final class GoneByIterator extends Holder {
        void run(Box box) {
            boxes.add(new Box(1));
            boxes.add(box);
            for (Iterator<Box> all = boxes.iterator(); all.hasNext();) {
                if (all.next() == box) {
                    all.remove();
                }
            }
            touch(box);
        }
    }

    static final class GoneByView extends Holder {
        void run(Box box) {
            boxes.add(new Box(1));
            boxes.add(box);
            boxes.subList(1, 2).clear();
            touch(box);
        }
    }

    static final class GoneByReplacement extends Holder {
        void run(Box box) {
            boxes.add(box);
            ListIterator<Box> all = boxes.listIterator();
            all.next();
            all.set(new Box(2));
            touch(box);
        }
    }

    static final class GoneFromMap {
        final TreeMap<String, Box> boxes = new TreeMap<>();

        void touch(Box box) {
            box.mark();
            box.look();
        }

        void run(Box box) {
            boxes.put("a", box);
            boxes.headMap("b").clear();
            touch(box);
        }
    }

    static final class GoneFromDeque {
        final ArrayDeque<Box> boxes = new ArrayDeque<>();

        void touch(Box box) {
            box.mark();
            box.look();
        }

        void run(Box box) {
            boxes.push(box);
            boxes.poll();
            touch(box);
        }
    }

    //: pair Computed.boxes.[].weight: load -> weigh
    static final class Computed {
        final Map<String, Box> boxes = new HashMap<>();

        void run() {
            boxes.computeIfAbsent("a", name -> new Box(1)).load(2);
            boxes.get("a").weigh();
        }
    }

    //: pair Collected.boxes.[].weight: load -> weigh
    //: pair Unchanging.boxes.[].weight: load -> weigh
    //: pair Copied.boxes.[].weight: load -> weigh
    static final class Collected {
        List<Box> boxes;

        void run() {
            boxes = Stream.of(1, 2).map(Box::new).collect(Collectors.toList());
            boxes.get(0).load(2);
            boxes.get(0).weigh();
        }
    }

    static final class Unchanging {
        List<Box> boxes;

        void run() {
            boxes = Collections.unmodifiableList(Arrays.asList(new Box(1), new Box(2)));
            boxes.get(0).load(2);
            boxes.get(0).weigh();
        }
    }

    static final class Copied {
        List<Box> boxes;

        void run() {
            boxes = new ArrayList<>(Collections.singletonList(new Box(1)));
            boxes.get(0).load(2);
            boxes.get(0).weigh();
        }
    }

    //: pair Guarded.inner.[]: innerAdd -> outerSize
    static final class Guarded {
        final List<Box> inner = new ArrayList<>();
        final List<Box> outer = Collections.unmodifiableList(inner);

        void add() {
            inner.add(new Box(1)); //: at innerAdd
        }

        int size() {
            return outer.size(); //: at outerSize
        }

        static void run() {
            Guarded guarded = new Guarded();
            guarded.add();
            guarded.size();
        }
    }

    //: pair Referring.box.[].weight: load -> weigh
    //: none Referring.box.[].mark: mark -> look
    static final class Referring {
        final AtomicReference<Box> box = new AtomicReference<>(new Box(1));

        void run() {
            box.get().load(2);
            box.get().weigh();
            Box old = box.getAndSet(new Box(3));
            old.mark();
            old.look();
        }
    }

    //: pair Perhaps.box.[].weight: load -> weigh
    static final class Perhaps {
        final Optional<Box> box = Optional.of(new Box(1));

        void run() {
            box.get().load(2);
            box.get().weigh();
        }
    }

    //: pair SetOf.boxes.[].weight: load -> weigh
    //: none SetOf.boxes.[].mark: mark -> look
    static final class SetOf {
        final Set<Box> boxes = new HashSet<>();

        void run() {
            Box box = new Box(1);
            boxes.add(box);
            boxes.iterator().next().load(2);
            box.weigh();
            boxes.remove(box);
            box.mark();
            box.look();
        }
    }

    /** Its lock is its own, so it is never listed; what is recorded of calls holds. */
    //: pair Locked.boxes.[].weight: load -> weigh
    static final class Locked {
        final Vector<Box> boxes = new Vector<>();

        void run() {
            boxes.add(new Box(1));
            boxes.get(0).load(2);
            boxes.get(0).weigh();
        }
    }

    //: pair Nested.boxes.[].[].weight: load -> weigh
    static final class Nested {
        final Map<String, List<Box>> boxes = new HashMap<>();

        void run() {
            boxes.computeIfAbsent("a", name -> new ArrayList<>()).add(new Box(1));
            boxes.get("a").get(0).load(2);
            boxes.get("a").get(0).weigh();
        }
    }

    //: pair UsesStrict.boxes.[]: superAdd -> strictSize
    //: none UsesStrict.boxes.[]: strictAdd -> strictSize
    //: none UsesStrict.boxes.[].mark: mark -> look
    static final class Strict extends ArrayList<Box> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean add(Box box) {
            return super.add(box); //: at superAdd
        }
    }

    /** A call of what the program overrides is no call of the container's method. */
    static final class UsesStrict {
        final List<Box> boxes = new Strict();

        void add(Box box) {
            boxes.add(box); //: at strictAdd
        }

        int size() {
            return boxes.size(); //: at strictSize
        }

        void run(Box box) {
            add(box);
            size();
            boxes.remove(box);
            box.mark();
            box.look();
        }
    }

    //: pair UsesPlain.boxes.[]: plainAdd -> plainSize
    //: pair UsesPlain.boxes.[].weight: load -> weigh
    //: none UsesPlain.boxes.[]: plainCount -> plainSize
    static final class PlainBoxes extends ArrayList<Box> {
        private static final long serialVersionUID = 1;

        int count;

        void push(Box box) {
            count++;
        }
    }

    /** What the program's class inherits is the container's method, whichever class the call names. */
    static final class UsesPlain {
        final PlainBoxes boxes = new PlainBoxes();

        void add(Box box) {
            boxes.add(box); //: at plainAdd
        }

        int size() {
            return boxes.size(); //: at plainSize
        }

        void run(Box box) {
            add(box);
            size();
            boxes.push(box); //: at plainCount
            size();
            boxes.get(0).load(1);
            boxes.get(0).weigh();
        }
    }

    /** Twice the same object is more than once. */
    static final class Itself {
        final List<Object> all = new ArrayList<>();

        void run() {
            all.add(all);
            all.add(this);
            all.remove(this);
        }
    }

    public static void main(String[] arguments) {
        Listed.run();
        Mapped.run();
        new Kept().run(new Box(1));
        new Gone().run(new Box(1));
        new GoneByIterator().run(new Box(1));
        new GoneByView().run(new Box(1));
        new GoneByReplacement().run(new Box(1));
        new GoneFromMap().run(new Box(1));
        new GoneFromDeque().run(new Box(1));
        new Computed().run();
        new Collected().run();
        new Unchanging().run();
        new Copied().run();
        Guarded.run();
        new Referring().run();
        new Perhaps().run();
        new SetOf().run();
        new Locked().run();
        new Nested().run();
        new UsesStrict().run(new Box(1));
        new UsesPlain().run(new Box(1));
        new Itself().run();
        System.out.println("ok");
    }
}
