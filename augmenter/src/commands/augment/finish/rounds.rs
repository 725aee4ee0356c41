//! From kept sequences to a suite users keep: written as JUnit, compiled, run in fresh JVMs in two orders; what does not hold
//! is dropped and counted.
//!
//! Of the candidates those are written that have something the others lack (`candidates`). What the compiled tests cover decides what each
//! is worth: a green test that adds nothing any more is dropped and counted, other candidates join for what was lost with dropped ones, and
//! the comment of a test names a pair that it covers as it is written.
//!
//! A test that has an effect beyond its own objects that is not allowed is dropped and counted. The effect of an initialiser, or of a pool
//! that a class keeps, appears in whichever test runs first: when it appears in another test after those that had it were dropped, it
//! belongs to all of them, and none is written. Of an initialiser the class is known: the tests that name the class are dropped at once,
//! and all of them only when the effect appears once more.
//!
//! In a build the tests run in one JVM with others. What holds by itself runs once more in front of those that share static state with it, and behind them
//! (`beside`): a test that fails there, or makes another one fail, is dropped and counted.
//!
//! New tests are added to the files of an earlier run where these still hold with them; else they get files of their own.
//!
//! Knows nothing of search. Invariant: every green test that is given back passed in every run, every finding failed in every run,
//! and the facts given back were recorded from the compiled tests themselves.

use super::attempt::{Attempt, Found, Wrong};
use super::checking::Finishing;
use super::extension::{self, Extension};
use super::findings;
use super::harm::{Effects, Harm};
use super::written::{Names, in_order, indices, names};
use crate::commands::augment::facts::coverage;
use crate::commands::augment::facts::effects::{self, Refusals};
use crate::commands::augment::facts::merit::{Merit, Verdict};
use crate::commands::augment::judge::candidates::Candidates;
use crate::commands::augment::judge::shown::Shown;
use crate::commands::augment::mutants;
use crate::logging::timed;
use anyhow::Result;
use dynaflow_model::effect::Effect;
use dynaflow_model::facts::Recording;
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::Sequence;
use dynaflow_objectives::FindingText;
use dynaflow_search::Types;
use dynaflow_testgen::{Existing, Generated, Placed, Request, Source, TestCase};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

/// A finished suite for one class.
#[derive(Debug, Default)]
pub struct Finished {
    /// The sources.
    pub sources: Vec<Source>,
    /// Green tests.
    pub tests: usize,
    /// Those of them that show that the program refuses something on purpose.
    pub expected: usize,
    /// Tests that reveal a fault.
    pub faults: usize,
    /// Tests that reveal a failure for which what they pass may be to blame.
    pub suspicious: usize,
    /// What these reveal.
    pub findings: Vec<FindingText>,
    /// Why tests were dropped, a line each.
    pub dropped: Vec<String>,
    /// Tests that were not written for what they do.
    pub refusals: Refusals,
    /// What the compiled tests showed.
    pub recording: Recording,
    /// The tests that were written, in the order of the file.
    pub held: Vec<Held>,
    /// What they do, in the same order.
    pub written: Vec<Sequence>,
    /// The failures, refusals and mutants that the written tests stand for.
    pub noted: BTreeSet<Merit>,
    /// The goals of the class, and who reaches them, where they earn tests.
    pub goals: Option<coverage::Figures>,
    /// The mutants that the written green tests notice, and the seeds do not.
    pub notices: BTreeSet<u32>,
    /// What became of the mutants of the class.
    pub mutants: mutants::Figures,
    /// The places of candidates that were not needed, with the exceptions that end them.
    pub left_out: BTreeMap<usize, Option<String>>,
    /// How many more tests would show something new, and were too many.
    pub beyond: usize,
    /// Tests of an earlier run that new ones make redundant.
    pub redundant: usize,
    /// Assertions that were left out as they did not hold in every JVM.
    pub unstable: usize,
    /// The folder with the compiled tests.
    pub compiled: Option<PathBuf>,
    /// Why tests do not hold beside other tests, or others beside them, a line each; they are among the dropped ones, too.
    pub order_dependent: Vec<String>,
    /// Why it is not known whether they hold beside the other tests, if that is so.
    pub not_beside: Option<String>,
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
    /// Its place among the candidates.
    pub place: usize,
    /// The pairs that it covers, as it was compiled and ran, with definitions that it makes itself.
    pub pairs: BTreeSet<PairKey>,
}

/// Most rounds: each drops or writes otherwise the tests that the one before found wrong, until one finds none; two may find that an
/// earlier file does not take the new tests.
const ROUNDS: usize = 12;

/// Rounds after which no further candidates join.
const JOINING: usize = 4;

