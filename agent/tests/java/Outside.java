import java.io.File;
import java.io.FileOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;

/**
 * What the agent sees of effects, case by case: what is done, and what is to be seen of it. Prints what is wrong, and `ok`.
 * Its working folder has a folder `tmp`, which is the one for temporary files.
 */
public class Outside {
    interface Action {
        void run() throws Throwable;
    }

    private static MethodHandle begin;
    private static MethodHandle statement;
    private static MethodHandle end;
    private static boolean wrong;

    public static void main(String[] args) throws Throwable {
        Class<?> outside = Class.forName("java.lang.DynaflowOutside", true, null);
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        begin = lookup.findStatic(outside, "begin", MethodType.methodType(void.class, String.class));
        statement = lookup.findStatic(outside, "statement", MethodType.methodType(void.class, int.class));
        end = lookup.findStatic(outside, "end", MethodType.methodType(String[].class, long.class));
        places();
        looks();
        free();
        initialisers();
        temporary();
        links();
        attributes();
        threads();
        bounds();
        processWide();
        exits();
        System.out.println(wrong ? "wrong" : "ok");
    }

    /** Runs an action as a test; what is seen is to be `test kind:place what @statement`, in any order. */
    private static void see(String name, Action action, String... expected) throws Throwable {
        begin.invoke(name);
        try {
            action.run();
        } catch (Exception | LinkageError e) {
            // An attempt counts as well.
        }
        String[] texts = (String[]) end.invoke(100L);
        TreeSet<String> seen = new TreeSet<>();
        for (int i = 0; i < texts.length; i += 6) {
            String place = texts[i + 2].isEmpty() ? "" : ":" + texts[i + 2];
            String test = texts[i].equals(name) ? "" : texts[i] + " ";
            String at = texts[i + 4].equals("-1") ? "" : " @" + texts[i + 4];
            String by = texts[i + 5].isEmpty() ? "" : " by " + texts[i + 5];
            seen.add(test + texts[i + 1] + place + " " + texts[i + 3] + at + by);
        }
        if (!seen.equals(new TreeSet<>(Arrays.asList(expected)))) {
            wrong = true;
            System.out.println(name + ": seen " + seen + ", expected " + Arrays.asList(expected));
        }
    }

    private static void places() throws Throwable {
        see("nothing", () -> { });
        see("a file below the working folder", () -> new FileOutputStream("w.txt").close(), "files:work writes w.txt");
        see("the same twice", () -> {
            new File("w.txt").delete();
            new File("./x/../w.txt").delete();
        }, "files:work deletes w.txt");
        see("a file that is nowhere", () -> new File("/nowhere/at/all").delete(), "files:elsewhere deletes /nowhere/at/all");
        see("out of the temporary folder by its parent", () -> new File("tmp/../w.txt").delete(), "files:work deletes w.txt");
        see("a name that only begins like the temporary folder", () -> new File("tmp2").delete(), "files:work deletes tmp2");
        see("a strange file in the temporary folder", () -> new File("tmp/strange").delete(), "files:tmp deletes strange");
        see("a device that forgets", () -> new FileOutputStream("/dev/null").close());
        see("the folders that are there", () -> {
            new File("tmp").mkdirs();
            Files.createDirectories(Paths.get("tmp"));
        });
        see("reading", () -> {
            new File(".").list();
            Files.readAllBytes(Paths.get("tmp", "missing"));
        }, "reads:work lists the working folder", "reads:tmp reads missing, which is not there");
        see("with the statement", () -> {
            statement.invoke(3);
            new File("w.txt").delete();
        }, "files:work deletes w.txt @3");
        see("a path of the program's own class", () -> new Odd("w.txt").delete(),
            "files:elsewhere deletes a file whose name is not known");
    }

