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
//! What holds by itself runs once more with the tests that a build runs in the same JVM, with that of all classes (`beside`). A test that is left out for that
//! has the others checked again, and no other candidate takes its place: it could do the same.
//!
//! New tests are added to the files of an earlier run where these still hold with them; else they get files of their own.
//!
//! Knows nothing of search. Invariant: every green test that is given back passed in every run, every finding failed in every run,
//! and the facts given back were recorded from the compiled tests themselves.

use super::attempt::{Attempt, Found, Wrong};
use super::beside::Member;
use super::checking::Finishing;
use super::extension::{self, Extension};
use super::findings;
use super::harm::{Effects, Harm};
use super::written::{Names, in_order, indices, names};
use crate::commands::augment::facts::coverage;
use crate::commands::augment::facts::effects::{self, Refusals};
use crate::commands::augment::facts::merit::{Merit, Verdict};
use crate::commands::augment::judge::candidates::{Candidates, Possible};
use crate::commands::augment::judge::shown::Shown;
use crate::commands::augment::mutants;
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

/// The tests of one class on their way to a file: which candidates are written, and what became of the others.
#[derive(Debug)]
pub struct Rounds {
    class: String,
    candidates: Candidates,
    extension: Extension,
    harm: Harm,
    /// The candidates that are to be written, in the order of the file.
    places: Vec<usize>,
    /// How many rounds there were.
    done: usize,
    /// What holds; nothing before the last round.
    holds: Option<Holds>,
    /// What was dropped and counted so far.
    finished: Finished,
}

/// Tests that were compiled and held by themselves.
#[derive(Debug)]
struct Holds {
    names: Names,
    shown: Vec<Shown>,
    recording: Recording,
    existing: Vec<Existing>,
    /// Folder of their class files.
    classes: PathBuf,
}

impl Rounds {
    /// Before the first round.
    pub fn new(class: &str, mut candidates: Candidates, extension: Extension) -> Self {
        let places = candidates.first();
        let places = candidates.with_room(places, &[]);
        candidates.leave_out_spare(&places, 0);
        let (class, harm, finished) = (class.to_owned(), Harm::default(), Finished::default());
        Self { class, candidates, extension, harm, places, done: 0, holds: None, finished }
    }

    /// Writes, compiles and runs the tests until all that are left hold.
    ///
    /// # Errors
    /// When the compiler or a JVM cannot be run at all.
    pub fn hold(&mut self, with: Finishing, types: &Types) -> Result<()> {
        self.holds = None;
        for round in (0..ROUNDS).rev() {
            if self.run(with, types, round == 0)? {
                return Ok(());
            }
        }
        let tests = self.places.len();
        self.finished.dropped.push(format!("{tests} tests: they did not hold after {ROUNDS} rounds"));
        self.places.clear();
        Ok(())
    }

    /// Drops tests that do not hold beside others, or others beside them; what is left has to be checked again.
    pub fn leave(&mut self, wrong: Wrong) {
        self.finished.order_dependent.extend(wrong.values().cloned());
        self.drop_wrong(wrong, Effects::new(), &[]);
    }

    /// Notes why it is not known whether the tests hold beside others, or that it is.
    pub fn note_unknown(&mut self, why: Option<&str>) {
        self.finished.not_beside = why.map(str::to_owned);
    }

