import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicStampedReference;

/** What containers hold that a lock guards, or that classes of the program extend, when the JDK filled them. */
final class Guarded {
    static final class Box implements Comparable<Box> {
        int weight;
        int mark;

        Box(int weight) {
            this.weight = weight;
        }

        @Override
        public int compareTo(Box other) {
            return 0;
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

    /** Takes what the JDK put into a container for its own, loads one box, drops another. */
    abstract static class Holder<C extends Collection<Box>> {
        C boxes;

        abstract C made(List<Box> from);

        void run() {
            Box kept = new Box(1);
            Box dropped = new Box(2);
            boxes = made(Arrays.asList(kept, dropped));
            kept.load(3).weigh();
            boxes.retainAll(Collections.singleton(kept));
            dropped.mark();
            dropped.look();
            boxes.addAll(Collections.singleton(new Box(4)));
            for (Iterator<Box> all = boxes.iterator(); all.hasNext();) {
                if (all.next() == kept) {
                    all.remove();
                }
            }
            kept.mark();
            kept.look();
        }
    }

    //: pair Vectors.boxes.[].weight: load -> weigh
    //: none Vectors.boxes.[].mark: mark -> look
    static final class Vectors extends Holder<Vector<Box>> {
        @Override
        Vector<Box> made(List<Box> from) {
            return new Vector<>(from);
        }
    }

    //: pair Stacks.boxes.[].weight: load -> weigh
    //: none Stacks.boxes.[].mark: mark -> look
    static final class Stacks extends Holder<Stack<Box>> {
        @Override
        Stack<Box> made(List<Box> from) {
            Stack<Box> stack = new Stack<>();
            stack.addAll(from);
            return stack;
        }
    }

    //: pair Synchronized.boxes.[].weight: load -> weigh
    //: none Synchronized.boxes.[].mark: mark -> look
    static final class Synchronized extends Holder<List<Box>> {
        @Override
        List<Box> made(List<Box> from) {
            return Collections.synchronizedList(new ArrayList<>(from));
        }
    }

    //: pair Queues.boxes.[].weight: load -> weigh
    //: none Queues.boxes.[].mark: mark -> look
    static final class Queues extends Holder<LinkedBlockingQueue<Box>> {
        @Override
        LinkedBlockingQueue<Box> made(List<Box> from) {
            return new LinkedBlockingQueue<>(from);
        }
    }

    //: pair Deques.boxes.[].weight: load -> weigh
    //: none Deques.boxes.[].mark: mark -> look
    static final class Deques extends Holder<LinkedBlockingDeque<Box>> {
        @Override
        LinkedBlockingDeque<Box> made(List<Box> from) {
            return new LinkedBlockingDeque<>(from);
        }
    }

    //: pair Bounded.boxes.[].weight: load -> weigh
    //: none Bounded.boxes.[].mark: mark -> look
    static final class Bounded extends Holder<ArrayBlockingQueue<Box>> {
        @Override
        ArrayBlockingQueue<Box> made(List<Box> from) {
            return new ArrayBlockingQueue<>(4, false, from);
        }
    }

    //: pair Ordered.boxes.[].weight: load -> weigh
    //: none Ordered.boxes.[].mark: mark -> look
    static final class Ordered extends Holder<PriorityBlockingQueue<Box>> {
        @Override
        PriorityBlockingQueue<Box> made(List<Box> from) {
            return new PriorityBlockingQueue<>(from);
        }
    }

    //: pair Concurrent.boxes.[].weight: load -> weigh
    //: none Concurrent.boxes.[].mark: mark -> look
    static final class Concurrent extends Holder<ConcurrentLinkedDeque<Box>> {
        @Override
        ConcurrentLinkedDeque<Box> made(List<Box> from) {
            return new ConcurrentLinkedDeque<>(from);
        }
    }

    //: pair Keys.boxes.[].weight: load -> weigh
    //: none Keys.boxes.[].mark: mark -> look
    static final class Keys extends Holder<Collection<Box>> {
        @Override
        Collection<Box> made(List<Box> from) {
            Collection<Box> keys = Collections.newSetFromMap(new ConcurrentHashMap<>());
            keys.addAll(from);
            return keys;
        }
    }

    /** A class of the program: what it overrides is not called to find out what it holds. */
    //: pair Named.boxes.[].weight: load -> weigh
    //: none Named.boxes.[].mark: mark -> look
    //: none Names.asked: asks -> asked
    static final class Named extends Holder<Names> {
        @Override
        Names made(List<Box> from) {
            Names names = new Names(from);
            names.asked();
            return names;
        }
    }

    static final class Names extends ArrayList<Box> {
        private static final long serialVersionUID = 1;

        int asked;

        Names(List<Box> from) {
            super(from);
        }

        @Override
        public int size() {
            asked++; //: at asks
            return super.size();
        }

        int asked() {
            return asked; //: at asked
        }
    }

    //: pair Own.boxes.[].weight: load -> weigh
    static final class Own {
        final Set own = new Set(Arrays.asList(new Box(1), new Box(2)));
        final Set boxes = own;

        static final class Set extends HashSet<Box> {
            private static final long serialVersionUID = 1;

            Set(List<Box> from) {
                super(from);
            }
        }

        void run() {
            boxes.forEach(box -> box.load(1).weigh());
        }
    }

    //: pair Tables.table.[].weight: load -> weigh
    //: none Tables.table.[].mark: mark -> look
    //: pair Tables.map.[].weight: load -> weigh
    static final class Tables {
        Hashtable<String, Box> table;
        Cache map;

        static final class Cache extends LinkedHashMap<String, Box> {
            private static final long serialVersionUID = 1;

            Cache(Map<String, Box> from) {
                super(from);
            }
        }

        void run() {
            Box box = new Box(1);
            Map<String, Box> from = new HashMap<>();
            from.put("a", box);
            table = new Hashtable<>(from);
            map = new Cache(from);
            box.load(1).weigh();
            table.clear();
            box.mark();
            box.look();
        }
    }

    /** Maps of the program that keep what they hold in ways of their own, made full and changed by their own code. */
    //: pair Extended.sorted.[].weight: load -> weigh
    //: none Extended.sorted.[].mark: mark -> look
    //: pair Extended.shared.[].weight: load -> weigh
    //: none Extended.shared.[].mark: mark -> look
    //: pair Extended.skipped.[].weight: load -> weigh
    //: none Extended.skipped.[].mark: mark -> look
    //: pair Extended.written.[].weight: load -> weigh
    //: none Extended.written.[].mark: mark -> look
    //: pair Sorted.[]: sortedPut -> sortedGet
    //: none Sorted.[]: sortedCalled -> sortedGet
    //: pair Shared.[]: sharedPut -> sharedSize
    //: none Shared.[]: sharedCalled -> sharedSize
    //: pair Extended.sorted.[]: extendedRemove -> extendedSize
    //: pair Filled.[].weight: load -> weigh
    static final class Extended {
        final Sorted sorted = new Sorted();
        final Shared shared = new Shared();
        final Skipped skipped = new Skipped();
        Written written;

        void run() {
            Box old = new Box(1);
            Box kept = new Box(2);
            sorted.put("a", old); //: at sortedCalled
            sorted.put("b", kept);
            sorted.first();
            shared.put("a", old); //: at sharedCalled
            shared.put("b", kept);
            shared.count();
            skipped.put("a", old);
            skipped.put("b", kept);
            written = new Written(Arrays.asList(old, kept));
            sorted.values().remove(old); //: at extendedRemove
            sorted.size(); //: at extendedSize
            shared.entrySet().removeIf(entry -> entry.getValue() == old);
            skipped.remove("a");
            written.removeIf(box -> box == old);
            old.mark();
            old.look();
            kept.load(3).weigh();
            Map<String, Box> from = new HashMap<>();
            Box filled = new Box(3);
            from.put("a", filled);
            new Filled(from).use(filled);
        }
    }

    static final class Sorted extends TreeMap<String, Box> {
        private static final long serialVersionUID = 1;

        @Override
        public Box put(String name, Box box) {
            return super.put(name, box); //: at sortedPut
        }

        Box first() {
            return get("a"); //: at sortedGet
        }
    }

    static final class Shared extends ConcurrentHashMap<String, Box> {
        private static final long serialVersionUID = 1;

        @Override
        public Box put(String name, Box box) {
            return super.put(name, box); //: at sharedPut
        }

        int count() {
            return size(); //: at sharedSize
        }
    }

    /** Of this one nothing is known but what its calls say. */
    static final class Skipped extends ConcurrentSkipListMap<String, Box> {
        private static final long serialVersionUID = 1;

        @Override
        public Box put(String name, Box box) {
            return super.put(name, box);
        }
    }

    static final class Written extends CopyOnWriteArrayList<Box> {
        private static final long serialVersionUID = 1;

        Written(Collection<Box> from) {
            super(from);
        }
    }

    static final class Filled extends TreeMap<String, Box> {
        private static final long serialVersionUID = 1;

        Filled(Map<String, Box> from) {
            super(from);
        }

        void use(Box box) {
            box.load(4).weigh();
        }
    }

    //: pair Copied.boxes.[].weight: load -> weigh
    //: pair Copied.stamped.[].weight: load -> weigh
    static final class Copied {
        final Box box = new Box(1);
        final List<Box> boxes = new CopyOnWriteArrayList<>(new Box[] {box});
        final AtomicStampedReference<Box> stamped = new AtomicStampedReference<>(box, 1);

        void run() {
            box.load(1).weigh();
        }
    }

    /** The lock of a vector that is first seen is another thread's, who waits for us. */
    //: pair Waits.boxes.[].weight: load -> weigh
    static final class Waits {
        Vector<Box> boxes;

        void run() throws InterruptedException {
            Box box = new Box(1);
            Vector<Box> made = new Vector<>(Collections.singletonList(box));
            CountDownLatch held = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(1);
            Thread holder = new Thread(() -> {
                synchronized (made) {
                    held.countDown();
                    try {
                        System.out.println("in time: " + done.await(60, TimeUnit.SECONDS));
                    } catch (InterruptedException e) {
                        System.out.println("interrupted");
                    }
                }
            });
            holder.start();
            held.await();
            boxes = made;
            box.load(1).weigh();
            done.countDown();
            holder.join();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Vectors().run();
        new Stacks().run();
        new Synchronized().run();
        new Queues().run();
        new Deques().run();
        new Bounded().run();
        new Ordered().run();
        new Concurrent().run();
        new Keys().run();
        new Named().run();
        new Own().run();
        new Tables().run();
        new Extended().run();
        new Copied().run();
        new Waits().run();
        System.out.println("ok");
    }
}
