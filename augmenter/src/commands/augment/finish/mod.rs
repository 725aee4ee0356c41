//! From kept sequences to a suite users keep: written as JUnit, compiled, run in fresh JVMs in two orders; what does not hold
//! is dropped and counted.
//!
//! What the compiled tests cover decides what each is worth: a green test that covers nothing new any more is dropped and counted, and the
//! comment of a test names a pair that it covers as it is written.
//!
//! A test that has an effect beyond its own objects that is not allowed is dropped and counted. The effect of an initialiser, or of a pool
//! that a class keeps, appears in whichever test runs first: when it appears in another test after those that had it were dropped, it
//! belongs to all of them, and none is written. Of an initialiser the class is known: the tests that name the class are dropped at once,
//! and all of them only when the effect appears once more.
//!
//! New tests are added to the files of an earlier run where these still hold with them; else they get files of their own.
//!
//! Knows nothing of search. Invariant: every green test that is given back passed in every run, every finding failed in every run,
//! and the facts given back were recorded from the compiled tests themselves.

mod attempt;
mod checking;
mod harm;
mod written;

use super::effects::{self, Refusals};
use super::extension::{self, Extension};
use super::shown::Shown;
use anyhow::Result;
use attempt::{Attempt, Found, Wrong};
pub use checking::Finishing;
use dynaflow_model::effect::Effect;
use dynaflow_model::facts::Recording;
use dynaflow_model::pair_key::PairKey;
use dynaflow_search::Types;
use dynaflow_testgen::{Existing, Generated, Placed, Request, Source, TestCase};
use harm::Harm;
use std::collections::BTreeSet;
use std::time::Instant;
use written::{Names, in_order, indices, names};

/// A finished suite for one class.
#[derive(Debug, Default)]
pub struct Finished {
    /// The sources.
    pub sources: Vec<Source>,
    /// Green tests.
    pub tests: usize,
    /// Tests that reveal a failure.
    pub findings: usize,
    /// Why tests were dropped, a line each.
    pub dropped: Vec<String>,
    /// Tests that were not written for what they do.
    pub refusals: Refusals,
    /// What the compiled tests showed.
    pub recording: Recording,
    /// The tests that were written, in the order they were given.
    pub held: Vec<Held>,
    /// Tests of an earlier run that new ones make redundant.
    pub redundant: usize,
}

impl Finished {
    /// The test classes of earlier runs that are written anew.
    pub fn replaced(&self) -> BTreeSet<String> {
        let replaced = self.sources.iter().filter(|source| source.replaces.is_some());
        replaced.map(|source| source.class.clone()).collect()
    }
}

/// A test that was written.
#[derive(Clone, Debug)]
pub struct Held {
    /// Its place among those given.
    pub place: usize,
    /// The pairs that it is the first to cover, as it was compiled and ran.
    pub new: BTreeSet<PairKey>,
}

/// Most rounds: each drops the tests that the one before found wrong, until one finds none; two may find that an earlier file does
/// not take the new tests.
const ROUNDS: usize = 8;