    private static void looks() throws Throwable {
        new FileOutputStream("there.txt").close();
        see("at what is there and what is not", () -> {
            new File("there.txt").exists();
            new File("gone.txt").isFile();
            Files.isSymbolicLink(Paths.get("gone.txt"));
        }, "reads:work looks at there.txt", "reads:work looks at gone.txt, which is not there");
        see("at folders that are always there", () -> {
            new File(".").isDirectory();
            Files.exists(Paths.get("/"));
            Files.isDirectory(Paths.get("tmp"));
        });
        see("at what differs of them", () -> new File("tmp").lastModified(), "reads:tmp looks at the folder for temporary files");
        see("before it is made", () -> {
            if (!new File("tmp/later").exists()) {
                new File("tmp/later").createNewFile();
            }
            new File("tmp/later").delete();
        }, "reads:tmp looks at later, which is not there");
        see("after it was made", () -> {
            new File("tmp/own").createNewFile();
            new File("tmp/own").length();
            new java.io.FileInputStream("tmp/own").close();
            new File("tmp/own").delete();
            new File("tmp/own").exists();
        });
        see("in folders of its own", () -> {
            Files.createDirectories(Paths.get("tmp/p/q"));
            new File("tmp/p").listFiles();
            Files.delete(Paths.get("tmp/p/q"));
            Files.delete(Paths.get("tmp/p"));
            new File("tmp/r/s").mkdirs();
            new File("tmp/r/s").delete();
            new File("tmp/r").delete();
        });
        see("at folders it would make elsewhere", () -> Files.createDirectories(Paths.get("/proc/nowhere/p")),
            "files:elsewhere makes the folder /proc/nowhere/p", "files:elsewhere makes the folder /proc/nowhere");
        see("at what it changes then", () -> {
            if (new File("there.txt").exists()) {
                new File("there.txt").setLastModified(0);
            }
        }, "files:work changes the attributes of there.txt");
        Files.createSymbolicLink(Paths.get("tmp/link"), Paths.get("there.txt").toAbsolutePath());
        see("through a link", () -> new File("tmp/link").canRead(), "reads:work looks at there.txt");
        Files.delete(Paths.get("tmp/link"));
        see("through the kernel", () -> new File("/proc/self/cwd/there.txt").exists(), "reads:work looks at there.txt");
        see("more than are kept do not hide what comes then", () -> {
            for (int i = 0; i < 10000; i++) {
                new File("f" + i).exists();
            }
            new File("there.txt").setLastModified(0);
        }, withLooks("files:work changes the attributes of there.txt"));
    }

    private static String[] withLooks(String last) {
        String[] some = new String[65];
        for (int i = 0; i < 64; i++) {
            some[i] = "reads:work looks at f" + i + ", which is not there";
        }
        some[64] = last;
        return some;
    }

