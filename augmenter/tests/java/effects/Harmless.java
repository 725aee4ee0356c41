package effects;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.NumberFormat;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Currency;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.Properties;
import java.util.ResourceBundle;
import java.util.ServiceLoader;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.xml.parsers.DocumentBuilderFactory;
import org.xml.sax.InputSource;

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
        return Files.exists(Paths.get("/etc")) && new File(".").isDirectory()
            && new File(System.getProperty("java.io.tmpdir")).exists()
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

/** Methods that look at files which are their own, the class path's or the JDK's. Each is in a test. */
class HarmlessLooks { // harmless
    private int uses;

    long looksAtItsOwn() throws Exception {
        uses++;
        Path folder = Files.createTempDirectory("brief");
        File file = new File(folder.toFile(), "a.txt");
        Files.write(file.toPath(), new byte[3]);
        long seen = file.length() + folder.toFile().list().length + (file.lastModified() > 0 ? 10 : 0);
        seen += Files.readAllBytes(file.toPath()).length;
        boolean gone = file.delete() && !file.exists() && folder.toFile().delete();
        return gone ? seen : -1;
    }

    boolean makesFolders() throws Exception {
        uses++;
        Path root = Paths.get(System.getProperty("java.io.tmpdir"), "own");
        Files.createDirectories(root.resolve("a/b"));
        boolean made = new File(root.toFile(), "c/d").mkdirs();
        for (String name : new String[] {"a/b", "a", "c/d", "c"}) {
            Files.delete(root.resolve(name));
        }
        Files.delete(root);
        return made;
    }

    int readsResources() throws Exception {
        uses++;
        Properties properties = new Properties();
        try (InputStream in = Harmless.class.getResourceAsStream("Harmless.class")) {
            properties.setProperty("first", String.valueOf(in.read()));
        }
        File classes = new File(Harmless.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        boolean there = new File(classes, "effects/Harmless.class").length() > 0;
        return Harmless.class.getResource("nothing.properties") == null && there ? properties.size() : -1;
    }

    boolean asksForBundle() {
        uses++;
        try {
            return ResourceBundle.getBundle("effects.nothing", Locale.FRANCE) != null;
        } catch (MissingResourceException e) {
            return false;
        }
    }

    boolean asksForService() {
        uses++;
        return ServiceLoader.load(Runnable.class).iterator().hasNext();
    }

    String asksForZones() {
        uses++;
        String name = TimeZone.getTimeZone("Asia/Tokyo").getDisplayName(Locale.FRANCE);
        return LocalDate.of(2020, 1, 1).atStartOfDay(ZoneId.of("Europe/Paris")).toInstant() + name.substring(0, 1);
    }

    boolean asksForRandom() throws Exception {
        uses++;
        SecureRandom.getInstance("SHA1PRNG").nextBytes(new byte[4]);
        return new SecureRandom().nextInt() != 0 || UUID.randomUUID() != null;
    }

    boolean asksForCharsets() {
        uses++;
        return Charset.availableCharsets().containsKey("Shift_JIS") && !Charset.isSupported("effects");
    }

    String asksForLocales() {
        uses++;
        return NumberFormat.getInstance(Locale.GERMANY).format(1.5) + Currency.getInstance("JPY").getDisplayName(Locale.JAPAN);
    }

    boolean asksForCryptography() throws Exception {
        uses++;
        return MessageDigest.getInstance("SHA-256").digest().length == 32 && SSLContext.getDefault() != null;
    }

    boolean parses() throws Exception {
        uses++;
        InputSource text = new InputSource(new StringReader("<a/>"));
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(text).getDocumentElement() != null;
    }

    String probesType() throws Exception {
        uses++;
        return Files.probeContentType(Paths.get("a.html"));
    }

    boolean asksForDriver() throws Exception {
        uses++;
        return Class.forName("effects.RegistryEffects$Itself") != null;
    }

    int asksForManagement() {
        uses++;
        return ManagementFactory.getPlatformMBeanServer().getDefaultDomain().length();
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
