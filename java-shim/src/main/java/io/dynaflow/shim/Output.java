package io.dynaflow.shim;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.IdentityHashMap;

/**
 * One reply frame under construction: a length, then big-endian numbers and UTF-8 text. Knows nothing of what they mean.
 * Invariant: class names are numbered in the order they are first sent, and a number is followed by its name exactly the
 * first time, so the reader can keep the same table.
 */
final class Output {
    private static final int HEADER = 4;
    /** Longer strings are reported by their class alone. */
    static final int LONGEST_TEXT = 1 << 16;

    private final IdentityHashMap<Class<?>, Integer> classes = new IdentityHashMap<Class<?>, Integer>();
    private byte[] bytes = new byte[1 << 12];
    private int at = HEADER;

    void u8(int value) {
        ensure(1);
        bytes[at++] = (byte) value;
    }

    void u16(int value) {
        u8(value >> 8);
        u8(value);
    }

    void i32(int value) {
        ensure(4);
        at += 4;
        patch(at - 4, value);
    }

    void i64(long value) {
        i32((int) (value >> 32));
        i32((int) value);
    }

    /** Room for a number that is known only later; see {@link #patch}. */
    int reserve() {
        i32(0);
        return at - 4;
    }

    void patch(int position, int value) {
        bytes[position] = (byte) (value >> 24);
        bytes[position + 1] = (byte) (value >> 16);
        bytes[position + 2] = (byte) (value >> 8);
        bytes[position + 3] = (byte) value;
    }

    void text(String value) {
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        i32(encoded.length);
        ensure(encoded.length);
        System.arraycopy(encoded, 0, bytes, at, encoded.length);
        at += encoded.length;
    }

    /** The number of a class, with its name when it is new. */
    void classRef(Class<?> type) {
        Integer known = classes.get(type);
        if (known != null) {
            i32(known);
            return;
        }
        i32(classes.size());
        text(type.getName());
        classes.put(type, classes.size());
    }

    /** Whether text comes back the same from UTF-8 and is not too long to be worth it. */
    static boolean fits(String value) {
        if (value.length() > LONGEST_TEXT) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                return StandardCharsets.UTF_8.newEncoder().canEncode(value);
            }
        }
        return true;
    }

    /** Sends the frame and starts the next one. */
    void send(OutputStream out) throws IOException {
        patch(0, at - HEADER);
        out.write(bytes, 0, at);
        at = HEADER;
    }

    private void ensure(int more) {
        if (at + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, at + more));
        }
    }
}
