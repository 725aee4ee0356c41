package java.lang;

/**
 * Who calls a hooked method, by the stack of the current thread. Knows nothing of what the method does. Invariant: it looks at
 * names alone, and loads no class of the program.
 */
final class DynaflowOutsideCallers {
    /** Parts of the JDK that look where they like: class path, libraries, entropy, the user's fonts and preferences. */
    private static final String[] LOOKERS = {
        "jdk.internal.loader.BuiltinClassLoader", "jdk.internal.loader.ClassLoaders$", "jdk.internal.loader.BootLoader",
        "jdk.internal.loader.NativeLibraries", "jdk.internal.module.", "jdk.internal.misc.CDS",
        "sun.security.provider.", "java.util.prefs.", "sun.font.", "sun.awt.", "sun.net.www.MimeTable",
        "sun.nio.fs.MimeTypesFileTypeDetector",
    };
    private static final String[] OF_THE_JDK = {"java.", "javax.", "jdk.", "sun.", "com.sun."};

    private DynaflowOutsideCallers() {}

    /** The hooked method that is called; null if it is the JDK that calls it for its own purposes, or that is not known. */
    static String called() {
        try {
            StackTraceElement[] frames = new Throwable().getStackTrace();
            int at = 0;
            while (at < frames.length && frames[at].getClassName().startsWith("java.lang.DynaflowOutside")) {
                at++;
            }
            if (at >= frames.length) {
                return null;
            }
            StackTraceElement hooked = frames[at++];
            while (at < frames.length && isReflection(frames[at].getClassName())) {
                at++;
            }
            String caller = at < frames.length ? frames[at].getClassName() : "";
            boolean internal = caller.startsWith("jdk.internal.") || caller.startsWith("sun.")
                || caller.startsWith("java.lang.management.");
            boolean own = internal || packageOf(caller).equals(packageOf(hooked.getClassName()));
            return own ? null : hooked.getClassName() + "." + hooked.getMethodName();
        } catch (Throwable e) {
            // The stack or the memory is at its end: the program is about to notice.
            return null;
        }
    }

    private static boolean isReflection(String name) {
        return name.startsWith("java.lang.reflect.") || name.startsWith("jdk.internal.reflect.")
            || name.startsWith("java.lang.invoke.") || name.startsWith("sun.reflect.");
    }

    private static String packageOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    /** The class of the program that is being initialised by the current thread; empty if there is none. */
    static String initialiser() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (frame.getMethodName().equals("<clinit>") && !isOfTheJdk(frame.getClassName())) {
                return frame.getClassName();
            }
        }
        return "";
    }

    /** Whether the current thread initialises a class. */
    static boolean isInitialised(Class<?> type) {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (frame.getMethodName().equals("<clinit>") && frame.getClassName().equals(type.getName())) {
                return true;
            }
        }
        return false;
    }

    /** Whether it is the JDK that looks now, and chose where. */
    static boolean looksOnItsOwn() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            String name = frame.getClassName();
            if (startsWithOne(name, LOOKERS)) {
                return true;
            }
            if (!isOfTheJdk(name)) {
                return false;
            }
        }
        return false;
    }

    /** Whether a class is one of the JDK's, by its name. */
    static boolean isOfTheJdk(String name) {
        return startsWithOne(name, OF_THE_JDK);
    }

    private static boolean startsWithOne(String name, String[] prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
