package demo;

/** Says by a system property when it is initialised. */
public class Lazy {
    public static final Object MARK = System.setProperty("lazy.initialised", "true");

    public static String initialised() {
        return System.getProperty("lazy.initialised");
    }
}
