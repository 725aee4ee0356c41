package hostile;

import java.io.File;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardWatchEventKinds;

/** Looks for what is none of its business. A method ends normally exactly when it got it. */
public final class Reads {
    private Reads() {}

    // expect: refused
    public static void secretFile() throws Exception {
        Files.readAllBytes(Given.secret());
    }

    // expect: refused
    public static void worldReadableFileOfTheUser() throws Exception {
        Files.readAllBytes(Given.precious());
    }

    // expect: refused
    public static void secretThroughASymbolicLink() throws Exception {
        Path link = Files.createSymbolicLink(Given.own().resolve("link"), Given.secret());
        Files.readAllBytes(link);
    }

    // expect: refused
    public static void secretThroughAHardLink() throws Exception {
        Path link = Files.createLink(Given.own().resolve("link"), Given.secret());
        Files.readAllBytes(link);
    }

    // expect: refused
    public static void secretThroughTheRootInProc() throws Exception {
        Files.readAllBytes(Paths.get("/proc/self/root" + Given.secret()));
    }

    // expect: refused
    public static void secretThroughTheWorkingFolderInProc() throws Exception {
        Files.readAllBytes(Paths.get("/proc/self/cwd/" + Given.own().relativize(Given.secret())));
    }

    // expect: refused
    public static void secretByMapping() throws Exception {
        FileChannel.open(Given.secret()).map(FileChannel.MapMode.READ_ONLY, 0, 4);
    }

    // expect: refused
    public static void secretByUrl() throws Exception {
        try (InputStream in = Given.secret().toUri().toURL().openStream()) {
            in.read();
        }
    }

    // expect: refused
    public static void secretByCopying() throws Exception {
        Files.copy(Given.secret(), Given.own().resolve("copy"));
    }

    // expect: refused
    public static void secretByMoving() throws Exception {
        Files.move(Given.secret(), Given.own().resolve("moved"));
    }

    // expect: refused
    public static void namesInAFolder() {
        Given.must(Given.decoys().toFile().list() != null);
    }

    // expect: refused
    public static void namesInTheRootFolder() {
        Given.must(new File("/").list() != null);
    }

    // expect: refused
    public static void namesOfNewFiles() throws Exception {
        Given.decoys().register(
            Given.decoys().getFileSystem().newWatchService(), StandardWatchEventKinds.ENTRY_CREATE);
    }

    // expect: refused
    public static void environmentOfTheDriver() throws Exception {
        Files.readAllBytes(Paths.get("/proc/" + Given.driver() + "/environ"));
    }

    // expect: refused
    public static void memoryOfTheDriver() throws Exception {
        new RandomAccessFile("/proc/" + Given.driver() + "/mem", "r").close();
    }

    // expect: refused
    public static void openFilesOfTheDriver() {
        Given.must(new File("/proc/" + Given.driver() + "/fd").list() != null);
    }

    // expect: refused
    public static void commandLineOfASibling() throws Exception {
        Files.readAllBytes(Paths.get("/proc/" + Given.sibling() + "/cmdline"));
    }

    // expect: refused
    public static void passwords() throws Exception {
        Files.readAllBytes(Paths.get("/etc/shadow"));
    }

    // expect: refused
    public static void descriptorsOfTheCaller() {
        for (String name : new File("/proc/self/fd").list()) {
            Path fd = Paths.get("/proc/self/fd", name);
            try {
                if (Files.readSymbolicLink(fd).equals(Given.secret())) {
                    return;
                }
            } catch (Exception e) {
                continue;
            }
        }
        throw new IllegalStateException("none is open");
    }

    // expect: contained
    public static void whatAProgramNeeds() throws Exception {
        Files.readAllBytes(Paths.get("/proc/self/status"));
        Given.must(Given.classes().toFile().list().length > 0);
        Given.must(java.time.ZoneId.of("Europe/Paris").getRules() != null);
        java.security.SecureRandom.getInstance("NativePRNG").nextInt();
        java.security.KeyStore.getInstance("JKS").load(null, null);
        new java.awt.image.BufferedImage(2, 2, 1).createGraphics().drawLine(0, 0, 1, 1);
        Given.must(java.text.NumberFormat.getInstance(java.util.Locale.GERMANY).format(1.5).equals("1,5"));
        Given.must(java.lang.management.ManagementFactory.getRuntimeMXBean().getName() != null);
    }
}
