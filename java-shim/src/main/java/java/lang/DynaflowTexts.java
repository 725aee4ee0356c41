package java.lang;

/**
 * String ids for carved values and test names. Invariant: a text is sent before the word with its id; what is remembered,
 * and so kept alive, is bounded in number and in length.
 */
final class DynaflowTexts {
    private static final int REMEMBERED = 1024;
    private static final int LONGEST_REMEMBERED = 256;

    private static final String[] TEXTS = new String[REMEMBERED];
    private static final int[] IDS = new int[REMEMBERED];
    private static int count;

    private DynaflowTexts() {}

    /** The id of a text; the same text may have several ids. */
    static int idOf(String text) {
        synchronized (DynaflowThreads.LOCK) {
            int slot = text.hashCode() & REMEMBERED - 1;
            if (text.equals(TEXTS[slot])) {
                return IDS[slot];
            }
            int id = ++count;
            DynaflowNative.text(id, text);
            if (text.length() <= LONGEST_REMEMBERED) {
                TEXTS[slot] = null;
                IDS[slot] = id;
                TEXTS[slot] = text;
            }
            return id;
        }
    }
}
