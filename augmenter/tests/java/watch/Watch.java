package watch;

import java.lang.reflect.Field;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.security.Security;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.logging.LogManager;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/** Runs JUnit 4 test classes and reports what of the JVM is not as before. Knows nothing of dynaflow. */
public final class Watch {
    private Watch() {}

    public static void main(String[] names) throws Exception {
        // What the JDK sets up when it is first asked.
        state();
        Map<String, Object> before = state();
        Class<?>[] classes = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) {
            classes[i] = Class.forName(names[i]);
        }
        Result result = new JUnitCore().run(classes);
        for (Failure failure : result.getFailures()) {
            System.out.println("failed: " + failure + "\n" + failure.getTrace());
        }
        System.out.println(result.getRunCount() + " tests");
        Map<String, Object> after = state();
        for (Map.Entry<String, Object> entry : after.entrySet()) {
            if (!entry.getValue().equals(before.get(entry.getKey()))) {
                System.out.println("changed: " + entry + ", before: " + before.get(entry.getKey()));
            }
        }
        System.out.println(before.equals(after) && result.wasSuccessful() ? "nothing changed" : "changed");
        System.exit(0);
    }

    private static Map<String, Object> state() throws Exception {
        Map<String, Object> state = new TreeMap<>();
        state.put("properties", new TreeMap<>(System.getProperties()).toString());
        state.put("locales", Locale.getDefault() + " " + Locale.getDefault(Locale.Category.FORMAT));
        state.put("zone", TimeZone.getDefault());
        state.put("streams", Arrays.asList(System.in, System.out, System.err).toString());
        state.put("providers", Arrays.toString(Security.getProviders()));
        state.put("security", String.valueOf(Security.getProperty("effects.security")));
        state.put("authenticator", String.valueOf(Authenticator.getDefault()));
        state.put("proxies", String.valueOf(ProxySelector.getDefault()));
        state.put("cookies", String.valueOf(CookieHandler.getDefault()));
        state.put("handler", String.valueOf(Thread.getDefaultUncaughtExceptionHandler()));
        state.put("verifier", javax.net.ssl.HttpsURLConnection.getDefaultHostnameVerifier().toString());
        state.put("logging", Arrays.toString(LogManager.getLogManager().getLogger("").getHandlers())
            + LogManager.getLogManager().getProperty("handlers"));
        state.put("hooks", hooks());
        state.put("threads", threads());
        state.put("children", ProcessHandle.current().children().count());
        return state;
    }

    private static Object hooks() throws Exception {
        Field hooks = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
        hooks.setAccessible(true);
        return ((Map<?, ?>) hooks.get(null)).size();
    }

    /** Without those of the JDK's common pool. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> !thread.getName().startsWith("ForkJoinPool.commonPool")).count();
    }
}
