//! Seeds that call methods on constants of enums, of the JDK and of the program: they are carved whole, and what they do is built upon.
//!
//! Knows nothing of the search. Invariant: the program here is made for the test, and small.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;
mod small;

use jvm_support::jdk_in_turn;
use small::Small;

const PACE: &str = "package demo;
public enum Pace {
    SLOW, FAST;
    public long of(long nanos) { return this == SLOW ? nanos : nanos / 2; }
}
";

const WAITS: &str = "package demo;
public class Waits {
    private long nanos;
    private Pace pace = Pace.SLOW;
    public void waitFor(long more) { nanos += pace.of(more); }
    public void hurry() { pace = Pace.FAST; }
    public Pace pace() { return pace; }
    public long nanos() { return nanos; }
}
";

const SEED: &str = "package demo;
import static org.junit.Assert.assertEquals;
import java.util.concurrent.TimeUnit;
import org.junit.Test;
public class WaitsTest {
    @Test public void waits() {
        Waits waits = new Waits();
        waits.waitFor(TimeUnit.MICROSECONDS.toNanos(3));
        assertEquals(3000, waits.nanos());
    }
    @Test public void isSlow() {
        Waits waits = new Waits();
        waits.waitFor(waits.pace().of(7));
        assertEquals(7, waits.nanos());
    }
    @Test public void isFast() {
        Waits waits = new Waits();
        waits.hurry();
        assertEquals(Pace.FAST, waits.pace());
    }
}
";

#[test]
fn seeds_that_call_methods_on_constants_are_carved_whole_and_built_upon() {
    for jdk in jdk_in_turn(1) {
        let project = Small::new(&jdk.home, &[("Pace", PACE), ("Waits", WAITS), ("WaitsTest", SEED)]);
        let said = project.augment(
            "demo.Waits",
            &["--seed-tests", "demo.WaitsTest", "--max-executions", "400", "--keep", "all"],
        );
        assert!(said.contains("seed suite: 3 tests, 0 of them cannot be carved whole"), "{said}");
        let written = String::from_utf8(project.read("out/demo/WaitsDynaflowTest.java").unwrap()).unwrap();
        assert!(written.contains("hurry_thenWaitFor"), "no seed does both: {written}");
    }
}
