package io.dynaflow.shim;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs classes through the launcher of the JUnit Platform, by reflection. Knows nothing of engines.
 * Invariant: a test is named by its source method, so all invocations of a parameterised test share one name.
 */
final class PlatformRunner implements InvocationHandler {
    private static final String LAUNCHER = "org.junit.platform.launcher.";
    private static final String ENGINE = "org.junit.platform.engine.";

    private final ClassLoader loader;
    private final Events events;
    private Object plan;
    private Object launcher;

    PlatformRunner(ClassLoader loader, Events events) {
        this.loader = loader;
        this.events = events;
    }

    /** Runs the class, or the methods named one after the other. */
    void run(Class<?> type, List<String> methods) throws ReflectiveOperationException {
        Class<?> selectors = load(ENGINE + "discovery.DiscoverySelectors");
        if (methods.isEmpty()) {
            execute(selectors.getMethod("selectClass", Class.class).invoke(null, type));
            return;
        }
        for (String name : methods) {
            List<Method> found = named(type, name);
            if (found.isEmpty()) {
                events.trouble("there is no method " + name + " in " + type.getName());
            }
            for (Method method : found) {
                execute(selectors.getMethod("selectMethod", Class.class, Method.class).invoke(null, type, method));
            }
        }
    }

    /** Methods of that name, inherited ones included, overridden ones left out. */
    private static List<Method> named(Class<?> type, String name) {
        Map<String, Method> found = new LinkedHashMap<String, Method>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            collect(c, name, found);
            for (Class<?> superinterface : c.getInterfaces()) {
                collect(superinterface, name, found);
            }
        }
        return new ArrayList<Method>(found.values());
    }

    private static void collect(Class<?> type, String name, Map<String, Method> found) {
        for (Method method : type.getDeclaredMethods()) {
            String key = java.util.Arrays.toString(method.getParameterTypes());
            if (method.getName().equals(name) && !method.isSynthetic() && !found.containsKey(key)) {
                found.put(key, method);
            }
        }
    }

    private void execute(Object selector) throws ReflectiveOperationException {
        Class<?> builders = load(LAUNCHER + "core.LauncherDiscoveryRequestBuilder");
        Class<?> selectorType = load(ENGINE + "DiscoverySelector");
        Object selected = Array.newInstance(selectorType, 1);
        Array.set(selected, 0, selector);
        Object builder = builders.getMethod("request").invoke(null);
        builder = builders.getMethod("selectors", selected.getClass()).invoke(builder, selected);
        Object request = builders.getMethod("build").invoke(builder);
        if (launcher == null) {
            launcher = load(LAUNCHER + "core.LauncherFactory").getMethod("create").invoke(null);
        }
        Class<?> listenerType = load(LAUNCHER + "TestExecutionListener");
        Object listeners = Array.newInstance(listenerType, 1);
        Array.set(listeners, 0, Proxy.newProxyInstance(loader, new Class<?>[] {listenerType}, this));
        load(LAUNCHER + "Launcher")
            .getMethod("execute", load(LAUNCHER + "LauncherDiscoveryRequest"), listeners.getClass())
            .invoke(launcher, request, listeners);
    }

    private Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, false, loader);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String event = method.getName();
        if (event.equals("testPlanExecutionStarted")) {
            plan = arguments[0];
        } else if (event.equals("executionStarted") && isTest(arguments[0])) {
            events.started(name(arguments[0]));
        } else if (event.equals("executionFinished")) {
            finished(arguments[0], arguments[1]);
        } else if (event.equals("executionSkipped")) {
            skipped(arguments[0], (String) arguments[1]);
        } else if (event.equals("hashCode")) {
            return System.identityHashCode(proxy);
        } else if (event.equals("equals")) {
            return proxy == arguments[0];
        } else if (event.equals("toString")) {
            return "dynaflow";
        }
        return null;
    }

    private void finished(Object test, Object result) throws ReflectiveOperationException {
        String status = String.valueOf(call(result, "getStatus"));
        Throwable thrown = (Throwable) optional(call(result, "getThrowable"));
        if (status.equals("FAILED")) {
            events.failed(name(test), thrown);
        } else if (status.equals("ABORTED")) {
            events.skipped(name(test), thrown == null ? "aborted" : String.valueOf(thrown.getMessage()));
        } else if (isTest(test)) {
            events.passed(name(test));
        }
    }

    private void skipped(Object test, String reason) throws ReflectiveOperationException {
        if (isTest(test)) {
            events.skipped(name(test), reason);
            return;
        }
        boolean any = false;
        Class<?> identifiers = load(LAUNCHER + "TestIdentifier");
        Method getDescendants = load(LAUNCHER + "TestPlan").getMethod("getDescendants", identifiers);
        for (Object below : (Iterable<?>) getDescendants.invoke(plan, test)) {
            if (isTest(below)) {
                events.skipped(name(below), reason);
                any = true;
            }
        }
        if (!any) {
            events.skipped(name(test), reason);
        }
    }

    private static boolean isTest(Object identifier) throws ReflectiveOperationException {
        return Boolean.TRUE.equals(call(identifier, "isTest"));
    }

    /** By the source: `a.B#method`, or the class; else what the engine shows. */
    private static String name(Object identifier) throws ReflectiveOperationException {
        Object source = optional(call(identifier, "getSource"));
        if (source != null) {
            String kind = source.getClass().getName();
            if (kind.equals(ENGINE + "support.descriptor.MethodSource")) {
                return call(source, "getClassName") + "#" + call(source, "getMethodName");
            }
            if (kind.equals(ENGINE + "support.descriptor.ClassSource")) {
                return String.valueOf(call(source, "getClassName"));
            }
        }
        return String.valueOf(call(identifier, "getDisplayName"));
    }

    private static Object optional(Object value) {
        return ((java.util.Optional<?>) value).orElse(null);
    }

    private static Object call(Object on, String getter) throws ReflectiveOperationException {
        try {
            return on.getClass().getMethod(getter).invoke(on);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("JUnit Platform: " + getter + "() failed", e.getCause());
        }
    }
}
