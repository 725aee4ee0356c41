package suite;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Fails before its first test. */
class SickTest {
    @BeforeAll
    static void prepare() {
        throw new IllegalStateException("no preparation");
    }

    @Test
    void never() {
        return;
    }
}
