package io.dynaflow.shim;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;

/**
 * Which framework runs a class, read off annotations and superclasses by name. Knows nothing of running.
 * Invariant: no class is initialised by being asked about.
 */
enum TestKind {
    /** No tests. */
    NONE,
    /** JUnit 3 or 4. */
    JUNIT4,
    /** JUnit 5 or another engine of the JUnit Platform. */
    PLATFORM,
    /** TestNG, which is not run. */
    TESTNG;

    private static final String TESTABLE = "org.junit.platform.commons.annotation.Testable";

    static TestKind of(Class<?> type) {
        if (type.isInterface() || type.isAnnotation() || type.isAnonymousClass() || type.isLocalClass()
            || Modifier.isAbstract(type.getModifiers())) {
            return NONE;
        }
        TestKind platform = NONE;
        for (Class<?> nested : type.getDeclaredClasses()) {
            if (has(nested, "org.junit.jupiter.api.Nested") && of(nested) == PLATFORM) {
                platform = PLATFORM;
            }
        }
        TestKind found = inHierarchy(type);
        return found == NONE ? platform : found;
    }

    private static TestKind inHierarchy(Class<?> type) {
        TestKind found = NONE;
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            if (has(c, "org.junit.runner.RunWith") || c.getName().equals("junit.framework.TestCase")) {
                return JUNIT4;
            }
            found = max(found, ofMethods(c));
            for (Class<?> superinterface : c.getInterfaces()) {
                found = max(found, ofMethods(superinterface));
            }
        }
        return found;
    }

    private static TestKind max(TestKind a, TestKind b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static TestKind ofMethods(Class<?> type) {
        TestKind found = NONE;
        for (Method method : type.getDeclaredMethods()) {
            if (has(method, "org.junit.Test")) {
                found = max(found, JUNIT4);
            } else if (has(method, "org.testng.annotations.Test")) {
                found = max(found, TESTNG);
            } else if (isTestable(method, new HashSet<Class<?>>())) {
                found = max(found, PLATFORM);
            }
        }
        return found;
    }

    private static boolean has(AnnotatedElement element, String annotation) {
        for (Annotation each : element.getAnnotations()) {
            if (each.annotationType().getName().equals(annotation)) {
                return true;
            }
        }
        return false;
    }

    /** Whether an annotation, or one on it, is the platform's mark of tests. */
    private static boolean isTestable(AnnotatedElement element, Set<Class<?>> seen) {
        for (Annotation each : element.getAnnotations()) {
            Class<? extends Annotation> type = each.annotationType();
            if (type.getName().equals(TESTABLE) || seen.add(type) && isTestable(type, seen)) {
                return true;
            }
        }
        return false;
    }
}
