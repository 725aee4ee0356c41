/** What native code sets is set at the call of the native method. */
final class Natives {
    static final class Leaf {
        int value;

        void put(int to) {
            value = to; //: at leafPut
        }

        int read() {
            return value; //: at leafRead
        }
    }

    //: pair Part.number: numberSet -> numberSeen
    //: none Part.number: numberBorn -> numberSeen
    //: pair Part.leaf.value: leafPut -> leafRead
    //: pair Part.leaf: leafSet -> deep
    //: pair Part.all: allSet -> allSeen
    //: none Part.all: allBorn -> allSeen
    static final class Part {
        private double number = 1; //: at numberBorn
        private Leaf leaf;
        static Object all = "born"; //: at allBorn

        static native void setNumber(Part part, double to);

        static native void setLeaf(Part part, Leaf to);

        static native void setAll(Object to);

        void change() {
            setNumber(this, 2); //: at numberSet
        }

        double number() {
            return number; //: at numberSeen
        }

        void give(Leaf to) {
            setLeaf(this, to); //: at leafSet
        }

        int deep() {
            return leaf.read(); //: at deep
        }

        static void changeAll() {
            setAll("changed"); //: at allSet
        }

        static Object all() {
            return all; //: at allSeen
        }
    }

    public static void main(String[] args) {
        System.load(System.getProperty("natives"));
        Part part = new Part();
        part.change();
        Leaf leaf = new Leaf();
        part.give(leaf);
        leaf.put(3);
        System.out.println(part.number() + part.deep());
        Part.changeAll();
        System.out.println(Part.all());
    }
}
