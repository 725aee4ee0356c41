//: operators dataflow
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Definitions that are left out: of fields, of what containers hold, and of copies. */
final class Kept implements Cloneable {
    private static int made;
    private final int[] numbers;
    private List<String> names = new ArrayList<>();
    //: OMITTED_DEFINITION removed assignment to Kept::names -> java.lang.NullPointerException
    private long sum = 1L;
    //: OMITTED_DEFINITION removed assignment to Kept::sum -> 7 1 refused [c] 2 true 1[c] [h]8[]
    private boolean open;

    Kept(int[] numbers) {
        this.numbers = numbers.clone();
        //: OMITTED_COPY replaced clone of an array with the array -> 6 1 refused [c] 3 true 1[c] [h]8[]
        //: OMITTED_DEFINITION removed assignment to Kept::numbers -> java.lang.NullPointerException
        this.open = false;
        made = made + 1;
        //: OMITTED_DEFINITION removed assignment to Kept::made -> 7 1 refused [c] 3 true 0[c] [h]8[]
    }

    void name(String name) {
        Objects.requireNonNull(name).getClass();
        names.add(name);
        //: OMITTED_CALL removed call to java/util/List::add -> java.lang.IndexOutOfBoundsException
        open = true;
        //: OMITTED_DEFINITION removed assignment to Kept::open -> 7 1 refused [c] 3 false 1[c] [h]8[]
    }

    void unname(String name) {
        if (names.remove(name)) {
            sum += 2L;
            //: OMITTED_DEFINITION removed assignment to Kept::sum -> 7 1 refused [c] 1 true 1[c] [h]8[]
        }
        names.remove(0);
        //: OMITTED_CALL removed call to java/util/List::remove -> 7 1 refused [b, c] 3 true 1[b, c] [h]8[]
    }

    int[] few() {
        return Arrays.copyOf(numbers, 1);
        //: OMITTED_COPY replaced call to java/util/Arrays::copyOf with its argument -> 5 2 refused [c] 3 true 1[c] [h]8[]
    }

    static int[] copyOf(int[] numbers, long until) {
        return numbers.clone();
        //: OMITTED_COPY replaced clone of an array with the array -> 7 1 refused [c] 3 true 1[c] [h]4[]
    }

    int[] all() {
        return copyOf(numbers, 1L);
        //: OMITTED_COPY replaced call to Kept::copyOf with its argument -> 7 1 refused [c] 3 true 1[c] [h]4[]
    }

    List<String> listed() {
        return new ArrayList<>(names);
        //: OMITTED_COPY replaced new java/util/ArrayList with its argument -> 7 1 refused [c] 3 true 1[c, e] [h]8[]
    }

    ArrayList<String> arrayed() {
        return new ArrayList<>(names);
    }

    List<String> kept() {
        List<String> kept = new ArrayList<>(names);
        return kept;
    }

    void take(List<String> given) {
        names = new ArrayList<>(given);
        //: OMITTED_COPY replaced new java/util/ArrayList with its argument -> 7 1 refused [c] 3 true 1[c] [h, i]8[]
        //: OMITTED_DEFINITION removed assignment to Kept::names -> 7 1 refused [c] 3 true 1[c] [c, j]8[]
    }

    List<String> fixed() {
        return Collections.unmodifiableList(new ArrayList<>(names));
        //: OMITTED_COPY replaced new java/util/ArrayList with its argument -> 7 1 refused [c] 3 true 1[c, j] [h]8[]
        //: OMITTED_COPY replaced call to java/util/Collections::unmodifiableList with its argument -> =
    }

    List<String> seen() {
        return Collections.unmodifiableList(names);
        //: OMITTED_COPY replaced call to java/util/Collections::unmodifiableList with its argument -> 7 1 [c, d] 3 true 1[c, d] [h]8[]
    }

    void forget() {
        names.clear();
        new StringBuilder().append(1).append(2L);
        //: OMITTED_CALL removed call to java/lang/StringBuilder::append -> =
    }

    Kept twin() throws Exception {
        return (Kept) clone();
        //: OMITTED_COPY replaced call to Kept::clone with its object -> 7 1 refused [c] 3 false 1[c] [h]8[]
    }

    @Override
    protected Object clone() throws CloneNotSupportedException {
        return super.clone();
        //: OMITTED_COPY replaced call to java/lang/Object::clone with its object -> 7 1 refused [c] 3 false 1[c] [h]8[]
    }

    static Object run() throws Exception {
        made = 0;
        //: OMITTED_DEFINITION removed assignment to Kept::made -> =
        int[] given = {7, 8};
        Kept kept = new Kept(given);
        given[0] = 6;
        kept.name("a");
        kept.name("b");
        kept.name("c");
        kept.unname("a");
        int[] few = kept.few();
        few[0] = 5;
        String text = kept.numbers[0] + " " + few.length + " ";
        try {
            kept.seen().add("d");
            //: OMITTED_CALL removed call to java/util/List::add -> 7 1 [c] 3 true 1[c] [h]8[]
        } catch (UnsupportedOperationException refused) {
            text += "refused ";
        }
        Kept twin = kept.twin();
        twin.open = false;
        //: OMITTED_DEFINITION removed assignment to Kept::open -> =
        text += kept.names + " " + kept.sum + " " + kept.open + " " + made;
        kept.listed().add("e");
        //: OMITTED_CALL removed call to java/util/List::add -> =
        kept.arrayed().add("f");
        //: OMITTED_CALL removed call to java/util/ArrayList::add -> =
        kept.kept().add("g");
        //: OMITTED_CALL removed call to java/util/List::add -> =
        List<String> fixed = kept.fixed();
        kept.name("j");
        List<String> lent = new ArrayList<>(Collections.singletonList("h"));
        kept.take(lent);
        lent.add("i");
        //: OMITTED_CALL removed call to java/util/List::add -> =
        kept.all()[1] = 4;
        text += fixed + " " + kept.names + kept.numbers[1];
        kept.forget();
        return text + kept.names;
    }
}
