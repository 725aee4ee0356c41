package walkthrough;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

/**
 * Tests of walkthrough.Intake, written by dynaflow.
 * The comment of each test says what it is there for.
 */
public class IntakeDynaflowTest {
    // prime() sets Intake.open (line 11); probe() must see it (line 17);
    //     and 3 more
    @Test
    public void prime_thenProbe_returnsTrue() {
        Intake intake = new Intake();
        intake.prime();
        assertTrue(intake.probe());
    }

    // probe() sets Intake.next.warm (Relay line 17); prime() must see it
    //     (Relay line 10); and 1 more
    @Test
    public void probe_thenPrime_probeIsTrue() {
        Intake intake = new Intake();
        intake.prime();
        assertTrue(intake.probe());
        intake.prime();
    }
}
// dynaflow extends this file while this hash of it is right: 14bef2906a56825f
