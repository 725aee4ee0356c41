package demo;

import java.util.ArrayList;
import java.util.List;

/** Everything a worker must survive. */
public class Trouble {
    public static void spin() {
        while (true) {
            Thread.onSpinWait();
        }
    }

    /** Leaves a thread behind that computes for ever, or for a while and then waits, in Java or outside. */
    public static void leave(String what) throws InterruptedException {
        new Thread(() -> {
            for (long end = System.nanoTime() + 100_000_000; what.equals("computes") || System.nanoTime() < end;) {
                Thread.onSpinWait();
            }
            while (true) {
                if (what.equals("parks")) {
                    java.util.concurrent.locks.LockSupport.park();
                } else {
                    waitOutside();
                }
            }
        }).start();
        Thread.sleep(400);
    }

    /** Waits for what nobody writes. */
    private static void waitOutside() {
        try {
            java.nio.channels.Pipe.open().source().read(java.nio.ByteBuffer.allocate(1));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    public static void catchAll() {
        while (true) {
            try {
                Thread.sleep(1000);
            } catch (Throwable e) {
                continue;
            }
        }
    }

    public static void sleep() throws InterruptedException {
        Thread.sleep(1000000);
    }

    /** Waits so long. */
    public static void take(int millis) throws InterruptedException {
        Thread.sleep(millis);
    }

    public static void exit(int status) {
        System.exit(status);
    }

    public static void halt() {
        Runtime.getRuntime().halt(9);
    }

    public static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    public static int fillMemory() {
        List<long[]> all = new ArrayList<>();
        while (true) {
            all.add(new long[1 << 20]);
        }
    }

    public static void print() {
        System.out.println("out");
        System.err.println("err");
        System.out.close();
    }

    /** Changes one thing that belongs to the JVM as a whole, by its name. */
    public static void change(String what) throws java.io.IOException {
        java.util.Locale german = java.util.Locale.GERMANY;
        switch (what) {
            case "out": System.setOut(null); break;
            case "err": System.setErr(new java.io.PrintStream(new java.io.ByteArrayOutputStream())); break;
            case "in": System.setIn(new java.io.ByteArrayInputStream(new byte[] {7})); break;
            case "locale": java.util.Locale.setDefault(german); break;
            case "display": java.util.Locale.setDefault(java.util.Locale.Category.DISPLAY, german); break;
            case "format": java.util.Locale.setDefault(java.util.Locale.Category.FORMAT, german); break;
            case "zone": java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone("Asia/Tokyo")); break;
            case "property": System.setProperty("demo.changed", "yes"); break;
            case "cleared": System.clearProperty("java.version"); break;
            case "properties": System.setProperties(new java.util.Properties()); break;
            case "handler": Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> { }); break;
            case "file": java.nio.file.Files.createTempFile("left", "behind"); break;
            default: throw new IllegalArgumentException(what);
        }
    }

    private static int calls;

    public static int count() {
        return ++calls;
    }

    public static void printBelow() throws java.io.IOException {
        new java.io.FileOutputStream(java.io.FileDescriptor.out).write(new byte[] {1, 2, 3, 4, 5});
    }

    public static int read() throws java.io.IOException {
        return System.in.read();
    }

    public static void leaveThreads() {
        for (int i = 0; i < 100; i++) {
            Thread thread = new Thread(Trouble::catchAll);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Writes into every pipe this process has, the worker's own among them. */
    public static void corrupt() throws java.io.IOException {
        for (java.io.File fd : new java.io.File("/proc/self/fd").listFiles()) {
            String target = java.nio.file.Files.readSymbolicLink(fd.toPath()).toString();
            if (Integer.parseInt(fd.getName()) > 2 && target.startsWith("pipe:")) {
                java.io.FileOutputStream pipe = new java.io.FileOutputStream(fd);
                pipe.write(new byte[] {0, 0, 0, 2, 99, 99, 99});
            }
        }
    }

    /** Takes the worker's own clock away, then hangs. */
    public static void blind() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("dynaflow-watchdog")) {
                synchronized (thread) {
                    catchAll();
                }
            }
        }
    }

    public static Object plain() {
        return new Object();
    }

    public static String identity() {
        return "It is " + new Object() + ".";
    }

    public static int hash() {
        return System.identityHashCode(new Object());
    }

    public static class BadMessage extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException();
        }
    }

    public static void badMessage() {
        throw new BadMessage();
    }

    public static class SlowObserver {
        public int value() {
            spin();
            return 1;
        }
    }
}
