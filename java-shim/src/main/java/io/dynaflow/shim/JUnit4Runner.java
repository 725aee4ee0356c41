package io.dynaflow.shim;

import java.lang.reflect.InvocationTargetException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs JUnit 3 and 4 classes through JUnit's own core, by reflection. Knows nothing of the order of classes.
 * Invariant: JUnit calls the listener on the thread that runs the tests, and one class runs at a time.
 *
 * <p>Public, as are the methods a {@link Forwarder} calls: generated classes live in another loader.
 */
public final class JUnit4Runner {
    private static final String DESCRIPTION = "(Lorg/junit/runner/Description;)V";
    private static final String FAILURE = "(Lorg/junit/runner/notification/Failure;)V";

    private static Events events;
    private static String failed;
    private static List<String> wanted;
    private static Set<String> seen;
    /** What is made once for the JUnit of one loader. */
    private static ClassLoader known;
    private static Object listener;
    private static Object filter;

    private JUnit4Runner() {}

    /** Runs the class, or only the methods named, in the order named. */
    static void run(Class<?> type, List<String> methods, Events to) throws ReflectiveOperationException {
        events = to;
        wanted = methods;
        seen = new HashSet<String>();
        ClassLoader loader = type.getClassLoader();
        Class<?> requests = loader.loadClass("org.junit.runner.Request");
        Object request = requests.getMethod("aClass", Class.class).invoke(null, type);
        prepare(loader);
        if (!methods.isEmpty()) {
            Class<?> filters = loader.loadClass("org.junit.runner.manipulation.Filter");
            request = requests.getMethod("filterWith", filters).invoke(request, filter);
            request = requests.getMethod("sortWith", Comparator.class).invoke(request, new Order());
        }
        Class<?> cores = loader.loadClass("org.junit.runner.JUnitCore");
        Object core = cores.getConstructor().newInstance();
        cores.getMethod("addListener", loader.loadClass("org.junit.runner.notification.RunListener"))
            .invoke(core, listener);
        cores.getMethod("run", requests).invoke(core, request);
        for (String method : methods) {
            if (!seen.contains(method)) {
                to.trouble("there is no test " + method + " in " + type.getName());
            }
        }
    }

    private static void prepare(ClassLoader loader) throws ReflectiveOperationException {
        if (known == loader) {
            return;
        }
        known = loader;
        filter = Forwarder.instance(loader.loadClass("org.junit.runner.manipulation.Filter"), JUnit4Runner.class,
            new Forwarder.Override("shouldRun", "(Lorg/junit/runner/Description;)Z", "shouldRun"),
            new Forwarder.Override("describe", "()Ljava/lang/String;", null));
        listener = Forwarder.instance(loader.loadClass("org.junit.runner.notification.RunListener"), JUnit4Runner.class,
            new Forwarder.Override("testStarted", DESCRIPTION, "testStarted"),
            new Forwarder.Override("testFinished", DESCRIPTION, "testFinished"),
            new Forwarder.Override("testIgnored", DESCRIPTION, "testIgnored"),
            new Forwarder.Override("testFailure", FAILURE, "testFailure"),
            new Forwarder.Override("testAssumptionFailure", FAILURE, "testAssumptionFailure"));
    }

    public static void testStarted(Object description) {
        failed = null;
        if (!isAboutTheFilter(name(description))) {
            events.started(name(description));
        }
    }

    public static void testFinished(Object description) {
        String name = name(description);
        if (!name.equals(failed)) {
            events.passed(name);
        }
        failed = null;
    }

    public static void testIgnored(Object description) {
        events.skipped(name(description), "ignored");
    }

    public static void testFailure(Object failure) {
        failed = name(call(failure, "getDescription"));
        if (!isAboutTheFilter(failed)) {
            events.failed(failed, (Throwable) call(failure, "getException"));
        }
    }

    /** JUnit's way to say that no method is left is a failing test of its own; {@link #run} says which are missing. */
    private static boolean isAboutTheFilter(String name) {
        return name.startsWith("org.junit.runner.manipulation.Filter");
    }

    public static void testAssumptionFailure(Object failure) {
        failed = name(call(failure, "getDescription"));
        events.skipped(failed, String.valueOf(call(failure, "getMessage")));
    }

    /** A suite runs when it has a method that is wanted. */
    public static boolean shouldRun(Object description) {
        if (Boolean.TRUE.equals(call(description, "isTest"))) {
            String method = method(description);
            seen.add(method);
            return wanted.contains(method);
        }
        for (Object child : (List<?>) call(description, "getChildren")) {
            if (shouldRun(child)) {
                return true;
            }
        }
        return false;
    }

    /** Orders tests as they are wanted, and a suite by its first test. */
    private static final class Order implements Comparator<Object> {
        @Override
        public int compare(Object a, Object b) {
            return Integer.compare(position(a), position(b));
        }

        private static int position(Object description) {
            if (Boolean.TRUE.equals(call(description, "isTest"))) {
                return wanted.indexOf(method(description));
            }
            Set<Integer> all = new LinkedHashSet<Integer>();
            for (Object child : (List<?>) call(description, "getChildren")) {
                all.add(position(child));
            }
            return all.isEmpty() ? Integer.MAX_VALUE : java.util.Collections.min(all);
        }
    }

    /** `a.OuterTest#probe`; the class alone for what concerns all its tests. */
    private static String name(Object description) {
        Object type = call(description, "getClassName");
        String method = method(description);
        return method == null ? String.valueOf(type) : type + "#" + method;
    }

    /** The method without the number or values of a parameterised run. */
    private static String method(Object description) {
        String method = (String) call(description, "getMethodName");
        int bracket = method == null ? -1 : method.indexOf('[');
        return bracket > 0 ? method.substring(0, bracket).trim() : method;
    }

    private static Object call(Object on, String getter) {
        try {
            return on.getClass().getMethod(getter).invoke(on);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("JUnit 4: " + getter + "() failed", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JUnit 4 has no " + on.getClass().getName() + "." + getter + "()", e);
        }
    }
}
