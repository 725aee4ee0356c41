package demo;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;

/** What generated calls must not be able to do. Methods end normally exactly when they succeeded. */
public class Hostile {
    public static void delete(String path) throws IOException {
        Files.delete(Paths.get(path));
    }

    public static void overwrite(String path) throws IOException {
        try (FileOutputStream out = new FileOutputStream(path)) {
            out.write(1);
        }
    }

    public static void create(String path) throws IOException {
        Files.createFile(Paths.get(path));
    }

    public static void rename(String from, String to) throws IOException {
        Files.move(Paths.get(from), Paths.get(to));
    }

    public static void link(String target, String link) throws IOException {
        Files.createLink(Paths.get(link), Paths.get(target));
    }

    public static void permissions(String path) throws IOException {
        Files.setPosixFilePermissions(Paths.get(path), PosixFilePermissions.fromString("---------"));
    }

    public static void touch(String path) throws IOException {
        Files.setLastModifiedTime(Paths.get(path), java.nio.file.attribute.FileTime.fromMillis(0));
    }

    public static String read(String path) throws IOException {
        return new String(Files.readAllBytes(Paths.get(path)));
    }

    public static void connect(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 2000);
        }
    }

    public static void connectUnix(String path) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(path));
        }
    }

    public static void kill(long pid) throws IOException {
        ProcessHandle victim = ProcessHandle.of(pid).orElseThrow(() -> new IOException("no process " + pid));
        if (!victim.destroyForcibly()) {
            throw new IOException("not killed");
        }
    }

    public static void execute(String program) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(program).start();
        if (process.waitFor() != 0) {
            throw new IOException("failed");
        }
    }

    public static String writeInside() throws IOException {
        Path file = Files.createTempFile("inside", ".txt");
        Files.write(file, "written".getBytes());
        Path moved = Paths.get(System.getProperty("user.home"), "moved.txt");
        Files.move(file, moved);
        String text = new String(Files.readAllBytes(moved));
        Files.delete(moved);
        new FileOutputStream("relative.txt").close();
        return text + new File("relative.txt").length();
    }
}
