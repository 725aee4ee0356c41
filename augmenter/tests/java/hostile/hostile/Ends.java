package hostile;

import java.io.File;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Ends the worker, or does not end. */
public final class Ends {
    private static volatile int spins;

    private Ends() {}

    // expect: died
    public static void exit() {
        System.exit(0);
    }

    // expect: died
    public static void halt() {
        Runtime.getRuntime().halt(0);
    }

    // expect: died
    public static void haltWithTheJarReplaced() throws Exception {
        try {
            Files.delete(Given.workerJar());
            Files.createSymbolicLink(Given.workerJar(), Given.precious());
        } catch (Exception e) {
            Files.createSymbolicLink(Given.own().resolve("dynaflow-worker.jar"), Given.precious());
        }
        Runtime.getRuntime().halt(0);
    }

    // expect: timed out
    public static void exitWithAHookThatHangs() {
        Runtime.getRuntime().addShutdownHook(new Thread(Ends::spin));
        System.exit(0);
    }

    // expect: timed out
    public static void spin() {
        while (true) {
            spins++;
        }
    }

    // expect: timed out
    public static void swallowInterrupts() {
        while (true) {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException e) {
                spins++;
            }
        }
    }

    // expect: timed out
    public static void sleep() throws Exception {
        Thread.sleep(100000);
    }

    // expect: refused
    public static void recurse() {
        spins++;
        recurse();
        spins++;
    }

    // expect: contained
    public static void interruptEverybody() {
        Thread.getAllStackTraces().keySet().stream().filter(t -> t != Thread.currentThread()).forEach(Thread::interrupt);
    }

    // expect: contained
    public static void closeStandardStreams() {
        System.out.close();
        System.err.close();
    }

    private static void toPipes(byte[] bytes, int times) throws Exception {
        for (String name : new File("/proc/self/fd").list()) {
            Path fd = Paths.get("/proc/self/fd", name);
            if (Files.exists(fd) && Files.readSymbolicLink(fd).toString().startsWith("pipe:") && Integer.parseInt(name) > 2) {
                try (OutputStream out = new FileOutputStream(fd.toString())) {
                    for (int i = 0; i < times; i++) {
                        out.write(bytes);
                    }
                }
            }
        }
    }

    // expect: died
    public static void junkReplies() throws Exception {
        toPipes(new byte[] {0, 0, 0, 1, 99}, 1);
        Thread.sleep(100000);
    }

    // expect: died
    public static void aReplyOfTwoGigabytes() throws Exception {
        toPipes(new byte[] {127, 0, 0, 0, 1}, 1);
        Thread.sleep(100000);
    }
}
