package suite;

import static org.junit.Assert.assertTrue;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** One method, three runs. */
@RunWith(Parameterized.class)
public class ParameterizedTest {
    @Parameterized.Parameters(name = "{0}#x[y]")
    public static Object[] values() {
        return new Object[] {1, 2, 3};
    }

    private final int value;

    public ParameterizedTest(int value) {
        this.value = value;
    }

    @Test
    public void small() {
        assertTrue(value < 10);
    }

    @Test
    public void odd() {
        assertTrue(value % 2 == 1);
    }
}
