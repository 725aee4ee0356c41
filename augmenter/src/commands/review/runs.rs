//! Tests in fresh JVMs: once recorded, then in reverse order, then under each perturbation. Knows nothing of what runs mean.
//!
//! A test that ends its JVM, or hangs in it, takes no other with it: the rest runs in another one. Invariant: verdicts, effects and facts are those of the tests
//! that were asked for.

use crate::jvm::launch::{AgentArgs, JvmConfig};
use crate::jvm::reversed::ReversedTables;
use crate::jvm::suite::{self, Ended, SuiteConfig, TestSelector, Verdict};
use crate::perturbation::{PERTURBATIONS, Perturbation, shuffled};
use crate::traces;
use anyhow::{Context, Result, anyhow};
use dynaflow_model::effect::Effect;
use dynaflow_model::facts::Recording;
use dynaflow_model::options::{AgentOptions, Thin};
use dynaflow_model::pattern::Pattern;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most JVMs for one run, each without the test that ended the one before.
const ROUNDS: usize = 20;

/// What runs tests.
#[derive(Debug)]
pub struct Runner<'a> {
    /// The JVM, without agent.
    pub jvm: &'a JvmConfig,
    /// A folder of these runs alone.
    pub work: PathBuf,
    /// The agent library.
    pub agent: &'a Path,
    /// Hash tables in reverse order.
    pub tables: &'a ReversedTables,
    /// What is recorded.
    pub include: &'a [Pattern],
    /// How long a run may take.
    pub limit: Duration,
    /// How long a test may take, and the JVM to end after the last; as long as the whole when not given.
    pub silence: Option<Duration>,
}

/// What the second run is like.
pub const REVERSED: &str = "in reverse order";

/// What came of one run.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// What the run was like, for people.
    pub conditions: String,
    /// By test, what it came to.
    pub verdicts: BTreeMap<String, Verdict>,
    /// The tests in the order in which they began.
    pub order: Vec<String>,
    /// By test, what it did beyond its own objects; under the empty name, what was done between tests.
    pub effects: BTreeMap<String, BTreeSet<Effect>>,
    /// What could not be run.
    pub troubles: Vec<String>,
}

/// What is different in a run.
enum How {
    /// Nothing: facts and effects are recorded.
    Recorded,
    /// The order, and that effects alone are observed.
    Reversed,
    /// Everything that no test may depend on.
    Perturbed(&'static Perturbation),
}

impl Runner<'_> {
    /// Runs whole classes once, recorded; the facts.
    ///
    /// # Errors
    /// When no JVM can be started, or nothing was recorded.
    pub fn recorded(&self, classes: &[String]) -> Result<(Ran, Recording)> {
        let whole = classes.iter().map(|class| TestSelector { class: class.clone(), method: None });
        let ran = self.complete(&How::Recorded, "recorded", whole.collect())?;
        let merged = traces::read(&[self.work.join("facts")]).context("the tests left no trace")?;
        Ok((ran, merged.recording))
    }

    /// Runs tests that ran before, in this order, four times more: in reverse order and under each perturbation, side by side.
    ///
    /// # Errors
    /// When no JVM can be started.
    pub fn again(&self, order: &[String]) -> Result<Vec<Ran>> {
        let reversed: Vec<&String> = order.iter().rev().collect();
        let runs = std::thread::scope(|scope| {
            let first = scope.spawn(|| self.tests(&How::Reversed, "reversed", &reversed));
            let perturbed: Vec<_> = (0..)
                .zip(PERTURBATIONS)
                .map(|(number, perturbation): (usize, &'static Perturbation)| {
                    let order = by_class(order, perturbation.name);
                    let folder = format!("perturbed-{number}");
                    scope.spawn(move || self.tests(&How::Perturbed(perturbation), &folder, &order))
                })
                .collect();
            let all = std::iter::once(first).chain(perturbed);
            all.map(std::thread::ScopedJoinHandle::join).collect::<Vec<_>>()
        });
        runs.into_iter().map(|run| run.map_err(|_| anyhow!("the thread of a run panicked"))?).collect()
    }

    /// Runs tests one by one; those that cannot be selected by their names, with their classes.
    fn tests(&self, how: &How, folder: &str, order: &[&String]) -> Result<Ran> {
        let selectors = order.iter().map(|name| TestSelector::parse(name)).collect();
        let mut ran = self.complete(how, folder, selectors)?;
        let missing = order.iter().filter(|name| !ran.verdicts.contains_key(name.as_str()));
        let classes: BTreeSet<String> = missing.map(|name| TestSelector::parse(name).class).collect();
        if !classes.is_empty() {
            let whole = classes.into_iter().map(|class| TestSelector { class, method: None });
            let rest = self.complete(how, &format!("{folder}-whole"), whole.collect())?;
            let is_new = |(name, _): &(String, Verdict)| !ran.verdicts.contains_key(name);
            let new: Vec<(String, Verdict)> = rest.verdicts.into_iter().filter(is_new).collect();
            ran.verdicts.extend(new);
            merge(&mut ran.effects, rest.effects);
        }
        Ok(ran)
    }

