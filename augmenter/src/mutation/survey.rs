//! Which tests there are, whether they pass without mutants, and which probes each meets. Knows numbers of probes, no mutants.
//!
//! Every test runs twice in one JVM: with its class, as in a build, and by itself, as it runs with mutants. What it meets only the first time
//! (a cache is filled, a class initialised) is apart, and so is a test that fails the second time. Invariant: a test that is listed
//! passed once without mutants; every other one is named with the reason, skipped ones apart.

use super::types::{LeftOut, Observer};
use crate::jvm::launch::JvmConfig;
use crate::jvm::mutant_runner::{Ended, Limit, MutantRunner, Outcome, Surveyed};
use anyhow::{Context, Result, anyhow};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// A test that runs by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unit {
    /// `a.B#c`, or a class.
    pub name: String,
    /// How long it takes, at most.
    pub time: Duration,
    /// The probes that it meets whenever it runs.
    pub warm: BTreeSet<u32>,
    /// Those that it meets in a fresh JVM only, as far as is known.
    pub once: BTreeSet<u32>,
}

/// The tests.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Those that pass, sorted by name.
    pub units: Vec<Unit>,
    /// The others.
    pub left_out: Vec<LeftOut>,
}

/// What runs the tests.
pub(super) struct Surveyor<'a> {
    /// The JVM, with probes.
    pub jvm: &'a JvmConfig,
    /// How many numbers there are.
    pub probes: usize,
    /// How long all tests may take.
    pub limit: Duration,
}

/// What one test came to when it ran with its class.
#[derive(Debug, Default)]
struct First {
    time: Duration,
    met: BTreeSet<u32>,
    passed: bool,
    failed: Option<String>,
}

impl Surveyor<'_> {
    /// Runs all tests of these classes.
    ///
    /// # Errors
    /// When no JVM can be started, the time is over, or the tests were interrupted.
    pub fn run(&self, classes: &[String], observer: &dyn Observer) -> Result<Survey> {
        let mut run =
            Run { surveyor: self, live: None, end: Instant::now() + self.limit, survey: Survey::default() };
        let mut pending = vec![];
        for (done, class) in classes.iter().enumerate() {
            observer.done(done, classes.len());
            pending.extend(run.class(class)?);
        }
        observer.stage("running each test by itself");
        let mut whole: BTreeMap<&str, (Duration, BTreeSet<u32>)> = BTreeMap::new();
        let count = pending.len();
        for (done, (class, name, first)) in pending.iter().enumerate() {
            observer.done(done, count);
            if !run.alone(name, first.time, &first.met)? {
                let (time, met) = whole.entry(class.as_str()).or_default();
                *time += first.time;
                met.extend(&first.met);
            }
        }
        for (class, (time, met)) in whole {
            if !run.alone(class, time, &met)? {
                run.leave_out(class, "its tests do not run a second time");
            }
        }
        let mut survey = run.survey;
        survey.units.sort_by(|a, b| a.name.cmp(&b.name));
        survey.units.dedup_by(|a, b| a.name == b.name);
        Ok(survey)
    }
}

struct Run<'a> {
    surveyor: &'a Surveyor<'a>,
    live: Option<MutantRunner>,
    end: Instant,
    survey: Survey,
}

impl Run<'_> {
    fn leave_out(&mut self, test: &str, why: &str) {
        self.survey.left_out.push(LeftOut { test: test.to_owned(), why: why.to_owned() });
    }

    /// Ends when the user asked to.
    fn go_on(&self) -> Result<()> {
        if self.surveyor.jvm.stop.is_stopped() {
            return Err(anyhow!("interrupted before the tests had run once: nothing is known of any mutant"));
        }
        Ok(())
    }

    fn ask(&mut self, test: &str) -> Result<Surveyed> {
        let left = self.end.saturating_duration_since(Instant::now());
        self.go_on()?;
        let mut live = match self.live.take() {
            Some(live) => live,
            None => MutantRunner::start(self.surveyor.jvm, self.surveyor.probes)
                .context("cannot run the tests")?,
        };
        let surveyed = live.survey(test, Limit { cpu: left, clock: left });
        self.go_on()?;
        if Instant::now() >= self.end {
            return Err(anyhow!(
                "the tests take longer than {} s without mutants, {test} ran last; allow more with --suite-timeout",
                self.surveyor.limit.as_secs()
            ));
        }
        if surveyed.outcome.is_alive() {
            self.live = Some(live);
        }
        Ok(surveyed)
    }

    /// Runs a class; gives its tests that pass.
    fn class(&mut self, class: &str) -> Result<Vec<(String, String, First)>> {
        let surveyed = self.ask(class)?;
        let of_tests: Duration = surveyed.tests.iter().map(|ran| ran.time).sum();
        let around_them = surveyed.time.saturating_sub(of_tests);
        let mut tests: BTreeMap<String, First> = BTreeMap::new();
        let last = surveyed.tests.len().saturating_sub(1);
        for (position, ran) in surveyed.tests.into_iter().enumerate() {
            let first = tests.entry(ran.name).or_default();
            first.time += ran.time;
            first.met.extend(ran.met);
            if position == last {
                first.met.extend(&surveyed.met_after);
            }
            match ran.ended {
                Ended::Passed => first.passed = true,
                Ended::Skipped => {}
                Ended::Failed(why) => first.failed = Some(why),
            }
        }
        if !surveyed.outcome.is_alive() {
            let name = surveyed.unfinished.as_deref().unwrap_or(class);
            self.leave_out(name, &surveyed.outcome.to_string());
        } else if let (true, Outcome::Failed(why)) = (tests.is_empty(), &surveyed.outcome) {
            self.leave_out(class, why);
        }
        // What fails around the tests of a class fails around each of them.
        let around = tests.get(class).and_then(|first| first.failed.clone());
        let mut passed = vec![];
        for (name, mut first) in tests {
            // Whichever runs first waits for what its class starts.
            first.time += around_them;
            let why = around.as_ref().or(first.failed.as_ref());
            match why {
                Some(why) => self.leave_out(&name, why),
                None if first.passed => {
                    let unit = if name.contains('#') { name } else { class.to_owned() };
                    passed.push((class.to_owned(), unit, first));
                }
                None => {}
            }
        }
        Ok(passed)
    }

    /// Runs a test by itself and lists it; false when it cannot be run by this name.
    fn alone(&mut self, name: &str, time: Duration, before: &BTreeSet<u32>) -> Result<bool> {
        let surveyed = self.ask(name)?;
        if surveyed.tests.is_empty() && surveyed.outcome.is_alive() {
            return Ok(false);
        }
        let mut met: BTreeSet<u32> = surveyed.met_after.into_iter().collect();
        surveyed.tests.into_iter().for_each(|ran| met.extend(ran.met));
        let time = time.max(surveyed.time);
        let unit = if surveyed.outcome == Outcome::Passed {
            let once = before.difference(&met).copied().collect();
            Unit { name: name.to_owned(), time, warm: met, once }
        } else {
            Unit {
                name: name.to_owned(),
                time,
                warm: BTreeSet::new(),
                once: before.union(&met).copied().collect(),
            }
        };
        self.survey.units.push(unit);
        Ok(true)
    }
}
