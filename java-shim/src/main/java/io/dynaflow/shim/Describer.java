package io.dynaflow.shim;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Describes what a test in the package of a class may do with it. Knows nothing of how it is searched.
 * Invariant: the class described is never initialised.
 */
final class Describer {
    private static final int PUBLIC = 0;
    private static final int PROTECTED = 1;
    private static final int PACKAGE = 2;
    private static final int PRIVATE = 3;

    private final Names names;

    Describer(Names names) {
        this.names = names;
    }

    /** Writes one reply: the type, or why it cannot be described. */
    void describe(String name, Output out) {
        Output trial = new Output();
        try {
            write(names.type(name), trial);
        } catch (Unrunnable e) {
            refuse(name, e.getMessage(), out);
            return;
        } catch (LinkageError e) {
            refuse(name, "cannot be loaded: " + e, out);
            return;
        } catch (TypeNotPresentException e) {
            refuse(name, "class " + e.typeName() + " is not on the class path", out);
            return;
        }
        out.u8(Protocol.REPLY_TYPE);
        write(load(name), out);
    }

    private Class<?> load(String name) {
        try {
            return names.type(name);
        } catch (Unrunnable e) {
            throw new IllegalStateException(name + " was there a moment ago", e);
        }
    }

    private static void refuse(String name, String why, Output out) {
        out.u8(Protocol.REPLY_NO_TYPE);
        out.text(name);
        out.text(why);
    }

