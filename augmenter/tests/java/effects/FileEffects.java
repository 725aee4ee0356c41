package effects;

import java.io.File;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
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

/**
 * Classes whose method {@code tidy} looks harmless and touches files. The comment says which effect it has; the file
 * {@code decoy.txt} is there when the tests run in the end, and is not while they are searched for.
 */
final class FileEffects {
    static final Path DECOY = Paths.get("decoy.txt");

    private FileEffects() {}
}

class Deletes extends Counted { // files:work deletes decoy.txt
    boolean tidy() {
        count++;
        return new File("decoy.txt").delete();
    }
}

class DeletesElsewhere extends Counted { // files:elsewhere deletes /var/tmp/dynaflow-decoy.txt
    boolean tidy() throws Exception {
        count++;
        return Files.deleteIfExists(Paths.get("/var/tmp/dynaflow-decoy.txt"));
    }
}

class DeletesAtEnd extends Counted { // files:work deletes at the end decoy.txt
    void tidy() {
        count++;
        new File("decoy.txt").deleteOnExit();
    }
}

class Appends extends Counted { // files:work writes trail.log
    void tidy() throws Exception {
        count++;
        try (FileWriter out = new FileWriter("trail.log", true)) {
            out.write("x");
        }
    }
}

class TruncatesElsewhere extends Counted { // files:elsewhere writes /var/tmp/dynaflow-decoy.txt
    boolean tidy() {
        count++;
        try (FileOutputStream out = new FileOutputStream("/var/tmp/dynaflow-decoy.txt")) {
            out.write(1);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

class RandomAccess extends Counted { // files:work writes table.bin
    void tidy() throws Exception {
        count++;
        try (RandomAccessFile file = new RandomAccessFile("table.bin", "rw")) {
            file.writeInt(1);
        }
    }
}

class WritesPath extends Counted { // files:work writes out.bin
    void tidy() throws Exception {
        count++;
        Files.write(Paths.get("out.bin"), new byte[1]);
    }
}

class Channels extends Counted { // files:work writes channel.bin
    void tidy() throws Exception {
        count++;
        try (FileChannel out =
                FileChannel.open(Paths.get("channel.bin"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.allocate(1));
        }
    }
}

class Locks extends Counted { // files:work deletes lock
    boolean tidy() throws Exception {
        count++;
        File lock = new File("lock");
        boolean made = lock.createNewFile();
        lock.delete();
        return made;
    }
}

class MakesFolders extends Counted { // files:work makes the folder made
    boolean tidy() {
        count++;
        return new File("made").mkdirs();
    }
}

class MakesFoldersOfPaths extends Counted { // files:work makes the folder c
    void tidy() throws Exception {
        count++;
        Files.createDirectories(Paths.get("c"));
    }
}

class Renames extends Counted { // files:work renames decoy.txt
    boolean tidy() {
        count++;
        return new File("decoy.txt").renameTo(new File("gone.txt"));
    }
}

class Moves extends Counted { // files:work renames decoy.txt
    boolean tidy() {
        count++;
        try {
            Files.move(FileEffects.DECOY, Paths.get("moved.txt"), StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

class Copies extends Counted { // files:work writes copy.txt
    boolean tidy() {
        count++;
        try {
            Files.copy(FileEffects.DECOY, Paths.get("copy.txt"), StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

class HardLinks extends Counted { // files:work makes the link link.txt
    boolean tidy() {
        count++;
        try {
            Files.createLink(Paths.get("link.txt"), FileEffects.DECOY);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

class SymbolicLinks extends Counted { // files:work makes the link symlink.txt
    boolean tidy() {
        count++;
        try {
            Files.createSymbolicLink(Paths.get("symlink.txt"), FileEffects.DECOY);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

class SetsTime extends Counted { // files:work changes the attributes of decoy.txt
    boolean tidy() {
        count++;
        return new File("decoy.txt").setLastModified(1000);
    }
}

class SetsTimeOfPath extends Counted { // files:work changes the attributes of decoy.txt
    boolean tidy() {
        count++;
        try {
            Files.setLastModifiedTime(FileEffects.DECOY, FileTime.fromMillis(1000));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

class MakesReadOnly extends Counted { // files:work changes the attributes of decoy.txt
    boolean tidy() {
        count++;
        return new File("decoy.txt").setReadOnly();
    }
}

class SetsPermissions extends Counted { // files:work changes the attributes of decoy.txt
    boolean tidy() {
        count++;
        try {
            Files.setPosixFilePermissions(FileEffects.DECOY, PosixFilePermissions.fromString("r--------"));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

class Annotates extends Counted { // files:work changes the attributes of decoy.txt
    boolean tidy() {
        count++;
        try {
            Files.getFileAttributeView(FileEffects.DECOY, UserDefinedFileAttributeView.class)
                .write("note", ByteBuffer.wrap(new byte[1]));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

class LeavesTemporary extends Counted { // files:tmp leaves behind kept*.tmp
    boolean tidy() throws Exception {
        count++;
        return File.createTempFile("kept", null).exists();
    }
}

class LeavesTemporaryFolder extends Counted { // files:tmp leaves behind kept*
    boolean tidy() throws Exception {
        count++;
        return Files.isDirectory(Files.createTempDirectory("kept"));
    }
}

class LeavesInFolder extends Counted { // files:tmp leaves behind left.txt
    boolean tidy() throws Exception {
        count++;
        Files.write(Paths.get(System.getProperty("java.io.tmpdir"), "left.txt"), new byte[1]);
        return true;
    }
}
