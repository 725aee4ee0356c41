import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewTest {
    static class Counter {
        int count;

        void add(int amount) {
            count += amount;
        }

        int get() {
            return count;
        }
    }

    private Counter counter;

    @BeforeEach
    void prepare() {
        counter = new Counter();
    }

    @Test
    void countsOnce() {
        counter.add(1);
        assertEquals(1, counter.get());
    }

    @Test
    void countsWrong() {
        counter.add(1);
        assertEquals(2, counter.get());
    }

    @Test
    void throwsInside() {
        assertThrows(ArithmeticException.class, () -> counter.add(1 / counter.get()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void addsAny(int amount) {
        counter.add(amount);
        assertEquals(amount, counter.get());
    }

    @Nested
    class Inner {
        @Test
        void seesTheOuterCounter() {
            counter.add(3);
            assertEquals(3, counter.get());
        }
    }
}
