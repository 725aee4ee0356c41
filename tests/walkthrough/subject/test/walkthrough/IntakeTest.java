package walkthrough;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** The seed suite: each method on its own, so that the two never meet on one object. */
public class IntakeTest {
    @Test
    public void primeAlone() {
        new Intake().prime();
    }

    @Test
    public void probeAlone() {
        assertTrue(new Intake().probe());
    }
}
