package walkthrough;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Tests of walkthrough.Intake, written by dynaflow. Each test runs a definition of object state and a use it reaches. */
public class IntakeDynaflowTest {
    // walkthrough.Intake.open: defined in walkthrough.Intake.prime:11, used in walkthrough.Intake.probe:17
    @Test
    public void primeThenProbe() {
        Intake intake0 = new Intake();
        intake0.prime();
        assertTrue(intake0.probe());
    }

    // walkthrough.Intake.next.warm: defined in walkthrough.Relay.probe:17, used in walkthrough.Relay.prime:10
    @Test
    public void primeThenProbeThenPrime() {
        Intake intake0 = new Intake();
        intake0.prime();
        assertTrue(intake0.probe());
        intake0.prime();
    }
}
// As dynaflow wrote it; a later run extends this file only while this hash is right: 4535af69498d072a48b21590d44b5c72
