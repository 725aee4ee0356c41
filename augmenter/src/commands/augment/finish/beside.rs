//! Whether tests hold beside the tests that a build runs in the same JVM, and these beside them: static state outlives a test.
//!
//! In: compiled tests that hold by themselves, and their neighbours. Out: tests that fail behind the neighbours (victims), and those behind which a neighbour
//! fails (polluters). Knows nothing of what static state is. Invariant: a test is called a polluter only when neighbours that pass before it fail behind it, twice.

use super::attempt::{Attempt, Wrong};
use super::written::Names;
use crate::jvm::suite::{self, Ended, SuiteConfig, SuiteReport, TestSelector, Verdict};
use anyhow::{Context, Result, anyhow};
use dynaflow_model::facts::Recording;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What running beside others showed.
#[derive(Debug, Default)]
pub struct Beside {
    /// Tests that cannot stay, with the reason.
    pub wrong: Wrong,
    /// Why nothing is known, where that is so.
    pub unknown: Option<String>,
}

impl Attempt<'_> {
    /// Runs the green tests in front of their neighbours in one JVM, and behind them in another.
    ///
    /// # Errors
    /// When a JVM cannot be started.
    pub fn beside(&self, names: &Names, recording: &Recording) -> Result<Beside> {
        let own: BTreeSet<&str> = self.generated.sources.iter().map(|source| source.class.as_str()).collect();
        let others = self.with.neighbours.of(recording, &own);
        let tests: Vec<&str> =
            names.iter().filter(|(_, test)| !test.failing).map(|(name, _)| name.as_str()).collect();
        if others.is_empty() || tests.is_empty() {
            return Ok(Beside::default());
        }
        let runs = Runs { attempt: self, number: AtomicUsize::new(0) };
        let both = |first: &[&str], second: &[&str]| -> Vec<String> {
            first.iter().chain(second).map(ToString::to_string).collect()
        };
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let (behind, before) = std::thread::scope(|scope| {
            let second = scope.spawn(|| runs.run(&both(&tests, &others)));
            (runs.run(&both(&others, &tests)), second.join())
        });
        let before = before.map_err(|_| anyhow!("the thread of the run in front panicked"))??;
        let behind = behind?;
        if let Some(ended) =
            [&behind.ended, &before.ended].into_iter().find(|ended| **ended != Ended::Completed)
        {
            return Ok(Beside { unknown: Some(ended.to_string()), ..Beside::default() });
        }
        let mut wrong: BTreeMap<&str, String> = BTreeMap::new();
        for &test in tests.iter().filter(|test| !is_passed(&behind, test)) {
            wrong.insert(
                test,
                format!("{test} fails behind other tests, for the static state that they leave"),
            );
        }
        let victims: BTreeSet<&str> =
            behind.passed().filter(|test| !names.contains_key(*test) && is_failed(&before, test)).collect();
        if let Some(victim) = victims.iter().next() {
            for test in runs.polluters(&tests, &victims)? {
                let why = format!("{test} leaves static state behind with which {victim} fails");
                wrong.entry(test).or_insert(why);
            }
        }
        let of_case = |(test, why): (&str, String)| Some((names.get(test)?.case?, why));
        Ok(Beside { wrong: wrong.into_iter().filter_map(of_case).collect(), unknown: None })
    }
}

/// JVMs that run tests of a suite in some order.
struct Runs<'a> {
    attempt: &'a Attempt<'a>,
    /// How many there were: each has a folder of its own.
    number: AtomicUsize,
}

impl Runs<'_> {
    fn run(&self, order: &[String]) -> Result<SuiteReport> {
        let with = self.attempt.with;
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}/beside-{number}", self.attempt.folder);
        let mut jvm = with.setup.jvm_of_seeds(&name, with.stop)?;
        let in_front =
            [self.attempt.path("classes")].into_iter().chain(with.neighbours.class_path.iter().cloned());
        jvm.class_path.splice(0..0, in_front);
        let tests = order.iter().map(|name| TestSelector::parse(name)).collect();
        suite::run(&SuiteConfig { jvm, tests, timeout: with.left(), silence: None, probes: 0 })
            .context("cannot run the generated tests beside the others")
    }

    /// Behind which of these tests a victim fails: by halves, so that few polluters take few runs. All of them, where it takes several together, or
    /// where the time is over; none, where it does not happen again.
    fn polluters<'t>(&self, tests: &[&'t str], victims: &BTreeSet<&str>) -> Result<BTreeSet<&'t str>> {
        let is_late = self.attempt.with.end.is_some_and(|end| Instant::now() >= end);
        let all = || tests.iter().copied().collect();
        if is_late {
            return Ok(all());
        }
        let classes: BTreeSet<&str> = victims.iter().filter_map(|test| test.split('#').next()).collect();
        let order: Vec<String> = tests.iter().chain(&classes).map(ToString::to_string).collect();
        let report = self.run(&order)?;
        if !victims.iter().any(|victim| is_failed(&report, victim)) {
            return Ok(BTreeSet::new());
        }
        if tests.len() < 2 {
            return Ok(all());
        }
        let (first, second) = tests.split_at(tests.len() / 2);
        let mut found = self.polluters(first, victims)?;
        found.extend(self.polluters(second, victims)?);
        Ok(if found.is_empty() { all() } else { found })
    }
}

fn is_passed(report: &SuiteReport, test: &str) -> bool {
    report.verdicts.get(test) == Some(&Verdict::Passed)
}

/// Whether a test ran and failed; one that did not run is no victim.
fn is_failed(report: &SuiteReport, test: &str) -> bool {
    matches!(report.verdicts.get(test), Some(Verdict::Failed(_) | Verdict::Unfinished))
}