    /// What holds, to be run beside others; none where nothing does.
    pub fn member(&self) -> Option<Member<'_>> {
        let Holds { names, recording, classes, .. } = self.holds.as_ref()?;
        Some(Member { names, recording, classes })
    }

    /// The tests that hold, in the order of the file.
    pub fn held(&self) -> Vec<Held> {
        let shown = self.holds.iter().flat_map(|holds| &holds.shown);
        let pairs = |shown: &Shown| shown.own.iter().map(|(pair, _)| *pair).collect();
        self.places.iter().zip(shown).map(|(&place, shown)| Held { place, pairs: pairs(shown) }).collect()
    }

    /// What the tests that hold are worth, as far as that is known before they run.
    pub fn noted(&self) -> BTreeSet<Merit> {
        self.holds.as_ref().map(|_| self.candidates.noted(&self.places)).unwrap_or_default()
    }

    /// Whether a candidate fails on purpose.
    pub fn is_finding(&self, place: usize) -> bool {
        self.candidates.all().get(place).is_some_and(Possible::is_finding)
    }

    /// The suite of what holds.
    pub fn finish(mut self, with: Finishing, types: &Types) -> Finished {
        self.finished.left_out = self.candidates.left_out();
        self.finished.beyond = self.candidates.beyond(&self.places);
        let Some(holds) = self.holds.take() else { return self.finished };
        self.count(&holds.names);
        self.finished.findings = self.findings(&holds.names, &holds.shown);
        let finished = &mut self.finished;
        finished.notices = self.candidates.notices(&self.places);
        let tests = (self.places.as_slice(), holds.shown.as_slice());
        finished.sources = with.commented(&self.class, &self.candidates, tests, types, &holds.existing);
        finished.redundant = extension::left_out(&finished.sources);
        finished.recording = holds.recording;
        self.finished
    }

    /// One round; whether all that is left holds. A last one takes what holds as it is.
    fn run(&mut self, with: Finishing, types: &Types, is_last: bool) -> Result<bool> {
        let round = self.done;
        self.done += 1;
        let (mut cases, existing, generated) = self.writable(with, types);
        self.candidates.note_written(&self.places, &generated.placed);
        let names = names(&generated);
        if self.places.is_empty() {
            return Ok(true);
        }
        let folder = format!("finish/{}/{round}", self.class);
        let attempt = Attempt { with, generated: &generated, cases: &cases, folder: &folder };
        let classes = attempt.path("classes");
        let mut found = attempt.run(&names)?;
        let is_fine = found.is_fine();
        let (reformed, unstable) = found.reform(&mut cases);
        self.finished.unstable += unstable;
        self.candidates.reform(&self.places, &cases);
        if reformed && found.is_fine() {
            return Ok(false);
        }
        if found.is_spoilt || is_fine && !keeps_all(&generated, &self.extension, &found.recording) {
            let class = &self.class;
            tracing::info!(class, round, "the file of an earlier run does not hold with the new tests in it");
            self.extension.step_back();
            return Ok(false);
        }
        let Found { mut wrong, effects, recording, .. } = found;
        let (mut shown, mut held) = (vec![], None);
        if is_fine {
            shown = with.before.shown(&recording, &in_order(&names));
            // After the end what holds is taken as it is, too.
            if !is_last && with.has_time() {
                let (proven, superfluous) = self.superfluous(&names, &shown);
                (held, wrong) = (Some(proven), superfluous);
            }
        }
        let has_changed = self.drop_wrong(wrong, effects, &cases);
        let joining = round < JOINING && (!is_fine || held.is_some()) && with.has_time();
        if joining && self.join(held) || has_changed {
            return Ok(false);
        }
        self.holds = Some(Holds { names, shown, recording, existing, classes });
        Ok(true)
    }

    /// The sources of the tests that can be written in Java; other candidates join for the others.
    fn writable(&mut self, with: Finishing, types: &Types) -> (Vec<TestCase>, Vec<Existing>, Generated) {
        loop {
            let existing = self.extension.files(&self.places);
            let cases = self.candidates.cases(&self.places);
            let generated = with.generated(&self.class, &cases, types, &existing);
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
    /// found none joins: it could have them, too, and they would seem to be those of all tests. Nor does one for what does not hold beside others.
    fn join(&mut self, held: Option<BTreeSet<Merit>>) -> bool {
        if !self.harm.is_empty() || !self.finished.order_dependent.is_empty() {
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
            findings::of(&self.candidates, *self.places.get(index)?, (&self.class, name), flow)
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
