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
    //: OMITTED_DEFINITION removed assignment to Kept::sum -> 7 1 refused [c] 2 true 1[]
    private boolean open;

    Kept(int[] numbers) {
        this.numbers = numbers.clone();
        //: OMITTED_COPY replaced clone of an array with the array -> 6 1 refused [c] 3 true 1[]
        //: OMITTED_DEFINITION removed assignment to Kept::numbers -> java.lang.NullPointerException
        this.open = false;
        made = made + 1;
        //: OMITTED_DEFINITION removed assignment to Kept::made -> 7 1 refused [c] 3 true 0[]
    }

    void name(String name) {
        Objects.requireNonNull(name).getClass();
        names.add(name);
        //: OMITTED_CALL removed call to java/util/List::add -> java.lang.IndexOutOfBoundsException
        open = true;
        //: OMITTED_DEFINITION removed assignment to Kept::open -> 7 1 refused [c] 3 false 1[]
    }

    void unname(String name) {
        if (names.remove(name)) {
            sum += 2L;
            //: OMITTED_DEFINITION removed assignment to Kept::sum -> 7 1 refused [c] 1 true 1[]
        }
        names.remove(0);
        //: OMITTED_CALL removed call to java/util/List::remove -> 7 1 refused [b, c] 3 true 1[]
    }

    int[] few() {
        return Arrays.copyOf(numbers, 1);
        //: OMITTED_COPY replaced call to java/util/Arrays::copyOf with its argument -> 5 2 refused [c] 3 true 1[]
    }

    List<String> seen() {
        return Collections.unmodifiableList(names);
        //: OMITTED_COPY replaced call to java/util/Collections::unmodifiableList with its argument -> 7 1 [c, d] 3 true 1[]
    }

    void forget() {
        names.clear();
        new StringBuilder().append(1).append(2L);
        //: OMITTED_CALL removed call to java/lang/StringBuilder::append -> =
    }

    Kept twin() throws Exception {
        return (Kept) clone();
        //: OMITTED_COPY replaced call to Kept::clone with its object -> 7 1 refused [c] 3 false 1[]
    }

    @Override
    protected Object clone() throws CloneNotSupportedException {
        return super.clone();
        //: OMITTED_COPY replaced call to java/lang/Object::clone with its object -> 7 1 refused [c] 3 false 1[]
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
            //: OMITTED_CALL removed call to java/util/List::add -> 7 1 [c] 3 true 1[]
        } catch (UnsupportedOperationException refused) {
            text += "refused ";
        }
        Kept twin = kept.twin();
        twin.open = false;
        //: OMITTED_DEFINITION removed assignment to Kept::open -> =
        text += kept.names + " " + kept.sum + " " + kept.open + " " + made;
        kept.forget();
        return text + kept.names;
    }
}
