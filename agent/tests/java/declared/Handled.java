import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import java.util.Arrays;
import sun.misc.Unsafe;

/** What method handles, views of bytes and {@code Unsafe} do to elements is done at the call below which they do it. */
final class Handled {
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

        static Object call(MethodHandle handle, Object... arguments) throws Throwable {
            return handle.invokeWithArguments(Arrays.asList(arguments));
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

    //: pair Elements.numbers.[]: numberSet -> numberSeen
    //: none Elements.numbers.[]: numberBorn -> numberSeen
    //: pair Elements.numbers.[]: numberSet -> numberGot
    //: pair Elements.leaves.[]: leafSet -> leafSeen
    //: pair Elements.leaves.[].value: leafPut -> leafRead
    //: none Elements.leaves.[]: leafBorn -> leafSeen
    //: pair Elements.leaves.[]: leafSet -> leafGot
    //: none Elements.leaves.[]: leafRefused -> leafGot
    static final class Elements {
        static final MethodHandle SET_NUMBER = MethodHandles.arrayElementSetter(int[].class);
        static final MethodHandle GET_NUMBER = MethodHandles.arrayElementGetter(int[].class);
        static final MethodHandle SET_LEAF = MethodHandles.arrayElementSetter(Leaf[].class);
        static final MethodHandle GET_LEAF = MethodHandles.arrayElementGetter(Leaf[].class);
        final int[] numbers = new int[2];
        final Leaf[] leaves = new Leaf[2];

        void fill() {
            numbers[1] = 1; //: at numberBorn
            leaves[0] = new Leaf(); //: at leafBorn
        }

        void number() throws Throwable {
            SET_NUMBER.invokeExact(numbers, 1, 5); //: at numberSet
        }

        int seen() {
            return numbers[1]; //: at numberSeen
        }

        int got() throws Throwable {
            return (int) GET_NUMBER.invokeExact(numbers, 1); //: at numberGot
        }

        void leaf(Leaf to) throws Throwable {
            Library.call(SET_LEAF, leaves, 0, to); //: at leafSet
        }

        void refuse() throws Throwable {
            try {
                Library.call(SET_LEAF, leaves, 0, "no leaf"); //: at leafRefused
            } catch (ClassCastException expected) {
                System.out.println("refused");
            }
        }

        int deep() {
            return leaves[0].read(); //: at leafSeen
        }

        Object gotLeaf() throws Throwable {
            return Library.call(GET_LEAF, leaves, 0); //: at leafGot
        }

        static void run() throws Throwable {
            for (int i = 0; i < 3; i++) {
                Elements elements = new Elements();
                elements.fill();
                elements.number();
                elements.seen();
                elements.got();
                Leaf leaf = new Leaf();
                elements.leaf(leaf);
                elements.refuse();
                leaf.put(3);
                elements.deep();
                elements.gotLeaf();
            }
        }
    }

    //: pair Bytes.bytes.[]: intSet -> byteSeen
    //: none Bytes.bytes.[]: bytesBorn -> byteSeen
    //: pair Bytes.bytes.[]: bytesBorn -> outsideSeen
    //: none Bytes.bytes.[]: intSet -> outsideSeen
    //: pair Bytes.bytes.[]: intSet -> shortGot
    static final class Bytes {
        static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
        static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
        final byte[] bytes = new byte[16];

        void fill() {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = 1; //: at bytesBorn
            }
        }

        void set() {
            INTS.set(bytes, 4, 5); //: at intSet
        }

        byte seen() {
            return bytes[7]; //: at byteSeen
        }

        byte outside() {
            return bytes[8]; //: at outsideSeen
        }

        short got() {
            return (short) SHORTS.get(bytes, 4); //: at shortGot
        }

        static void run() {
            Bytes bytes = new Bytes();
            bytes.fill();
            bytes.set();
            bytes.seen();
            bytes.outside();
            bytes.got();
        }
    }

    //: pair Memory.to.[]: copied -> copySeen
    //: none Memory.to.[]: copyBorn -> copySeen
    //: pair Memory.from.[]: fromBorn -> copied
    //: pair Memory.to.[]: copyBorn -> besideSeen
    //: none Memory.to.[]: copied -> besideSeen
    //: pair Memory.to.[]: setAll -> allSeen
    //: none Memory.to.[]: copied -> allSeen
    @SuppressWarnings({"deprecation", "removal"})
    static final class Memory {
        final byte[] from = new byte[8];
        final int[] to = new int[4];

        void fill() {
            from[3] = 1; //: at fromBorn
            for (int i = 0; i < to.length; i++) {
                to[i] = 1; //: at copyBorn
            }
        }

        void copy() {
            long into = (long) Unsafe.ARRAY_INT_BASE_OFFSET + Unsafe.ARRAY_INT_INDEX_SCALE;
            Library.UNSAFE.copyMemory(from, Unsafe.ARRAY_BYTE_BASE_OFFSET, to, into, 8); //: at copied
        }

        int seen() {
            return to[2]; //: at copySeen
        }

        int beside() {
            return to[3]; //: at besideSeen
        }

        void setAll() {
            Library.UNSAFE.setMemory(to, Unsafe.ARRAY_INT_BASE_OFFSET, 16, (byte) 0); //: at setAll
        }

        int all() {
            return to[2]; //: at allSeen
        }

        static void run() {
            Memory memory = new Memory();
            memory.fill();
            memory.copy();
            memory.seen();
            memory.beside();
            memory.setAll();
            memory.all();
        }
    }

    // Below no recorded method nobody knows on whose behalf it was written.
    //: none Elsewhere.all.[]: elseBorn -> elseSeen
    //: pair Elsewhere.all.[]: elseBorn -> elseBefore
    //: pair Elsewhere.all.[]: elseLater -> elseLast
    @SuppressWarnings({"deprecation", "removal"})
    static final class Elsewhere {
        /** Is not recorded. */
        static final class Library implements Runnable {
            final byte[] array;

            Library(byte[] array) {
                this.array = array;
            }

            @Override
            public void run() {
                Handled.Library.UNSAFE.setMemory(array, Unsafe.ARRAY_BYTE_BASE_OFFSET, 2, (byte) 0);
            }
        }

        final byte[] all = new byte[2];

        void fill() {
            all[1] = 1; //: at elseBorn
        }

        byte before() {
            return all[1]; //: at elseBefore
        }

        byte seen() {
            return all[1]; //: at elseSeen
        }

        void later() {
            all[1] = 3; //: at elseLater
        }

        byte last() {
            return all[1]; //: at elseLast
        }

        static void run() throws InterruptedException {
            Elsewhere elsewhere = new Elsewhere();
            elsewhere.fill();
            elsewhere.before();
            Thread thread = new Thread(new Library(elsewhere.all));
            thread.start();
            thread.join();
            elsewhere.seen();
            elsewhere.later();
            elsewhere.last();
        }
    }

    public static void main(String[] args) throws Throwable {
        Elements.run();
        Bytes.run();
        Memory.run();
        Elsewhere.run();
        System.out.println("done");
    }
}