    /** What everybody may look at. */
    private static void free() throws Throwable {
        see("class path", () -> {
            Outside.class.getResource("Outside.class").openStream().close();
            Outside.class.getResourceAsStream("missing.txt");
            Class.forName("Missing");
        });
        see("a way out of it", () -> {
            String classes = new File(Outside.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
            new File(classes + "/../nothing/there.txt").exists();
        }, "reads:work looks at nothing/there.txt, which is not there");
        see("the JDK and the system", () -> {
            new File(System.getProperty("java.home"), "release").length();
            Files.readAllBytes(Paths.get("/etc/hosts"));
            new java.io.FileInputStream("/dev/urandom").close();
            Files.readAllBytes(Paths.get("/proc/self/cmdline"));
            java.security.SecureRandom.getInstance("SHA1PRNG").nextInt();
        });
        see("not what else the system has", () -> new File("/nowhere/key").canRead(),
            "reads:elsewhere looks at /nowhere/key, which is not there");
    }

    static final class Sets {
        static {
            System.setProperty("outside.sets", "x");
            new File("gone.txt").exists();
        }
    }

    private static void initialisers() throws Throwable {
        see("what an initialiser does", () -> new Sets(),
            "reads:work looks at gone.txt, which is not there by Outside$Sets");
    }

    /** Its methods are the program's: nobody but the program and the JDK may call them. */
    static final class Odd extends File {
        Odd(String name) {
            super(name);
        }

        @Override
        public String getAbsolutePath() {
            new File("w.txt").delete();
            throw new IllegalStateException("nobody asks");
        }
    }

    private static void temporary() throws Throwable {
        see("a temporary file that is removed", () -> {
            File file = File.createTempFile("brief", null);
            new FileOutputStream(file).close();
            file.setReadOnly();
            file.delete();
        });
        see("a temporary file that is left", () -> File.createTempFile("kept", ".x"), "files:tmp leaves behind kept*.x");
        see("a temporary file to be deleted at the end", () -> File.createTempFile("end", ".x").deleteOnExit());
        see("a named file in the temporary folder", () -> {
            Files.write(Paths.get("tmp/named"), new byte[1]);
            Files.delete(Paths.get("tmp/named"));
        });
        see("a folder with files", () -> {
            Path folder = Files.createTempDirectory("brief");
            Files.createFile(folder.resolve("a"));
            Files.move(folder.resolve("a"), folder.resolve("b"));
            Files.copy(folder.resolve("b"), folder.resolve("c"));
            Files.delete(folder.resolve("b"));
            Files.delete(folder.resolve("c"));
            Files.delete(folder);
        });
        see("a temporary file elsewhere", () -> File.createTempFile("brief", null, new File(".")).delete());
        see("the same by its path", () -> Files.delete(Files.createTempFile(Paths.get(""), "brief", null)));
        see("one that cannot be made", () -> File.createTempFile("brief", null, new File("/nowhere")),
            "files:elsewhere makes a temporary file in /nowhere");
        see("its own file moved out", () -> {
            Path file = Files.createTempFile("out", ".x");
            Files.move(file, Paths.get("out.x"), StandardCopyOption.REPLACE_EXISTING);
        }, "files:work writes out.x");
        see("a file of an earlier test", () -> new File("tmp/named").createNewFile(), "files:tmp leaves behind named");
        see("which the next one deletes", () -> new File("tmp/named").delete(), "files:tmp deletes named");
        see("a file that is made and deleted, but not in the temporary folder", () -> {
            new File("brief").createNewFile();
            new File("brief").delete();
        }, "files:work writes brief", "files:work deletes brief");
    }

    private static void links() throws Throwable {
        see("through a link of its own", () -> {
            Path link = Paths.get("tmp/link");
            Files.createSymbolicLink(link, Paths.get("..", "target").toAbsolutePath());
            Files.deleteIfExists(link);
        });
        Files.createSymbolicLink(Paths.get("tmp/way"), Paths.get("").toAbsolutePath());
        see("through a link that was there", () -> new FileOutputStream("tmp/way/by.txt").close(), "files:work writes by.txt");
        see("the link itself", () -> Files.delete(Paths.get("tmp/way")), "files:tmp deletes way");
        see("a move of nothing", () -> Files.move(Paths.get("missing"), Paths.get("there")),
            "files:work renames missing", "files:work writes there");
    }

    private static void attributes() throws Throwable {
        see("times of nothing", () -> Files.setLastModifiedTime(Paths.get("missing"),
            java.nio.file.attribute.FileTime.fromMillis(0)), "files:work changes the attributes of missing");
        see("of its own", () -> {
            Path file = Files.createTempFile("brief", null);
            Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(0));
            Files.setAttribute(file, "unix:mode", 0600);
            Files.delete(file);
        });
    }

