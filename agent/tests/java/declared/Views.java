import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Containers that show what others hold, or hold it as something else does. */
final class Views {
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
        void touch(Box box) {
            box.mark();
            box.look();
        }
    }

    /** A list of an array's elements shares the array. */
    //: pair Shared.array.[]: listSets -> arrayGets
    //: pair Shared.list.[]: arraySets -> listGets
    //: pair Shared.list.[].weight: load -> weigh
    //: pair Shared.array.[].weight: load -> weigh
    //: none Shared.array.[]: arrayMade -> arrayGets
    //: none Shared.list.[].mark: mark -> look
    //: none Shared.array.[].mark: mark -> look
    static final class Shared extends Holder {
        final Box[] array;
        final List<Box> list;

        Shared() {
            Box[] made = new Box[2];
            made[0] = new Box(1); //: at arrayMade
            array = made;
            list = Arrays.asList(made);
        }

        void setInList(Box box) {
            list.set(0, box); //: at listSets
        }

        void setInArray(Box box) {
            array[0] = box; //: at arraySets
        }

        Box getFromList() {
            return list.get(0); //: at listGets
        }

        Box getFromArray() {
            return array[0]; //: at arrayGets
        }

        static void run() {
            Shared shared = new Shared();
            Box first = new Box(2);
            shared.setInList(first);
            shared.use();
            Box second = new Box(3);
            shared.setInArray(second);
            shared.use();
            shared.touch(first);
        }

        void use() {
            getFromArray().load(1).weigh();
            getFromList().load(2).weigh();
        }
    }

    /** A list of what the JDK filled an array with. */
    //: pair Filled.list.[].weight: load -> weigh
    //: none Filled.list.[].mark: mark -> look
    static final class Filled extends Holder {
        List<Box> list;

        void run() {
            List<Box> source = new ArrayList<>();
            source.add(new Box(1));
            source.add(new Box(2));
            list = Arrays.asList(source.toArray(new Box[2]));
            list.get(1).load(3).weigh();
            Box old = list.set(0, new Box(3));
            touch(old);
        }
    }

    /** An element that is set leaves the others as they were written. */
    //: pair Both.array.[]: firstSet -> firstGet
    //: pair Both.array.[]: secondSet -> secondGet
    //: none Both.array.[]: firstSet -> secondGet
    //: none Both.array.[]: secondSet -> firstGet
    static final class Both {
        final String[] array = new String[2];

        void run() {
            List<String> list = Arrays.asList(array);
            list.set(0, "a"); //: at firstSet
            list.set(1, "b"); //: at secondSet
            array[0].length(); //: at firstGet
            array[1].length(); //: at secondGet
        }
    }

    //: pair Literal.list.[].weight: load -> weigh
    //: none Literal.list.[].mark: mark -> look
    //: pair Literal.list.[]: literalSorts -> literalGets
    //: pair Literal.list.[]: literalLoops -> literalGets
    static final class Literal extends Holder {
        List<Box> list;

        void run() {
            Box old = new Box(1);
            list = Arrays.asList(old, new Box(2));
            Collections.reverse(list); //: at literalSorts
            get().load(1).weigh();
            for (ListIterator<Box> all = list.listIterator(); all.hasNext();) {
                all.next();
                all.set(new Box(3)); //: at literalLoops
            }
            get();
            touch(old);
        }

        Box get() {
            return list.get(0); //: at literalGets
        }
    }

    //: none Iterated.list.[].mark: mark -> look
    //: pair Iterated.list.[].weight: load -> weigh
    //: pair Iterated.list.[]: iteratedAdd -> iteratedGet
    //: none Removed.list.[].mark: mark -> look
    //: pair Removed.list.[].weight: load -> weigh
    //: none RemovedTwice.list.[].weight: load -> weigh
    //: pair RemovedOnce.list.[].mark: mark -> look
    static final class Iterated extends Holder {
        final List<Box> list = new ArrayList<>();

        void run() {
            Box old = new Box(1);
            list.add(old);
            ListIterator<Box> all = list.listIterator();
            all.next();
            all.set(new Box(2));
            all.add(new Box(3)); //: at iteratedAdd
            list.get(1) //: at iteratedGet
                .load(1).weigh();
            touch(old);
        }
    }

    static final class Removed extends Holder {
        final List<Box> list = new LinkedList<>();

        void run() {
            Box old = new Box(1);
            Box kept = new Box(2);
            list.add(old);
            list.add(kept);
            Iterator<Box> all = list.iterator();
            all.next();
            all.remove();
            touch(old);
            kept.load(1).weigh();
        }
    }

    /** It is in there twice, and removed twice. */
    static final class RemovedTwice extends Holder {
        final List<Box> list = new ArrayList<>();

        void run() {
            Box box = new Box(1);
            list.add(box);
            list.add(box);
            for (Iterator<Box> all = list.iterator(); all.hasNext();) {
                all.next();
                all.remove();
            }
            box.load(2).weigh();
        }
    }

    static final class RemovedOnce extends Holder {
        final List<Box> list = new ArrayList<>();

        void run() {
            Box box = new Box(1);
            list.add(box);
            list.add(box);
            Iterator<Box> all = list.iterator();
            all.next();
            all.remove();
            touch(box);
        }
    }

    //: none Keys.map.[].mark: mark -> look
    //: pair Keys.map.[]: keysRemove -> keysGet
    //: pair Keys.map.[].weight: load -> weigh
    static final class Keys extends Holder {
        final Map<String, Box> map = new HashMap<>();

        void run() {
            Box old = new Box(1);
            Box kept = new Box(2);
            map.put("a", old);
            map.put("b", kept);
            map.keySet().remove("a"); //: at keysRemove
            map.get("b"); //: at keysGet
            touch(old);
            kept.load(1).weigh();
        }
    }

    //: none KeyIterator.map.[].mark: mark -> look
    static final class KeyIterator extends Holder {
        final Map<String, Box> map = new HashMap<>();

        void run() {
            Box old = new Box(1);
            map.put("a", old);
            Iterator<String> names = map.keySet().iterator();
            names.next();
            names.remove();
            touch(old);
        }
    }

    //: pair Part.list.[]: partSet -> partGet
    //: none Part.list.[].mark: mark -> look
    //: pair Part.list.[]: partAdd -> partSize
    static final class Part extends Holder {
        final List<Box> list = new ArrayList<>();

        void run() {
            Box old = new Box(1);
            list.add(new Box(0));
            list.add(old);
            List<Box> part = list.subList(1, 2);
            part.set(0, new Box(2)); //: at partSet
            list.get(1); //: at partGet
            part.add(new Box(3)); //: at partAdd
            list.size(); //: at partSize
            touch(old);
        }
    }

    //: pair Descending.map.[]: descendingPut -> descendingGet
    //: pair Descending.map.[].weight: load -> weigh
    //: none Descending.map.[].mark: mark -> look
    static final class Descending extends Holder {
        final NavigableMap<String, Box> map = new TreeMap<>();

        void run() {
            Box old = new Box(1);
            NavigableMap<String, Box> down = map.descendingMap();
            down.put("a", old);
            down.put("a", new Box(2)); //: at descendingPut
            map.get("a") //: at descendingGet
                .load(1).weigh();
            touch(old);
            down.pollFirstEntry();
        }
    }

    //: pair Wrapped.map.[]: wrappedPut -> wrappedGet
    //: pair Wrapped.map.[].weight: load -> weigh
    //: pair Wrapped.shown.[].weight: load -> weigh
    //: none Wrapped.shown.[]: wrappedGet -> wrappedGet
    static final class Wrapped {
        final Map<String, Box> map = new HashMap<>();
        final Map<String, Box> shown = Collections.unmodifiableMap(map);

        void put() {
            map.put("a", new Box(1)); //: at wrappedPut
        }

        Box get() {
            return shown.get("a"); //: at wrappedGet
        }

        static void run() {
            Wrapped wrapped = new Wrapped();
            wrapped.put();
            wrapped.get().load(1).weigh();
            wrapped.weigh();
        }

        int weigh() {
            return get().weigh() + shown.values().iterator().next().load(3).weigh();
        }
    }

    //: pair Maybe.box.[].weight: load -> weigh
    //: none Maybe.none.[].weight: load -> weigh
    static final class Maybe {
        Optional<Box> box = Optional.of(new Box(1));
        Optional<Box> none = Optional.empty();

        void run() {
            box.map(found -> found.load(2)).ifPresent(Box::weigh);
            none.ifPresent(Box::weigh);
        }
    }

    //: pair Slots.boxes.[].weight: load -> weigh
    //: none Slots.boxes.[].mark: mark -> look
    //: pair Slots.numbers.[]: numbersSet -> numbersGet
    //: pair Slots.boxes.[]: slotsSwap -> slotsGet
    static final class Slots extends Holder {
        final AtomicReferenceArray<Box> boxes = new AtomicReferenceArray<>(2);
        final AtomicIntegerArray numbers = new AtomicIntegerArray(2);

        void run() {
            Box old = new Box(1);
            boxes.set(0, old);
            boxes.get(0).load(2).weigh();
            boxes.compareAndSet(0, old, new Box(2)); //: at slotsSwap
            boxes.get(0); //: at slotsGet
            numbers.set(1, 3); //: at numbersSet
            numbers.get(1); //: at numbersGet
            touch(old);
        }
    }

    //: pair Alone.entry.[].weight: load -> weigh
    //: none Alone.entry.[].mark: mark -> look
    static final class Alone extends Holder {
        final Map.Entry<String, Box> entry = new AbstractMap.SimpleEntry<>("a", new Box(1));

        void run() {
            Box old = entry.getValue();
            entry.setValue(new Box(2));
            entry.getValue().load(1).weigh();
            touch(old);
        }
    }

    public static void main(String[] arguments) {
        Shared.run();
        new Filled().run();
        new Both().run();
        new Literal().run();
        new Iterated().run();
        new Removed().run();
        new RemovedTwice().run();
        new RemovedOnce().run();
        new Keys().run();
        new KeyIterator().run();
        new Part().run();
        new Descending().run();
        Wrapped.run();
        new Maybe().run();
        new Slots().run();
        new Alone().run();
        System.out.println("ok");
    }
}