    private static void write(Class<?> type, Output out) {
        out.text(type.getName());
        out.u8(visibility(type));
        boolean isAbstract = Modifier.isAbstract(type.getModifiers());
        boolean isInner = type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers());
        out.u8((isAbstract ? 1 : 0) | (type.isInterface() ? 2 : 0) | (isInner ? 4 : 0));
        supertypes(type, out);
        constructors(type, out);
        methods(type, out);
        fields(type, out);
        toImplement(type, out);
    }

    private static void toImplement(Class<?> type, Output out) {
        Collection<Method> methods = Implementable.methods(type);
        out.u8(methods == null ? 0 : 1);
        if (methods == null) {
            return;
        }
        out.i32(methods.size());
        for (Method method : methods) {
            out.text(method.getDeclaringClass().getName());
            out.text(method.getName());
            out.text(descriptor(method.getParameterTypes(), method.getReturnType()));
        }
    }

    private static void supertypes(Class<?> type, Output out) {
        Set<Class<?>> all = new LinkedHashSet<Class<?>>();
        collect(type, all);
        all.remove(type);
        out.i32(all.size());
        for (Class<?> supertype : all) {
            out.text(supertype.getName());
        }
    }

    private static void collect(Class<?> type, Set<Class<?>> all) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            all.add(c);
            for (Class<?> superinterface : c.getInterfaces()) {
                collect(superinterface, all);
            }
        }
    }

    private static void constructors(Class<?> type, Output out) {
        List<Constructor<?>> usable = new ArrayList<Constructor<?>>();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (!constructor.isSynthetic() && visibility(constructor.getModifiers()) != PRIVATE) {
                usable.add(constructor);
            }
        }
        out.i32(usable.size());
        for (Constructor<?> constructor : usable) {
            out.u8(Protocol.CONSTRUCTOR);
            out.u8(visibility(constructor.getModifiers()));
            out.text(type.getName());
            out.text("<init>");
            out.text(descriptor(constructor.getParameterTypes(), void.class));
            exceptions(constructor.getExceptionTypes(), out);
        }
    }

    private static void methods(Class<?> type, Output out) {
        Map<String, Method> usable = new LinkedHashMap<String, Method>();
        Set<Class<?>> order = new LinkedHashSet<Class<?>>();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            order.add(c);
        }
        collect(type, order);
        order.remove(Object.class);
        for (Class<?> declaring : order) {
            Method[] all = declaring.getDeclaredMethods();
            for (Method method : all) {
                String key = method.getName() + descriptor(method.getParameterTypes(), void.class);
                Method other = usable.get(key);
                boolean visible = method.isSynthetic() ? isGenericBridge(method, all) : callable(method, type);
                if (visible && (other == null || overrides(method, other))) {
                    usable.put(key, method);
                }
            }
        }
        for (Iterator<Method> each = usable.values().iterator(); each.hasNext();) {
            if (each.next().isSynthetic()) {
                each.remove();
            }
        }
        out.i32(usable.size());
        for (Method method : usable.values()) {
            Class<?> declaring = method.getDeclaringClass();
            out.u8(kind(method));
            out.u8(visibility(method.getModifiers()));
            out.text((nameable(declaring, type) ? declaring : type).getName());
            out.text(method.getName());
            out.text(descriptor(method.getParameterTypes(), method.getReturnType()));
            exceptions(method.getExceptionTypes(), out);
        }
    }

    /**
     * Whether a bridge leads to a method with other parameters, as `compareTo(Object)` does: it hides what it overrides,
     * for callers mean the method it leads to. Bridges that only widen access, or the result, hide nothing.
     */
    private static boolean isGenericBridge(Method bridge, Method[] all) {
        for (Method method : all) {
            if (!method.isSynthetic() && method.getName().equals(bridge.getName())
                && method.getParameterTypes().length == bridge.getParameterTypes().length
                && !Arrays.equals(method.getParameterTypes(), bridge.getParameterTypes())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a test in the package of `type` can name the class. */
    private static boolean nameable(Class<?> declaring, Class<?> type) {
        int visibility = visibility(declaring);
        return visibility == PUBLIC || visibility != PRIVATE && samePackage(declaring, type);
    }

    /** A default method below another interface's replaces it; methods of classes come first and are never replaced. */
    private static boolean overrides(Method method, Method other) {
        Class<?> above = other.getDeclaringClass();
        if (above == method.getDeclaringClass()) {
            return other.isSynthetic() && !method.isSynthetic();
        }
        return above.isInterface() && above.isAssignableFrom(method.getDeclaringClass());
    }

    /** Whether a test in the package of `type` may call the method on it. */
    private static boolean callable(Method method, Class<?> type) {
        Class<?> declaring = method.getDeclaringClass();
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        if (isStatic && declaring.isInterface() && declaring != type) {
            return false;
        }
        int visibility = visibility(method.getModifiers());
        return visibility == PUBLIC || visibility != PRIVATE && samePackage(declaring, type);
    }

    /** Packages of the JDK take in no tests. */
    private static boolean samePackage(Class<?> a, Class<?> b) {
        return packageOf(a).equals(packageOf(b)) && !packageOf(a).startsWith("java.");
    }

    private static String packageOf(Class<?> type) {
        return type.getName().substring(0, Math.max(0, type.getName().lastIndexOf('.')));
    }

    private static int kind(Method method) {
        if (Modifier.isStatic(method.getModifiers())) {
            return Protocol.STATIC;
        }
        return method.getDeclaringClass().isInterface() ? Protocol.INTERFACE : Protocol.VIRTUAL;
    }

    private static void fields(Class<?> type, Output out) {
        List<Field> statics = new ArrayList<Field>();
        List<String> constants = new ArrayList<String>();
        for (Field field : type.getDeclaredFields()) {
            if (field.isEnumConstant()) {
                constants.add(field.getName());
            } else if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()
                && visibility(field.getModifiers()) != PRIVATE) {
                statics.add(field);
            }
        }
        out.i32(statics.size());
        for (Field field : statics) {
            out.text(type.getName());
            out.text(field.getName());
            out.text(descriptor(field.getType()));
        }
        out.i32(constants.size());
        for (String constant : constants) {
            out.text(constant);
        }
    }

    private static void exceptions(Class<?>[] types, Output out) {
        out.i32(types.length);
        for (Class<?> type : types) {
            out.text(type.getName());
        }
    }

    private static int visibility(Class<?> type) {
        int narrowest = PUBLIC;
        for (Class<?> c = type; c != null; c = c.getEnclosingClass()) {
            boolean unnamed = c.isLocalClass() || c.isAnonymousClass();
            narrowest = Math.max(narrowest, unnamed ? PRIVATE : visibility(c.getModifiers()));
        }
        return narrowest;
    }

    private static int visibility(int modifiers) {
        if (Modifier.isPublic(modifiers)) {
            return PUBLIC;
        }
        if (Modifier.isProtected(modifiers)) {
            return PROTECTED;
        }
        return Modifier.isPrivate(modifiers) ? PRIVATE : PACKAGE;
    }

    private static String descriptor(Class<?>[] parameters, Class<?> result) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : parameters) {
            text.append(descriptor(parameter));
        }
        return text.append(')').append(descriptor(result)).toString();
    }

    static String descriptor(Class<?> type) {
        if (type == void.class) {
            return "V";
        }
        // An array class's name is its descriptor but for the dots.
        String array = java.lang.reflect.Array.newInstance(type, 0).getClass().getName();
        return array.substring(1).replace('.', '/');
    }
}
