//! The pairs of each class, counted by who executes them: each pair once, in one of six columns.
//!
//! Knows nothing of how they came about. Invariant: what findings alone execute, or call sequences that were left out, does not count as covered
//! by the suite that was written.

use super::known::Covered;
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::{Operation, Sequence};
use dynaflow_objectives::{Entry, LeftOutText, PairsView, Status};
use dynaflow_testgen::is_of_findings;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Sum;

/// A call sequence that was kept and not written, as few tests are enough.
#[derive(Debug)]
pub struct LeftOut {
    /// Binary name of the class it was for.
    pub class: String,
    /// What it does.
    pub sequence: Sequence,
    /// Binary name of the exception that ended it.
    pub throws: Option<String>,
    /// The pairs that it executed in a worker, with their root classes.
    pub pairs: BTreeMap<PairKey, String>,
}

/// The pairs of one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Those that the seed suite executes.
    pub seeds: usize,
    /// Those that were objectives at some time.
    pub objectives: usize,
    /// Objectives that the green tests of the final suite execute.
    pub covered: usize,
    /// What these tests execute besides, that neither the seeds do nor anybody inferred.
    pub unforeseen: usize,
    /// What findings alone execute.
    pub only_in_findings: usize,
    /// What call sequences that were left out execute and no test does.
    pub only_left_out: usize,
    /// Objectives that nothing executes.
    pub open: usize,
}

impl Figures {
    /// The pairs that the green tests of the final suite execute.
    pub fn suite(&self) -> usize {
        self.seeds + self.covered + self.unforeseen
    }

    /// All of them.
    pub fn all(&self) -> usize {
        self.suite() + self.only_in_findings + self.only_left_out + self.open
    }
}

impl<'a> Sum<&'a Figures> for Figures {
    fn sum<I: Iterator<Item = &'a Figures>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            seeds: sum.seeds + one.seeds,
            objectives: sum.objectives + one.objectives,
            covered: sum.covered + one.covered,
            unforeseen: sum.unforeseen + one.unforeseen,
            only_in_findings: sum.only_in_findings + one.only_in_findings,
            only_left_out: sum.only_left_out + one.only_left_out,
            open: sum.open + one.open,
        })
    }
}

/// The pairs that were only executed by what was left out, with their root classes.
pub type OfLeftOut = BTreeMap<PairKey, String>;

/// What was left out and executed pairs that no test does, each of which is named once; and these pairs.
pub fn left_out(document: &PairsView, all: &[LeftOut]) -> (Vec<LeftOutText>, OfLeftOut) {
    let covered = document.pairs.iter().filter(|entry| entry.status == Status::Covered);
    let mut done: BTreeSet<PairKey> = covered.map(|entry| document.key(entry)).collect();
    let (mut texts, mut of_left_out) = (vec![], OfLeftOut::new());
    for LeftOut { class, sequence, throws, pairs } in all {
        let new: Vec<(&PairKey, &String)> = pairs.iter().filter(|(key, _)| done.insert(**key)).collect();
        if !new.is_empty() {
            of_left_out.extend(new.iter().map(|&(key, root)| (*key, root.clone())));
            let pairs = new.iter().map(|(key, _)| key.to_string()).collect();
            let (calls, class, throws) = (calls(sequence), class.clone(), throws.clone());
            texts.push(LeftOutText { calls, class, pairs, throws });
        }
    }
    (texts, of_left_out)
}

fn calls(sequence: &Sequence) -> Vec<String> {
    let name = |operation: &Operation| match operation {
        Operation::New { constructor: method, .. } | Operation::Call { method, .. } => {
            Some(method.name.clone())
        }
        _ => None,
    };
    sequence.statements.iter().filter_map(|statement| name(&statement.operation)).collect()
}

/// The figures of each class. `covered`: which pairs which iteration covered first, 0 for the seeds; `inferred`: what was an objective.
pub fn of(
    document: &PairsView,
    covered: &Covered,
    inferred: &BTreeMap<PairKey, u32>,
    left_out: &OfLeftOut,
) -> BTreeMap<String, Figures> {
    let mut all: BTreeMap<String, Figures> = BTreeMap::new();
    // Those that only call sequences which were left out came near are in no list of the document.
    let mut unlisted: OfLeftOut = left_out.clone();
    for entry in &document.pairs {
        let key = document.key(entry);
        unlisted.remove(&key);
        let figures = all.entry(document.root(entry).to_owned()).or_default();
        let is_objective = inferred.contains_key(&key) || entry.status == Status::Objective;
        figures.objectives += usize::from(is_objective);
        match entry.status {
            Status::Objective => figures.open += usize::from(!left_out.contains_key(&key)),
            Status::Covered if is_only_in_findings(document, entry) => figures.only_in_findings += 1,
            Status::Covered if covered.iteration(key) == Some(0) => figures.seeds += 1,
            Status::Covered if is_objective => figures.covered += 1,
            Status::Covered => figures.unforeseen += 1,
        }
    }
    for (key, class) in left_out {
        let figures = all.entry(class.clone()).or_default();
        figures.only_left_out += 1;
        figures.objectives += usize::from(unlisted.contains_key(key) && inferred.contains_key(key));
    }
    all
}

/// Whether a test is one of those that fail, by its name.
pub fn is_finding(test: &str) -> bool {
    test.split('#').next().is_some_and(is_of_findings)
}

fn is_only_in_findings(document: &PairsView, entry: &Entry) -> bool {
    let mut tests = document.tests_of(entry);
    tests.len() > 0 && tests.all(is_finding)
}
