package suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JUnit 5; neither class nor methods need be public. */
class ModernTest {
    @Test
    void passes() {
        assertTrue(true);
    }

    @Test
    void fails() {
        assertEquals(1, 2, "not equal");
    }

    @Test
    @Disabled("later")
    void disabled() {
        throw new IllegalStateException();
    }

    @Test
    void assumes() {
        Assumptions.assumeTrue(false, "not here");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void parameters(int value) {
        assertTrue(value > 0);
    }

    @RepeatedTest(3)
    void repeats(RepetitionInfo info) {
        assertTrue(info.getCurrentRepetition() != 2, "second");
    }

    @Nested
    class Inside {
        @Test
        void deep() {
            assertTrue(true);
        }
    }
}
