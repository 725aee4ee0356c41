package suite;

import org.junit.BeforeClass;
import org.junit.Test;

/** Fails before its first test. */
public class SickTest {
    @BeforeClass
    public static void prepare() {
        throw new IllegalStateException("no preparation");
    }

    @Test
    public void never() {
        return;
    }
}
