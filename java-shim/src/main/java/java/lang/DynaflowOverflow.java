package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.DontInline;

/**
 * What is known when a {@code StackOverflowError} reaches a recorded method. Frames it came through may have ended without a word: their
 * handlers had no stack left to report it, or the JVM did not run them. The JVM knows how many are left. It knows nothing of handlers.
 * Invariant: however many handlers an error goes through, the JVM is asked about as often as that number has binary digits.
 */
final class DynaflowOverflow {
    private DynaflowOverflow() {}

    /**
     * An error reached a method with this site. Called by the recorder's method that woven code called. Throws when the stack has no room
     * to ask: then a frame further down asks, for the error comes there as well.
     */
    @DontInline
    static void reached(Object error, int site) {
        try {
            DynaflowChunk before = DynaflowRecorder.here();
            boolean known = before.overflow != null && before.overflow.get() == error;
            int sightings = known ? ++before.sightings : 1;
            if (known && sightings < before.nextLook) {
                return;
            }
            int live = DynaflowNative.live();
            if (live > 0) {
                DynaflowChunk chunk = DynaflowRecorder.here();
                chunk.add(DynaflowWords.word(DynaflowWords.OVERFLOWED, live), site);
                if (!known) {
                    chunk.overflow = new WeakReference<Object>(error);
                }
                chunk.sightings = sightings;
                chunk.nextLook = sightings * 2;
            }
        } catch (StackOverflowError again) {
            throw again;
        } catch (Throwable trouble) {
            DynaflowRecorder.fail(trouble);
        }
    }
}
