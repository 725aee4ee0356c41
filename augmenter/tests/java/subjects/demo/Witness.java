package demo;

/** Looks at what others left behind, without being initialised by them. */
public class Witness {
    public static String property(String name) {
        return System.getProperty(name);
    }

    private static final String TEMPORARY = System.getProperty("java.io.tmpdir");

    /** Everything that `Trouble.change` may change, in one text. */
    public static String state() {
        java.util.Properties properties = System.getProperties();
        return System.identityHashCode(System.out) + " " + System.identityHashCode(System.err)
            + " " + System.identityHashCode(System.in)
            + " " + java.util.Locale.getDefault()
            + " " + java.util.Locale.getDefault(java.util.Locale.Category.DISPLAY)
            + " " + java.util.Locale.getDefault(java.util.Locale.Category.FORMAT)
            + " " + java.util.TimeZone.getDefault().getID()
            + " " + properties.getProperty("demo.changed") + " " + properties.getProperty("java.version")
            + " " + System.identityHashCode(properties)
            + " " + Thread.getDefaultUncaughtExceptionHandler()
            + " " + new java.io.File(TEMPORARY).list().length;
    }
}
