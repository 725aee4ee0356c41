import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Loads classes at every depth of a stack that is about to overflow. */
public class Deep {
    static int loaded;

    /** Defines a class of its own again and again, each time a new one for the VM. */
    static class Loader extends ClassLoader {
        private final byte[] bytes;

        Loader(byte[] bytes) {
            super(Deep.class.getClassLoader());
            this.bytes = bytes;
        }

        Class<?> load() {
            return defineClass("Deep$Small", bytes, 0, bytes.length);
        }
    }

    static class Small {
        int field;

        int method(int[] array) {
            field = array[0];
            return field;
        }
    }

    public static void main(String[] arguments) throws Exception {
        final byte[] bytes = bytesOf("Deep$Small.class");
        Thread thread = new Thread(null, new Runnable() {
            @Override
            public void run() {
                for (int round = 0; round < 60; round++) {
                    try {
                        dive(bytes, round);
                    } catch (StackOverflowError expected) {
                        // Loading may have failed at this depth, which is as good without the agent.
                    }
                }
            }
        }, "diver", 300 << 10);
        thread.start();
        thread.join();
        System.out.println("alive " + (loaded > 0));
    }

    private static int dive(byte[] bytes, int padding) {
        try {
            return dive(bytes, padding) + 1;
        } catch (StackOverflowError error) {
            if (padding > 0) {
                return climb(bytes, padding);
            }
            throw error;
        }
    }

    /** Some frames above the point of the overflow. */
    private static int climb(byte[] bytes, int padding) {
        new Loader(bytes).load();
        loaded++;
        return padding;
    }

    private static byte[] bytesOf(String resource) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        InputStream in = Deep.class.getClassLoader().getResourceAsStream(resource);
        byte[] part = new byte[4096];
        for (int n = in.read(part); n > 0; n = in.read(part)) {
            out.write(part, 0, n);
        }
        return out.toByteArray();
    }
}
