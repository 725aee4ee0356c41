package java.lang;

/** What the agent library offers the recorder. Every method hands its data over by copying and throws nothing. */
final class DynaflowNative {
    private DynaflowNative() {}

    /**
     * Hands over {@code words[from..to]} of one thread; blocks while the analysis is behind. False: nobody listens any
     * more.
     */
    static native boolean flush(int thread, long[] words, int from, int to);

    /**
     * Hands over runs of several threads: a header word (thread number in the high half, count of words in the low half)
     * and that many words, again and again. A count of 0 says that the thread ended.
     */
    static native boolean flushRuns(long[] runs, int length);

    /** Names the class of a mirror and its supertypes, before any word that mentions it is handed over. */
    static native void describe(long mirror, String name, String supers);

    /** Gives the text of a number, before any word that mentions it is handed over. */
    static native void text(int id, String text);

    /** Returns when everything handed over before is analysed and the records of ended tests are in the file. */
    static native void sync();

    /** A number for an instance field, for {@link #get}, as long as its class is loaded; 0 when there is none. */
    static native long field(java.lang.reflect.Field field);

    /** What a field of an object refers to, by the number {@link #field} gave. */
    static native Object get(Object object, long field);

    /** The value of an {@code int} field of an object, by the number {@link #field} gave. */
    static native int getInt(Object object, long field);

    /** Whether the objects of a class inherit {@code equals} from {@code Object}. */
    static native boolean hasIdentityEquals(Class<?> type);

    /** Whether a class, by its name, is recorded. */
    static native boolean isRecorded(String name);

    /**
     * The site of the call that the innermost recorded method on the stack of the calling thread is in; 0 when there is none; when a
     * method of {@code java.lang.reflect.Field} comes before it, minus one minus that number. It is expected among so many frames.
     */
    static native int caller(int frames);

    /**
     * How many frames of the recorded method that called the caller's caller are on the stack of the calling thread; 0 when that is none
     * that is recorded.
     */
    static native int live();

    /** How many frames of recorded methods are on the stack of the calling thread. */
    static native int recorded();

    /** Whether invocations may be left out: 0 no, 1 yes, 2 as soon and as often as can be. */
    static native int mutes();

    /** What the event of a site touches, see {@code model::muting}, and above 16 bits of that the number of its method. */
    static native long touches(int site);

    /**
     * Verdicts of the analysis on kinds of invocations, see {@code model::muting}, or null: those on what was handed over some time ago,
     * or all of them once everything is analysed.
     */
    static native long[] verdicts(boolean all);

    /** Reports the bits of a slot that are covered for the first time. */
    static native void covered(int slot, long bits);

    /** The table of a slot, made by the weaver; null when there is none. */
    static native long[] updates(int slot);

    /** Reports that the recorder switched itself off. */
    static native void stopped(String reason);
}
