//! Which mutants the seed tests notice: they are asked about those alone that new tests notice.
//!
//! Knows nothing of new tests. Invariant: a mutant is asked about once; once the seeds cannot be asked they are not asked again.

use super::until::Until;
use crate::jvm::launch::JvmConfig;
use crate::jvm::process::Stop;
use crate::mutation::{Made, Observer, Settings, Suite, Tests};
use anyhow::{Result, anyhow};
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
    asked: BTreeSet<u32>,
    noticed: BTreeSet<u32>,
}

impl Seeds {
    /// Nothing yet.
    pub fn new(tests: SeedTests) -> Self {
        Self { tests, suite: None, asked: BTreeSet::new(), noticed: BTreeSet::new() }
    }

    /// Asks the seeds about these mutants, as far as they were not asked before.
    ///
    /// # Errors
    /// When JVMs cannot be started, no test passes without mutants, or the time is over.
    pub fn ask(&mut self, made: &Made, mutants: &BTreeSet<u32>, until: Until) -> Result<()> {
        let new: BTreeSet<u32> = mutants.difference(&self.asked).copied().collect();
        if !self.tests.classes.is_empty() && !new.is_empty() {
            let noticed = self.within(until, |seeds, stop| seeds.ask_now(made, &new, stop))?;
            self.noticed.extend(noticed);
            self.asked.extend(new);
        }
        Ok(())
    }

    /// Which of these mutants they notice, as far as they were asked.
    pub fn noticed(&self, mutants: &BTreeSet<u32>) -> BTreeSet<u32> {
        mutants.intersection(&self.noticed).copied().collect()
    }

    /// Tests that fail without mutants where mutants run.
    pub fn left_out(&self) -> usize {
        self.suite.as_ref().map_or(0, |suite| suite.left_out().len())
    }

    fn ask_now(&mut self, made: &Made, mutants: &BTreeSet<u32>, stop: &Stop) -> Result<BTreeSet<u32>> {
        let SeedTests { jvm, work, classes, workers, limit } = &self.tests;
        let suite = match self.suite.take() {
            Some(suite) => suite,
            None => {
                let mut jvm = jvm.clone();
                jvm.stop = stop.clone();
                Suite::survey(made, &Tests { jvm: &jvm, work, classes }, *limit, &Unseen)?
            }
        };
        let settings =
            Settings { matrix: false, workers: *workers, factor: FACTOR, constant: CONSTANT, suite: *limit };
        let noticed = suite.noticed(made, mutants, &settings, stop, &Unseen);
        self.suite = Some(suite);
        noticed
    }

    /// Does something that is stopped when the time is over, or everything is stopped.
    fn within<T>(&mut self, until: Until, work: impl FnOnce(&mut Self, &Stop) -> Result<T>) -> Result<T> {
        let (own, done) = (Stop::default(), AtomicBool::new(false));
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
            let result = work(self, &own);
            done.store(true, Ordering::SeqCst);
            if own.is_stopped() {
                Err(anyhow!(
                    "the seed tests took too long (with a larger --budget they have more time), or were interrupted"
                ))
            } else {
                result
            }
        })
    }
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
