package hostile;

import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;

/** Changes what is not its own. A method ends normally exactly when it did. */
public final class Writes {
    private static final byte[] BYTES = {1};

    private Writes() {}

    // expect: refused
    public static void overwrite() throws Exception {
        Files.write(Given.precious(), BYTES);
    }

    // expect: refused
    public static void append() throws Exception {
        Files.write(Given.precious(), BYTES, StandardOpenOption.APPEND);
    }

    // expect: refused
    public static void truncate() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(Given.precious().toFile(), "rw")) {
            file.setLength(0);
        }
    }

    // expect: refused
    public static void truncateByOpening() throws Exception {
        new FileOutputStream(Given.precious().toFile()).close();
    }

    // expect: refused
    public static void delete() throws Exception {
        Files.delete(Given.precious());
    }

    // expect: refused
    public static void deleteAFolder() throws Exception {
        Files.delete(Given.decoys().resolve("inner"));
    }

    // expect: refused
    public static void create() throws Exception {
        Files.createFile(Given.decoys().resolve("new"));
    }

    // expect: refused
    public static void createAFolder() throws Exception {
        Files.createDirectory(Given.decoys().resolve("new"));
    }

    // expect: refused
    public static void createALink() throws Exception {
        Files.createSymbolicLink(Given.decoys().resolve("new"), Given.own());
    }

    // expect: refused
    public static void renameAway() throws Exception {
        Files.move(Given.precious(), Given.decoys().resolve("other"), StandardCopyOption.ATOMIC_MOVE);
    }

    // expect: refused
    public static void renameOver() throws Exception {
        Path mine = Files.write(Given.own().resolve("mine"), BYTES);
        Files.move(mine, Given.precious(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    // expect: refused
    public static void hardLink() throws Exception {
        Files.createLink(Given.own().resolve("link"), Given.precious());
    }

    // expect: refused
    public static void throughASymbolicLink() throws Exception {
        Path link = Files.createSymbolicLink(Given.own().resolve("link"), Given.precious());
        Files.write(link, BYTES);
    }

    // expect: refused
    public static void throughALinkToTheFolder() throws Exception {
        Path link = Files.createSymbolicLink(Given.own().resolve("link"), Given.decoys());
        Files.delete(link.resolve("precious.txt"));
    }

    // expect: refused
    public static void permissions() throws Exception {
        Files.setPosixFilePermissions(Given.precious(), PosixFilePermissions.fromString("---------"));
    }

    // expect: refused
    public static void readOnly() {
        Given.must(Given.precious().toFile().setReadOnly());
    }

    // expect: refused
    public static void times() throws Exception {
        Files.setLastModifiedTime(Given.precious(), FileTime.fromMillis(0));
    }

    // expect: refused
    public static void owner() throws Exception {
        Files.setOwner(Given.precious(), Files.getOwner(Given.precious()));
    }

    // expect: refused
    public static void attributes() throws Exception {
        Files.getFileAttributeView(Given.precious(), UserDefinedFileAttributeView.class)
            .write("hostile", ByteBuffer.wrap(BYTES));
    }

    // expect: refused
    public static void lock() throws Exception {
        try (FileChannel channel = FileChannel.open(Given.precious(), StandardOpenOption.WRITE)) {
            channel.lock();
        }
    }

    // expect: refused
    public static void temporaryFileOfTheMachine() throws Exception {
        Files.createTempFile(Paths.get("/tmp"), "hostile", null);
    }

    // expect: refused
    public static void sharedMemory() throws Exception {
        Files.write(Paths.get("/dev/shm/hostile"), BYTES);
    }

    // expect: refused
    public static void workerJar() throws Exception {
        Files.write(Given.workerJar(), BYTES);
    }

    // expect: refused
    public static void workerJarByALink() throws Exception {
        Files.delete(Given.workerJar());
        Files.createSymbolicLink(Given.workerJar(), Given.precious());
    }

    // expect: refused
    public static void besideTheWorkerJar() throws Exception {
        Files.write(Given.workerJar().resolveSibling("x.trace"), BYTES);
    }

    // expect: refused
    public static void besideItsOwnFolder() throws Exception {
        Files.write(Given.own().resolveSibling("x.trace"), BYTES);
    }

    // expect: refused
    public static void classesOfTheProgram() throws Exception {
        Files.write(Given.classes().resolve("Evil.class"), BYTES);
    }

    // expect: refused
    public static void jdk() throws Exception {
        Files.write(Paths.get(System.getProperty("java.home"), "lib", "evil"), BYTES);
    }

    // expect: either
    public static void heapDump() throws Exception {
        ManagementFactory.getPlatformMBeanServer().invoke(
            new javax.management.ObjectName("com.sun.management:type=HotSpotDiagnostic"), "dumpHeap",
            new Object[] {Given.decoys().resolve("dump.hprof").toString(), true},
            new String[] {"java.lang.String", "boolean"});
    }

    // expect: either
    public static void logOfTheJvm() throws Exception {
        // Gives a text that says whether it could; what it did shows in the folder of decoys.
        ManagementFactory.getPlatformMBeanServer().invoke(
            new javax.management.ObjectName("com.sun.management:type=DiagnosticCommand"), "vmLog",
            new Object[] {new String[] {"output=" + Given.decoys().resolve("gc.log"), "what=gc"}},
            new String[] {String[].class.getName()});
    }

    // expect: refused
    public static void killerScore() throws Exception {
        Files.write(Paths.get("/proc/self/oom_score_adj"), "1000".getBytes());
    }

    // expect: refused
    public static void memoryOfItself() throws Exception {
        new RandomAccessFile("/proc/self/mem", "rw").close();
    }

    // expect: refused
    public static void kernelSettings() throws Exception {
        Files.write(Paths.get("/proc/sys/kernel/core_pattern"), BYTES);
    }

    // expect: contained
    public static void settingsOfTheUser() throws Exception {
        java.util.prefs.Preferences.userRoot().put("hostile", "1");
        java.util.prefs.Preferences.userRoot().flush();
    }

    // expect: contained
    public static void itsOwnFolder() throws Exception {
        Path file = Files.createTempFile("inside", ".txt");
        Files.write(file, BYTES);
        Path moved = Files.move(file, Given.own().resolve("moved.txt"));
        Given.must(Files.readAllBytes(moved).length == 1);
        new FileOutputStream("relative.txt").close();
        Given.must(Files.exists(Given.own().resolve("relative.txt")));
    }

    // expect: contained
    public static void nothingIsLeftOfTheOneBefore() {
        Given.must(Given.own().toFile().list().length == 1);
    }
}
