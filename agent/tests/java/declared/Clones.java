import java.util.ArrayList;
import java.util.List;

/** A clone reads what it copies and writes the copy; what both refer to is state of both. */
final class Clones {
    static final class Leaf {
        int value;

        void set(int to) {
            value = to; //: at set
        }

        int get() {
            return value; //: at get
        }
    }

    //: pair Plain.size: grow -> copies
    //: pair Plain.size: copies -> sized
    //: none Plain.size: grow -> sized
    //: pair Plain.leaf.value: set -> get
    //: pair Plain.leaf.value: copies -> get
    static class Plain implements Cloneable {
        int size;
        Leaf leaf = new Leaf();

        void grow() {
            size++; //: at grow
        }

        int sized() {
            return size; //: at sized
        }

        void fill() {
            leaf.set(3);
        }

        int look() {
            return leaf.get();
        }

        @Override
        public Plain clone() {
            try {
                return (Plain) super.clone(); //: at copies
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        static void run() {
            Plain first = new Plain();
            first.grow();
            Plain second = first.clone();
            second.sized();
            second.look();
            first.fill();
            second.look();
            second.fill();
            second.look();
        }
    }

    /** Its superclass clones: the call here copies nothing again. */
    //: pair Below.more: more -> copies
    //: none Below.more: more -> again
    //: pair Below.more: copies -> seen
    static final class Below extends Plain {
        int more;

        void more() {
            more++; //: at more
        }

        int seen() {
            return more; //: at seen
        }

        @Override
        public Below clone() {
            return (Below) super.clone(); //: at again
        }

        static void run() {
            Below first = new Below();
            first.more();
            first.clone().seen();
        }
    }

    //: pair Names.[]: nameAdd -> nameSize
    //: pair Names.[].value: set -> get
    static final class Names extends ArrayList<Leaf> {
        private static final long serialVersionUID = 1;

        void put(Leaf leaf) {
            add(leaf); //: at nameAdd
        }

        @Override
        public Names clone() {
            return (Names) super.clone();
        }

        int many() {
            return size(); //: at nameSize
        }

        void setFirst() {
            super.get(0).set(1);
        }

        int first() {
            return super.get(0).get();
        }

        static void run() {
            Names names = new Names();
            names.put(new Leaf());
            names.many();
            Names copy = names.clone();
            copy.setFirst();
            copy.first();
        }
    }

    public static void main(String[] arguments) {
        Plain.run();
        Below.run();
        Names.run();
        List<String> done = new ArrayList<>();
        done.add("ok");
        System.out.println(done.get(0));
    }
}
