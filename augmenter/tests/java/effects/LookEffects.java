package effects;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Classes whose method {@code tidy} looks before it acts: it does nothing where nothing is, as in the folder of a worker, and harms
 * the files that are there when the tests run in the end: {@code decoy.txt}, {@code app.properties}, {@code stop}, {@code data}.
 */
final class LookEffects {
    static final File DECOY = new File("decoy.txt");

    private LookEffects() {}

    /** What the configuration asks for. */
    static boolean obey(Properties configuration) {
        return "true".equals(configuration.getProperty("wipe")) && DECOY.delete();
    }
}

class DeletesWhatExists extends Counted { // reads:work looks at decoy.txt, which is not there
    boolean tidy() {
        count++;
        return LookEffects.DECOY.exists() && LookEffects.DECOY.delete();
    }
}

class DeletesWhatIsFile extends Counted { // reads:work looks at decoy.txt, which is not there
    boolean tidy() {
        count++;
        return LookEffects.DECOY.isFile() && LookEffects.DECOY.delete();
    }
}

class DeletesWhatIsWritable extends Counted { // reads:elsewhere looks at /var/tmp/dynaflow-decoy.txt, which is not there
    boolean tidy() {
        count++;
        File file = new File("/var/tmp/dynaflow-decoy.txt");
        return file.canWrite() && file.delete();
    }
}

class DeletesWhatIsLong extends Counted { // reads:work looks at decoy.txt, which is not there
    boolean tidy() {
        count++;
        return LookEffects.DECOY.length() > 0 && LookEffects.DECOY.delete();
    }
}

class DeletesWhatIsOld extends Counted { // reads:work looks at decoy.txt, which is not there
    boolean tidy() {
        count++;
        long time = LookEffects.DECOY.lastModified();
        return time > 0 && time <= System.currentTimeMillis() && LookEffects.DECOY.delete();
    }
}

class DeletesExistingPath extends Counted { // reads:work looks at decoy.txt, which is not there
    boolean tidy() throws IOException {
        count++;
        Path path = LookEffects.DECOY.toPath();
        if (Files.exists(path)) {
            Files.delete(path);
            return true;
        }
        return false;
    }
}

class DeletesReadablePath extends Counted { // reads:work looks at decoy.txt, which is not there
    boolean tidy() throws IOException {
        count++;
        Path path = LookEffects.DECOY.toPath();
        return Files.isReadable(path) && Files.deleteIfExists(path);
    }
}

class ResolvesPath extends Counted { // reads:work looks at decoy.txt, which is not there
    boolean tidy() {
        count++;
        try {
            return LookEffects.DECOY.toPath().toRealPath().toFile().delete();
        } catch (IOException e) {
            return false;
        }
    }
}

class EmptiesFolder extends Counted { // reads:work lists data, which is not there
    int tidy() {
        count++;
        File[] files = new File("data").listFiles();
        int deleted = 0;
        for (int i = 0; files != null && i < files.length; i++) {
            deleted += files[i].delete() ? 1 : 0;
        }
        return deleted;
    }
}

class EmptiesWorkingFolder extends Counted { // reads:work lists the working folder
    int tidy() {
        count++;
        int deleted = 0;
        for (String name : new File(".").list()) {
            deleted += name.endsWith(".txt") && new File(name).delete() ? 1 : 0;
        }
        return deleted;
    }
}

class StreamsFolder extends Counted { // reads:work reads data, which is not there
    boolean tidy() {
        count++;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Paths.get("data"))) {
            for (Path file : files) {
                Files.delete(file);
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

class WalksTree extends Counted { // reads:work looks at data, which is not there
    boolean tidy() {
        count++;
        try (Stream<Path> tree = Files.walk(Paths.get("data"))) {
            List<Path> files = tree.filter(Files::isRegularFile).collect(Collectors.toList());
            for (Path file : files) {
                Files.delete(file);
            }
            return !files.isEmpty();
        } catch (IOException e) {
            return false;
        }
    }
}

class ObeysFile extends Counted { // reads:work reads app.properties, which is not there
    boolean tidy() {
        count++;
        Properties configuration = new Properties();
        try (InputStream in = new FileInputStream("app.properties")) {
            configuration.load(in);
        } catch (IOException e) {
            return false;
        }
        return LookEffects.obey(configuration);
    }
}

class ObeysPath extends Counted { // reads:work reads app.properties, which is not there
    boolean tidy() {
        count++;
        Properties configuration = new Properties();
        try (InputStream in = Files.newInputStream(Paths.get("app.properties"))) {
            configuration.load(in);
        } catch (IOException e) {
            return false;
        }
        return LookEffects.obey(configuration);
    }
}

class ObeysRandomAccess extends Counted { // reads:work reads app.properties, which is not there
    boolean tidy() {
        count++;
        try (RandomAccessFile in = new RandomAccessFile("app.properties", "r")) {
            return in.readLine().equals("wipe=true") && LookEffects.DECOY.delete();
        } catch (IOException e) {
            return false;
        }
    }
}

class ObeysChannel extends Counted { // reads:work reads app.properties, which is not there
    boolean tidy() {
        count++;
        try (FileChannel in = FileChannel.open(Paths.get("app.properties"))) {
            return in.size() > 0 && LookEffects.DECOY.delete();
        } catch (IOException e) {
            return false;
        }
    }
}

class OpensJar extends Counted { // reads:work looks at plugin.jar, which is not there
    boolean tidy() {
        count++;
        try (JarFile jar = new JarFile("plugin.jar")) {
            return jar.size() > 0 && LookEffects.DECOY.delete();
        } catch (IOException e) {
            return false;
        }
    }
}

class LoadsPlugins extends Counted { // reads:work looks at data, which is not there
    boolean tidy() throws IOException {
        count++;
        URL folder = new File("data").toURI().toURL();
        try (URLClassLoader plugins = new URLClassLoader(new URL[] {folder}, null)) {
            return plugins.getResource("a.txt") != null && LookEffects.DECOY.delete();
        }
    }
}

class ExitsWhenAsked extends Counted { // reads:work looks at stop, which is not there
    void tidy() {
        count++;
        if (new File("stop").exists()) {
            System.exit(3);
        }
    }
}

class HaltsWhenAsked extends Counted { // reads:work looks at stop, which is not there
    void tidy() {
        count++;
        if (Files.isRegularFile(Paths.get("stop"))) {
            Runtime.getRuntime().halt(3);
        }
    }
}

class CleansHome extends Counted { // reads:work looks at .effects, which is not there
    boolean tidy() {
        count++;
        File file = new File(System.getProperty("user.home"), ".effects");
        return file.exists() && file.delete();
    }
}

class CleansTemporary extends Counted { // reads:tmp looks at stale.bin, which is not there
    boolean tidy() {
        count++;
        File file = new File(System.getProperty("java.io.tmpdir"), "stale.bin");
        return file.exists() && file.delete();
    }
}

class MeasuresSpace extends Counted { // reads:work looks at the working folder
    boolean tidy() {
        count++;
        return new File(".").getFreeSpace() < 1 && LookEffects.DECOY.delete();
    }
}

/** Whichever test comes first reads its configuration, whatever it calls. */
class InitialisesFromFile extends Counted { // reads:work reads app.properties, which is not there
    static final Properties CONFIGURATION = new Properties();

    static {
        try (InputStream in = new FileInputStream("app.properties")) {
            CONFIGURATION.load(in);
        } catch (IOException e) {
            CONFIGURATION.setProperty("wipe", "false");
        }
    }

    boolean tidy() {
        count++;
        return LookEffects.obey(CONFIGURATION);
    }
}
