package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.DontInline;

/**
 * What is known when a {@code StackOverflowError} reaches a recorded method. Frames it came through may have ended without a word: their
 * handlers had no stack left to report it. The JVM knows how many are left. It knows nothing of handlers. Invariant: each error is looked
 * into once, where it is first seen; a handler that cannot report has another error thrown from it.
 */
final class DynaflowOverflow {
    private DynaflowOverflow() {}

    /** An error reached a method with this site. Called by the recorder's method that woven code called. */
    @DontInline
    static void reached(Object error, int site) {
        try {
            WeakReference<Object> last = DynaflowRecorder.here().overflow;
            if (last != null && last.get() == error) {
                return;
            }
            int live = DynaflowNative.live();
            if (live > 0) {
                DynaflowChunk chunk = DynaflowRecorder.here();
                chunk.add(DynaflowWords.word(DynaflowWords.OVERFLOWED, live), site);
                chunk.overflow = new WeakReference<Object>(error);
            }
        } catch (StackOverflowError again) {
            throw again;
        } catch (Throwable trouble) {
            DynaflowRecorder.fail(trouble);
        }
    }
}
