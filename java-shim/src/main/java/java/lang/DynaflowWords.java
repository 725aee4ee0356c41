package java.lang;

/**
 * The numbers of the word format, which the Rust side repeats; a test of this crate holds the two together. It knows
 * nothing of threads or of transport.
 */
final class DynaflowWords {
    /** Bits of a word's payload; the site or control number stands above them. */
    static final int PAYLOAD_BITS = 38;

    static final long OBJECT = 1;
    static final long DEAD = 2;
    static final long TEST_BEGIN = 3;
    static final long TEST_END = 4;
    static final long STATEMENT = 5;
    static final long TEST_METHOD = 6;
    static final long TEST_METHOD_END = 7;
    static final long RETURNED = 8;
    static final long HELD = 9;
    static final long HELD_AT_LEAST_ONCE = 10;
    static final long RELEASED = 11;
    static final long EMPTIED = 12;
    static final long VIEW = 13;
    static final long READ_RANGE = 14;
    static final long WRITE_RANGE = 15;

    static final long VALUE_NULL = 16;
    static final long VALUE_INT = 17;
    static final long VALUE_LONG = 18;
    static final long VALUE_FLOAT = 19;
    static final long VALUE_DOUBLE = 20;
    static final long VALUE_STRING = 21;
    static final long VALUE_OBJECT = 22;
    static final long VALUE_ENUM = 23;
    static final long VALUE_CLASS = 24;
    static final long VALUE_VOID = 25;
    static final long VALUE_BOXED = 26;

    static final long STARTED_BY = 27;

    static final long RESTORING = 28;
    static final long STORED = 29;
    static final long UNCHANGED = 30;
    /** In the third word of a stored value: what is below is the index of an element. */
    static final int STORED_ELEMENT_BIT = 32;

    /** Lengths of arrays from this one on are not recorded: they do not fit above the number of a class. */
    static final int LENGTHS = 67108863;
    static final long HAND_WRITE = 31;
    static final long HAND_READ = 32;
    static final long OVERFLOWED = 33;
    static final long MUTED = 34;
    static final long UNMUTED = 35;
    static final long MUTED_THIS = 36;
    static final long LEFT_OUT = 37;
    static final long BLURS = 38;

    /** The number of the first site; below are those of control words. */
    static final int FIRST_SITE = 64;

    /** The id of null. */
    static final long ID_NULL = 0;
    /** The id that strings and boxed values share when they are written into a location. */
    static final long ID_SINK = 1;
    /** The id of the first object. */
    static final long ID_FIRST = 2;

    private DynaflowWords() {}

    static long word(long number, long payload) {
        return number << PAYLOAD_BITS | payload;
    }
}
