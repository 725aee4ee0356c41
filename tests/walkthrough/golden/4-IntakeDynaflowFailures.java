package walkthrough;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Tests of walkthrough.Intake, written by dynaflow. Each of these tests fails: it reveals an exception nobody declared or an assertion that does not hold. */
public class IntakeDynaflowFailures {
    // fault: java.lang.AssertionError in walkthrough.Intake.probe:20
    // walkthrough.Intake.next.next.hot: defined in walkthrough.Core.prime:9, used in walkthrough.Core.probe:14
    @Test
    public void probeThenPrimeThenProbeThrowsAssertionError() {
        Intake intake0 = new Intake();
        intake0.prime();
        assertTrue(intake0.probe());
        intake0.prime();
        // throws java.lang.AssertionError: the pump leaks
        intake0.probe();
    }
}
// As dynaflow wrote it; a later run extends this file only while this hash is right: 3b8798f72b666c9dde23c4843b016d5f
