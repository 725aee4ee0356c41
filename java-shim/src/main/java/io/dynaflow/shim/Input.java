package io.dynaflow.shim;

import java.nio.charset.StandardCharsets;

/**
 * A cursor over one request frame: big-endian numbers and UTF-8 text. Knows nothing of what they mean.
 * Invariant: it never reads past the frame; a short frame throws IndexOutOfBoundsException, which ends the worker.
 */
final class Input {
    private final byte[] bytes;
    private int at;

    Input(byte[] bytes) {
        this.bytes = bytes;
    }

    int position() {
        return at;
    }

    void seek(int position) {
        at = position;
    }

    int u8() {
        return bytes[at++] & 0xff;
    }

    int u16() {
        return u8() << 8 | u8();
    }

    int i32() {
        return u16() << 16 | u16();
    }

    long i64() {
        return (long) i32() << 32 | i32() & 0xffffffffL;
    }

    String text() {
        int length = i32();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }
}
