import io.dynaflow.fitness.Distances;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** Runs a suite by JUnit's launcher, and writes at the end which of so many places with probes were reached. */
public final class Reached {
    public static void main(String[] arguments) {
        Distances.size(Integer.getInteger("places"));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try (PrintWriter out = new PrintWriter(System.getProperty("reached"))) {
                for (int at = 0; at < Distances.count; at++) {
                    if (Distances.nearest[Distances.met[at]] == 0) {
                        out.println(Distances.met[at]);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
        org.junit.platform.console.ConsoleLauncher.main(arguments);
    }

    private Reached() {}
}
