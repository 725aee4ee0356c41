package suite;

import org.testng.annotations.Test;

/** One method is a test. */
public class PartTest {
    @Test
    public void opens() {}

    public void helps() {}
}
