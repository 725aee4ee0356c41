package io.dynaflow.shim;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What runs a class, read off annotations and superclasses by the names of a table: lines `kind TAB runner TAB name`, where the
 * kind is `method`, `mark`, `class`, `base` or `nested`, and `runner TAB runner TAB core class TAB what to say without it`. Knows
 * nothing of running. Invariant: no class is initialised by being asked about.
 */
final class Frameworks {
    private final Map<String, Map<String, TestKind>> names = new HashMap<String, Map<String, TestKind>>();
    private final Map<TestKind, String> cores = new EnumMap<TestKind, String>(TestKind.class);
    private final Map<TestKind, String> lacking = new EnumMap<TestKind, String>(TestKind.class);

    Frameworks(List<String> lines) {
        for (String kind : new String[] {"method", "mark", "class", "base", "nested"}) {
            names.put(kind, new HashMap<String, TestKind>());
        }
        for (String line : lines) {
            String[] fields = line.split("\t", 4);
            TestKind runner = TestKind.valueOf(fields[1]);
            if (fields[0].equals("runner")) {
                cores.put(runner, fields[2]);
                lacking.put(runner, fields[3]);
            } else {
                names.get(fields[0]).put(fields[2], runner);
            }
        }
    }

    /** The class that runs tests; an empty name where none is run. */
    String core(TestKind runner) {
        return cores.get(runner);
    }

    /** What is said of a test class when that class is missing. */
    String lacking(TestKind runner) {
        return lacking.get(runner);
    }

    TestKind kindOf(Class<?> type) {
        if (type.isInterface() || type.isAnnotation() || type.isAnonymousClass() || type.isLocalClass()
            || Modifier.isAbstract(type.getModifiers())) {
            return TestKind.NONE;
        }
        TestKind around = TestKind.NONE;
        for (Class<?> nested : type.getDeclaredClasses()) {
            TestKind runner = annotated(nested, "nested");
            if (runner != TestKind.NONE && kindOf(nested) == runner) {
                around = runner;
            }
        }
        TestKind found = inHierarchy(type);
        return found == TestKind.NONE ? around : found;
    }

    private TestKind inHierarchy(Class<?> type) {
        TestKind found = TestKind.NONE;
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            TestKind base = names.get("base").get(c.getName());
            TestKind handedOver = base == null ? annotated(c, "class") : base;
            if (handedOver != TestKind.NONE) {
                return handedOver;
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

    private TestKind ofMethods(Class<?> type) {
        TestKind found = TestKind.NONE;
        for (Method method : type.getDeclaredMethods()) {
            TestKind runner = annotated(method, "method");
            found = max(found, runner == TestKind.NONE ? marked(method, new HashSet<Class<?>>()) : runner);
        }
        return found;
    }

    /** What runs elements with one of the annotations of the element, by the names of one kind. */
    private TestKind annotated(AnnotatedElement element, String kind) {
        TestKind found = TestKind.NONE;
        for (Annotation each : element.getAnnotations()) {
            TestKind runner = names.get(kind).get(each.annotationType().getName());
            // The first of the table where an element has several, which no test needs.
            if (runner != null && (found == TestKind.NONE || runner.compareTo(found) < 0)) {
                found = runner;
            }
        }
        return found;
    }

    /** What runs elements with an annotation of the element that is a mark, or has one. */
    private TestKind marked(AnnotatedElement element, Set<Class<?>> seen) {
        for (Annotation each : element.getAnnotations()) {
            Class<? extends Annotation> type = each.annotationType();
            TestKind runner = names.get("mark").get(type.getName());
            if (runner == null && seen.add(type)) {
                runner = marked(type, seen);
            }
            if (runner != null && runner != TestKind.NONE) {
                return runner;
            }
        }
        return TestKind.NONE;
    }
}