    /// Runs the tests in as many JVMs as it takes: where one ends early, the tests that it did not come to run in another one.
    fn complete(&self, how: &How, folder: &str, mut tests: Vec<TestSelector>) -> Result<Ran> {
        let mut ran = Ran { conditions: conditions(how), ..Ran::default() };
        for round in 0..ROUNDS {
            let jvm = self.jvm_for(how, &format!("{folder}-{round}"))?;
            let config = SuiteConfig {
                jvm,
                tests: tests.clone(),
                timeout: self.limit,
                silence: self.silence,
                probes: 0,
            };
            let report = suite::run(&config).context("cannot run the tests")?;
            ran.verdicts.extend(report.verdicts);
            ran.order.extend(report.order);
            ran.troubles.extend(report.troubles);
            merge(&mut ran.effects, report.effects);
            if report.ended == Ended::Completed || self.jvm.stop.is_stopped() {
                break;
            }
            let before = tests.len();
            tests.retain(|test| !has_run(test, &ran.verdicts));
            if tests.len() == before {
                let output = report.output_tail.trim();
                ran.troubles.push(format!("{}: {}: {output}", ran.conditions, report.ended));
                break;
            }
            if tests.is_empty() {
                break;
            }
        }
        Ok(ran)
    }

    fn jvm_for(&self, how: &How, folder: &str) -> Result<JvmConfig> {
        let mut jvm = self.jvm.clone();
        jvm.private_dir = self.work.join(folder);
        std::fs::create_dir_all(&jvm.private_dir).context("cannot make a private folder")?;
        let recording = |exclude| AgentOptions {
            out: self.work.join(if matches!(how, How::Recorded) { "facts" } else { "effects" }),
            include: self.include.to_vec(),
            exclude,
            effects: true,
            thin: Thin::Off,
            ..AgentOptions::default()
        };
        let options = match how {
            How::Recorded => recording(vec![]),
            How::Reversed => recording(vec![Pattern::new("**").context("a pattern of ours")?]),
            How::Perturbed(perturbation) => {
                perturbation.apply(&mut jvm, self.agent, self.tables);
                return Ok(jvm);
            }
        };
        jvm.agent = Some(AgentArgs { library: self.agent.to_owned(), options });
        Ok(jvm)
    }
}

/// Whether a test came to something; of a class, whether any of its tests did.
fn has_run(test: &TestSelector, verdicts: &BTreeMap<String, Verdict>) -> bool {
    match test.method {
        Some(_) => verdicts.contains_key(&test.to_string()),
        None => verdicts.keys().any(|name| TestSelector::parse(name).class == test.class),
    }
}

fn conditions(how: &How) -> String {
    match how {
        How::Recorded => "in the order of its class".to_owned(),
        How::Reversed => REVERSED.to_owned(),
        How::Perturbed(perturbation) => format!("with {}", perturbation.name),
    }
}

fn merge(into: &mut BTreeMap<String, BTreeSet<Effect>>, from: BTreeMap<String, BTreeSet<Effect>>) {
    for (test, effects) in from {
        into.entry(test).or_default().extend(effects);
    }
}

/// Classes in an order of their own, and of each class its tests, so that what runs before and after a class runs once.
fn by_class<'a>(order: &'a [String], word: &str) -> Vec<&'a String> {
    let classes: BTreeSet<String> = order.iter().map(|name| TestSelector::parse(name).class).collect();
    let classes: Vec<&String> = classes.iter().collect();
    let classes = shuffled(&classes, word);
    let names: Vec<&String> = order.iter().collect();
    let mut names = shuffled(&names, word);
    names.sort_by_key(|name| classes.iter().position(|class| **class == TestSelector::parse(name).class));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_stay_together_and_their_tests_change_places() {
        let order: Vec<String> = (0..12).map(|n| format!("a.T{}#t{n}", n % 2)).collect();
        let classes = |word: &str| -> Vec<String> {
            by_class(&order, word).iter().map(|name| TestSelector::parse(name).class).collect()
        };
        let mut runs = classes("a");
        runs.dedup();
        assert_eq!(runs.len(), 2, "{runs:?}");
        assert_ne!(by_class(&order, "a"), by_class(&order, "b"));
        assert_eq!(by_class(&order, "a"), by_class(&order, "a"));
    }
}
