//! What tests add to a suite: pairs that they execute, and mutants that they notice. Knows nothing of verdicts.
//!
//! Invariant: what the suite executes or notices, in whatever run of its own, is nothing that a test adds.

use crate::jvm::launch::JvmConfig;
use crate::mutation::{Made, Observer, Settings, Suite, Tests};
use crate::own::LeftBehind;
use anyhow::{Context, Result};
use dynaflow_model::facts::{FactTable, MethodId, Pair, Recording};
use dynaflow_model::pair_key::PairKey;
use dynaflow_mutants::{Operator, Options};
use dynaflow_objectives::{infer, pair_key, sentence};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// What a suite executes of some root classes.
#[derive(Debug, Default)]
pub struct Executed {
    covered: BTreeSet<PairKey>,
    objectives: BTreeSet<PairKey>,
}

/// A pair that a test adds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewPair {
    /// Its key.
    pub key: PairKey,
    /// Whether it was an objective of the suite.
    pub is_objective: bool,
    /// The pair in words.
    pub words: String,
}

impl Executed {
    /// Of a recording. Near-linear in pairs and objectives.
    pub fn of(recording: &Recording, roots: &dyn Fn(&str) -> bool) -> Self {
        let facts = &recording.facts;
        let key = |pair: &Pair| pair_key(facts, &recording.classes, pair);
        let pairs = facts.pairs.iter().map(|(_, pair)| pair);
        Self {
            covered: pairs.filter(|pair| roots(root(recording, pair))).map(key).collect(),
            objectives: infer(recording, roots).iter().map(key).collect(),
        }
    }

    /// By test of another recording, the pairs of its own that are not executed here. What a class initialiser defines is seen by whichever test comes first, and
    /// is nobody's own.
    pub fn added(
        &self,
        recording: &Recording,
        roots: &dyn Fn(&str) -> bool,
    ) -> BTreeMap<String, BTreeSet<NewPair>> {
        let facts = &recording.facts;
        let left = LeftBehind::of(facts);
        let mut added: BTreeMap<String, BTreeSet<NewPair>> = BTreeMap::new();
        for test in recording.tests.iter().filter(|test| !test.name.is_empty()) {
            let of_test = added.entry(test.name.clone()).or_default();
            let own = left.own(facts, test);
            let pairs = own.iter().filter_map(|id| facts.pairs.get(*id));
            for pair in pairs.filter(|pair| roots(root(recording, pair)) && !is_initial(facts, pair)) {
                let key = pair_key(facts, &recording.classes, pair);
                if !self.covered.contains(&key) {
                    let is_objective = self.objectives.contains(&key);
                    of_test.insert(NewPair { key, is_objective, words: sentence(facts, pair) });
                }
            }
        }
        added
    }
}

/// Whether the definition is made by the initialiser of a class, or by what that calls.
fn is_initial(facts: &FactTable, pair: &Pair) -> bool {
    let definition = facts.definitions.get(pair.definition);
    let context = definition.and_then(|definition| facts.contexts.get(definition.context));
    let is_initialiser = |id: &MethodId| {
        facts.methods.get(*id).is_some_and(|method| facts.text(method.signature).starts_with("<clinit>"))
    };
    context.is_some_and(|context| context.head.iter().chain(&*context.tail).any(is_initialiser))
}

fn root<'a>(recording: &'a Recording, pair: &Pair) -> &'a str {
    let facts = &recording.facts;
    facts.variables.get(pair.variable).map_or("", |variable| facts.text(variable.root))
}

/// What tests notice of mutants.
#[derive(Debug, Default)]
pub struct Noticed {
    /// By test, or by class where tests cannot run one by one, the mutants that it notices and the suite does not.
    pub killed: BTreeMap<String, BTreeSet<u32>>,
    /// What these change, in words.
    pub new: BTreeMap<u32, String>,
    /// How long each test took.
    pub times: BTreeMap<String, Duration>,
    /// Tests that judge no mutant, and why.
    pub left_out: Vec<(String, String)>,
}

/// What mutants are run with.
pub struct Judging<'a> {
    /// The JVM of the submitted tests.
    pub jvm: &'a JvmConfig,
    /// The JVM of the suite.
    pub jvm_of_suite: &'a JvmConfig,
    /// A folder of this alone.
    pub work: &'a Path,
    /// The classes to change.
    pub classes: &'a [(String, Vec<u8>)],
    /// How many JVMs run at a time, and limits.
    pub settings: Settings,
    /// Who watches.
    pub observer: &'a dyn Observer,
}

impl Judging<'_> {
    /// Runs the suite against the mutants that the submitted tests reach, each up to the first test that notices it, and the submitted tests against those that it
    /// does not notice.
    ///
    /// # Errors
    /// When JVMs cannot be started, files cannot be written, or everything was interrupted before tests had run once.
    pub fn run(&self, submitted: &[String], suite: &[String]) -> Result<Noticed> {
        let mut noticed = Noticed::default();
        self.observer.stage("making mutants");
        let made = self.work.join("mutants");
        std::fs::create_dir_all(&made).context("cannot make a folder for mutants")?;
        let made =
            Made::new(&made, self.classes, &Options { operators: Operator::all().collect(), filter: true })?;
        let (work, work_of_suite) = (self.work.join("submitted"), self.work.join("suite"));
        let tests = Tests { jvm: self.jvm, work: &work, classes: submitted };
        let own = Suite::survey(&made, &tests, self.settings.suite, self.observer)?;
        noticed.left_out = own.left_out().iter().map(|left| (left.test.clone(), left.why.clone())).collect();
        noticed.times = own.times().map(|(test, time)| (test.to_owned(), time)).collect();
        let mut open = own.reached(&made);
        if !suite.is_empty() && !open.is_empty() {
            let tests = Tests { jvm: self.jvm_of_suite, work: &work_of_suite, classes: suite };
            let suite = Suite::survey(&made, &tests, self.settings.suite, self.observer)?;
            self.observer
                .stage(&format!("asking the suite about {} mutants that submitted tests reach", open.len()));
            open = suite.ask(&made, &open, &self.settings, &self.jvm.stop, self.observer)?.alive;
        }
        self.observer.stage(&format!(
            "asking the submitted tests about {} mutants that the suite does not notice",
            open.len()
        ));
        for (number, tests) in own.killers(&made, &open, &self.settings, &self.jvm.stop, self.observer)? {
            noticed.new.extend(made.text(number).map(|text| (number, text)));
            for test in tests {
                noticed.killed.entry(test).or_default().insert(number);
            }
        }
        Ok(noticed)
    }
}
