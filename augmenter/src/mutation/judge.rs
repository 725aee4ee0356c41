//! What becomes of one mutant: which tests run, in which JVMs, and what their failures mean. Knows numbers, no classes and no processes.
//!
//! A JVM is warm: tests before may have left static state that a mutant spoiled. Invariant: a mutant counts as noticed by a test only if the
//! test fails with the mutant and passes without it, either both in one JVM, one right after the other, or each as the first of a
//! fresh JVM; or if it takes the JVM with it and passes without the mutant as the first of a fresh one; and if it is late only where it had as long
//! as it takes there.

use super::types::{Judged, Status};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A mutant and the tests that reach it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Job {
    /// The number that makes it active.
    pub number: u32,
    /// The group it is in.
    pub group: usize,
    /// Tests that reach it whenever they run, in the order in which they run.
    pub warm: Vec<usize>,
    /// Tests that are to be the first of a fresh JVM, run when none of the others noticed it, or all are asked for.
    pub once: Vec<usize>,
}

/// Why a mutant was not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The user asked to end.
    Interrupted,
    /// No JVM can be started.
    Broken(String),
}

/// What a test came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// It passed, or was skipped, after so long.
    Passed(Duration),
    /// It did not.
    Noticed {
        /// How.
        status: Status,
        /// Whether the JVM can still be used.
        alive: bool,
    },
}

/// A JVM that runs tests with mutants.
pub(super) trait Jvm {
    /// Runs a test with a mutant active; 0 is none. `alone` is how long it takes as the first of a fresh JVM, if that is known.
    fn run(&mut self, mutant: u32, test: usize, alone: Option<Duration>) -> Result<Ran, Stop>;
    /// Puts a fresh JVM in its place.
    fn replace(&mut self);
    /// Whether nothing ran in it yet.
    fn is_fresh(&self) -> bool;
}

/// By test, how long it takes without mutant as the first of a fresh JVM, as far as somebody asked; nothing where it does not pass there.
#[derive(Debug, Default)]
pub(super) struct Alone {
    known: Mutex<BTreeMap<usize, Option<Duration>>>,
}

impl Alone {
    fn passes(&self, jvm: &mut dyn Jvm, test: usize) -> Result<bool, Stop> {
        if let Some(known) = self.known(test) {
            return Ok(known.is_some());
        }
        jvm.replace();
        let time = match jvm.run(0, test, None)? {
            Ran::Passed(time) => Some(time),
            Ran::Noticed { .. } => None,
        };
        if time.is_none() {
            jvm.replace();
        }
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(test, time);
        Ok(time.is_some())
    }

    fn known(&self, test: usize) -> Option<Option<Duration>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&test).copied()
    }

    fn time(&self, test: usize) -> Option<Duration> {
        self.known(test).flatten()
    }

    /// The tests that do not pass there.
    pub fn dependent(&self) -> Vec<usize> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().filter(|(_, time)| time.is_none()).map(|(test, _)| *test).collect()
    }
}

/// Runs the tests of a mutant, up to the first that notices it unless all are asked for.
pub(super) fn judge(jvm: &mut dyn Jvm, alone: &Alone, job: &Job, matrix: bool) -> Result<Judged, Stop> {
    let mut judged = Judged { status: Status::Survived, killing: vec![], ran: 0 };
    let warm = job.warm.iter().map(|test| (*test, false));
    for (test, once) in warm.chain(job.once.iter().map(|test| (*test, true))) {
        if once && judged.killing.contains(&test) {
            continue;
        }
        judged.ran += 1;
        let noticed =
            if once { first(jvm, alone, job.number, test) } else { any(jvm, alone, job.number, test) };
        if let Some(status) = noticed? {
            if judged.killing.is_empty() {
                judged.status = status;
            }
            judged.killing.push(test);
            if !matrix {
                break;
            }
        }
    }
    Ok(judged)
}

/// Runs a test in whatever JVM there is; where that one is spoiled, in a fresh one.
fn any(jvm: &mut dyn Jvm, alone: &Alone, number: u32, test: usize) -> Result<Option<Status>, Stop> {
    let (was_fresh, time) = (jvm.is_fresh(), alone.time(test));
    let Ran::Noticed { status, alive } = jvm.run(number, test, time)? else { return Ok(None) };
    if alive && (status != Status::TimedOut || time.is_some()) && passes(jvm, test)? {
        return Ok(Some(status));
    }
    jvm.replace();
    // A JVM that is gone shows nothing any more, and what ends it or hangs in it is hardly the work of an earlier mutant.
    if was_fresh || !alive {
        return lasting(jvm, alone, (number, test), status, time);
    }
    confirmed(jvm, alone, number, test)
}

