import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Helper of the corpus tests. `extract DIR` writes the class files of each module of the running JDK to DIR/MODULE.zip.
 * `modules OUT MODULE...` and `jars OUT JAR...` link every class of modules or jars and write one line for each: its
 * name and `ok` or what linking threw. Knows nothing of weaving: the same run on original classes is the control.
 */
public final class Corpus {
    public static void main(String[] args) throws Exception {
        List<String> rest = new ArrayList<>();
        for (int i = 2; i < args.length; i++) {
            rest.add(args[i]);
        }
        switch (args[0]) {
            case "extract":
                extract(Paths.get(args[1]));
                break;
            case "modules":
                linkModules(Paths.get(args[1]), rest);
                break;
            case "jars":
                linkJars(Paths.get(args[1]), rest);
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    private static List<Path> classes(Path module) throws IOException {
        List<Path> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(module)) {
            files.filter(file -> file.toString().endsWith(".class")).forEach(classes::add);
        }
        Collections.sort(classes);
        return classes;
    }

    private static void extract(Path folder) throws IOException {
        Files.createDirectories(folder);
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        List<Path> all = new ArrayList<>();
        try (Stream<Path> list = Files.list(modules)) {
            list.forEach(all::add);
        }
        for (Path module : all) {
            Path file = folder.resolve(module.getFileName() + ".zip");
            try (ZipOutputStream zip = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
                for (Path path : classes(module)) {
                    store(zip, module.relativize(path).toString(), Files.readAllBytes(path));
                }
            }
        }
    }

    private static void store(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        entry.setCrc(crc.getValue());
        entry.setTime(0);
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }

    private static String binaryName(String path) {
        return path.substring(0, path.length() - ".class".length()).replace('/', '.');
    }

    private static void linkModules(Path out, List<String> names) throws IOException {
        FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
        try (PrintStream report = new PrintStream(out.toFile(), "UTF-8")) {
            for (String name : names) {
                Module module = ModuleLayer.boot().findModule(name).orElse(null);
                if (module == null) {
                    report.println(name + " is not resolved");
                    continue;
                }
                Path root = image.getPath("/modules/" + name);
                for (Path path : classes(root)) {
                    String binary = binaryName(root.relativize(path).toString());
                    if (!binary.equals("module-info")) {
                        report.println(name + "/" + binary + " " + link(() -> Class.forName(module, binary)));
                    }
                }
            }
        }
    }

    private static void linkJars(Path out, List<String> jars) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String jar : jars) {
            urls.add(Paths.get(jar).toUri().toURL());
        }
        URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
        try (PrintStream report = new PrintStream(out.toFile(), "UTF-8")) {
            for (String jar : jars) {
                List<String> names = new ArrayList<>();
                try (ZipFile zip = new ZipFile(jar)) {
                    zip.stream().map(ZipEntry::getName).filter(Corpus::isClass).forEach(names::add);
                }
                for (String name : names) {
                    String binary = binaryName(name);
                    report.println(binary + " " + link(() -> Class.forName(binary, false, loader)));
                }
            }
        }
    }

    private static boolean isClass(String entry) {
        return entry.endsWith(".class") && !entry.startsWith("META-INF/") && !entry.endsWith("-info.class");
    }

    private interface Find {
        Class<?> find() throws Throwable;
    }

    private static String link(Find find) {
        try {
            Class<?> found = find.find();
            if (found == null) {
                return "missing";
            }
            found.getDeclaredMethods();
            return "ok";
        } catch (VerifyError | ClassFormatError error) {
            return error.getClass().getName() + " " + String.valueOf(error.getMessage()).replace('\n', '|');
        } catch (Throwable error) {
            return error.getClass().getName() + " " + String.valueOf(error.getMessage()).split("\n")[0];
        }
    }
}
