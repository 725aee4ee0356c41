package suite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Assume;
import org.junit.Ignore;
import org.junit.Test;

/** JUnit 4. */
public class VintageTest extends VintageBase {
    @Test
    public void passes() {
        System.out.println("printed by a test");
        assertTrue(true);
    }

    @Test
    public void fails() {
        throw new IllegalStateException("line one\nline two");
    }

    @Test(expected = ArithmeticException.class)
    public void expects() {
        assertEquals(1, 1 / (getClass().getName().length() - 17));
    }

    @Test
    @Ignore("later")
    public void ignored() {
        throw new IllegalStateException();
    }

    @Test
    public void assumes() {
        Assume.assumeTrue("not here", false);
    }

    @Test
    public void asserts() {
        boolean on = false;
        assert on = true;
        assertTrue("assertions are off", on);
    }
}
