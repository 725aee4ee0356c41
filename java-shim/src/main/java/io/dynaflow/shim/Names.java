package io.dynaflow.shim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The strings the driver numbered, and the classes they name. Knows nothing of members.
 * Invariant: naming a class never initialises it.
 */
final class Names {
    private static final Map<String, Class<?>> PRIMITIVES = new HashMap<String, Class<?>>();

    static {
        Class<?>[] all = {boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class,
            double.class, void.class};
        for (Class<?> type : all) {
            PRIMITIVES.put(type.getName(), type);
        }
    }

    private final ClassLoader loader;
    private final List<String> texts = new ArrayList<String>();
    private final Map<String, Class<?>> classes = new HashMap<String, Class<?>>();

    Names(ClassLoader loader) {
        this.loader = loader;
    }

    ClassLoader loader() {
        return loader;
    }

    /** Takes in the strings that are new with this request. */
    void readNew(Input in) {
        for (int count = in.count(); count > 0; count--) {
            texts.add(in.text());
        }
    }

    String text(int id) {
        if (id < 0 || id >= texts.size()) {
            throw new Malformed("text " + id + " of " + texts.size());
        }
        return texts.get(id);
    }

    /** The class a numbered string names: a binary name, an array descriptor or a primitive. */
    Class<?> type(int id) throws Unrunnable {
        return type(text(id));
    }

    Class<?> type(String name) throws Unrunnable {
        Class<?> known = classes.get(name);
        if (known == null) {
            known = load(name);
            classes.put(name, known);
        }
        return known;
    }

    private Class<?> load(String name) throws Unrunnable {
        Class<?> primitive = PRIMITIVES.get(name);
        if (primitive != null) {
            return primitive;
        }
        try {
            return Class.forName(name.replace('/', '.'), false, loader);
        } catch (ClassNotFoundException e) {
            throw new Unrunnable("class " + name + " is not on the class path");
        } catch (LinkageError e) {
            throw new Unrunnable("class " + name + " cannot be loaded: " + e);
        }
    }
}
