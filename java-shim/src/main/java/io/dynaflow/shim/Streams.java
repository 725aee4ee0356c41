package io.dynaflow.shim;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * The standard streams a program under test sees in a worker: nothing to read, and what it prints is dropped.
 * Knows nothing of the protocol, which has its own descriptors. Invariant: closing them has no effect.
 */
final class Streams {
    private static final PrintStream OUT = new Dropping();
    private static final PrintStream ERR = new Dropping();
    private static final InputStream IN = new ByteArrayInputStream(new byte[0]);

    private Streams() {}

    /** Puts the silent streams in place, also after a sequence replaced them. */
    static void silence() {
        if (System.out != OUT) {
            System.setOut(OUT);
        }
        if (System.err != ERR) {
            System.setErr(ERR);
        }
        if (System.in != IN) {
            System.setIn(IN);
        }
    }

    private static final class Dropping extends PrintStream {
        Dropping() {
            super(new Nowhere());
        }

        @Override
        public void close() {
            flush();
        }
    }

    private static final class Nowhere extends OutputStream {
        @Override
        public void write(int b) {
            flushNothing();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            flushNothing();
        }

        private void flushNothing() {
            // Dropped on purpose.
            return;
        }
    }
}
