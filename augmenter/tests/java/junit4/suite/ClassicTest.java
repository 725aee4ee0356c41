package suite;

import junit.framework.TestCase;

/** JUnit 3. */
public class ClassicTest extends TestCase {
    private int ready;

    @Override
    protected void setUp() {
        ready = 1;
    }

    public void testReady() {
        assertEquals(1, ready);
    }

    public void testFails() {
        assertEquals("tab\there", 2, ready);
    }
}
