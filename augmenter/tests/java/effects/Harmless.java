package effects;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Logger;

/** Methods that leave everything outside of their object as they found it. Each is in a test. */
class Harmless { // harmless
    private int uses;
    private final StringWriter own = new StringWriter();

    String usesTemporaryFile() throws Exception {
        File file = File.createTempFile("brief", ".txt");
        Files.write(file.toPath(), new byte[] {(byte) (65 + uses++)});
        try (BufferedReader in = new BufferedReader(new FileReader(file))) {
            return in.readLine();
        } finally {
            file.setReadOnly();
            file.delete();
        }
    }

    boolean usesTemporaryFolder() throws Exception {
        uses++;
        Path folder = Files.createTempDirectory("brief");
        Path file = Files.createFile(folder.resolve("a"));
        Path moved = Files.move(file, folder.resolve("b"));
        boolean there = Files.exists(moved);
        Files.delete(moved);
        Files.delete(folder);
        return there;
    }

    void deletesItsOwnAtTheEnd() throws Exception {
        uses++;
        File.createTempFile("brief", ".end").deleteOnExit();
    }

    boolean reads() throws Exception {
        uses++;
        return Files.exists(Paths.get("/etc")) && !new File("nowhere.txt").exists()
            && Paths.get(System.getProperty("java.home")).toFile().isDirectory();
    }

    void prints() {
        uses++;
        System.out.println("one");
        System.err.println("two");
    }

    String setsAndRestores() {
        uses++;
        String before = System.getProperty("effects.brief");
        Locale locale = Locale.getDefault();
        System.setProperty("effects.brief", "x");
        Locale.setDefault(Locale.GERMANY);
        String seen = System.getProperty("effects.brief");
        Locale.setDefault(locale);
        if (before == null) {
            System.clearProperty("effects.brief");
        }
        return seen;
    }

    int awaitsThread() throws Exception {
        Thread thread = new Thread(() -> uses++);
        thread.start();
        thread.join();
        return CompletableFuture.supplyAsync(() -> uses).get();
    }

    void logs() {
        uses++;
        Logger.getLogger("effects.harmless").fine("nothing");
    }

    void takesBackItsHook() {
        uses++;
        Thread hook = new Thread(() -> {});
        Runtime.getRuntime().addShutdownHook(hook);
        Runtime.getRuntime().removeShutdownHook(hook);
    }

    String writesToItself() {
        uses++;
        own.write("x");
        return own.toString();
    }

    int uses() {
        return uses;
    }
}

/** One method is fit for a test, the other is not. */
class Mixed extends Counted { // files:work writes mixed.txt
    private int kept;

    void keep() {
        kept++;
    }

    int kept() {
        return kept;
    }

    void tidy() throws Exception {
        count++;
        Files.write(Paths.get("mixed.txt"), new byte[1]);
    }
}

/** Whichever test comes first sets the property, whatever it calls. */
class Initialises extends Counted { // properties changes the system property effects.initialised
    static {
        System.setProperty("effects.initialised", "yes");
    }

    void tidy() {
        count++;
    }
}
