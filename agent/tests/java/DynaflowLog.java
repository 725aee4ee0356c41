package java.lang;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * Writes down, as pairs of numbers, which thread came to which site, into the file that {@code dynaflow.log} names. It knows nothing
 * of what sites say. Invariant: what was written is in the file when the JVM has ended in order.
 */
final class DynaflowLog {
    private static final DataOutputStream LOG = open();

    private DynaflowLog() { }

    private static DataOutputStream open() {
        try {
            String file = System.getProperty("dynaflow.log");
            DataOutputStream log = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(file), 1 << 16));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                synchronized (log) {
                    try {
                        log.flush();
                    } catch (IOException error) {
                        throw new IllegalStateException(error);
                    }
                }
            }));
            return log;
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    static void site(int site) {
        synchronized (LOG) {
            try {
                LOG.writeInt((int) Thread.currentThread().getId());
                LOG.writeInt(site);
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
        }
    }
}
