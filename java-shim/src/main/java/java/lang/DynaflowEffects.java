package java.lang;

/**
 * What a call does to what a container holds, by the numbers woven code gives; the Rust side repeats them and a test holds
 * the two together. It knows nothing of containers.
 */
final class DynaflowEffects {
    /** The first argument comes in. */
    static final int ADD = 1;
    /** The first argument comes in if the call said so. */
    static final int ADD_IF = 2;
    /** The result goes out, the first argument comes in; with an index, that is what the call said. */
    static final int SET = 3;
    /** The result goes out, the second argument comes in; the first is in there. */
    static final int PUT = 4;
    /** If there is no result, the second argument comes in; the first is in there. */
    static final int PUT_IF_ABSENT = 5;
    /** The result goes out. */
    static final int TAKE = 6;
    /** What equals the first argument goes out once if the call said so. */
    static final int REMOVE = 7;
    /** The result goes out, and what equals the first argument. */
    static final int REMOVE_KEY = 8;
    /** Everything goes out. */
    static final int CLEAR = 9;
    /** The result and the first argument are in there. */
    static final int RESULT = 10;
    /** Everything in the first argument comes in. */
    static final int ADD_ALL = 11;
    /** Anything may have happened. */
    static final int RELIST = 12;
    /** The result shows the contents. */
    static final int SHOW = 13;
    /** Only the first argument is in there. */
    static final int ASSIGN = 14;
    /** If the call said so, only the first argument is in there. */
    static final int ASSIGN_IF = 15;
    /** A value was computed from the one before; the second argument and the result are of its kind. */
    static final int MERGE = 16;
    /** The order changed, nothing else. */
    static final int ORDER = 17;

    /** What is found to leave goes out. */
    static final int TAKE_FOUND = 18;
    /** What is found to leave goes out, the first argument comes in. */
    static final int SET_FOUND = 19;
    /** If there is a result it goes out, and the second argument comes in. */
    static final int REPLACE = 20;
    /** Anything may have happened if the call said so. */
    static final int RELIST_IF = 21;
    /** The result is an entry, whose key and value go out. */
    static final int TAKE_ENTRY = 22;
    /** If the call said so, the first argument goes out and the second one comes in. */
    static final int SWAP_IF = 23;

    /** The result is an array that the JDK filled, or the first argument is one. */
    static final int FILL = 24;
    /** If the call said so, something changed that is no object. */
    static final int IF = 25;
    /** The result goes out, if there is one. */
    static final int TAKE_IF = 26;

    private DynaflowEffects() {}
}
