package walkthrough;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Tests of walkthrough.Intake, written by dynaflow. The comment of each test says what it is there for. */
public class IntakeDynaflowTest {
    // prime() sets Intake.open (line 11); probe() must see it (line 17); and 3 more
    @Test
    public void prime_thenProbe_returnsTrue() {
        Intake intake = new Intake();
        intake.prime();
        assertTrue(intake.probe());
    }

    // probe() sets Intake.next.warm (Relay line 17); prime() must see it (Relay line 10); and 1 more
    @Test
    public void probe_thenPrime_probeIsTrue() {
        Intake intake = new Intake();
        intake.prime();
        assertTrue(intake.probe());
        intake.prime();
    }
}
// As dynaflow wrote it; a later run extends this file only while this hash is right: f218db9dcf15a902794064515cf9e96c
