import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Code whose mutants PIT leaves out: each method has none but where a line says so. */
final class Left {
    static final int LIMIT = Integer.parseInt("4") + 1;

    static int iterate(List<Integer> all) {
        int product = 1;
        for (int one : all) {
            product = product * one;
            //: MATH Replaced integer multiplication with division -> 0 10 4 2 3l59
        }
        return product;
        //: PRIMITIVE_RETURNS replaced int return with 0 for Left::iterate -> 0 10 4 2 3l59
    }

    /** No for-each loop, though it compiles to the same instructions. */
    static int iterated(List<Integer> all) {
        Iterator<Integer> iterator = all.iterator();
        while (iterator.hasNext()) {
        //: NEGATE_CONDITIONALS negated conditional -> 6 10 4 2 3l5-1
            int one = iterator.next();
            return one;
            //: PRIMITIVE_RETURNS replaced int return with 0 for Left::iterated -> 6 10 4 2 3l50
        }
        return -1;
        //: PRIMITIVE_RETURNS replaced int return with 0 for Left::iterated -> =
    }

    static int array(int[] all) {
        int product = 1;
        for (int one : all) {
            product = product * one;
            //: MATH Replaced integer multiplication with division -> 6 0 4 2 3l59
        }
        return product;
        //: PRIMITIVE_RETURNS replaced int return with 0 for Left::array -> 6 0 4 2 3l59
    }

    static int count(int limit) {
        int product = 1;
        for (int i = 1; i < limit; i++) {
        //: CONDITIONALS_BOUNDARY changed conditional boundary -> 6 10 8 2 3l59
        //: NEGATE_CONDITIONALS negated conditional -> 6 10 1 2 3l59
            product = product * 2;
            //: MATH Replaced integer multiplication with division -> 6 10 0 2 3l59
        }
        return product;
        //: PRIMITIVE_RETURNS replaced int return with 0 for Left::count -> 6 10 0 2 3l59
    }

    static int named(String name) {
        switch (name) {
            case "one":
                return 1;
                //: PRIMITIVE_RETURNS replaced int return with 0 for Left::named -> =
            case "two":
                return 2;
                //: PRIMITIVE_RETURNS replaced int return with 0 for Left::named -> 6 10 4 0 3l59
            default:
                return 0;
        }
    }

    static void asserted(int value) {
        assert value > 0 : "small";
    }

    static int closed(StringBuilder log, int value) {
        try {
            return 12 / value;
            //: MATH Replaced integer division with multiplication -> 6 10 4 2 48l59
            //: PRIMITIVE_RETURNS replaced int return with 0 for Left::closed -> 6 10 4 2 0l59
        } finally {
            log.setLength(1);
            //: VOID_METHOD_CALLS removed call to java/lang/StringBuilder::setLength -> 6 10 4 2 3long59
        }
    }

    static Object dropped(StringBuilder log) {
        try {
            return null;
        } finally {
            log.setLength(1);
            //: VOID_METHOD_CALLS removed call to java/lang/StringBuilder::setLength -> =
        }
    }

    static Object chosen(StringBuilder log) {
        Object found = null;
        if (log.length() > 1) {
        //: CONDITIONALS_BOUNDARY changed conditional boundary -> =
        //: NEGATE_CONDITIONALS negated conditional -> =
            found = log;
        }
        return found;
        //: NULL_RETURNS replaced return value with null for Left::chosen -> =
    }

    static Object run() {
        dropped(new StringBuilder());
        chosen(new StringBuilder());
        StringBuilder log = new StringBuilder("long");
        asserted(1);
        //: VOID_METHOD_CALLS removed call to Left::asserted -> =
        String text = iterate(Arrays.asList(2, 3)) + " " + array(new int[] {2, 5}) + " " + count(3) + " " + named("two");
        return text + " " + closed(log, 4) + log + LIMIT + iterated(Arrays.asList(9));
        //: NULL_RETURNS replaced return value with null for Left::run -> null
    }
}
