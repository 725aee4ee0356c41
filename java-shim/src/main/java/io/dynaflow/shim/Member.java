package io.dynaflow.shim;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/**
 * A constructor, method or field, found once and then called through a method handle that takes all its arguments in an
 * array (the receiver first). Knows nothing of statements.
 * Invariant: arguments that went through {@link Values#convert} never make the handle itself throw, so whatever a call
 * throws comes from the program.
 */
final class Member {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    /** The class it was asked of. */
    final Class<?> owner;
    /** Name and descriptor, as class files have them. */
    final String signature;
    /** Of type (Object[])Object. */
    private final MethodHandle handle;
    /** The class a receiver must be an instance of; null when there is no receiver. */
    final Class<?> receiver;
    final Class<?>[] parameters;
    final Class<?> result;
    private final Class<?>[] declared;

    private Member(Class<?> owner, String signature, MethodHandle raw, Class<?> receiver, Class<?>[] parameters, Class<?> result, Class<?>[] declared) {
        this.owner = owner;
        this.signature = signature;
        MethodHandle fixed = raw.asFixedArity();
        int count = fixed.type().parameterCount();
        this.handle = fixed.asType(MethodType.genericMethodType(count)).asSpreader(Object[].class, count);
        this.receiver = receiver;
        this.parameters = parameters;
        this.result = result;
        this.declared = declared;
    }

    Object invoke(Object[] arguments) throws Throwable {
        return (Object) handle.invokeExact(arguments);
    }

    /**
     * Whether the `throws` clause names the exception's class or a superclass of it. A clause as wide as `throws Exception`
     * names no unchecked exception: it says that there are checked ones.
     */
    boolean declares(Throwable thrown) {
        boolean checked = !(thrown instanceof RuntimeException || thrown instanceof Error);
        for (Class<?> type : declared) {
            boolean wide = type.isAssignableFrom(RuntimeException.class) || type == Error.class;
            if (type.isInstance(thrown) && (checked || !wide)) {
                return true;
            }
        }
        return false;
    }

    static Member find(Names names, int kind, String owner, String name, String descriptor) throws Unrunnable {
        Class<?> type = names.type(owner);
        try {
            if (kind == Protocol.STATIC_FIELD || kind == Protocol.FIELD) {
                return field(type, kind == Protocol.STATIC_FIELD, name, descriptor);
            }
            MethodType wanted = MethodType.fromMethodDescriptorString(descriptor, names.loader());
            return kind == Protocol.CONSTRUCTOR ? constructor(type, wanted) : method(type, kind, name, wanted);
        } catch (IllegalAccessException e) {
            throw new Unrunnable(owner + "." + name + descriptor + " cannot be called from outside its module");
        } catch (ReflectiveOperationException e) {
            throw new Unrunnable("there is no " + owner + "." + name + descriptor);
        } catch (TypeNotPresentException e) {
            throw new Unrunnable(owner + "." + name + descriptor + ": class " + e.typeName() + " is not on the class path");
        } catch (LinkageError e) {
            throw new Unrunnable(owner + "." + name + descriptor + ": " + e);
        } catch (IllegalArgumentException e) {
            throw new Unrunnable(owner + "." + name + descriptor + ": not a descriptor");
        }
    }

    private static Member constructor(Class<?> type, MethodType wanted) throws ReflectiveOperationException, Unrunnable {
        Constructor<?> found = type.getDeclaredConstructor(wanted.parameterArray());
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new Unrunnable(type.getName() + " is abstract");
        }
        open(found);
        return new Member(type, "<init>" + wanted.toMethodDescriptorString(), LOOKUP.unreflectConstructor(found), null, found.getParameterTypes(), type,
            found.getExceptionTypes());
    }

    private static Member method(Class<?> type, int kind, String name, MethodType wanted)
        throws ReflectiveOperationException, Unrunnable {
        String signature = name + wanted.toMethodDescriptorString();
        if (type.isArray() && name.equals("clone")) {
            Method clone = Member.class.getDeclaredMethod("cloneArray", Object.class);
            return new Member(type, signature, LOOKUP.unreflect(clone), type, new Class<?>[0], type, new Class<?>[0]);
        }
        Method found = search(type, name, wanted);
        if (found == null) {
            throw new NoSuchMethodException();
        }
        boolean isStatic = Modifier.isStatic(found.getModifiers());
        if (isStatic != (kind == Protocol.STATIC)) {
            throw new Unrunnable(found + (isStatic ? " is static" : " is not static"));
        }
        if (kind == Protocol.SPECIAL && !Modifier.isPrivate(found.getModifiers())) {
            throw new Unrunnable("super." + name + " can be called from a subclass alone");
        }
        open(found);
        return new Member(type, signature, LOOKUP.unreflect(found), isStatic ? null : found.getDeclaringClass(),
            found.getParameterTypes(), found.getReturnType(), found.getExceptionTypes());
    }

    private static Member field(Class<?> type, boolean isStatic, String name, String descriptor)
        throws ReflectiveOperationException, Unrunnable {
        Field found = searchField(type, name, descriptor);
        if (found == null) {
            throw new NoSuchFieldException();
        }
        if (isStatic != Modifier.isStatic(found.getModifiers())) {
            throw new Unrunnable(found + (isStatic ? " is not static" : " is static"));
        }
        open(found);
        return new Member(type, name + descriptor, LOOKUP.unreflectGetter(found), isStatic ? null : found.getDeclaringClass(), new Class<?>[0],
            found.getType(), new Class<?>[0]);
    }

    static Object cloneArray(Object array) {
        int length = java.lang.reflect.Array.getLength(array);
        Object copy = java.lang.reflect.Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        return copy;
    }

    /** Searches as the JVM resolves: the class and its superclasses, then all superinterfaces. */
    private static Method search(Class<?> type, String name, MethodType wanted) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            Method found = declared(c, name, wanted);
            if (found != null) {
                return found;
            }
        }
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Class<?> superinterface : c.getInterfaces()) {
                Method found = search(superinterface, name, wanted);
                if (found != null) {
                    return found;
                }
            }
        }
        return type.isInterface() ? declared(Object.class, name, wanted) : null;
    }

    private static Method declared(Class<?> type, String name, MethodType wanted) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name) && method.getReturnType() == wanted.returnType()
                && Arrays.equals(method.getParameterTypes(), wanted.parameterArray())) {
                return method;
            }
        }
        return null;
    }

    private static Field searchField(Class<?> type, String name, String descriptor) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (field.getName().equals(name) && Describer.descriptor(field.getType()).equals(descriptor)) {
                    return field;
                }
            }
            for (Class<?> superinterface : c.getInterfaces()) {
                Field found = searchField(superinterface, name, descriptor);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Opens the member where the module system lets us; a public one of an exported package works without. */
    private static <M extends AccessibleObject & java.lang.reflect.Member> void open(M member)
        throws IllegalAccessException {
        try {
            member.setAccessible(true);
        } catch (RuntimeException closed) {
            if (!Modifier.isPublic(member.getModifiers())) {
                throw new IllegalAccessException(closed.toString());
            }
        }
    }
}
