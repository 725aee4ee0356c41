import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Conditions, calls that are removed and results that are replaced. */
final class Choices {
    private final List<String> seen = new ArrayList<>();

    void note(String text, long times) {
        seen.add(text + times);
    }

    boolean isLarge(int value) {
        note("large", 2L);
        //: VOID_METHOD_CALLS removed call to Choices::note -> falsetrue[]4none5true1[one]{}120
        return value > 10;
        //: CONDITIONALS_BOUNDARY changed conditional boundary -> truetrue[large2, large2]4none5true1[one]{}120
        //: NEGATE_CONDITIONALS negated conditional -> truefalse[large2, large2]4none5true1[one]{}120
        //: TRUE_RETURNS replaced boolean return with true for Choices::isLarge -> truetrue[large2, large2]4none5true1[one]{}120
    }

    static Integer boxed(int value) {
        return value;
        //: EMPTY_RETURNS replaced Integer return value with 0 for Choices::boxed -> falsetrue[large2, large2]0none5true1[one]{}120
    }

    static String text(Object value) {
        if (value == null) {
        //: NEGATE_CONDITIONALS negated conditional -> java.lang.NullPointerException
            return "none";
            //: EMPTY_RETURNS replaced return value with "" for Choices::text -> falsetrue[large2, large2]45true1[one]{}120
        }
        return value.toString();
        //: EMPTY_RETURNS replaced return value with "" for Choices::text -> falsetrue[large2, large2]4nonetrue1[one]{}120
    }

    static Boolean yes(int value) {
        return Boolean.valueOf(value == 1);
        //: NEGATE_CONDITIONALS negated conditional -> falsetrue[large2, large2]4none5false1[one]{}120
        //: TRUE_RETURNS replaced Boolean return with True for Choices::yes -> =
    }

    static int[] array(int value) {
        return new int[] {value};
        //: NULL_RETURNS replaced return value with null for Choices::array -> falsetrue[large2, large2]4none5truenull[one]{}120
    }

    static List<String> all() {
        return Collections.singletonList("one");
        //: EMPTY_RETURNS replaced return value with Collections.emptyList for Choices::all -> falsetrue[large2, large2]4none5true1[]{}120
    }

    static Map<String, String> none() {
        return Collections.emptyMap();
    }

    static char letter() {
        return 'x';
        //: PRIMITIVE_RETURNS replaced char return with 0 for Choices::letter -> falsetrue[large2, large2]4none5true1[one]{}0
    }

    static Object run() {
        Choices choices = new Choices();
        String text = "" + choices.isLarge(10) + choices.isLarge(11) + choices.seen + boxed(4) + text(null) + text(5);
        int[] array = array(3);
        return text + yes(1) + (array == null ? "null" : array.length) + all() + none() + (int) letter();
        //: NEGATE_CONDITIONALS negated conditional -> falsetrue[large2, large2]4none5truenull[one]{}120
        //: NULL_RETURNS replaced return value with null for Choices::run -> null
    }
}
