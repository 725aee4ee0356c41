package effects;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URL;
import java.nio.channels.SocketChannel;
import java.security.Provider;
import java.security.Security;
import java.util.Locale;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TimeZone;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.prefs.Preferences;

/** Classes whose method {@code tidy} looks harmless and reaches beyond its object, but not to files. */
final class OtherEffects {
    /** Somebody listens there when the tests run in the end, nobody does while they are searched for. */
    static final int PORT = Integer.getInteger("effects.port", 9);

    private OtherEffects() {}

    static void nap() {
        try {
            TimeUnit.SECONDS.sleep(600);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

class Connects extends Counted { // network opens a socket
    boolean tidy() {
        count++;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), OtherEffects.PORT), 500);
            return true;
        } catch (java.io.IOException e) {
            return false;
        }
    }
}

class ConnectsChannel extends Counted { // network opens a socket
    boolean tidy() {
        count++;
        try (SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", OtherEffects.PORT))) {
            return channel.isConnected();
        } catch (java.io.IOException e) {
            return false;
        }
    }
}

class ConnectsLocally extends Counted { // network opens a socket
    boolean tidy() {
        count++;
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.isOpen();
        } catch (java.io.IOException e) {
            return false;
        }
    }
}

class Listens extends Counted { // network opens a socket
    boolean tidy() {
        count++;
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.isBound();
        } catch (java.io.IOException e) {
            return false;
        }
    }
}

class Sends extends Counted { // network opens a socket
    boolean tidy() {
        count++;
        try (DatagramSocket socket = new DatagramSocket()) {
            InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            socket.send(new DatagramPacket(new byte[1], 1, address, OtherEffects.PORT));
            return true;
        } catch (java.io.IOException e) {
            return false;
        }
    }
}

class LooksUp extends Counted { // network looks up the host dynaflow.invalid
    boolean tidy() {
        count++;
        try {
            return InetAddress.getByName("dynaflow.invalid") != null;
        } catch (java.net.UnknownHostException e) {
            return false;
        }
    }
}

class Starts extends Counted { // processes starts the process /bin/true
    boolean tidy() {
        count++;
        try {
            return new ProcessBuilder("/bin/true").start().waitFor() == 0;
        } catch (java.io.IOException | InterruptedException e) {
            return false;
        }
    }
}

class Executes extends Counted { // processes starts the process touch
    boolean tidy() {
        count++;
        try {
            return Runtime.getRuntime().exec(new String[] {"touch", "executed.txt"}).waitFor() == 0;
        } catch (java.io.IOException | InterruptedException e) {
            return false;
        }
    }
}

class Ends extends Counted { // processes ends a process
    boolean tidy() {
        count++;
        try {
            return ProcessHandle.current().destroy();
        } catch (IllegalStateException e) {
            return false;
        }
    }
}

class Loads extends Counted { // natives loads the library nowhere
    boolean tidy() {
        count++;
        try {
            System.loadLibrary("nowhere");
            return true;
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }
}

class SetsProperty extends Counted { // properties changes the system property effects.set
    void tidy() {
        count++;
        System.setProperty("effects.set", "yes");
    }
}

class PutsProperty extends Counted { // properties changes the system property effects.put
    void tidy() {
        count++;
        System.getProperties().put("effects.put", "yes");
    }
}

class ClearsProperty extends Counted { // properties changes the system property os.version
    void tidy() {
        count++;
        System.clearProperty("os.version");
    }
}

class ReplacesProperties extends Counted { // properties replaces the system properties
    void tidy() {
        count++;
        System.setProperties((java.util.Properties) System.getProperties().clone());
    }
}

class SetsLocale extends Counted { // locale changes the default locale
    void tidy() {
        count++;
        Locale.setDefault(Locale.JAPAN);
    }
}

class SetsFormat extends Counted { // locale changes the default locale
    void tidy() {
        count++;
        Locale.setDefault(Locale.Category.FORMAT, Locale.GERMANY);
    }
}

class SetsTimeZone extends Counted { // time-zone changes the default time zone
    void tidy() {
        count++;
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
    }
}

class SetsOut extends Counted { // streams replaces a standard stream
    void tidy() {
        count++;
        System.setOut(new PrintStream(new ByteArrayOutputStream()));
    }
}

class SetsIn extends Counted { // streams replaces a standard stream
    void tidy() {
        count++;
        System.setIn(new ByteArrayInputStream(new byte[0]));
    }
}

class Hooks extends Counted { // shutdown-hooks registers a shutdown hook (java.lang.Thread)
    void tidy() {
        count++;
        Runtime.getRuntime().addShutdownHook(new Thread(() -> new java.io.File("hooked.txt").mkdir()));
    }
}

class LeavesThread extends Counted { // threads leaves a thread behind (java.lang.Thread)
    void tidy() {
        count++;
        Thread thread = new Thread(OtherEffects::nap);
        thread.setDaemon(true);
        thread.start();
    }
}

class LeavesPool extends Counted { // threads leaves a thread behind (java.lang.Thread)
    void tidy() {
        count++;
        Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        }).submit(OtherEffects::nap);
    }
}

class LeavesTimer extends Counted { // threads leaves a thread behind (java.util.TimerThread)
    void tidy() {
        count++;
        new Timer(true).schedule(new TimerTask() {
            @Override
            public void run() {}
        }, 600000);
    }
}

class Prefers extends Counted { // preferences changes preferences
    void tidy() {
        count++;
        Preferences.userRoot().node("dynaflow-effects").put("a", "b");
    }
}

class ResetsLogging extends Counted { // logging calls java.util.logging.LogManager.reset
    void tidy() {
        count++;
        LogManager.getLogManager().reset();
    }
}

class SetsLevel extends Counted { // logging calls java.util.logging.Logger.setLevel
    void tidy() {
        count++;
        Logger.getLogger("effects").setLevel(Level.FINE);
    }
}

class AddsProvider extends Counted { // security calls java.security.Security.addProvider
    int tidy() {
        count++;
        return Security.addProvider(new Nothing()) < 0 ? 1 : 0;
    }

    static final class Nothing extends Provider {
        @SuppressWarnings("deprecation")
        Nothing() {
            super("Nothing", 1.0, "nothing");
        }
    }
}

class SetsSecurityProperty extends Counted { // security calls java.security.Security.setProperty
    void tidy() {
        count++;
        Security.setProperty("effects.security", "yes");
    }
}

class SetsAuthenticator extends Counted { // defaults calls java.net.Authenticator.setDefault
    void tidy() {
        count++;
        Authenticator.setDefault(new Authenticator() {});
    }
}

class SetsProxies extends Counted { // defaults calls java.net.ProxySelector.setDefault
    void tidy() {
        count++;
        ProxySelector.setDefault(null);
    }
}

class SetsCookies extends Counted { // defaults calls java.net.CookieHandler.setDefault
    void tidy() {
        count++;
        CookieHandler.setDefault(new CookieManager());
    }
}

class SetsUrlHandlers extends Counted { // defaults calls java.net.URL.setURLStreamHandlerFactory
    void tidy() {
        count++;
        try {
            URL.setURLStreamHandlerFactory(protocol -> null);
        } catch (Error e) {
            count++;
        }
    }
}

class SetsHandler extends Counted { // defaults calls java.lang.Thread.setDefaultUncaughtExceptionHandler
    void tidy() {
        count++;
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {});
    }
}

class SetsVerifier extends Counted { // defaults calls javax.net.ssl.HttpsURLConnection.setDefaultHostnameVerifier
    void tidy() {
        count++;
        javax.net.ssl.HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true);
    }
}
