import io.dynaflow.mutants.Switch;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * Runs `run()` of a class in many versions, each in a class loader of its own: for each line `FILE NUMBER` of the plan it loads FILE,
 * makes NUMBER active and prints what `run()` gave, and which probes it met. A run that does not end is given up.
 */
final class Harness {
    private static final long PATIENCE = 700;

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Paths.get(arguments[0]);
        StringBuilder out = new StringBuilder();
        for (String line : Files.readAllLines(folder.resolve("plan"))) {
            String[] words = line.split(" ");
            byte[] bytes = Files.readAllBytes(folder.resolve(words[0]));
            Switch.REACHED.clear();
            Switch.active = Integer.parseInt(words[1]);
            String outcome = outcome(new Loader().define(bytes));
            out.append(line).append('\t').append(outcome).append('\t').append(Switch.REACHED).append('\n');
        }
        System.out.write(out.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static String outcome(Class<?> target) throws Exception {
        String[] result = {"endless"};
        Thread thread = new Thread(() -> result[0] = call(target));
        thread.setDaemon(true);
        thread.start();
        thread.join(PATIENCE);
        return result[0];
    }

    private static String call(Class<?> target) {
        try {
            java.lang.reflect.Method run = target.getDeclaredMethod("run");
            run.setAccessible(true);
            return String.valueOf(run.invoke(null));
        } catch (InvocationTargetException e) {
            return e.getCause().getClass().getName();
        } catch (Throwable e) {
            return "broken: " + e;
        }
    }
}
