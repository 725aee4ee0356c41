package hostile;

import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** Takes more room than anybody needs. */
public final class Fills {
    private static OutputStream hidden;

    private Fills() {}

    private static void write(OutputStream out, int megabytes) throws Exception {
        byte[] megabyte = new byte[1 << 20];
        for (int i = 0; i < megabytes; i++) {
            out.write(megabyte);
        }
    }

    // expect: contained, 12 times
    public static void twentyMegabytes() throws Exception {
        try (OutputStream out = new FileOutputStream("file" + System.nanoTime())) {
            write(out, 20);
        }
    }

    // expect: full
    public static void everything() throws Exception {
        try (OutputStream out = new FileOutputStream("file")) {
            write(out, 1000);
        }
        Thread.sleep(10000);
    }

    // expect: full
    public static void manyFiles() throws Exception {
        for (int i = 0; i < 40000; i++) {
            new FileOutputStream("file" + i).close();
        }
        Thread.sleep(10000);
    }

    // expect: full
    public static void largeFile() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile("file", "rw")) {
            file.setLength(1L << 40);
        }
    }

    // expect: either
    public static void deepFolders() throws Exception {
        Path chain = Given.own().resolve("a");
        for (int round = 0; round < 4; round++) {
            StringBuilder path = new StringBuilder("n" + round);
            for (int i = 0; i < 900; i++) {
                path.append("/d");
            }
            Path deep = Files.createDirectories(Given.own().resolve(path.toString()));
            if (round > 0) {
                Files.move(chain, deep.resolve("c"));
            }
            chain = Given.own().resolve("n" + round);
        }
    }

    // expect: either
    public static void anOpenFileThatNobodySees() throws Exception {
        Path file = Given.own().resolve("file");
        hidden = new FileOutputStream(file.toFile());
        write(hidden, 100);
        Files.delete(file);
    }

    // expect: contained
    public static void thereIsRoomAgain() throws Exception {
        twentyMegabytes();
    }

    // expect: died
    public static void memory() {
        java.util.List<byte[]> all = new java.util.ArrayList<>();
        while (true) {
            all.add(new byte[1 << 24]);
        }
    }

    // expect: either
    public static void threads() {
        for (int i = 0; i < 3000; i++) {
            Thread thread = new Thread(null, () -> {
                try {
                    Thread.sleep(100000);
                } catch (InterruptedException e) {
                    return;
                }
            }, "stray", 1 << 16);
            thread.setDaemon(true);
            thread.start();
        }
    }

    // expect: contained
    public static void errors() throws Exception {
        try (OutputStream out = new FileOutputStream(java.io.FileDescriptor.err)) {
            write(out, 20);
        }
    }
}
