import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is read from a stream is written where it is read, unless the program writes it itself meanwhile. */
final class Streams {
    static byte[] bytes(Object object) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(out)) {
            stream.writeObject(object);
        }
        return out.toByteArray();
    }

    static ObjectInputStream stream(Object object) throws IOException {
        return new ObjectInputStream(new ByteArrayInputStream(bytes(object)));
    }

    static final class Box implements Serializable {
        private static final long serialVersionUID = 1;

        int weight = 1; //: at boxMade
        transient int cache = 2; //: at cacheMade

        int weigh() {
            return weight; //: at weigh
        }

        int cached() {
            return cache; //: at cached
        }

        void load(int more) {
            weight = more; //: at load
        }
    }

    /** The whole graph is read by one call. */
    //: pair Below.count: plainRead -> plainCount
    //: pair Below.box.weight: plainRead -> weigh
    //: pair Box.weight: plainRead -> weigh
    //: pair Below.boxes.[].weight: plainRead -> weigh
    //: pair Below.boxes.[]: plainRead -> plainElement
    //: pair Below.list.[]: plainRead -> plainSize
    //: pair Below.list.[].weight: plainRead -> weigh
    //: pair Below.map.[].weight: plainRead -> weigh
    //: pair Below.numbers.[]: plainRead -> plainNumber
    //: pair Below.box.weight: load -> weigh
    //: none Box.cache: plainRead -> cached
    //: none Box.cache: cacheMade -> cached
    //: none Below.box.weight: boxMade -> weigh
    //: none Below.count: plainMade -> plainCount
    //: pair Below.more: plainRead -> belowMore
    static class Plain implements Serializable {
        private static final long serialVersionUID = 1;

        int count = 3; //: at plainMade
        Box box = new Box();
        Box[] boxes = {new Box()};
        List<Box> list = new ArrayList<>();
        Map<String, Box> map = new HashMap<>();
        int[] numbers = {1, 2};

        Plain() {
            list.add(new Box());
            map.put("a", new Box());
        }

        static Plain read(Plain from) throws IOException, ClassNotFoundException {
            try (ObjectInputStream in = stream(from)) {
                return (Plain) in.readObject(); //: at plainRead
            }
        }

        int sum() {
            int sum = count; //: at plainCount
            sum += box.weigh();
            sum += boxes[0] //: at plainElement
                .weigh();
            sum += list.size(); //: at plainSize
            sum += list.get(0).weigh();
            sum += map.get("a").weigh();
            sum += numbers[1]; //: at plainNumber
            return sum + box.cached();
        }

        static void run() throws IOException, ClassNotFoundException {
            Plain copy = read(new Below());
            copy.sum();
            ((Below) copy).more();
            copy.fill();
            copy.sum();
        }

        void fill() {
            box.load(7);
        }
    }

    static final class Below extends Plain {
        private static final long serialVersionUID = 1;

        int more = 4;

        int more() {
            return more; //: at belowMore
        }
    }

    /** Its class reads it: what the JDK sets, it sets where the class asks for it. */
    //: pair Own.count: ownDefault -> ownCount
    //: none Own.count: ownRead -> ownCount
    //: pair Own.box.weight: ownDefault -> weigh
    //: pair Own.late.weight: ownLate -> weigh
    //: pair Box.weight: ownDefault -> weigh
    //: none Box.weight: ownRead -> weigh
    //: pair Own.derived: ownDerived -> ownSum
    //: none Own.derived: ownRead -> ownSum
    //: pair Own.base: ownRead -> ownBase
    //: none Own.base: ownDefault -> ownBase
    //: pair Own.touched: ownTouch -> ownTouched
    //: none Own.touched: ownRead -> ownTouched
    static class Base implements Serializable {
        private static final long serialVersionUID = 1;

        int base = 1;
        int touched = 1;
    }

    static final class Own extends Base {
        private static final long serialVersionUID = 1;

        int count = 3;
        Box box = new Box();
        transient Box late = new Box();
        transient int derived;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject(late);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject(); //: at ownDefault
            late = (Box) in.readObject(); //: at ownLate
            derived = 5; //: at ownDerived
            touched = 6; //: at ownTouch
        }

        int sum() {
            int sum = count; //: at ownCount
            sum += derived; //: at ownSum
            sum += base; //: at ownBase
            sum += touched; //: at ownTouched
            return sum + box.weigh() + late.weigh();
        }

        static void run() throws IOException, ClassNotFoundException {
            ObjectInputStream in = stream(new Own());
            Own copy = (Own) in.readObject(); //: at ownRead
            copy.sum();
        }
    }

    /** A child that reads itself refers back to a parent that is not read yet. */
    //: pair Parent.size: parentRead -> parentSize
    //: pair Child.age: childDefault -> childAge
    //: none Child.age: parentRead -> childAge
    //: pair Parent.child.age: parentRead -> childAge
    //: none Parent.size: childDefault -> parentSize
    //: pair Child.parent.size: parentRead -> parentSize
    static final class Parent implements Serializable {
        private static final long serialVersionUID = 1;

        int size = 1;
        Child child = new Child(this);

        int size() {
            return size; //: at parentSize
        }

        int childAge() {
            return child.age();
        }

        static void run() throws IOException, ClassNotFoundException {
            ObjectInputStream in = stream(new Parent());
            Parent copy = (Parent) in.readObject(); //: at parentRead
            copy.size();
            copy.childAge();
            copy.child.ask();
        }
    }

    static final class Child implements Serializable {
        private static final long serialVersionUID = 1;

        final Parent parent;
        int age = 2;

        Child(Parent parent) {
            this.parent = parent;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject(); //: at childDefault
        }

        int age() {
            return age; //: at childAge
        }

        int ask() {
            return parent.size();
        }
    }

    /** What a constructor makes while a stream is read is the program's. */
    //: pair Real.start: realMade -> realStart
    //: none Real.start: realRead -> realStart
    //: none Real.untouched: realRead -> realUntouched
    static final class Real implements Serializable {
        private static final long serialVersionUID = 1;

        final int start;
        int untouched;

        Real(int start) {
            this.start = start; //: at realMade
        }

        private Object writeReplace() {
            return new Proxy();
        }

        int sum() {
            int sum = start; //: at realStart
            return sum + untouched; //: at realUntouched
        }

        static void run() throws IOException, ClassNotFoundException {
            Real copy = (Real) stream(new Real(1)).readObject(); //: at realRead
            copy.sum();
        }
    }

    static final class Proxy implements Serializable {
        private static final long serialVersionUID = 1;

        private Object readResolve() {
            return new Real(4);
        }
    }

    /** Who is there already is not read again. */
    //: pair Single.value: singleMade -> singleGet
    //: none Single.value: singleRead -> singleGet
    static final class Single implements Serializable {
        private static final long serialVersionUID = 1;
        static final Single ONE = new Single();

        int value = 1; //: at singleMade

        private Object readResolve() {
            return ONE;
        }

        int get() {
            return value; //: at singleGet
        }

        static void run() throws IOException, ClassNotFoundException {
            Single copy = (Single) stream(ONE).readObject(); //: at singleRead
            copy.get();
        }
    }

    //: pair Outside.value: outsideSet -> outsideGet
    //: none Outside.value: outsideRead -> outsideGet
    public static final class Outside implements Externalizable {
        int value;

        public Outside() {
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(value);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            value = in.readInt(); //: at outsideSet
        }

        int get() {
            return value; //: at outsideGet
        }

        static void run() throws IOException, ClassNotFoundException {
            ObjectInput in = stream(new Outside());
            Outside copy = (Outside) in.readObject(); //: at outsideRead
            copy.get();
        }
    }

    /** A class that picks the fields of the stream sets its own itself. */
    //: pair Picks.box: picksBox -> picksGet
    //: pair Picks.box.weight: picksBox -> weigh
    //: pair Box.weight: picksFields -> weigh
    //: none Picks.box: picksFields -> picksGet
    static final class Picks implements Serializable {
        private static final long serialVersionUID = 1;

        private Box box = new Box();

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            ObjectInputStream.GetField fields = in.readFields(); //: at picksFields
            Box read = (Box) fields.get("box", null);
            box = read; //: at picksBox
        }

        int get() {
            return box //: at picksGet
                .weigh();
        }

        static void run() throws IOException, ClassNotFoundException {
            ((Picks) stream(new Picks()).readObject()).get();
        }
    }

    /** Streams of the program, interfaces and unshared objects. */
    //: pair Shares.box.weight: sharesUnshared -> weigh
    //: pair Box.weight: sharesUnshared -> weigh
    //: pair Box.weight: sharesSecond -> weigh
    //: none Shares.box.weight: sharesSecond -> weigh
    static final class Shares {
        Box box;
        Box second;

        static final class Named extends ObjectInputStream {
            Named(InputStream in) throws IOException {
                super(in);
            }

            @Override
            protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
                return super.resolveClass(described);
            }

            Object again() throws IOException, ClassNotFoundException {
                return readObject(); //: at sharesSecond
            }
        }

        void run() throws IOException, ClassNotFoundException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ObjectOutputStream stream = new ObjectOutputStream(out);
            stream.writeUnshared(new Box());
            stream.reset();
            stream.writeObject(new Box());
            stream.flush();
            Named in = new Named(new ByteArrayInputStream(out.toByteArray()));
            box = (Box) in.readUnshared(); //: at sharesUnshared
            second = (Box) in.again();
            sum();
        }

        int sum() {
            return box.weigh() + second.weigh();
        }
    }

    /** A stream that throws leaves nothing behind, and the next one is read as any other. */
    //: pair Box.weight: thrownRead -> weigh
    //: none Box.weight: thrownHalf -> weigh
    static final class Thrown {
        Box box;

        void run() throws IOException, ClassNotFoundException {
            byte[] whole = bytes(new Object[] {new Box(), new Box()});
            try {
                byte[] half = java.util.Arrays.copyOf(whole, whole.length - 2);
                new ObjectInputStream(new ByteArrayInputStream(half)).readObject(); //: at thrownHalf
            } catch (IOException expected) {
                box = null;
            }
            Object[] boxes = (Object[]) new ObjectInputStream(new ByteArrayInputStream(whole)).readObject(); //: at thrownRead
            box = (Box) boxes[0];
            box.weigh();
        }
    }

    /** What methods of the program that the stream calls read of what is read so far. */
    //: pair Key.name: keyedRead -> keyHash
    //: none Key.seen: keyedRead -> keySeen
    //: pair Key.name: keyedRead -> keyName
    //: none Key.name: keyedAgain -> keyHash
    static final class Key implements Serializable {
        private static final long serialVersionUID = 1;

        private final String name;
        private transient int seen;

        Key(String name) {
            this.name = name;
        }

        @Override
        public int hashCode() {
            seen++; //: at keySeen
            return name.length(); //: at keyHash
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).name.equals(name);
        }

        String name() {
            return name; //: at keyName
        }

        @SuppressWarnings("unchecked")
        static void run() throws IOException, ClassNotFoundException {
            Map<Key, Key> keys = new HashMap<>();
            keys.put(new Key("a"), new Key("bc"));
            keys.put(new Key("bcd"), new Key("e"));
            ObjectInputStream in = stream(keys);
            Map<Key, Key> copy = (Map<Key, Key>) in.readObject(); //: at keyedRead
            copy.values().iterator().next().name();
            Key alone = (Key) stream(new Key("f")).readObject(); //: at keyedAgain
            alone.name();
        }
    }

    //: pair Resolves.start: resolvesRead -> resolvesStart
    //: pair Resolved.start: resolvedMade -> resolvedStart
    //: none Resolved.start: resolvesRead -> resolvedStart
    static final class Resolves implements Serializable {
        private static final long serialVersionUID = 1;

        final int start;

        Resolves(int start) {
            this.start = start;
        }

        private Object readResolve() {
            return new Resolved(start); //: at resolvesStart
        }

        static void run() throws IOException, ClassNotFoundException {
            ((Resolved) stream(new Resolves(3)).readObject()).start(); //: at resolvesRead
        }
    }

    static final class Resolved {
        final int start;

        Resolved(int start) {
            this.start = start; //: at resolvedMade
        }

        int start() {
            return start; //: at resolvedStart
        }
    }

    //: pair Early.base: earlyRead -> earlyBase
    //: none Early.count: earlyRead -> earlyCount
    //: none Early.count: earlyMade -> earlyCount
    //: pair Early.count: earlyDefault -> lateCount
    //: none Early.count: earlyRead -> lateCount
    //: pair Box.weight: earlyDefault -> weigh
    static final class Early extends Base {
        private static final long serialVersionUID = 1;

        int count = 3; //: at earlyMade
        Box box = new Box();
        transient int sum;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            sum = base; //: at earlyBase
            sum += count; //: at earlyCount
            in.defaultReadObject(); //: at earlyDefault
            sum += count; //: at lateCount
            sum += box.weigh();
        }

        static void run() throws IOException, ClassNotFoundException {
            stream(new Early()).readObject(); //: at earlyRead
        }
    }

    /** By such a name, but no stream. */
    //: pair Named.count: namedSet -> namedGet
    //: none Named.count: namedCall -> namedGet
    static final class Named {
        int count;

        Object readObject() {
            count = 1; //: at namedSet
            return this;
        }

        void defaultReadObject() {
        }

        void run() {
            readObject(); //: at namedCall
            defaultReadObject();
            get();
        }

        int get() {
            return count; //: at namedGet
        }
    }

    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        Plain.run();
        Own.run();
        Parent.run();
        Real.run();
        Single.run();
        Outside.run();
        Picks.run();
        new Shares().run();
        new Thrown().run();
        Key.run();
        Resolves.run();
        Early.run();
        new Named().run();
        System.out.println("ok");
    }
}
