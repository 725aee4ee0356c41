import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Calls methods of the recorder as a script says, and prints the words of each call, then the numbers of all objects and texts. A line
 * of the script is a class, a method, its descriptor and its arguments, between tabs. It does not know which words are right.
 */
final class Script {
    enum Colour { RED }

    /** An object like others. */
    static final class Plain {}

    /** A list of the program. */
    static final class Extended extends ArrayList<Object> {
        private static final long serialVersionUID = 1;
    }

    /** A recorded class. */
    static final class Held {
        Object value;
    }

    private static final Map<String, Object> OBJECTS = new LinkedHashMap<String, Object>();
    private static Object last;

    public static void main(String[] arguments) throws Exception {
        DynaflowNative.recorded = Held.class.getName();
        makeObjects();
        for (Object object : OBJECTS.values()) {
            DynaflowRecorder.on(object, Check.SITE);
        }
        makeFresh();
        takeWords();
        for (String line : Files.readAllLines(Paths.get(arguments[0]))) {
            run(line.split("\t", -1));
            System.out.println("words" + takeWords());
        }
        for (Map.Entry<String, Object> entry : OBJECTS.entrySet()) {
            if (entry.getValue() != null) {
                System.out.println("id " + entry.getKey() + " " + DynaflowNative.valueOf(entry.getValue()));
                System.out.println("id class:" + entry.getKey() + " " + DynaflowNative.idOf(entry.getValue().getClass()));
            }
        }
        for (String text : DynaflowNative.TEXTS) {
            System.out.println("text " + text);
        }
        Check.that(DynaflowNative.stopped == null, "stopped: " + DynaflowNative.stopped);
    }

    /** Objects that the recorder sees before the script begins. */
    private static void makeObjects() throws Exception {
        for (String name : new String[] {"a", "b", "c", "d"}) {
            OBJECTS.put(name, new Plain());
        }
        List<Object> list = new ArrayList<Object>();
        list.add(OBJECTS.get("a"));
        list.add("text");
        List<Object> extended = new Extended();
        extended.add(OBJECTS.get("a"));
        OBJECTS.put("list", list);
        OBJECTS.put("set", new LinkedHashSet<Object>());
        OBJECTS.put("extended", extended);
        OBJECTS.put("numbers", new int[10]);
        OBJECTS.put("array", new Object[] {OBJECTS.get("a"), OBJECTS.get("b")});
        OBJECTS.put("other", new Object[3]);
        OBJECTS.put("held", new Held());
        OBJECTS.put("red", Colour.RED);
    }

    /** Objects that it sees first when the script uses them. */
    private static void makeFresh() throws Exception {
        OBJECTS.put("null", null);
        OBJECTS.put("text", "text");
        OBJECTS.put("fresh", new Plain());
        OBJECTS.put("freshArray", new Object[] {OBJECTS.get("a"), null, OBJECTS.get("b")});
        OBJECTS.put("otherArray", new Object[] {OBJECTS.get("a"), OBJECTS.get("b"), OBJECTS.get("c")});
        OBJECTS.put("iterator", ((List<?>) OBJECTS.get("list")).iterator());
        OBJECTS.put("function", new Plain());
        OBJECTS.put("error", new Error());
        OBJECTS.put("overflow", new StackOverflowError());
        OBJECTS.put("overflow2", new StackOverflowError());
        OBJECTS.put("field", Held.class.getDeclaredField("value"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(new int[3]);
        OBJECTS.put("stream", new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        OBJECTS.put("class", int[].class);
        OBJECTS.put("box", 'x');
        OBJECTS.put("long", 5L);
    }

    private static String takeWords() {
        DynaflowNative.drain();
        StringBuilder words = new StringBuilder();
        for (long[] run : DynaflowNative.RUNS) {
            for (int at = 1; at < run.length; at++) {
                words.append(' ').append(run[at]);
            }
        }
        DynaflowNative.RUNS.clear();
        return words.toString();
    }

    private static void run(final String[] line) throws Exception {
        if (line[0].equals("read")) {
            OBJECTS.put("read", ((ObjectInputStream) OBJECTS.get("stream")).readObject());
        } else if (line[0].equals("thread")) {
            Thread thread = new Thread(new Runnable() {
                @Override
                public void run() {
                    DynaflowRecorder.at(Check.SITE);
                }
            });
            thread.start();
            thread.join();
        } else {
            call(line);
        }
    }

    private static void call(String[] line) throws Exception {
        for (Method method : Class.forName("java.lang." + line[0]).getMethods()) {
            if (method.getName().equals(line[1]) && descriptor(method).equals(line[2])) {
                Object[] values = new Object[line.length - 3];
                for (int i = 0; i < values.length; i++) {
                    values[i] = value(method.getParameterTypes()[i], line[i + 3]);
                }
                Object result = method.invoke(null, values);
                last = result == null ? last : result;
                return;
            }
        }
        throw new AssertionError("no method " + line[1] + line[2]);
    }

    private static Object value(Class<?> type, String text) {
        if (type == int.class) {
            return Integer.parseInt(text);
        } else if (type == long.class) {
            return Long.parseLong(text);
        } else if (type == float.class) {
            return Float.parseFloat(text);
        } else if (type == double.class) {
            return Double.parseDouble(text);
        } else if (type == boolean.class) {
            return text.equals("1");
        } else if (type == String.class) {
            return text;
        }
        Check.that(text.equals("last") || OBJECTS.containsKey(text), "no object " + text);
        return text.equals("last") ? last : OBJECTS.get(text);
    }

    private static String descriptor(Method method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> type : method.getParameterTypes()) {
            text.append(name(type));
        }
        return text.append(')').append(name(method.getReturnType())).toString();
    }

    private static String name(Class<?> type) {
        Object array = type == void.class ? null : java.lang.reflect.Array.newInstance(type, 0);
        return array == null ? "V" : array.getClass().getName().substring(1).replace('.', '/');
    }
}
