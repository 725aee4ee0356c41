import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;

/**
 * Runs random classes: `OUT FIRST LAST` links the classes `RandomFIRST` to `RandomLAST`, calls every constructor and method
 * of them, and writes to OUT what came of each: result, exception with the frames it went through, state left behind. It
 * knows nothing of weaving: the same run on original classes is the control.
 */
public final class RandomRun {
    public static void main(String[] args) throws Exception {
        try (PrintStream out = new PrintStream(args[0], "UTF-8")) {
            for (long i = Long.parseLong(args[1]); i <= Long.parseLong(args[2]); i++) {
                run("Random" + i, out);
            }
        }
        System.out.println("done");
    }

    private static void run(String name, PrintStream out) throws Exception {
        Class<?> type;
        try {
            type = Class.forName(name);
        } catch (VerifyError | ClassFormatError error) {
            out.println(name + "\t" + error.getClass().getName() + " " + String.valueOf(error.getMessage()).replace('\n', '|'));
            return;
        }
        List<Executable> all = new ArrayList<>(Arrays.asList(type.getConstructors()));
        all.addAll(Arrays.asList(type.getDeclaredMethods()));
        all.sort((a, b) -> key(a).compareTo(key(b)));
        for (Executable member : all) {
            prepare(type);
            Object receiver = Modifier.isStatic(member.getModifiers()) ? null : type.getField("own").get(null);
            if (member instanceof Method && !Modifier.isStatic(member.getModifiers()) && receiver == null) {
                out.println(key(member) + "\thas no receiver");
                continue;
            }
            String outcome;
            try {
                Object[] values = arguments(type, member.getParameterTypes());
                Object result = member instanceof Method
                    ? ((Method) member).invoke(receiver, values)
                    : ((Constructor<?>) member).newInstance(values);
                outcome = "gives " + show(result, 3);
            } catch (InvocationTargetException thrown) {
                outcome = "throws " + trace(thrown.getCause());
            }
            out.println(key(member) + "\t" + outcome + " leaves " + state(type));
        }
    }

    private static String key(Executable member) {
        return member.getDeclaringClass().getName() + "." + member.getName() + Arrays.toString(member.getParameterTypes());
    }

    private static void prepare(Class<?> type) throws Exception {
        type.getField("fuel").setInt(null, 60);
        type.getField("si").setInt(null, 11);
        type.getField("sj").setLong(null, -5);
        type.getField("sf").setFloat(null, 0.5f);
        type.getField("sd").setDouble(null, 2.5);
        type.getField("so").set(null, "start");
        type.getField("lock").set(null, new Object());
        type.getField("own").set(null, null);
        try {
            Object own = type.getConstructor().newInstance();
            type.getField("fuel").setInt(null, 60);
            type.getField("own").set(null, own);
        } catch (InvocationTargetException itsOwnTrouble) {
            // Then there is none.
        }
    }

    private static Object[] arguments(Class<?> own, Class<?>[] types) throws Exception {
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            Class<?> type = types[i];
            if (type == int.class) {
                values[i] = 7 + i;
            } else if (type == long.class) {
                values[i] = (1L << 33) + i;
            } else if (type == float.class) {
                values[i] = 1.5f;
            } else if (type == double.class) {
                values[i] = -2.25;
            } else if (type == int[].class) {
                values[i] = new int[] {1, 2, 3};
            } else if (type == long[].class) {
                values[i] = new long[] {4, 5};
            } else if (type == byte[].class) {
                values[i] = new byte[] {6};
            } else if (type == int[][].class) {
                values[i] = new int[][] {{1}, null};
            } else if (type == Object[].class) {
                values[i] = new Object[] {"a", null};
            } else if (type == ArrayList.class) {
                values[i] = new ArrayList<>(Arrays.asList("x", 1));
            } else if (type == HashMap.class) {
                values[i] = new HashMap<>(Collections.singletonMap("text", "y"));
            } else if (type == own) {
                values[i] = own.getField("own").get(null);
            } else {
                values[i] = "given";
            }
        }
        return values;
    }

    private static String state(Class<?> type) throws Exception {
        StringBuilder text = new StringBuilder();
        for (Field field : type.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !field.getName().equals("lock")) {
                text.append(field.getName()).append('=').append(show(field.get(null), 3)).append(' ');
            }
        }
        return text.append(Thread.holdsLock(type.getField("lock").get(null)) ? "locked" : "free").toString();
    }

    private static String trace(Throwable thrown) {
        // The message counts too: of a null pointer the JVM says where in the code it came from.
        StringBuilder text = new StringBuilder(thrown.getClass().getName()).append(": ").append(thrown.getMessage());
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frame.getClassName().startsWith("Random") && !frame.getClassName().equals("RandomRun")) {
                text.append(" at ").append(frame.getMethodName());
            }
        }
        return text.toString();
    }

    private static String show(Object value, int depth) throws Exception {
        if (value == null || value instanceof Number || value instanceof String || value instanceof Boolean) {
            return String.valueOf(value);
        }
        if (depth == 0) {
            return value.getClass().getName();
        }
        StringBuilder text = new StringBuilder(value.getClass().getName()).append('{');
        if (value instanceof ArrayList) {
            for (Object one : (ArrayList<?>) value) {
                text.append(show(one, depth - 1)).append(',');
            }
        } else if (value instanceof HashMap) {
            text.append(((HashMap<?, ?>) value).size());
        } else if (value.getClass().isArray()) {
            for (int i = 0; i < java.lang.reflect.Array.getLength(value); i++) {
                text.append(show(java.lang.reflect.Array.get(value, i), depth - 1)).append(',');
            }
        } else if (value instanceof RandomBase) {
            for (Field field : value.getClass().getFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    text.append(field.getName()).append('=').append(show(field.get(value), depth - 1)).append(',');
                }
            }
        }
        return text.append('}').toString();
    }
}
