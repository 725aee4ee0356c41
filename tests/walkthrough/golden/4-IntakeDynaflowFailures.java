package walkthrough;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

/**
 * Tests of walkthrough.Intake, written by dynaflow.
 * Each of these tests fails: it reveals an exception nobody declared or
 * an assertion that does not hold.
 */
public class IntakeDynaflowFailures {
    // fault: java.lang.AssertionError in walkthrough.Intake.probe:20
    // prime() sets Intake.next.next.hot (Core line 9); probe() must see it
    //     (Core line 14)
    @Test
    public void prime_thenProbe_throwsAssertionError() {
        Intake intake = new Intake();
        intake.prime();
        assertTrue(intake.probe());
        intake.prime();
        // throws java.lang.AssertionError: the pump leaks
        intake.probe();
    }
}
// dynaflow extends this file while this hash of it is right: 010cb7155463228a