    private static void threads() throws Throwable {
        see("a thread that ends", () -> new Thread(() -> { }).start());
        see("one of the common pool", () -> ForkJoinPool.commonPool()
            .execute(() -> java.util.concurrent.locks.LockSupport.parkNanos(300000000)));
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread stray = new Thread(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                return;
            }
            new File("late").delete();
            done.countDown();
            while (true) {
                java.util.concurrent.locks.LockSupport.park();
            }
        });
        stray.setDaemon(true);
        see("the culprit", () -> {
            statement.invoke(2);
            stray.start();
        }, "threads leaves a thread behind (java.lang.Thread) @2");
        see("an innocent test", () -> {
            go.countDown();
            done.await();
        }, "the culprit files:work deletes late");
        see("a hook taken back", () -> {
            Thread hook = new Thread();
            Runtime.getRuntime().addShutdownHook(hook);
            Runtime.getRuntime().removeShutdownHook(hook);
        });
        see("a hook", () -> Runtime.getRuntime().addShutdownHook(new Thread()),
            "shutdown-hooks registers a shutdown hook (java.lang.Thread)");
    }

    private static void bounds() throws Throwable {
        String[] some = new String[64];
        for (int i = 0; i < some.length; i++) {
            some[i] = "files:work deletes f" + i;
        }
        see("more than are kept", () -> {
            for (int i = 0; i < 1000; i++) {
                new File("f" + i).delete();
            }
        }, some);
    }

    /** A driver enters itself when it is initialised: that is how it comes to be found. */
    static final class Driver implements java.sql.Driver {
        static final Driver ONE = new Driver();

        static {
            try {
                java.sql.DriverManager.registerDriver(ONE);
            } catch (java.sql.SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public java.sql.Connection connect(String url, java.util.Properties properties) {
            return null;
        }

        @Override
        public boolean acceptsURL(String url) {
            return false;
        }

        @Override
        public java.sql.DriverPropertyInfo[] getPropertyInfo(String url, java.util.Properties properties) {
            return new java.sql.DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public java.util.logging.Logger getParentLogger() {
            return null;
        }
    }

    /** What stops the JVM's end, where that is still possible. */
    @SuppressWarnings("removal")
    private static void exits() throws Throwable {
        if (Runtime.version().feature() >= 18) {
            return;
        }
        SecurityManager before = System.getSecurityManager();
        see("an end that is stopped", () -> {
            System.setSecurityManager(new SecurityManager() {
                @Override
                public void checkPermission(java.security.Permission permission) { }

                @Override
                public void checkExit(int status) {
                    throw new SecurityException("not yet");
                }
            });
            try {
                System.exit(1);
            } finally {
                System.setSecurityManager(before);
            }
        }, "exit ends the JVM", "security calls java.lang.System.setSecurityManager");
    }

    private static void processWide() throws Throwable {
        see("the JDK's own logging", () -> java.util.logging.Logger.getLogger("a.b").info("hidden"));
        see("its configuration", () -> java.util.logging.LogManager.getLogManager().readConfiguration(),
            "logging calls java.util.logging.LogManager.readConfiguration");
        see("by reflection", () -> java.net.ProxySelector.class
            .getMethod("setDefault", java.net.ProxySelector.class).invoke(null, java.net.ProxySelector.getDefault()),
            "defaults calls java.net.ProxySelector.setDefault");
        see("the local host", () -> java.net.InetAddress.getByName("localhost"));
        see("an address", () -> java.net.InetAddress.getByName("192.0.2.1"));
        see("a host", () -> java.net.InetAddress.getByName("dynaflow.invalid"),
            "network looks up the host dynaflow.invalid");
        see("the same again", () -> java.net.InetAddress.getByName("dynaflow.invalid"),
            "network looks up the host dynaflow.invalid");
        see("its own driver", () -> Class.forName("Outside$Driver"));
        see("that driver again", () -> java.sql.DriverManager.deregisterDriver(Driver.ONE),
            "defaults calls java.sql.DriverManager.deregisterDriver");
        see("the management of the JDK", () -> java.lang.management.ManagementFactory.getPlatformMBeanServer());
        see("a library", () -> System.loadLibrary("nowhere"), "natives loads the library nowhere");
        see("a program that is not there", () -> new ProcessBuilder("/nowhere/program").start(),
            "processes starts the process /nowhere/program");
    }
}
