package io.dynaflow.shim;

import java.lang.reflect.InvocationTargetException;
import java.util.List;

/**
 * Runs test classes, or methods of them, with what their framework needs. Knows nothing of how a framework works or who listens.
 * Invariant: what cannot be run is reported as trouble, never thrown.
 */
final class TestClasses {
    private final ClassLoader loader;
    private final Frameworks frameworks;
    private final Events events;
    private PlatformRunner platform;

    TestClasses(ClassLoader loader, Frameworks frameworks, Events events) {
        this.loader = loader;
        this.frameworks = frameworks;
        this.events = events;
    }

    /** Runs the class, or the methods named. */
    void run(String name, List<String> methods) {
        try {
            Class<?> type = Class.forName(name, false, loader);
            run(type, methods);
        } catch (ClassNotFoundException e) {
            events.trouble("test class " + name + " is not on the class path (" + e.getMessage() + ")");
        } catch (InvocationTargetException e) {
            events.trouble(name + ": " + e.getCause());
        } catch (ReflectiveOperationException e) {
            events.trouble(name + ": the test framework on the class path does not fit: " + e);
        } catch (LinkageError e) {
            events.trouble("test class " + name + " cannot be loaded: " + e);
        } catch (RuntimeException e) {
            events.trouble(name + ": " + e);
        }
    }

    private void run(Class<?> type, List<String> methods) throws ReflectiveOperationException {
        TestKind kind = frameworks.kindOf(type);
        if (kind != TestKind.NONE && !isThere(frameworks.core(kind))) {
            events.trouble(type.getName() + " " + frameworks.lacking(kind));
            return;
        }
        switch (kind) {
            case JUNIT4:
                JUnit4Runner.run(type, methods, events);
                return;
            case PLATFORM:
                if (platform == null) {
                    platform = new PlatformRunner(loader, events);
                }
                platform.run(type, methods);
                return;
            default:
                events.trouble(type.getName() + " has no tests");
        }
    }

    /** Whether the class is on the class path; none with an empty name is. */
    private boolean isThere(String name) {
        try {
            Class.forName(name, false, loader);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** The class of `a.B#c` and of `a.B`. */
    static String typeOf(String name) {
        int hash = name.indexOf('#');
        return hash < 0 ? name : name.substring(0, hash);
    }

    /** The method of `a.B#c`; none of `a.B`. */
    static String methodOf(String name) {
        int hash = name.indexOf('#');
        return hash < 0 ? null : name.substring(hash + 1);
    }
}
