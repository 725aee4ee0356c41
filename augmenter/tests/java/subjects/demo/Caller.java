package demo;

import java.util.Comparator;

/** Calls what tests implement, and interfaces that they can or cannot implement. */
public class Caller {
    interface Source<T> {
        T name(T prefix, long number);
        int size();
        void done();
        boolean equals(Object other);
        default String both(T prefix) { return name(prefix, 1) + "" + size(); }
    }

    interface Above { Object value(); }

    /** The one method has the more special result. */
    interface Below extends Above { String value(); }

    /** The compiler gives it a method that calls the one with texts. */
    interface OfTexts extends Comparator<String> { int compare(String one, String other); }

    interface Alike { int compare(String one, String other); }

    /** One method implements both. */
    interface Twofold extends Comparator<String>, Alike { }

    sealed interface Closed { }

    static final class OnlyOne implements Closed { }

    @interface Marked { String value(); }

    interface Generic { <T> T of(T what); }

    static String ask(Source<String> source) {
        source.done();
        return source.both("a") + source.size() + source.equals(source) + source.equals(null)
            + (source.hashCode() == System.identityHashCode(source)) + source.toString().contains("@");
    }

    static Object above(Above above) { return above.value(); }

    static <T> Comparator<T> reversed(Comparator<T> order) { return order.reversed(); }

    static int compare(Comparator<Object> order) { return order.compare("a", "b"); }

    static Source<String> same(Source<String> source) { return source; }
}
