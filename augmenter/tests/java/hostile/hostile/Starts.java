package hostile;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.URL;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Starts, ends and calls others. A method ends normally exactly when it could. */
public final class Starts {
    private static final String MARK = "echo hostile > ";

    private Starts() {}

    private static void run(String... command) throws Exception {
        Given.must(new ProcessBuilder(command).start().waitFor() == 0);
    }

    private static String script() {
        return MARK + Given.decoys().resolve("new");
    }

    // expect: refused
    public static void shell() throws Exception {
        run("/bin/sh", "-c", script());
    }

    // expect: refused
    public static void shellByTheLoader() throws Exception {
        for (String loader : new String[] {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"}) {
            if (Files.exists(Paths.get(loader))) {
                run(loader, "/bin/sh", "-c", script());
            }
        }
    }

    // expect: refused
    public static void java() throws Exception {
        run(System.getProperty("java.home") + "/bin/java", "-version");
    }

    // expect: refused
    public static void aCopyOfTheShell() throws Exception {
        Path copy = Given.own().resolve("sh");
        Files.copy(Paths.get(System.getProperty("java.home"), "bin", "java"), copy);
        run(copy.toString(), "-version");
    }

    // expect: refused
    public static void aSessionOfItsOwn() throws Exception {
        run("/usr/bin/setsid", "/bin/sleep", "1000");
    }

    // expect: refused
    public static void byTheRuntime() throws IOException {
        Runtime.getRuntime().exec(new String[] {"/bin/sh", "-c", script()});
    }

    // expect: refused
    public static void killASibling() throws Exception {
        Given.must(ProcessHandle.of(Given.sibling()).get().destroyForcibly());
    }

    // expect: refused
    public static void killTheDriver() throws Exception {
        Given.must(ProcessHandle.current().parent().get().destroyForcibly());
    }

    // expect: refused
    public static void connect() throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", Given.port()), 500);
        }
    }

    // expect: refused
    public static void connectByChannel() throws Exception {
        SocketChannel.open(new InetSocketAddress("127.0.0.1", Given.port())).close();
    }

    // expect: refused
    public static void datagram() throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(
                new byte[1], 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), Given.port()));
        }
    }

    // expect: refused
    public static void web() throws Exception {
        new URL("http://127.0.0.1:" + Given.port() + "/").openStream().close();
    }

    // expect: refused
    public static void nameOfAHost() throws Exception {
        InetAddress.getByName("hostile.invalid");
    }

    // expect: refused
    public static void localSocket() throws Exception {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(Given.socket()));
        }
    }

    // expect: refused
    public static void localServer() throws Exception {
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(Given.own().resolve("s")));
        }
    }

    // expect: either
    public static void server() throws Exception {
        new ServerSocket(0).close();
    }
}
