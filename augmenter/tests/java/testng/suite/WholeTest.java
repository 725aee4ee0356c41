package suite;

import org.testng.annotations.Test;

/** Each public method is a test. */
@Test
public class WholeTest {
    public void opens() {}
}
