package io.dynaflow.shim;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Makes subclasses of classes that this project must not depend on: each method hands its one argument to a static method
 * of ours. Knows nothing of what they are for; interfaces need none of this, a proxy does.
 * Invariant: the subclass has a constructor without arguments and no state.
 */
final class Forwarder extends ClassLoader {
    private static final int PUBLIC = 1;
    private static final int SUPER = 0x20;

    private final ByteArrayOutputStream poolBytes = new ByteArrayOutputStream();
    private final DataOutputStream pool = new DataOutputStream(poolBytes);
    private final ByteArrayOutputStream methodBytes = new ByteArrayOutputStream();
    private final DataOutputStream methods = new DataOutputStream(methodBytes);
    private int poolSize = 1;
    private int methodCount;

    private Forwarder(ClassLoader parent) {
        super(parent);
    }

    /** A method to override: `targetDescriptor` takes an Object and returns what the method returns. */
    static final class Override {
        private final String name;
        private final String descriptor;
        private final String target;

        /** Hands the argument to the static method `target`; without one, the method returns its own name. */
        Override(String name, String descriptor, String target) {
            this.name = name;
            this.descriptor = descriptor;
            this.target = target;
        }
    }

    /** An instance of a new subclass of `parent` (visible to its loader) that calls static methods of `handler`. */
    static Object instance(Class<?> parent, Class<?> handler, Override... overrides) throws ReflectiveOperationException {
        Forwarder maker = new Forwarder(handler.getClassLoader());
        String name = handler.getName() + "$" + parent.getSimpleName() + "Forwarder";
        try {
            byte[] bytes = maker.classFile(name, parent, handler, overrides);
            Class<?> made = maker.defineClass(name, bytes, 0, bytes.length);
            return made.getConstructor().newInstance();
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
    }

    private byte[] classFile(String name, Class<?> parent, Class<?> handler, Override[] overrides) throws IOException {
        int thisClass = classEntry(name);
        int superClass = classEntry(parent.getName());
        int constructor = reference(superClass, "<init>", "()V");
        method("<init>", "()V", 1, new int[] {0x2a, 0xb7, constructor >> 8, constructor, 0xb1});
        int handlerClass = classEntry(handler.getName());
        for (Override each : overrides) {
            method(each.name, each.descriptor, 2, code(each, handlerClass));
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(file);
        out.writeInt(0xcafebabe);
        out.writeInt(49);
        out.writeShort(poolSize);
        poolBytes.writeTo(out);
        out.writeShort(PUBLIC | SUPER);
        out.writeShort(thisClass);
        out.writeShort(superClass);
        out.writeInt(0);
        out.writeShort(methodCount);
        methodBytes.writeTo(out);
        out.writeShort(0);
        return file.toByteArray();
    }

    /** Load the argument, call, return. */
    private int[] code(Override each, int handlerClass) throws IOException {
        char result = each.descriptor.charAt(each.descriptor.indexOf(')') + 1);
        int give = result == 'V' ? 0xb1 : result == 'Z' ? 0xac : 0xb0;
        if (each.target == null) {
            int name = utf8(each.name);
            pool.writeByte(8);
            pool.writeShort(name);
            int text = poolSize++;
            return new int[] {0x13, text >> 8, text, give};
        }
        int target = reference(handlerClass, each.target, "(Ljava/lang/Object;)" + result);
        return new int[] {0x2b, 0xb8, target >> 8, target, give};
    }

    private void method(String name, String descriptor, int locals, int[] code) throws IOException {
        int nameEntry = utf8(name);
        int descriptorEntry = utf8(descriptor);
        int codeEntry = utf8("Code");
        methods.writeShort(PUBLIC);
        methods.writeShort(nameEntry);
        methods.writeShort(descriptorEntry);
        methods.writeShort(1);
        methods.writeShort(codeEntry);
        methods.writeInt(12 + code.length);
        methods.writeShort(1);
        methods.writeShort(locals);
        methods.writeInt(code.length);
        for (int b : code) {
            methods.writeByte(b);
        }
        methods.writeInt(0);
        methodCount++;
    }

    private int reference(int owner, String name, String descriptor) throws IOException {
        int nameEntry = utf8(name);
        int descriptorEntry = utf8(descriptor);
        pool.writeByte(12);
        pool.writeShort(nameEntry);
        pool.writeShort(descriptorEntry);
        int nameAndType = poolSize++;
        pool.writeByte(10);
        pool.writeShort(owner);
        pool.writeShort(nameAndType);
        return poolSize++;
    }

    private int classEntry(String name) throws IOException {
        int text = utf8(name.replace('.', '/'));
        pool.writeByte(7);
        pool.writeShort(text);
        return poolSize++;
    }

    private int utf8(String text) throws IOException {
        pool.writeByte(1);
        pool.writeUTF(text);
        return poolSize++;
    }
}
