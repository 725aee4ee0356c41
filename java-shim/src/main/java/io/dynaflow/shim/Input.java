package io.dynaflow.shim;

import java.nio.charset.StandardCharsets;

/**
 * A cursor over one request frame: big-endian numbers and UTF-8 text. Knows nothing of what they mean.
 * Invariant: it never reads past the frame; a short frame is {@link Malformed}, which ends the worker.
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
        if (position < at || position > bytes.length) {
            throw new Malformed("a part that ends at byte " + position + ", read up to " + at + " of " + bytes.length);
        }
        at = position;
    }

    /** How many things follow: each takes a byte at least. */
    int count() {
        int count = i32();
        if (count < 0 || count > bytes.length - at) {
            throw new Malformed("a count of " + count + " at byte " + at + " of " + bytes.length);
        }
        return count;
    }

    int u8() {
        if (at >= bytes.length) {
            throw new Malformed("it ends after " + bytes.length + " bytes, where more is to come");
        }
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
        int length = count();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }
}