/// Writes, compiles and runs the tests of one class until all that are left hold.
///
/// # Errors
/// When the compiler or a JVM cannot be run at all.
pub fn finish(
    with: Finishing,
    class: &str,
    candidates: &mut Candidates,
    types: &Types,
    extension: Extension,
) -> Result<Finished> {
    let places = candidates.first();
    let places = candidates.with_room(places, &[]);
    candidates.leave_out_spare(&places, 0);
    let finished = Finished::default();
    let mut rounds =
        Rounds { with, class, candidates, types, extension, finished, harm: Harm::default(), places };
    for round in 0..ROUNDS {
        if rounds.run(round)? {
            rounds.finished.left_out = rounds.candidates.left_out();
            rounds.finished.beyond = rounds.candidates.beyond(&rounds.places);
            return Ok(rounds.finished);
        }
    }
    let mut finished = rounds.finished;
    finished.dropped.push(format!("{} tests: they did not hold after {ROUNDS} rounds", rounds.places.len()));
    Ok(finished)
}

/// The rounds of one class.
struct Rounds<'a> {
    with: Finishing<'a>,
    class: &'a str,
    candidates: &'a mut Candidates,
    types: &'a Types,
    extension: Extension,
    finished: Finished,
    harm: Harm,
    /// The candidates that are to be written, in the order of the file.
    places: Vec<usize>,
}

impl Rounds<'_> {
    /// One round; whether it was the last.
    fn run(&mut self, round: usize) -> Result<bool> {
        let (mut cases, existing, generated) = self.writable();
        self.candidates.note_written(&self.places, &generated.placed);
        let names = names(&generated);
        if self.places.is_empty() {
            return Ok(true);
        }
        let folder = format!("finish/{}/{round}", self.class);
        let (with, folder) = (self.with, folder.as_str());
        let mut found = Attempt { with, generated: &generated, cases: &cases, folder }.run(&names)?;
        let is_fine = found.is_fine();
        let (reformed, unstable) = found.reform(&mut cases);
        self.finished.unstable += unstable;
        self.candidates.reform(&self.places, &cases);
        if reformed && found.is_fine() {
            return Ok(false);
        }
        if found.is_spoilt || is_fine && !keeps_all(&generated, &self.extension, &found.recording) {
            let class = self.class;
            tracing::info!(class, round, "the file of an earlier run does not hold with the new tests in it");
            self.extension.step_back();
            return Ok(false);
        }
        let Found { mut wrong, effects, recording, .. } = found;
        let (mut shown, mut held) = (vec![], None);
        if is_fine {
            shown = self.with.before.shown(&recording, &in_order(&names));
            // A last round, or one after the end, takes what holds as it is.
            if round + 1 < ROUNDS && self.has_time() {
                let (proven, superfluous) = self.superfluous(&names, &shown);
                (held, wrong) = (Some(proven), superfluous);
            }
        }
        let has_changed = self.drop_wrong(wrong, effects, &cases);
        let joining = round < JOINING && (!is_fine || held.is_some()) && self.has_time();
        if joining && self.join(held) || has_changed {
            return Ok(false);
        }
        let attempt = Attempt { with, generated: &generated, cases: &cases, folder };
        let beside = timed(folder, "beside", || attempt.beside(&names, &recording))?;
        self.finished.order_dependent.extend(beside.wrong.values().cloned());
        if self.drop_wrong(beside.wrong, Effects::new(), &cases) {
            return Ok(false);
        }
        self.count(&names);
        let found = self.findings(&names, &shown);
        let finished = &mut self.finished;
        finished.findings = found;
        finished.compiled = Some(attempt.path("classes"));
        finished.not_beside = beside.unknown;
        finished.noted = self.candidates.noted(&self.places);
        finished.notices = self.candidates.notices(&self.places);
        finished.sources =
            self.with.commented(self.class, self.candidates, (&self.places, &shown), self.types, &existing);
        finished.redundant = extension::left_out(&finished.sources);
        finished.held = held_tests(shown, &self.places);
        finished.recording = recording;
        Ok(true)
    }

    fn has_time(&self) -> bool {
        self.with.end.is_none_or(|end| Instant::now() < end)
    }

    /// The sources of the tests that can be written in Java; other candidates join for the others.
    fn writable(&mut self) -> (Vec<TestCase>, Vec<Existing>, Generated) {
        loop {
            let existing = self.extension.files(&self.places);
            let cases = self.candidates.cases(&self.places);
            let generated = self.with.generated(self.class, &cases, self.types, &existing);
            let left_out = left_out(&generated);
            if left_out.is_empty() {
                return (cases, existing, generated);
            }
            let mut index = 0..;
            self.places.retain(|_| index.next().is_some_and(|index| !left_out.contains_key(&index)));
            self.finished.dropped.extend(left_out.into_values());
            self.join(None);
        }
    }

    /// Lets candidates join for what is not `held`, or else not promised by those that are left; whether there are any. Once effects were
    /// found none joins: it could have them, too, and they would seem to be those of all tests.
    fn join(&mut self, held: Option<BTreeSet<Merit>>) -> bool {
        if !self.harm.is_empty() {
            return false;
        }
        let held = held.unwrap_or_else(|| self.candidates.promised(&self.places));
        let more = self.candidates.instead(&held);
        let more = self.candidates.with_room(more, &self.places);
        let there = self.places.len();
        self.places.extend(&more);
        self.candidates.leave_out_spare(&self.places, there);
        !more.is_empty()
    }

    /// What the tests proved to be worth; and the green ones that add nothing to those before, as they were compiled and ran. What reveals a
    /// fault is worth a test in any case.
    fn superfluous(&self, names: &Names, shown: &[Shown]) -> (BTreeSet<Merit>, Wrong) {
        let is_green = |index: usize| names.values().any(|test| test.case == Some(index) && !test.failing);
        let (mut held, mut wrong) = (BTreeSet::new(), Wrong::new());
        for ((index, name), shown) in indices(names).into_iter().zip(in_order(names)).zip(shown) {
            let place = self.places.get(index).copied().unwrap_or(usize::MAX);
            let worth = self.candidates.proven(place, shown);
            let adds = worth.iter().any(|merit| !held.contains(merit) && !self.candidates.is_there(merit));
            if !adds && is_green(index) {
                wrong.insert(index, format!("{name} covers nothing new any more"));
            }
            held.extend(worth);
        }
        (held, wrong)
    }

    /// Drops tests that do not hold or have effects that are not allowed; whether there were any.
    fn drop_wrong(&mut self, mut wrong: Wrong, effects: Effects, cases: &[TestCase]) -> bool {
        if wrong.is_empty() && effects.is_empty() {
            return false;
        }
        let harmful = self.harm.of_all(effects, cases.len(), |case, initialised| {
            cases.get(case).is_some_and(|case| effects::names_class(&case.sequence, initialised))
        });
        for (index, effects) in &harmful {
            wrong.remove(index);
            let effects: Vec<&Effect> = effects.iter().collect();
            let case = cases.get(*index);
            case.into_iter().for_each(|case| self.finished.refusals.add(&case.sequence, &effects));
        }
        let mut index = 0..;
        self.places.retain(|_| {
            index.next().is_some_and(|index| !wrong.contains_key(&index) && !harmful.contains_key(&index))
        });
        self.finished.dropped.extend(wrong.into_values());
        true
    }

    /// What the tests of the last round that fail reveal, in the order of the file.
    fn findings(&self, names: &Names, shown: &[Shown]) -> Vec<FindingText> {
        let all = indices(names).into_iter().zip(in_order(names)).enumerate();
        let of = |(at, (index, name)): (usize, (usize, &str))| {
            let flow = shown.get(at).map(|shown| shown.comment.as_str());
            findings::of(self.candidates, *self.places.get(index)?, (self.class, name), flow)
        };
        all.filter_map(of).collect()
    }

    /// Counts the tests of the last round, by what they are.
    fn count(&mut self, names: &Names) {
        let judged =
            |index: usize| self.candidates.judged(*self.places.get(index)?).map(|judged| judged.verdict);
        for test in names.values() {
            let Some(index) = test.case else { continue };
            match judged(index) {
                Some(Verdict::Fault) => self.finished.faults += 1,
                Some(Verdict::Suspicious) => self.finished.suspicious += 1,
                Some(Verdict::Refusal) => {
                    self.finished.expected += 1;
                    self.finished.tests += 1;
                }
                None => self.finished.tests += 1,
            }
        }
    }
}