fn passes(jvm: &mut dyn Jvm, test: usize) -> Result<bool, Stop> {
    Ok(matches!(jvm.run(0, test, None)?, Ran::Passed(_)))
}

/// What a test that failed as the first of a fresh JVM says, or one that took its JVM with it: nothing, unless it passes there without the mutant. One that
/// was late has another try where nobody knew how long it takes there: a framework that starts with its first test may take longer than all tests.
fn lasting(
    jvm: &mut dyn Jvm,
    alone: &Alone,
    (number, test): (u32, usize),
    status: Status,
    time: Option<Duration>,
) -> Result<Option<Status>, Stop> {
    if !alone.passes(jvm, test)? {
        return Ok(None);
    }
    if status == Status::TimedOut && time.is_none() {
        jvm.replace();
        return confirmed(jvm, alone, number, test);
    }
    Ok(Some(status))
}

/// Runs a test as the first of a fresh JVM, which then is spent: the next test is to be the first, too.
fn first(jvm: &mut dyn Jvm, alone: &Alone, number: u32, test: usize) -> Result<Option<Status>, Stop> {
    if !jvm.is_fresh() {
        jvm.replace();
    }
    confirmed(jvm, alone, number, test)
}

/// Runs a test in a JVM that is fresh.
fn confirmed(jvm: &mut dyn Jvm, alone: &Alone, number: u32, test: usize) -> Result<Option<Status>, Stop> {
    let time = alone.time(test);
    let Ran::Noticed { status, alive } = jvm.run(number, test, time)? else { return Ok(None) };
    if alive && (status != Status::TimedOut || time.is_some()) && passes(jvm, test)? {
        return Ok(Some(status));
    }
    jvm.replace();
    lasting(jvm, alone, (number, test), status, time)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A JVM made up of rules: what is spoiled, which mutant spoils, which kills.
    #[derive(Default)]
    struct Fake {
        ran: Vec<(u32, usize)>,
        replaced: usize,
        fresh: bool,
        spoiled: bool,
        /// Mutants that leave state with which every test fails.
        spoils: Vec<u32>,
        /// Mutants and tests that fail with them.
        kills: Vec<(u32, usize)>,
        /// Mutants and tests that end the JVM.
        ends: Vec<(u32, usize)>,
        /// Tests that pass after another one only.
        dependent: Vec<usize>,
        /// Tests that are late as the first of a fresh JVM, unless they have as long as they take there.
        starting: Vec<usize>,
        /// Whether what is late leaves the JVM as it was.
        goes_on: bool,
    }

    impl Jvm for Fake {
        fn run(&mut self, mutant: u32, test: usize, alone: Option<Duration>) -> Result<Ran, Stop> {
            self.ran.push((mutant, test));
            if self.fresh && mutant > 0 && alone.is_none() && self.starting.contains(&test) {
                return Ok(Ran::Noticed { status: Status::TimedOut, alive: self.goes_on });
            }
            let lacks = std::mem::take(&mut self.fresh) && self.dependent.contains(&test);
            if self.ends.contains(&(mutant, test)) {
                return Ok(Ran::Noticed { status: Status::RunError, alive: false });
            }
            let fails = self.kills.contains(&(mutant, test)) || self.spoiled || lacks;
            // A dependent test leaves what would have let it pass for nobody.
            self.fresh = lacks && self.dependent.contains(&test);
            self.spoiled |= self.spoils.contains(&mutant);
            let passed = Ran::Passed(Duration::from_secs(9));
            Ok(if fails { Ran::Noticed { status: Status::Killed, alive: true } } else { passed })
        }

        fn replace(&mut self) {
            self.replaced += 1;
            (self.fresh, self.spoiled) = (true, false);
        }

        fn is_fresh(&self) -> bool {
            self.fresh
        }
    }

    fn job(number: u32, warm: &[usize], once: &[usize]) -> Job {
        Job { number, group: 0, warm: warm.to_vec(), once: once.to_vec() }
    }

    fn status(jvm: &mut Fake, job: &Job) -> Status {
        judge(jvm, &Alone::default(), job, false).unwrap().status
    }

    #[test]
    fn the_first_test_that_fails_and_passes_without_the_mutant_kills_it() {
        let mut jvm = Fake { kills: vec![(7, 2)], ..Fake::default() };
        let judged = judge(&mut jvm, &Alone::default(), &job(7, &[1, 2, 3], &[]), false).unwrap();
        assert_eq!(judged, Judged { status: Status::Killed, killing: vec![2], ran: 2 });
        assert_eq!((jvm.ran, jvm.replaced), (vec![(7, 1), (7, 2), (0, 2)], 0));
    }

    #[test]
    fn a_matrix_has_all_tests_that_fail() {
        let mut jvm = Fake { kills: vec![(7, 1), (7, 3)], ..Fake::default() };
        let judged = judge(&mut jvm, &Alone::default(), &job(7, &[1, 2, 3], &[]), true).unwrap();
        assert_eq!(judged, Judged { status: Status::Killed, killing: vec![1, 3], ran: 3 });
    }

    #[test]
    fn what_an_earlier_mutant_spoiled_is_not_laid_to_a_later_one() {
        let mut jvm = Fake { spoils: vec![6], kills: vec![(8, 1)], ..Fake::default() };
        assert_eq!(status(&mut jvm, &job(6, &[1], &[])), Status::Survived);
        assert_eq!(status(&mut jvm, &job(7, &[1], &[])), Status::Survived);
        assert_eq!(jvm.replaced, 1);
        assert_eq!(status(&mut jvm, &job(6, &[1], &[])), Status::Survived);
        assert_eq!(status(&mut jvm, &job(8, &[1], &[])), Status::Killed, "it kills in a fresh JVM, too");
    }

    #[test]
    fn a_mutant_that_spoils_and_kills_is_killed_by_a_test_that_passes_in_a_fresh_jvm() {
        let mut jvm = Fake { spoils: vec![7], kills: vec![(7, 1)], ..Fake::default() };
        assert_eq!(status(&mut jvm, &job(7, &[1], &[])), Status::Killed);
        assert!(!jvm.spoiled, "nothing spoiled is left to the next mutant");
    }

    #[test]
    fn a_mutant_that_ends_the_jvm_is_noticed_by_a_test_that_passes_in_a_fresh_one() {
        let mut jvm = Fake { ends: vec![(7, 1)], ..Fake::default() };
        assert_eq!(status(&mut jvm, &job(7, &[1], &[])), Status::RunError);
        assert_eq!(jvm.ran, [(7, 1), (0, 1)]);
        let mut jvm = Fake { ends: vec![(7, 1)], dependent: vec![1], ..Fake::default() };
        assert_eq!(status(&mut jvm, &job(7, &[1], &[])), Status::Survived);
    }

    #[test]
    fn a_test_that_needs_others_before_it_kills_nothing_and_is_named() {
        let (mut jvm, alone) = (Fake { dependent: vec![1], ..Fake::default() }, Alone::default());
        jvm.fresh = true;
        assert_eq!(judge(&mut jvm, &alone, &job(7, &[1], &[]), false).unwrap().status, Status::Survived);
        assert_eq!(alone.dependent(), [1]);
    }

    #[test]
    fn a_test_that_is_late_as_its_framework_starts_has_another_try_with_time_for_that() {
        let starting = || Fake { starting: vec![1], fresh: true, ..Fake::default() };
        let mut jvm = starting();
        assert_eq!(status(&mut jvm, &job(7, &[1], &[])), Status::Survived);
        assert_eq!(jvm.ran, [(7, 1), (0, 1), (7, 1)]);
        let mut jvm = Fake { goes_on: true, ..starting() };
        assert_eq!(
            status(&mut jvm, &job(7, &[1], &[])),
            Status::Survived,
            "what starts was only interrupted"
        );
        let mut jvm = Fake { kills: vec![(7, 1)], ..starting() };
        assert_eq!(status(&mut jvm, &job(7, &[1], &[])), Status::Killed);
        let (mut jvm, alone) = (starting(), Alone::default());
        for number in [7, 8] {
            jvm.fresh = true;
            judge(&mut jvm, &alone, &job(number, &[1], &[]), false).unwrap();
        }
        assert_eq!(jvm.ran, [(7, 1), (0, 1), (7, 1), (8, 1)], "how long it takes there is asked once");
    }

    #[test]
    fn a_test_that_reaches_a_mutant_once_is_the_first_of_a_fresh_jvm() {
        let mut jvm = Fake { kills: vec![(7, 2)], ..Fake::default() };
        assert_eq!(status(&mut jvm, &job(7, &[1], &[2])), Status::Killed);
        assert_eq!((jvm.replaced, jvm.ran), (1, vec![(7, 1), (7, 2), (0, 2)]));
    }
}
