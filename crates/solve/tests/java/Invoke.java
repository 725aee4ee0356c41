import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Calls static methods: a line of standard input each, of a folder with classes, a class, a method and its arguments, separated by tabs. Prints what
 * a call gives, and what its arrays hold then, on a line.
 */
public final class Invoke {
    private static final Map<String, ClassLoader> LOADERS = new HashMap<>();

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split("\t", -1);
            String[] outcome = {"endless"};
            Thread thread = new Thread(() -> outcome[0] = call(words));
            thread.setDaemon(true);
            thread.start();
            thread.join(1000);
            System.out.println(outcome[0]);
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static String call(String[] words) {
        try {
            ClassLoader loader = loader(words[0]);
            Method method = null;
            for (Method each : Class.forName(words[1], true, loader).getDeclaredMethods()) {
                method = each.getName().equals(words[2]) ? each : method;
            }
            Object[] arguments = new Object[words.length - 3];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = argument(words[i + 3]);
            }
            method.setAccessible(true);
            StringBuilder out = new StringBuilder();
            try {
                out.append(method.invoke(null, arguments));
            } catch (InvocationTargetException e) {
                return e.getCause().getClass().getName();
            }
            for (Object argument : arguments) {
                if (argument != null && argument.getClass().isArray()) {
                    for (int i = 0; i < Array.getLength(argument); i++) {
                        out.append(' ').append(Array.get(argument, i));
                    }
                }
            }
            return out.toString();
        } catch (Throwable e) {
            return "broken: " + e;
        }
    }

    private static ClassLoader loader(String folder) throws Exception {
        if (!LOADERS.containsKey(folder)) {
            LOADERS.put(folder, new URLClassLoader(new URL[] {new File(folder).toURI().toURL()}, null));
        }
        return LOADERS.get(folder);
    }

    private static Object argument(String word) {
        int colon = word.indexOf(':');
        String type = word.substring(0, colon);
        String value = word.substring(colon + 1);
        if (!type.startsWith("[")) {
            return number(type, value);
        }
        if (value.equals("null")) {
            return null;
        }
        String[] values = value.isEmpty() ? new String[0] : value.split(",");
        Object array = Array.newInstance(element(type.substring(1)), values.length);
        for (int i = 0; i < values.length; i++) {
            Array.set(array, i, number(type.substring(1), values[i]));
        }
        return array;
    }

    private static Class<?> element(String type) {
        switch (type) {
            case "Z": return boolean.class;
            case "B": return byte.class;
            case "C": return char.class;
            case "S": return short.class;
            case "I": return int.class;
            case "J": return long.class;
            case "F": return float.class;
            default: return double.class;
        }
    }

    /** Numbers with a point are given as their bits. */
    private static Object number(String type, String value) {
        long bits = Long.parseLong(value);
        switch (type) {
            case "Z": return bits != 0;
            case "B": return (byte) bits;
            case "C": return (char) bits;
            case "S": return (short) bits;
            case "I": return (int) bits;
            case "J": return bits;
            case "F": return Float.intBitsToFloat((int) bits);
            default: return Double.longBitsToDouble(bits);
        }
    }
}