impl Finishing<'_> {
    /// Writes the tests, first into the files that take them.
    fn generated(&self, class: &str, tests: &[TestCase], types: &Types, existing: &[Existing]) -> Generated {
        let first = self.setup.earlier.next.get(class).copied().unwrap_or(1);
        let (style, manner) = (self.setup.style, &self.setup.manner);
        dynaflow_testgen::generate(&Request { class, style, manner, first, existing, tests, types })
    }

    /// The sources with a comment in each new test about what it was seen to show; nothing else of them changes.
    fn commented(
        &self,
        class: &str,
        candidates: &Candidates,
        (places, shown): (&[usize], &[Shown]),
        types: &Types,
        existing: &[Existing],
    ) -> Vec<Source> {
        let mut cases = candidates.cases(places);
        for ((case, &place), shown) in cases.iter_mut().zip(places).zip(shown) {
            case.comment = candidates.comment(place, &shown.comment);
        }
        self.generated(class, &cases, types, existing).sources
    }
}

fn held_tests(shown: Vec<Shown>, places: &[usize]) -> Vec<Held> {
    let pairs = |shown: Shown| shown.own.into_iter().map(|(pair, _)| pair).collect();
    places.iter().zip(shown).map(|(&place, shown)| Held { place, pairs: pairs(shown) }).collect()
}

/// Whether the files that replace others cover all these did.
fn keeps_all(generated: &Generated, extension: &Extension, recording: &Recording) -> bool {
    let mut replaced = generated.sources.iter().filter(|source| source.replaces.is_some());
    replaced.all(|source| extension.keeps(&source.class, recording))
}

/// Why tests were left out, by case.
fn left_out(generated: &Generated) -> Wrong {
    let reason = |(index, placed): (usize, &Placed)| match placed {
        Placed::LeftOut(reason) => Some((index, format!("not written: {reason}"))),
        Placed::Written { .. } => None,
    };
    generated.placed.iter().enumerate().filter_map(reason).collect()
}
