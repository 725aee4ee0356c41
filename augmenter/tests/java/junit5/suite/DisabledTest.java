package suite;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Disabled as a whole. */
@Disabled("all of it")
class DisabledTest {
    @Test
    void never() {
        throw new IllegalStateException();
    }
}
