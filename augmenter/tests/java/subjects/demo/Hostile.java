package demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;

/** What generated calls must not be able to do. Methods end normally exactly when they succeeded. */
public class Hostile {
    public static void delete(String path) throws IOException {
        Files.delete(Paths.get(path));
    }

    public static void execute(String program) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(program).start();
        if (process.waitFor() != 0) {
            throw new IOException("failed");
        }
    }
}
