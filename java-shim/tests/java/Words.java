/** Prints the words of one call of each recorder method, ids as letters, for the Rust side to hold against its decoder. */
final class Words {
    enum Colour {
        RED {
            @Override
            public String toString() {
                throw new AssertionError("the recorder calls no code of the program");
            }
        }
    }

    /** Objects of this class must not be asked anything. */
    static final class Untouchable {
        @Override
        public int hashCode() {
            throw new AssertionError("hashCode was called");
        }

        @Override
        public boolean equals(Object other) {
            throw new AssertionError("equals was called");
        }

        @Override
        public String toString() {
            throw new AssertionError("toString was called");
        }
    }

    public static void main(String[] arguments) {
        Untouchable first = new Untouchable();
        Object[] array = {first};
        DynaflowRecorder.at(64);
        DynaflowRecorder.on(first, 65);
        DynaflowRecorder.on(null, 66);
        DynaflowRecorder.objects(first, array, 67);
        DynaflowRecorder.objects(first, "text", 68);
        DynaflowRecorder.objects(null, null, 69);
        DynaflowRecorder.value(7L, 70);
        DynaflowRecorder.element(array, 3, 71);
        DynaflowRecorder.elementPut(array, 4, first, 72);
        DynaflowRecorder.branch(-1, 73);
        DynaflowRecorder.branch(-1, -2, 74);
        DynaflowRecorder.branch((Object) null, 75);
        DynaflowRecorder.branch(first, array, 76);
        DynaflowRecorder.select(-5, 77);
        DynaflowRecorder.test(first, 78);
        DynaflowRecorder.testEnd(1, 79);
        Throwable error = new StackOverflowError();
        DynaflowRecorder.threw(new Error(), 94);
        DynaflowRecorder.caught(new Error(), 94);
        DynaflowRecorder.threw(error, 95);
        DynaflowRecorder.threw(error, 96);
        DynaflowRecorder.caught(error, 97);
        DynaflowRecorder.caught(error, 99);
        for (int handler = 5; handler <= 9; handler++) {
            DynaflowRecorder.caught(error, 100 + handler);
        }
        DynaflowNative.full = true;
        DynaflowRecorder.threw(new StackOverflowError(), 93);
        DynaflowRecorder.caught(new StackOverflowError(), 93);
        DynaflowNative.full = false;
        DynaflowRecorder.caught(new StackOverflowError(), 98);
        DynaflowRecorder.caught(null, 98);
        DynaflowRecorder.argument(-1);
        DynaflowRecorder.argument(1L << 40);
        DynaflowRecorder.argument(-0.5f);
        DynaflowRecorder.argument(-0.5);
        for (Object value : new Object[] {null, "text", Colour.RED, int[].class, first, 'x', true, (byte) -1, 2.0, 5L}) {
            DynaflowRecorder.argument(value);
        }
        DynaflowRecorder.call(first, 80);
        DynaflowRecorder.returned(81);
        DynaflowRecorder.returned(-1, 82);
        DynaflowRecorder.returned(1L, 83);
        DynaflowRecorder.returned(1.0f, 84);
        DynaflowRecorder.returned(1.0, 85);
        DynaflowRecorder.returned((Object) 9, 86);
        DynaflowRecorder.beginTest("a.B#c");
        DynaflowRecorder.statement(2);
        DynaflowRecorder.result("text");
        DynaflowRecorder.endTest(true);
        DynaflowRecorder.settle();
        java.util.List<Object> list = new java.util.ArrayList<Object>();
        list.add(first);
        list.add("text");
        DynaflowRecorder.contents(list, array, null, null, 1, DynaflowNative.ADD_IF, 87);
        DynaflowRecorder.contents(list, array, null, null, 0, DynaflowNative.ADD_IF, 88);
        DynaflowRecorder.on(list.iterator(), 89);
        DynaflowRecorder.contents(list, first, null, array, 1, DynaflowNative.SET, 90);
        DynaflowRecorder.contents(list, null, null, null, 1, DynaflowNative.RELIST, 91);
        DynaflowRecorder.contents(list.subList(0, 1), null, null, null, 1, DynaflowNative.CLEAR, 92);
        DynaflowRecorder.contents(list, null, null, null, 1, DynaflowNative.CLEAR, 93);
        DynaflowRecorder.contents(first, array, null, null, 1, DynaflowNative.ADD, 94);
        int[] numbers = new int[10];
        DynaflowRecorder.copied(numbers, 2, numbers, 7, 5, 95);
        DynaflowRecorder.copied(array, 0, new Object[] {first, first}, 1, 1, 100);
        DynaflowRecorder.filled(numbers, 3, 12, 105);
        DynaflowRecorder.filled(numbers, 3, 3, 110);
        DynaflowNative.drain();
        for (long[] run : DynaflowNative.RUNS) {
            for (int at = 1; at < run.length; at++) {
                System.out.println("word " + run[at]);
            }
        }
        for (String mirror : DynaflowNative.MIRRORS) {
            System.out.println("mirror " + mirror);
        }
        for (String text : DynaflowNative.TEXTS) {
            System.out.println("text " + text);
        }
        System.out.println("syncs " + DynaflowNative.syncs);
    }
}
