package io.dynaflow.shim;

/**
 * The numbers of the worker protocol. The Rust side (`augmenter`, jvm::protocol) repeats them; its tests hold them together.
 * Invariant: a change of meaning changes {@link #VERSION}.
 */
final class Protocol {
    static final int VERSION = 12;

    static final int REQUEST_DESCRIBE = 1;
    static final int REQUEST_RUN = 2;
    static final int REQUEST_INITIALISE = 3;

    static final int REPLY_READY = 1;
    static final int REPLY_OUTCOME = 2;
    static final int REPLY_END = 3;
    static final int REPLY_TYPE = 4;
    static final int REPLY_NO_TYPE = 5;
    static final int REPLY_TIMED_OUT = 6;
    static final int REPLY_FAILED = 7;
    static final int REPLY_MALFORMED = 8;

    static final int NEW = 0;
    static final int CALL = 1;
    static final int GET_STATIC = 2;
    static final int GET_FIELD = 3;
    static final int NEW_ARRAY = 4;
    static final int ARRAY_STORE = 5;
    static final int OPAQUE = 6;
    static final int STUB = 7;
    static final int CONTRACT = 8;
    static final int CAUGHT = 9;

    static final int ANSWER_NOTHING = 0;
    static final int ANSWER_VALUE = 1;
    static final int ANSWER_PARAMETER = 2;

    static final int EQUALS_ITSELF = 0;
    static final int DIFFERS_FROM_NULL = 1;
    static final int EQUALS_BOTH_WAYS = 2;
    static final int HASHES_ALIKE = 3;
    static final int COMPARES_TO_ITSELF = 4;
    static final int COMPARES_BOTH_WAYS = 5;
    static final int HAS_TEXT = 6;
    static final int CLONES_APART = 7;

    static final int NULL = 0;
    static final int BOOLEAN = 1;
    static final int BYTE = 2;
    static final int CHAR = 3;
    static final int SHORT = 4;
    static final int INT = 5;
    static final int LONG = 6;
    static final int FLOAT = 7;
    static final int DOUBLE = 8;
    static final int STRING = 9;
    static final int ENUM = 10;
    static final int CLASS = 11;
    static final int BOXED = 12;
    static final int VARIABLE = 13;
    static final int VOID = 14;
    static final int OBJECT = 15;
    static final int CONTENTS = 16;
    static final int PARSED = 17;

    static final int ARRAY = 0;
    static final int LIST = 1;
    static final int SET = 2;
    static final int MAP = 3;
    static final int OPTIONAL = 4;

    static final int CONSTRUCTOR = 0;
    static final int STATIC = 1;
    static final int VIRTUAL = 2;
    static final int INTERFACE = 3;
    static final int SPECIAL = 4;
    static final int STATIC_FIELD = 5;
    static final int FIELD = 6;

    static final int WHOLE = 0;
    static final int DIED = 2;
    static final int UNRUNNABLE = 3;

    /** Exit status after a sequence that would not end. */
    static final int EXIT_TIMED_OUT = 70;
    /** Exit status after trouble in the worker itself. */
    static final int EXIT_FAILED = 71;

    private Protocol() {}

    /** What the test of a job is called where tests have names: in the trace, and among effects. */
    static String testName(long job) {
        return "candidate " + Long.toUnsignedString(job);
    }
}
