package hostile;

import java.io.File;
import java.nio.file.Path;
import java.nio.file.Paths;

/** What the hostile methods aim at, as the test set it up. */
final class Given {
    private Given() {}

    /** A folder of the user's with `precious.txt`, `secret.txt` (mode 0600) and an empty folder `inner`. */
    static Path decoys() {
        return Paths.get(System.getProperty("hostile.decoys"));
    }

    static Path precious() {
        return decoys().resolve("precious.txt");
    }

    static Path secret() {
        return decoys().resolve("secret.txt");
    }

    static int port() {
        return Integer.getInteger("hostile.port");
    }

    static Path socket() {
        return decoys().resolve("daemon.sock");
    }

    static long sibling() {
        return Long.getLong("hostile.sibling");
    }

    static long driver() {
        return Long.getLong("hostile.driver");
    }

    /** The folder that is this JVM's own. */
    static Path own() {
        return Paths.get(System.getProperty("user.home"));
    }

    static Path workerJar() {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.endsWith("dynaflow-worker.jar")) {
                return Paths.get(entry);
            }
        }
        throw new IllegalStateException("no worker jar");
    }

    static Path classes() {
        return Paths.get(System.getProperty("java.class.path").split(File.pathSeparator)[0]);
    }

    static void must(boolean succeeded) {
        if (!succeeded) {
            throw new IllegalStateException("refused");
        }
    }
}
