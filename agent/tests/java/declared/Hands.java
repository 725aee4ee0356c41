import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** What reflection, updaters and method handles do is done at the call below which they do it; below none it is unknown who did. */
final class Hands {
    /** Is not recorded. */
    static final class Library {
        static Field field(Class<?> type, String name) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field;
            } catch (NoSuchFieldException e) {
                throw new AssertionError(e);
            }
        }

        static void set(Object object, String name, Object value) {
            try {
                field(object.getClass(), name).set(object, value);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }

        static Object get(Object object, String name) {
            try {
                return field(object.getClass(), name).get(object);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }

        /** Sets a field on a thread without a recorded method. */
        static void setElsewhere(final Object object, final String name, final Object value) {
            Thread thread = new Thread(new Setter(object, name, value));
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        static void call(MethodHandle setter, Object object, Object value) throws Throwable {
            setter.invoke(object, value);
        }

        static final class Setter implements Runnable {
            final Object object;
            final String name;
            final Object value;

            Setter(Object object, String name, Object value) {
                this.object = object;
                this.name = name;
                this.value = value;
            }

            @Override
            public void run() {
                set(object, name, value);
                get(object, name);
            }
        }
    }

    static final class Leaf {
        int value;

        void put(int to) {
            value = to; //: at leafPut
        }

        int read() {
            return value; //: at leafRead
        }
    }

    //: pair Direct.value: direct -> directSeen
    //: none Direct.value: directBorn -> directSeen
    //: pair Direct.value: direct -> directGot
    //: direct Direct.value: direct -> directSeen
    //: exit Direct.value: direct -> Direct.change
    //: entry Direct.value: Direct.seen -> directSeen
    //: entry Direct.value: Direct.reflected -> directGot
    static final class Direct {
        static final Field VALUE = Library.field(Direct.class, "value");
        private Object value = "born"; //: at directBorn

        void change() throws Exception {
            VALUE.set(this, "changed"); //: at direct
        }

        Object reflected() throws Exception {
            return VALUE.get(this); //: at directGot
        }

        Object seen() {
            return value; //: at directSeen
        }

        static void run() throws Exception {
            Direct direct = new Direct();
            direct.change();
            direct.seen();
            direct.reflected();
        }
    }

    //: pair Asked.value: asked -> askedSeen
    //: none Asked.value: askedBorn -> askedSeen
    //: pair Asked.value: asked -> askedGot
    //: defined-by Asked.value: asked -> Asked.change,Asked.deeper
    //: pair Asked.leaf.value: leafPut -> leafRead
    //: pair Asked.leaf.value: leafGiven -> leafRead
    //: nested Asked.leaf.value: leafGiven -> leafRead
    static final class Asked {
        private Object value = "born"; //: at askedBorn
        private Leaf leaf;

        void change() {
            deeper();
        }

        private void deeper() {
            Library.set(this, "value", "changed"); //: at asked
        }

        void give(Leaf to) {
            Library.set(this, "leaf", to); //: at leafGiven
        }

        Object got() {
            return Library.get(this, "value"); //: at askedGot
        }

        Object seen() {
            return value; //: at askedSeen
        }

        int deep() {
            return leaf.read();
        }

        void deepPut() {
            leaf.put(3);
        }

        static void run() {
            Asked asked = new Asked();
            asked.change();
            asked.seen();
            asked.got();
            asked.give(new Leaf());
            asked.deep();
            asked.deepPut();
            asked.deep();
        }
    }

    // Who wrote below no recorded method is unknown, what there is not.
    //: none Elsewhere.value: elseBorn -> elseSeen
    //: none Elsewhere.value: elseAsked -> elseSeen
    //: pair Elsewhere.value: elseLater -> elseLast
    //: none Elsewhere.leaf.value: leafPut -> elseDeep
    //: none Elsewhere.leaf.value: leafPut -> leafRead
    //: entry Elsewhere.value: Elsewhere.seen -> elseSeen
    //: not-exit Elsewhere.value: elseAsked -> Elsewhere.change
    //: not-exit Elsewhere.value: elseBorn -> Elsewhere.change
    static final class Elsewhere {
        private Object value = "born"; //: at elseBorn
        private Leaf leaf;

        void change() {
            Library.setElsewhere(this, "value", "changed"); //: at elseAsked
        }

        Object seen() {
            return value; //: at elseSeen
        }

        void later() {
            value = "later"; //: at elseLater
        }

        Object last() {
            return value; //: at elseLast
        }

        int deep() {
            return leaf.read(); //: at elseDeep
        }

        static void run() {
            Elsewhere elsewhere = new Elsewhere();
            elsewhere.change();
            elsewhere.seen();
            elsewhere.later();
            elsewhere.last();
            Leaf leaf = new Leaf();
            leaf.put(1);
            Library.setElsewhere(elsewhere, "leaf", leaf);
            elsewhere.deep();
        }
    }

    // What is found there was written by nobody known, but what it holds is found.
    //: pair Found.leaf.value: foundPut -> foundRead
    static final class Found {
        static final class Inner {
            int value;
        }

        private Inner leaf;

        void put() {
            leaf.value = 7; //: at foundPut
        }

        int read() {
            return leaf.value; //: at foundRead
        }

        static void run() {
            Found found = new Found();
            Library.setElsewhere(found, "leaf", new Inner());
            found.put();
            found.read();
        }
    }

    //: pair Shared.all: allSet -> allSeen
    //: none Shared.all: allBorn -> allSeen
    //: pair Shared.count: countSet -> countGot
    //: pair Shared.constant: constantSet -> constantSeen
    //: none Shared.constant: constantBorn -> constantSeen
    static final class Shared {
        static Object all = "born"; //: at allBorn
        static int count;
        private final Object constant;

        Shared(Object constant) {
            this.constant = constant; //: at constantBorn
        }

        static void change() throws Exception {
            Library.field(Shared.class, "all").set(null, "changed"); //: at allSet
            Library.field(Shared.class, "count").setInt("anything", 5); //: at countSet
        }

        static Object seen() {
            return all; //: at allSeen
        }

        static int counted() throws Exception {
            return Library.field(Shared.class, "count").getInt(null); //: at countGot
        }

        void make() {
            Library.set(this, "constant", new Object()); //: at constantSet
        }

        Object made() {
            return constant; //: at constantSeen
        }

        static void run() throws Exception {
            change();
            seen();
            counted();
            Shared shared = new Shared(new Object());
            shared.make();
            shared.made();
        }
    }

    // A call that fails writes nothing.
    //: pair Failing.text: failingBorn -> failingSeen
    //: none Failing.text: failed -> failingSeen
    static final class Failing {
        private String text = "born"; //: at failingBorn

        void change() throws Exception {
            try {
                Library.field(Failing.class, "text").set(this, 5); //: at failed
            } catch (IllegalArgumentException expected) {
                System.out.println("refused");
            }
            try {
                Library.field(Failing.class, "text").set("no Failing", "text");
            } catch (IllegalArgumentException expected) {
                System.out.println("refused");
            }
        }

        Object seen() {
            return text; //: at failingSeen
        }

        static void run() throws Exception {
            Failing failing = new Failing();
            failing.change();
            failing.seen();
        }
    }

    //: pair Updated.held: swapped -> swapFailed
    //: pair Updated.held: swapped -> updatedSeen
    //: none Updated.held: swapFailed -> updatedSeen
    //: none Updated.held: heldBorn -> updatedSeen
    //: pair Updated.held: heldBorn -> swapped
    //: pair Updated.held.value: leafPut -> leafRead
    //: pair Updated.count: counted -> counted
    //: pair Updated.count: counted -> countSeen
    //: none Updated.count: countBorn -> countSeen
    //: pair Updated.sum: added -> sumGot
    //: pair Updated.sum: sumSet -> added
    static final class Updated {
        static final AtomicReferenceFieldUpdater<Updated, Leaf> HELD =
            AtomicReferenceFieldUpdater.newUpdater(Updated.class, Leaf.class, "held");
        static final AtomicIntegerFieldUpdater<Updated> COUNT =
            AtomicIntegerFieldUpdater.newUpdater(Updated.class, "count");
        static final AtomicLongFieldUpdater<Updated> SUM = AtomicLongFieldUpdater.newUpdater(Updated.class, "sum");

        volatile Leaf held = null; //: at heldBorn
        volatile int count = 1; //: at countBorn
        volatile long sum;

        boolean swap(Leaf to) {
            return HELD.compareAndSet(this, null, to); //: at swapped
        }

        boolean swapAgain(Leaf to) {
            return HELD.compareAndSet(this, null, to); //: at swapFailed
        }

        Object seen() {
            return held; //: at updatedSeen
        }

        int deep() {
            return held.read();
        }

        int count() {
            return COUNT.incrementAndGet(this); //: at counted
        }

        int countSeen() {
            return count; //: at countSeen
        }

        void sums() {
            SUM.set(this, 4); //: at sumSet
            SUM.addAndGet(this, 3); //: at added
            SUM.get(this); //: at sumGot
        }

        static void run() {
            Updated updated = new Updated();
            Leaf leaf = new Leaf();
            updated.swap(leaf);
            updated.swapAgain(new Leaf());
            updated.seen();
            leaf.put(4);
            updated.deep();
            updated.count();
            updated.count();
            updated.countSeen();
            updated.sums();
        }
    }

    //: pair Handled.number: numberSet -> numberSeen
    //: none Handled.number: numberBorn -> numberSeen
    //: pair Handled.number: numberSet -> numberGot
    //: pair Handled.leaf.value: leafPut -> leafRead
    //: pair Handled.leaf: handledGiven -> handledDeep
    //: pair Handled.any: anySet -> anySeen
    //: none Handled.any: anyBorn -> anySeen
    //: pair Handled.all: handleAll -> handleAllGot
    //: none Handled.leaf: badCast -> handledDeep
    static final class Handled {
        static final MethodHandle SET_NUMBER;
        static final MethodHandle GET_NUMBER;
        static final MethodHandle SET_LEAF;
        static final MethodHandle SET_ANY;
        static final MethodHandle SET_ALL;
        static final MethodHandle GET_ALL;

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                SET_NUMBER = lookup.findSetter(Handled.class, "number", int.class);
                GET_NUMBER = lookup.findGetter(Handled.class, "number", int.class);
                SET_LEAF = lookup.findSetter(Handled.class, "leaf", Leaf.class);
                SET_ANY = lookup.findSetter(Handled.class, "any", Object.class);
                SET_ALL = lookup.findStaticSetter(Handled.class, "all", String.class);
                GET_ALL = lookup.findStaticGetter(Handled.class, "all", String.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        private int number = 1; //: at numberBorn
        private Leaf leaf;
        private Object any = "born"; //: at anyBorn
        private static String all;

        void change() throws Throwable {
            SET_NUMBER.invokeExact(this, 5); //: at numberSet
        }

        int got() throws Throwable {
            return (int) GET_NUMBER.invokeExact(this); //: at numberGot
        }

        int seen() {
            return number; //: at numberSeen
        }

        void give(Leaf to) throws Throwable {
            Library.call(SET_LEAF, this, to); //: at handledGiven
        }

        void giveWrong() throws Throwable {
            try {
                Library.call(SET_LEAF, this, "no leaf"); //: at badCast
            } catch (ClassCastException expected) {
                System.out.println("refused");
            }
        }

        int deep() {
            return leaf.read(); //: at handledDeep
        }

        void setAny() throws Throwable {
            SET_ANY.invoke(this, "changed"); //: at anySet
        }

        Object any() {
            return any; //: at anySeen
        }

        static String all() throws Throwable {
            SET_ALL.invokeExact("changed"); //: at handleAll
            return (String) GET_ALL.invokeExact(); //: at handleAllGot
        }

        static void run() throws Throwable {
            for (int i = 0; i < 3; i++) {
                Handled handled = new Handled();
                handled.change();
                handled.seen();
                handled.got();
                Leaf leaf = new Leaf();
                handled.give(leaf);
                handled.giveWrong();
                leaf.put(8);
                handled.deep();
                handled.setAny();
                handled.any();
            }
            all();
        }
    }

    public static void main(String[] args) throws Throwable {
        Direct.run();
        Asked.run();
        Elsewhere.run();
        Found.run();
        Shared.run();
        Failing.run();
        Updated.run();
        Handled.run();
        System.out.println("done");
    }
}
