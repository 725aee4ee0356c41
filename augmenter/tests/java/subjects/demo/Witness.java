package demo;

/** Looks at what others left behind, without being initialised by them. */
public class Witness {
    public static String property(String name) {
        return System.getProperty(name);
    }

    public static String locale() {
        return java.util.Locale.getDefault().toString();
    }
}
