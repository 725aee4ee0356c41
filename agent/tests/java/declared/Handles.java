import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** What {@code VarHandle} and {@code Unsafe} do is done at the call below which they do it. */
final class Handles {
    /** Is not recorded. */
    static final class Library {
        static final Unsafe UNSAFE;

        static {
            try {
                Field field = Unsafe.class.getDeclaredField("theUnsafe");
                field.setAccessible(true);
                UNSAFE = (Unsafe) field.get(null);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        @SuppressWarnings("deprecation")
        static long offset(Class<?> type, String name) {
            try {
                return UNSAFE.objectFieldOffset(type.getDeclaredField(name));
            } catch (NoSuchFieldException e) {
                throw new AssertionError(e);
            }
        }

        static void set(VarHandle handle, Object object, Object value) {
            handle.setRelease(object, value);
        }
    }

    static class Above {
        volatile Object above = "born"; //: at aboveBorn

        Object above() {
            return above; //: at aboveSeen
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

    //: pair Instance.leaf: varSet -> deep
    //: pair Instance.leaf.value: leafPut -> leafRead
    //: nested Instance.leaf.value: varSet -> leafRead
    //: pair Instance.number: varAdded -> numberSeen
    //: pair Instance.number: numberBorn -> varAdded
    //: none Instance.number: numberBorn -> numberSeen
    //: pair Instance.number: exchanged -> exchangeFailed
    //: none Instance.number: exchangeFailed -> numberLast
    //: pair Instance.number: exchanged -> numberLast
    //: pair Instance.above: aboveSet -> aboveSeen
    //: none Instance.above: aboveBorn -> aboveSeen
    //: pair Instance.ratio: ratioSet -> ratioGot
    //: pair Instance.swapped: swap -> swapAgain
    //: none Instance.swapped: swapAgain -> swappedSeen
    //: pair Instance.swapped: swap -> swappedSeen
    static final class Instance extends Above {
        static final VarHandle LEAF = find("leaf", Leaf.class);
        static final VarHandle NUMBER = find("number", int.class);
        static final VarHandle ABOVE = find("above", Object.class);
        static final VarHandle RATIO = find("ratio", double.class);
        static final VarHandle SWAPPED = find("swapped", String.class);

        static VarHandle find(String name, Class<?> type) {
            try {
                return MethodHandles.lookup().findVarHandle(Instance.class, name, type);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        private Leaf leaf;
        private int number = 1; //: at numberBorn
        private double ratio;
        private String swapped;

        void give(Leaf to) {
            Library.set(LEAF, this, to); //: at varSet
        }

        int deep() {
            return leaf.read(); //: at deep
        }

        void add() {
            NUMBER.getAndAdd(this, 4); //: at varAdded
        }

        int number() {
            return number; //: at numberSeen
        }

        void exchange() {
            NUMBER.compareAndExchange(this, 5, 6); //: at exchanged
        }

        void exchangeAgain() {
            NUMBER.compareAndExchange(this, 5, 7); //: at exchangeFailed
        }

        int numberLast() {
            return number; //: at numberLast
        }

        void setAbove() {
            ABOVE.setVolatile(this, "changed"); //: at aboveSet
        }

        double ratio() {
            RATIO.set(this, 0.5); //: at ratioSet
            return (double) RATIO.getOpaque(this); //: at ratioGot
        }

        void swap() {
            SWAPPED.compareAndSet(this, null, "one"); //: at swap
        }

        void swapAgain() {
            SWAPPED.compareAndSet(this, null, "two"); //: at swapAgain
        }

        String swapped() {
            return swapped; //: at swappedSeen
        }

        static void run() {
            Instance instance = new Instance();
            Leaf leaf = new Leaf();
            instance.give(leaf);
            instance.deep();
            leaf.put(4);
            instance.deep();
            instance.add();
            instance.number();
            instance.exchange();
            instance.exchangeAgain();
            instance.numberLast();
            instance.setAbove();
            instance.above();
            instance.ratio();
            instance.swap();
            instance.swapAgain();
            instance.swapped();
        }
    }

    //: pair Fixed.all: fixedSet -> fixedSeen
    //: none Fixed.all: fixedBorn -> fixedSeen
    //: pair Fixed.count: fixedCount -> fixedCount
    static final class Fixed {
        static Object all = "born"; //: at fixedBorn
        static long count;
        static final VarHandle ALL;
        static final VarHandle COUNT;

        static {
            try {
                ALL = MethodHandles.lookup().findStaticVarHandle(Fixed.class, "all", Object.class);
                COUNT = MethodHandles.lookup().findStaticVarHandle(Fixed.class, "count", long.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        static void change() {
            ALL.set("changed"); //: at fixedSet
        }

        static Object seen() {
            return all; //: at fixedSeen
        }

        static void count() {
            COUNT.getAndAdd(1L); //: at fixedCount
        }

        static void run() {
            change();
            seen();
            count();
            count();
        }
    }

    //: pair Elements.all.[]: elementSet -> elementSeen
    //: none Elements.all.[]: elementFilled -> elementSeen
    //: pair Elements.all.[]: elementFilled -> otherSeen
    //: pair Elements.all.[].value: leafPut -> leafRead
    //: pair Elements.numbers.[]: numbersAdded -> numbersSeen
    static final class Elements {
        static final VarHandle LEAVES = MethodHandles.arrayElementVarHandle(Leaf[].class);
        static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
        final Leaf[] all = new Leaf[2];
        final int[] numbers = new int[3];

        void fill() {
            all[0] = new Leaf(); //: at elementFilled
            all[1] = new Leaf(); //: at elementOther
        }

        void set(Leaf to) {
            LEAVES.setVolatile(all, 1, to); //: at elementSet
        }

        int seen() {
            return all[1].read(); //: at elementSeen
        }

        Object other() {
            return all[0]; //: at otherSeen
        }

        void add() {
            INTS.getAndAdd(numbers, 2, 5); //: at numbersAdded
        }

        int number() {
            return numbers[2]; //: at numbersSeen
        }

        static void run() {
            Elements elements = new Elements();
            elements.fill();
            Leaf leaf = new Leaf();
            elements.set(leaf);
            leaf.put(3);
            elements.seen();
            elements.other();
            elements.add();
            elements.number();
        }
    }

    //: pair Unsafely.leaf.value: leafPut -> leafRead
    //: pair Unsafely.leaf: unsafePut -> unsafeDeep
    //: pair Unsafely.number: unsafeSwap -> unsafeSwapFailed
    //: pair Unsafely.number: unsafeSwap -> unsafeSeen
    //: none Unsafely.number: unsafeSwapFailed -> unsafeSeen
    //: none Unsafely.number: unsafeBorn -> unsafeSeen
    //: pair Unsafely.numbers.[]: unsafeElement -> unsafeElementSeen
    //: none Unsafely.numbers.[]: unsafeElement -> unsafeOtherSeen
    //: pair Unsafely.bytes.[]: unsafeBytes -> unsafeByteSeen
    @SuppressWarnings({"deprecation", "removal"})
    static final class Unsafely {
        static final Unsafe UNSAFE = Library.UNSAFE;
        static final long LEAF = Library.offset(Unsafely.class, "leaf");
        static final long NUMBER = Library.offset(Unsafely.class, "number");
        private Leaf leaf;
        private int number = 1; //: at unsafeBorn
        private final int[] numbers = new int[4];
        private final byte[] bytes = new byte[8];

        void give(Leaf to) {
            UNSAFE.putObject(this, LEAF, to); //: at unsafePut
        }

        int deep() {
            return leaf.read(); //: at unsafeDeep
        }

        void swap() {
            UNSAFE.compareAndSwapInt(this, NUMBER, 1, 2); //: at unsafeSwap
        }

        void swapAgain() {
            UNSAFE.compareAndSwapInt(this, NUMBER, 1, 3); //: at unsafeSwapFailed
        }

        int seen() {
            return number; //: at unsafeSeen
        }

        void element() {
            UNSAFE.putInt(numbers, (long) Unsafe.ARRAY_INT_BASE_OFFSET + 2L * Unsafe.ARRAY_INT_INDEX_SCALE, 7); //: at unsafeElement
        }

        int elementSeen() {
            return numbers[2]; //: at unsafeElementSeen
        }

        int otherSeen() {
            return numbers[1]; //: at unsafeOtherSeen
        }

        void wide() {
            UNSAFE.putInt(bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET, 7); //: at unsafeBytes
        }

        int byteSeen() {
            return bytes[3]; //: at unsafeByteSeen
        }

        static void run() {
            Unsafely unsafely = new Unsafely();
            Leaf leaf = new Leaf();
            leaf.put(3);
            unsafely.give(leaf);
            leaf.put(4);
            unsafely.deep();
            unsafely.swap();
            unsafely.swapAgain();
            unsafely.seen();
            unsafely.element();
            unsafely.elementSeen();
            unsafely.otherSeen();
            unsafely.wide();
            unsafely.byteSeen();
        }
    }

    public static void main(String[] args) {
        Instance.run();
        Fixed.run();
        Elements.run();
        Unsafely.run();
        System.out.println("done");
    }
}