/// Writes, compiles and runs the tests of one class until all that are left hold.
///
/// # Errors
/// When the compiler or a JVM cannot be run at all.
pub fn finish(
    with: Finishing,
    class: &str,
    mut cases: Vec<TestCase>,
    types: &Types,
    mut extension: Extension,
) -> Result<Finished> {
    let mut finished = Finished::default();
    let mut harm = Harm::default();
    let mut places: Vec<usize> = (0..cases.len()).collect();
    for round in 0..ROUNDS {
        let existing = extension.files(&places);
        let generated = with.generated(class, &cases, types, &existing);
        let names = names(&generated);
        if !names.values().any(|test| test.case.is_some()) {
            finished.dropped.extend(left_out(&generated));
            return Ok(finished);
        }
        let attempt = Attempt { with, generated: &generated, folder: format!("finish/{class}/{round}") };
        let found = attempt.run(&names)?;
        let is_fine = found.is_fine();
        if found.is_spoilt || is_fine && !keeps_all(&generated, &extension, &found.recording) {
            tracing::info!(class, round, "the file of an earlier run does not hold with the new tests in it");
            extension.step_back();
            continue;
        }
        let Found { mut wrong, effects, recording, .. } = found;
        let mut shown = vec![];
        if is_fine {
            shown = with.before.shown(&recording, &in_order(&names));
            // A last round, or one after the end, takes what holds as it is.
            if round + 1 < ROUNDS && with.end.is_none_or(|end| Instant::now() < end) {
                wrong = superfluous(&names, &shown);
            }
        }
        if wrong.is_empty() && effects.is_empty() {
            finished.dropped.extend(left_out(&generated));
            let new = names.values().filter(|test| test.case.is_some());
            finished.findings = new.clone().filter(|test| test.failing).count();
            finished.tests = new.count() - finished.findings;
            finished.sources = with.commented(class, cases, (&names, &shown), types, &existing);
            finished.redundant = extension::left_out(&finished.sources);
            finished.held = held(&names, shown, &places);
            finished.recording = recording;
            return Ok(finished);
        }
        let harmful = harm.of_all(effects, cases.len(), |case, initialised| {
            cases.get(case).is_some_and(|case| effects::names_class(&case.sequence, initialised))
        });
        for (index, effects) in &harmful {
            wrong.remove(index);
            let effects: Vec<&Effect> = effects.iter().collect();
            cases.get(*index).into_iter().for_each(|case| finished.refusals.add(&case.sequence, &effects));
        }
        let holds = |index: usize| !wrong.contains_key(&index) && !harmful.contains_key(&index);
        let left = (0..).zip(cases.into_iter().zip(places)).filter(|(index, _)| holds(*index));
        (cases, places) = left.map(|(_, case)| case).unzip();
        finished.dropped.extend(wrong.into_values());
    }
    finished.dropped.push(format!("{} tests: they did not hold after {ROUNDS} rounds", cases.len()));
    Ok(finished)
}

impl Finishing<'_> {
    /// Writes the tests, first into the files that take them.
    fn generated(&self, class: &str, tests: &[TestCase], types: &Types, existing: &[Existing]) -> Generated {
        let first = self.setup.earlier.next.get(class).copied().unwrap_or(1);
        let style = self.setup.style;
        dynaflow_testgen::generate(&Request { class, style, first, existing, tests, types })
    }

    /// The sources with a comment in each new test about what it was seen to show; nothing else of them changes.
    fn commented(
        &self,
        class: &str,
        mut cases: Vec<TestCase>,
        (names, shown): (&Names, &[Shown]),
        types: &Types,
        existing: &[Existing],
    ) -> Vec<Source> {
        for (index, shown) in indices(names).into_iter().zip(shown) {
            cases.get_mut(index).into_iter().for_each(|case| case.comment.clone_from(&shown.comment));
        }
        self.generated(class, &cases, types, existing).sources
    }
}

/// The green tests that cover nothing new as they were compiled and ran. What reveals a fault is worth a test in any case.
fn superfluous(names: &Names, shown: &[Shown]) -> Wrong {
    let is_green = |index: usize| names.values().any(|test| test.case == Some(index) && !test.failing);
    let tests = indices(names).into_iter().zip(in_order(names)).zip(shown);
    let nothing = tests.filter(|((index, _), shown)| shown.new.is_empty() && is_green(*index));
    nothing.map(|((index, name), _)| (index, format!("{name} covers nothing new any more"))).collect()
}

fn held(names: &Names, shown: Vec<Shown>, places: &[usize]) -> Vec<Held> {
    let written = indices(names).into_iter().zip(shown);
    written
        .filter_map(|(index, shown)| Some(Held { place: places.get(index).copied()?, new: shown.new }))
        .collect()
}

/// Whether the files that replace others cover all these did.
fn keeps_all(generated: &Generated, extension: &Extension, recording: &Recording) -> bool {
    let mut replaced = generated.sources.iter().filter(|source| source.replaces.is_some());
    replaced.all(|source| extension.keeps(&source.class, recording))
}

fn left_out(generated: &Generated) -> Vec<String> {
    let reason = |placed: &Placed| match placed {
        Placed::LeftOut(reason) => Some(format!("not written: {reason}")),
        Placed::Written { .. } => None,
    };
    generated.placed.iter().filter_map(reason).collect()
}
