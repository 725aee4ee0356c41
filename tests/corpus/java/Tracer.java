import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * Writes down which instructions traced classes run, in one thread, and at the JVM's end into the file that the property
 * {@code tracer.log} names: what the numbers mean is said where classes are traced ({@code tests/src/tracer.rs}).
 */
public final class Tracer {
    private static int[] log = new int[1 << 16];
    private static int length;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Tracer::write));
    }

    private Tracer() {}

    private static void add(int word) {
        if (length == log.length) {
            log = Arrays.copyOf(log, 2 * length);
        }
        log[length++] = word;
    }

    public static void at(int insn) {
        add(insn);
    }

    public static void done() {
        add(-1);
    }

    public static void enter(int method) {
        recorded(-2, method);
    }

    public static void caught(int method) {
        recorded(-3, method);
    }

    private static void recorded(int what, int method) {
        add(what);
        add(method);
        add(new Throwable().getStackTrace().length);
    }

    private static void write() {
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(System.getProperty("tracer.log"))))) {
            for (int i = 0; i < length; i++) {
                out.writeInt(log[i]);
            }
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }
}
