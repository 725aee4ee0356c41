//! What a worker is given to run, what its classes report, and how its trace is matched with it. Knows nothing of the protocol or of search.
//!
//! Invariant: a job is known by its number everywhere in this program; the text that the trace format has for tests is read here, and
//! nowhere else.

use dynaflow_model::outcome::Path;
use dynaflow_model::sequence::Sequence;

/// The number of a job, which its driver gives no other job whose facts it still waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobNumber(pub u64);

impl JobNumber {
    /// What the worker calls the test before the number, see `Protocol.testName`.
    const TEST: &str = "candidate ";

    /// The number of the job that a test of a worker's trace ran; none for what is no test of a job.
    pub fn of_test(name: &str) -> Option<Self> {
        let digits = name.strip_prefix(Self::TEST)?;
        let number = digits.parse().ok().map(Self)?;
        // A sign or a leading zero is not what the worker writes.
        (digits == number.0.to_string()).then_some(number)
    }
}

/// One sequence to run as one test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// By which its facts are found in the trace.
    pub number: JobNumber,
    /// What to run.
    pub sequence: Sequence,
    /// What to look at in the end.
    pub observers: Vec<Path>,
    /// The number of the mutant that is active meanwhile; 0 for none.
    pub mutant: u32,
}

/// What the classes under test of a worker report besides what the agent records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probes {
    /// Nothing.
    None,
    /// The mutants that are reached; one more than the largest number of one.
    Mutants(u32),
    /// How near branches were to being taken; one more than the largest number of one.
    Branches(u32),
}

#[cfg(test)]
mod tests {
    use super::JobNumber;

    #[test]
    fn only_names_that_a_worker_writes_have_a_number() {
        assert_eq!(JobNumber::of_test("candidate 0"), Some(JobNumber(0)));
        assert_eq!(JobNumber::of_test("candidate 18446744073709551615"), Some(JobNumber(u64::MAX)));
        for other in [
            "",
            "candidate ",
            "candidate 07",
            "candidate +7",
            "candidate 7 ",
            "candidate -1",
            "7",
            "a.T#candidate 7",
        ] {
            assert_eq!(JobNumber::of_test(other), None, "{other}");
        }
    }
}
