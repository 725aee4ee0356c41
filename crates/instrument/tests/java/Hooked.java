import java.util.ArrayList;
import java.util.List;

/** What hooks are woven into, and (nested) what they call; it prints what was called and what the methods gave. */
public class Hooked {
    static final List<String> CALLS = new ArrayList<>();

    /** What the hooks call. */
    public static class Target {
        public static void seen(Object receiver, int number, long wide, Object text) {
            CALLS.add("entry " + (receiver instanceof Hooked) + " " + number + " " + wide + " " + text);
        }

        public static void gave(Object receiver, int number, long wide, Object text, double result) {
            CALLS.add("return " + (receiver instanceof Hooked) + " " + number + " " + wide + " " + text + " " + result);
        }

        public static void some(double result, Object receiver, Object again) {
            CALLS.add("some " + result + " " + (receiver == again));
        }

        public static void made(boolean flag) {
            CALLS.add("constructor " + flag);
        }

        public static void gave(boolean flag, Object result) {
            CALLS.add("static " + flag + " " + result);
        }

        public static void alone(double result) {
            CALLS.add("result " + result);
        }

        public static void ended(Object receiver, Object[] none) {
            throw new AssertionError("references are passed as objects");
        }

        public static void ended(Object receiver, Object array) {
            CALLS.add("void " + ((int[]) array).length);
        }
    }

    Hooked(boolean flag) {
        this(flag ? 1 : 2);
    }

    private Hooked(int ignored) {}

    double both(int number, long wide, String text) {
        if (number < 0) {
            throw new IllegalArgumentException("negative");
        }
        double sum = 0;
        for (int i = 0; i < number; i++) {
            if (i == wide) {
                return i;
            }
            sum += i;
        }
        return sum;
    }

    static String choose(boolean flag) {
        return flag ? "yes" : null;
    }

    void fill(int[] array) {
        synchronized (this) {
            for (int i = 0; i < array.length; i++) {
                array[i] = i;
            }
        }
    }

    static int overwriting(int parameter) {
        parameter++;
        return parameter;
    }

    static native int far(int parameter);

    public static void main(String[] arguments) {
        Hooked hooked = new Hooked(true);
        System.out.println(hooked.both(3, 9, "a") + " " + hooked.both(5, 2, "b"));
        try {
            hooked.both(-1, 0, "c");
        } catch (IllegalArgumentException thrown) {
            System.out.println(thrown.getMessage() + " in " + thrown.getStackTrace()[0].getMethodName());
        }
        System.out.println(choose(true) + choose(false));
        int[] array = new int[3];
        hooked.fill(array);
        System.out.println(array[2] + " " + overwriting(6));
        CALLS.forEach(System.out::println);
    }
}
