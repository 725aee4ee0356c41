//! Which mutants the seed tests notice: they are asked about those alone that new tests notice.
//!
//! Knows nothing of new tests. Invariant: a mutant that was answered is not asked about again; what was not answered in time is in neither set. One that only slow tests notice
//! counts as alive where a fast one reaches it: a fast test that notices it is worth a place.

use super::until::Until;
use crate::jvm::launch::JvmConfig;
use crate::jvm::process::Stop;
use crate::mutation::{Answers, Made, Observer, Settings, Suite, Tests};
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long a test may take with a mutant: as `dynaflow mutants` has it by default.
const FACTOR: f64 = 1.25;
const CONSTANT: Duration = Duration::from_secs(1);
/// How often somebody looks whether the time is over.
const TICK: Duration = Duration::from_millis(50);

/// The seed tests.
#[derive(Debug)]
pub struct SeedTests {
    /// A JVM that runs them, confined.
    pub jvm: JvmConfig,
    /// A folder for them alone.
    pub work: PathBuf,
    /// Binary names of the test classes.
    pub classes: Vec<String>,
    /// Whether there are no seeds; of seeds of which nothing but traces is there nobody knows what they leave alive.
    pub are_none: bool,
    /// JVMs at a time.
    pub workers: usize,
    /// How long they may take without mutants.
    pub limit: Duration,
}

/// What is known of the seeds.
#[derive(Debug)]
pub struct Seeds {
    tests: SeedTests,
    suite: Option<Suite>,
    answers: Answers,
    /// Ends the JVMs that answer.
    own: Stop,
}

impl Seeds {
    /// Nothing yet.
    pub fn new(tests: SeedTests) -> Self {
        Self { tests, suite: None, answers: Answers::default(), own: Stop::default() }
    }

    /// Whether there are any that can run.
    pub fn can_run(&self) -> bool {
        !self.tests.classes.is_empty()
    }

    /// Runs the seeds without mutants, to see what they reach; afterwards they can be asked.
    ///
    /// # Errors
    /// When JVMs cannot be started, no test passes without mutants, or the tests were stopped.
    pub fn survey(&mut self, made: &Made, stop: &Stop) -> Result<()> {
        let SeedTests { jvm, work, classes, limit, .. } = &self.tests;
        let mut jvm = jvm.clone();
        jvm.stop = stop.clone();
        let mut suite = Suite::survey(made, &Tests { jvm: &jvm, work, classes }, *limit, &Unseen)?;
        suite.without_dear();
        self.suite = Some(suite);
        Ok(())
    }

    /// Asks the seeds about these mutants, as far as they were not asked before, until the time is over.
    ///
    /// # Errors
    /// When JVMs cannot be started.
    pub fn ask(&mut self, made: &Made, mutants: &BTreeSet<u32>, until: Until) -> Result<()> {
        let new = self.unanswered(mutants);
        let SeedTests { workers, limit, .. } = self.tests;
        let Some(suite) = self.suite.as_ref().filter(|_| !new.is_empty()) else { return Ok(()) };
        let settings = Settings { matrix: false, workers, factor: FACTOR, constant: CONSTANT, suite: limit };
        let own = &self.own;
        let answered = within(until, own, || suite.ask(made, &new, &settings, own, &Unseen));
        if own.is_stopped() {
            // Who asks later has time of his own.
            suite.rest();
            self.own = Stop::default();
        }
        let Answers { noticed, alive, .. } = answered?;
        self.answers.noticed.extend(noticed);
        self.answers.alive.extend(alive);
        Ok(())
    }

    /// Which of these mutants they notice, as far as they were asked.
    pub fn noticed(&self, mutants: &BTreeSet<u32>) -> BTreeSet<u32> {
        mutants & &self.answers.noticed
    }

    /// Which of these mutants they leave alive, as far as they were asked: all of them, where there are no seeds.
    pub fn alive(&self, mutants: &BTreeSet<u32>) -> BTreeSet<u32> {
        if self.tests.are_none { mutants.clone() } else { mutants & &self.answers.alive }
    }

    /// About which of these mutants they did not answer yet.
    pub fn unanswered(&self, mutants: &BTreeSet<u32>) -> BTreeSet<u32> {
        &(mutants - &self.noticed(mutants)) - &self.alive(mutants)
    }

    /// Tests that fail without mutants where mutants run.
    pub fn left_out(&self) -> Vec<&str> {
        let left_out = self.suite.as_ref().map_or(&[][..], |suite| suite.left_out());
        left_out.iter().map(|left| left.test.as_str()).collect()
    }
}

/// Does something that ends with `own`, which is stopped when the time is over, or everything is stopped.
fn within<T>(until: Until, own: &Stop, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    let is_over = || until.end.is_some_and(|end| Instant::now() >= end);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                if until.stop.is_stopped() || is_over() {
                    own.stop();
                    return;
                }
                thread::sleep(TICK);
            }
        });
        let result = work();
        done.store(true, Ordering::SeqCst);
        result
    })
}

/// Nobody watches: the stage is another's.
struct Unseen;

impl Observer for Unseen {
    fn stage(&self, text: &str) {
        tracing::debug!(text, "the seeds and mutants");
    }

    fn done(&self, _: usize, _: usize) {}

    fn say(&self, text: &str) {
        tracing::info!(text, "the seeds and mutants");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_the_time_is_over_those_who_answer_are_stopped_and_nobody_else() {
        let (everything, own) = (Stop::default(), Stop::default());
        let until = |after: u64| Until {
            stop: &everything,
            end: Instant::now().checked_add(Duration::from_secs(after)),
        };
        within(until(600), &own, || ());
        assert!(!own.is_stopped(), "they stay for the next question");
        within(until(0), &own, || {
            while !own.is_stopped() {
                thread::sleep(TICK);
            }
        });
        assert!(!everything.is_stopped());
    }
}
