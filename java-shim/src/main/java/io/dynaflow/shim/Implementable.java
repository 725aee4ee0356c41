package io.dynaflow.shim;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The methods that a class must have to implement an interface. Knows nothing of who may name them.
 * Invariant: an interface of which a class with just these methods would not compile has none.
 */
final class Implementable {
    private Implementable() {}

    /**
     * The abstract methods, one for each name and parameters, none that `Object` has. Null for what is no interface or an annotation, for
     * sealed ones, and where a method is generic or one method of a class would implement several of them.
     */
    static Collection<Method> methods(Class<?> type) {
        if (!type.isInterface() || type.isAnnotation() || isSealed(type)) {
            return null;
        }
        Map<String, Method> found = new LinkedHashMap<String, Method>();
        for (Method method : type.getMethods()) {
            if (method.isDefault() && !Stub.hasDefaults()) {
                return null;
            }
            if (!Modifier.isAbstract(method.getModifiers()) || isOfObject(method)) {
                continue;
            }
            if (method.getTypeParameters().length > 0) {
                return null;
            }
            String key = method.getName() + Arrays.toString(method.getParameterTypes());
            Method other = found.get(key);
            // One with a more special result implements the other one, too.
            if (other == null || other.getReturnType().isAssignableFrom(method.getReturnType())) {
                found.put(key, method);
            }
        }
        List<Method> methods = new ArrayList<Method>(found.values());
        return isClear(methods) ? methods : null;
    }

    /**
     * Whether no method could be an inherited one with the type arguments in place, as `test(String)` is `test(T)`: both would be
     * implemented by one.
     */
    private static boolean isClear(List<Method> methods) {
        for (Method one : methods) {
            for (Method other : methods) {
                if (one.getDeclaringClass() != other.getDeclaringClass() && one.getName().equals(other.getName())
                    && one.getParameterTypes().length == other.getParameterTypes().length) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isOfObject(Method method) {
        try {
            return Modifier.isPublic(Object.class.getMethod(method.getName(), method.getParameterTypes()).getModifiers());
        } catch (NoSuchMethodException own) {
            return false;
        }
    }

    /** Sealed classes came with Java 17. */
    private static boolean isSealed(Class<?> type) {
        try {
            return (Boolean) Class.class.getMethod("isSealed").invoke(type);
        } catch (ReflectiveOperationException before17) {
            return false;
        }
    }
}
