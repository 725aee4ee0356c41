package io.dynaflow.shim;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/**
 * An object of an interface that a test implements itself: each abstract method has one answer, default methods do what they do, and
 * {@code equals}, {@code hashCode} and {@code toString} are those of {@code Object}. Knows nothing of sequences.
 * Invariant: a call runs no code of the program but that of default methods.
 */
final class Stub implements InvocationHandler {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final Object[] NO_ARGUMENTS = new Object[0];
    /** {@code InvocationHandler.invokeDefault}, of type (Object, Method, Object[])Object; null before Java 16. */
    private static final MethodHandle DEFAULT = find(InvocationHandler.class, "invokeDefault",
        MethodType.methodType(Object.class, Object.class, Method.class, Object[].class));
    /** {@code MethodHandles.privateLookupIn}, of type (Class, Lookup)Lookup; null before Java 9. */
    private static final MethodHandle LOOKUP_IN = find(MethodHandles.class, "privateLookupIn",
        MethodType.methodType(MethodHandles.Lookup.class, Class.class, MethodHandles.Lookup.class));

    private final Class<?> type;
    private final Map<String, Answer> answers = new HashMap<String, Answer>();

    Stub(Class<?> type) {
        this.type = type;
    }

    /** A value, or the place of the parameter that is given back. */
    private static final class Answer {
        private Object value;
        private int parameter = -1;
    }

    /** Whether default methods of stubs can be called in this JVM. */
    static boolean hasDefaults() {
        return DEFAULT != null && LOOKUP_IN != null;
    }

    /** The class that a report names for an object: of a stub its interface, since its own class has no name in a test. */
    static Class<?> reported(Object value) {
        InvocationHandler handler = Proxy.isProxyClass(value.getClass()) ? Proxy.getInvocationHandler(value) : null;
        return handler instanceof Stub ? ((Stub) handler).type : value.getClass();
    }

    /** Lets a method answer a value, as `return` would convert it. */
    void answers(String name, MethodType of, Object value) throws Unrunnable {
        Answer answer = new Answer();
        answer.value = Values.convert(value, of.returnType());
        answers.put(key(name, of.parameterArray()), answer);
    }

    /** Lets a method give back one of its parameters. */
    void givesBack(String name, MethodType of, int parameter) throws Unrunnable {
        boolean isThere = parameter >= 0 && parameter < of.parameterCount();
        if (!isThere || !of.returnType().isAssignableFrom(of.parameterType(parameter))) {
            throw new Unrunnable(name + of + " has no parameter " + parameter + " that it could give back");
        }
        Answer answer = new Answer();
        answer.parameter = parameter;
        answers.put(key(name, of.parameterArray()), answer);
    }

    /** The object. A class of its loader and, where the interface is not public, of its package. */
    Object object(ClassLoader loader) throws Unrunnable {
        ClassLoader own = type.getClassLoader();
        try {
            return Proxy.newProxyInstance(own == null ? loader : own, new Class<?>[] {type}, this);
        } catch (IllegalArgumentException e) {
            throw new Unrunnable(type.getName() + " cannot be implemented: " + e.getMessage());
        }
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        if (method.isDefault()) {
            return ofDefault(proxy, method, arguments);
        }
        Answer answer = answers.get(key(method.getName(), method.getParameterTypes()));
        if (answer == null) {
            return null;
        }
        return answer.parameter < 0 ? answer.value : arguments[answer.parameter];
    }

    /** Public interfaces are called from outside, as those of the JDK have to be; others from inside their package. */
    private static Object ofDefault(Object proxy, Method method, Object[] arguments) throws Throwable {
        Class<?> declaring = method.getDeclaringClass();
        if (Modifier.isPublic(declaring.getModifiers())) {
            return (Object) DEFAULT.invokeExact(proxy, method, arguments);
        }
        MethodHandles.Lookup inside = (MethodHandles.Lookup) LOOKUP_IN.invokeExact(declaring, LOOKUP);
        MethodHandle handle = inside.unreflectSpecial(method, declaring).asFixedArity().bindTo(proxy);
        return handle.invokeWithArguments(arguments == null ? NO_ARGUMENTS : arguments);
    }

    private Object ofObject(Object proxy, Method method, Object[] arguments) {
        if (method.getName().equals("equals")) {
            return proxy == arguments[0];
        }
        int hash = System.identityHashCode(proxy);
        return method.getName().equals("hashCode") ? (Object) hash : type.getName() + '@' + Integer.toHexString(hash);
    }

    private static String key(String name, Class<?>[] parameters) {
        StringBuilder key = new StringBuilder(name);
        for (Class<?> parameter : parameters) {
            key.append(' ').append(parameter.getName());
        }
        return key.toString();
    }

    private static MethodHandle find(Class<?> owner, String name, MethodType of) {
        try {
            return LOOKUP.findStatic(owner, name, of);
        } catch (ReflectiveOperationException older) {
            return null;
        }
    }
}
