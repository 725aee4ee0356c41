//! What was kept for a class on its way to tests, with parts of the seeds: observed once more, judged, chosen from.
//!
//! Knows nothing of the search. Invariant: what ended differently in another JVM is no candidate.

use super::contracts::{Asker, Promises};
use super::parts;
use crate::commands::augment::ask::options::Keep;
use crate::commands::augment::campaign::Campaign;
use crate::commands::augment::facts::coverage::Coverage;
use crate::commands::augment::facts::merit::{Merit, Verdict};
use crate::commands::augment::facts::{reasons, sites};
use crate::commands::augment::finish::checking::Finishing;
use crate::commands::augment::finish::extension::Extension;
use crate::commands::augment::finish::ready::Ready;
use crate::commands::augment::judge::candidates::{Candidates, Possible};
use crate::commands::augment::judge::shown::Before;
use crate::commands::augment::judge::triage::Judge;
use crate::commands::augment::mutants::{self, Subject};
use crate::commands::augment::observe::{self, Observations};
use crate::commands::augment::search::kept::{self, Kept};
use crate::commands::augment::search::pool::Pool;
use crate::commands::augment::search::target::Target;
use crate::logging::timed;
use anyhow::Result;
use dynaflow_model::outcome::Outcome;
use dynaflow_model::sequence::Sequence;
use dynaflow_search::Types;
use dynaflow_testgen::TestCase;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How long a kept test may take when it is observed, on average: each ran in less than the time limit before.
const OBSERVING: Duration = Duration::from_millis(500);

/// What is known of the candidates of a class before any is chosen: nothing of it depends on what is written for other classes.
#[derive(Debug, Default)]
pub struct Seen {
    /// How many of the tests the search kept; the others stand behind them.
    own: usize,
    kept: Vec<Kept>,
    observed: Observations,
    coverage: Option<Coverage>,
    /// Why nothing is known of mutants, if that is so by no one's wish.
    missing: String,
    /// Why tests of the search are no candidates, a line each.
    dropped: Vec<String>,
}

impl<'a> Campaign<'a> {
    /// Observes what was kept, with parts of the seeds that notice what this does not, and seeks further tests.
    ///
    /// # Errors
    /// When JVMs cannot be run at all.
    pub fn see(&self, target: &mut Target, pool: &mut Pool, end: Option<Instant>) -> Result<Seen> {
        let Target { class, types, grown, search, .. } = target;
        (grown.kept, grown.unchecked) = self.crowd(std::mem::take(&mut grown.kept));
        let own = grown.kept.len();
        if end.is_some_and(|end| Instant::now() >= end) {
            return Ok(self.too_late(class, own));
        }
        // The search's own time is over.
        pool.set_deadline(end);
        let parts = self.parts(class, types, pool)?;
        self.say_checking(class, own, parts.len());
        let mut kept = [grown.kept.as_slice(), parts.as_slice()].concat();
        kept.extend(self.broken_contracts(class, &kept, types, pool, end)?);
        let coverage = self.cover(class, &search.covering(), &mut kept, pool, end)?;
        if kept.is_empty() {
            return Ok(Seen { coverage, ..Seen::default() });
        }
        if let Some(observed) = self.idle(class, &kept, coverage.as_ref(), pool)? {
            return Ok(Seen { own, kept, observed, coverage, ..Seen::default() });
        }
        let (mut observed, missing) = self.observed(class, &kept, types, pool, end)?;
        let judged = observed.mutants.as_ref();
        let (hunted, solved) =
            timed(class, "hunting", || self.hunted(class, (&kept, judged), (search, types), pool, end))?;
        self.join(class, hunted, (&mut kept, &mut observed), types, (pool, end))?;
        if let Some(judged) = &mut observed.mutants {
            judged.figures.solved = solved;
        }
        Ok(Seen { own, kept, observed, coverage, missing, dropped: vec![] })
    }

    /// Makes what would be chosen shorter, and decides what may be written, now that it is known what is written for the classes before.
    /// What is given back names the place of a test in what the search kept, or behind it that of another one.
    ///
    /// # Errors
    /// When JVMs cannot be run at all.
    pub fn choose(
        &self,
        (class, types): (&str, &Types),
        seen: Seen,
        pool: &mut Pool,
        end: Option<Instant>,
    ) -> Result<Ready> {
        let Seen { own, mut kept, mut observed, coverage, missing, mut dropped } = seen;
        pool.set_deadline(end);
        let closed =
            timed(class, "closing", || self.closed((&kept, &observed, coverage.as_ref()), types, pool))?;
        self.join(class, closed, (&mut kept, &mut observed), types, (pool, end))?;
        let shorter = timed(class, "shortening", || {
            self.shortened(class, (&kept, &observed, coverage.as_ref()), types, pool, end)
        })?;
        self.join(class, shorter, (&mut kept, &mut observed), types, (pool, end))?;
        let Observations { mut outcomes, mutants } = observed;
        let unstable = outcomes.iter().take(own).filter(|outcome| outcome.is_none()).count();
        let lacking = self.without_lacking(class, &mut outcomes);
        let stable: Vec<usize> =
            (0..).zip(&outcomes).filter(|(_, outcome)| outcome.is_some()).map(|(place, _)| place).collect();
        let candidates = self.candidates(outcomes, (mutants.as_ref(), coverage.as_ref()), &kept)?;
        let extension = self.extension(class, &stable, &kept, &candidates);
        let figures = mutants.map(|judged| judged.figures).unwrap_or_default();
        let missing = if missing.is_empty() { figures.missing } else { missing };
        let mutants = mutants::Figures { missing, ..figures };
        dropped.extend((0..unstable).map(|_| "it ended differently in another JVM".to_owned()));
        dropped.extend(lacking);
        Ok(Ready { own, kept, stable, candidates, extension, coverage, mutants, dropped })
    }

    /// What the tests of a class are checked with, which has to end at `end`.
    pub fn finishing(&self, end: Option<Instant>) -> Finishing<'_> {
        let (covered, inferred) = (&self.confirmed_covered, &self.inferred);
        Finishing {
            setup: self.setup,
            allowed: &self.allowed,
            stop: &self.interrupt.finish,
            end,
            before: Before { roots: &self.counted, covered, inferred },
        }
    }

    /// Observes further tests, which stand behind those that were.
    fn join(
        &self,
        class: &str,
        more: Vec<Kept>,
        (kept, observed): (&mut Vec<Kept>, &mut Observations),
        types: &Types,
        (pool, end): (&mut Pool, Option<Instant>),
    ) -> Result<()> {
        if !more.is_empty() {
            observed.extend(self.observed(class, &more, types, pool, end)?.0);
            kept.extend(more);
        }
        Ok(())
    }

    /// Nothing of a class is checked, as the time is over.
    fn too_late(&self, class: &str, tests: usize) -> Seen {
        if tests > 0 {
            self.progress.say(&format!(
                "{class}: {tests} tests are not written, as checking took too long before their turn came; a larger --budget allows more"
            ));
        }
        let dropped = vec!["it was not checked in time".to_owned(); tests];
        Seen { dropped, ..Seen::default() }
    }

    /// Reports what is about to be checked.
    fn say_checking(&self, class: &str, own: usize, parts: usize) {
        if own + parts == 0 && !self.setup.criteria.cover() {
            return;
        }
        let what = match (own, parts) {
            (_, 0) => format!("{own} tests of {class}"),
            (0, _) => format!("{parts} parts of the seeds of {class}"),
            _ => format!("{own} tests of {class} and {parts} parts of its seeds"),
        };
        let with_goals =
            if self.setup.criteria.cover() { ", and making those for goals of coverage" } else { "" };
        self.progress.stage(&format!("checking {what}{with_goals}"));
    }

    /// Takes the outcomes of tests away that end as the class path lacks a class: that says nothing of the program. Why, a line each.
    fn without_lacking(&self, class: &str, outcomes: &mut [Option<Outcome>]) -> Vec<String> {
        let mut lacking: Vec<String> = vec![];
        for outcome in outcomes {
            if let Some(lacks) =
                outcome.as_ref().and_then(|outcome| reasons::lacking(outcome.thrown.as_ref()?))
            {
                lacking.push(format!("it needs {lacks}, which is not on the class path"));
                *outcome = None;
            }
        }
        if let Some(first) = lacking.first() {
            let count = lacking.len();
            self.progress.say(&format!(
                "warning: {class}: {count} call sequences say nothing of the program; {}: {first}; add what has it to --class-path",
                if count == 1 { "the only one" } else { "the first" }
            ));
        }
        lacking
    }

    /// Whether there is anything to check of a class: tests that its search kept, or parts of the seeds.
    pub fn has_candidates(&self, target: &Target) -> bool {
        !target.grown.kept.is_empty()
            || !self.sequences_of_seeds(&target.class, &target.types).is_empty()
            || self.setup.criteria.cover() && target.search.goals_reached().1 > 0
    }

    /// What the parts of the seeds around a class do; none where nobody can say what the seeds leave unnoticed.
    fn sequences_of_seeds(&self, class: &str, types: &Types) -> Vec<Sequence> {
        let is_wanted = self.setup.options.keep != Keep::Pairs && self.mutants.borrow().asks_seeds();
        if !is_wanted || self.interrupt.is_set() {
            return vec![];
        }
        let seeds = self.suite.tests.iter().filter(|test| !kept::is_kept(&test.name));
        parts::of(seeds, &self.through.objects_of(class), types)
    }

    /// Parts of the seeds that run to their end, or whose last call is refused, and do what tests may do: what the seeds see refused is asked of other methods.
    fn parts(&self, class: &str, types: &Types, pool: &mut Pool) -> Result<Vec<Kept>> {
        let sequences = self.sequences_of_seeds(class, types);
        let name = |number| format!("part {number} of the seeds of {class}");
        let judge = self.judge()?;
        let is_refused = |sequence: &Sequence, outcome: &Outcome| {
            self.note_thrown(&judge, sequence, outcome) && self.is_refused(&judge, sequence, outcome)
        };
        let is_fit =
            |sequence: &Sequence, outcome: &Outcome| self.is_fit(outcome) || is_refused(sequence, outcome);
        self.fit(sequences, name, is_fit, pool)
    }

    /// Whether the last call of a part ends with an exception; if that call returned nothing in the seed either, its test expects the exception.
    fn note_thrown(&self, judge: &Judge, sequence: &Sequence, outcome: &Outcome) -> bool {
        let (Some(last), Some(thrown)) = (sequence.statements.last(), &outcome.thrown) else { return false };
        if thrown.statement as usize + 1 != sequence.statements.len() {
            return false;
        }
        if last.runtime_class.is_none() {
            let judged = judge.judge(sequence, (&outcome.statements, &outcome.same), thrown);
            self.thrown_in_seeds.borrow_mut().insert(Merit::of(judged.verdict, &judged.key));
        }
        true
    }

    /// Tests that end with a contract which objects around a class do not keep.
    fn broken_contracts(
        &self,
        class: &str,
        kept: &[Kept],
        types: &Types,
        pool: &mut Pool,
        end: Option<Instant>,
    ) -> Result<Vec<Kept>> {
        let judge = self.judge()?;
        let promises = Promises::of(&self.through.roots_of(class), types, &self.setup.classes);
        let verdict = |sequence: &Sequence, outcome: &Outcome| {
            let gave = (outcome.statements.as_slice(), &outcome.same);
            let verdict = judge.judge(sequence, gave, outcome.thrown.as_ref()?).verdict;
            (verdict > Verdict::Refusal && self.allowed.refused(&outcome.effects).is_empty())
                .then_some(verdict)
        };
        let is_over = || self.interrupt.is_set() || end.is_some_and(|end| Instant::now() >= end);
        let mut asker = Asker { pool, verdict: &verdict, is_over: &is_over };
        let tests: Vec<&Sequence> = kept.iter().map(|kept| &kept.sequence).collect();
        let broken = asker.broken(&tests, &promises)?.into_iter();
        let name = |number: usize| format!("contract {number} of {class}");
        let test = |(number, sequence)| Kept::beside(name(number), sequence, BTreeSet::new());
        Ok(broken.enumerate().map(test).collect())
    }

    /// What two JVMs agree about, and the mutants that this notices; and why nothing is known of mutants, if that is so by no one's wish.
    fn observed(
        &self,
        class: &str,
        kept: &[Kept],
        types: &Types,
        pool: &mut Pool,
        end: Option<Instant>,
    ) -> Result<(Observations, String)> {
        let stop = &self.interrupt.finish;
        let mut fresh = self.pool("observer", 1, stop, false)?;
        let patience = self.setup.time_limit() + OBSERVING * u32::try_from(kept.len()).unwrap_or(u32::MAX);
        // No clock decides what a reproducible search finds.
        let deadline = end.and_then(|end| Some(end.min(Instant::now().checked_add(2 * patience)?)));
        fresh.set_deadline(deadline);
        let known = self.known(types)?;
        let mut missing = String::new();
        let mut judge = |subjects: &[Subject]| {
            let judged = self.judged(class, subjects, end);
            judged.unwrap_or_else(|why| {
                missing = why;
                None
            })
        };
        if self.interrupt.is_set() || pool.losses().workers > 0 {
            // The search's workers are gone.
            let mut other = self.pool("observer-again", 1, stop, false)?;
            other.set_deadline(deadline);
            let observed = observe::observe(kept, known, (&mut other, &mut fresh), &mut judge)?;
            return Ok((observed, missing));
        }
        pool.set_deadline(deadline);
        let observed = observe::observe(kept, known, (&mut *pool, &mut fresh), &mut judge);
        // What comes after has the time of the class.
        pool.set_deadline(end);
        Ok((observed?, missing))
    }

    /// Finds out which mutants the seeds reach, before the time of any class runs.
    pub fn prepare_mutants(&self) {
        if self.interrupt.is_set() || !self.mutants.borrow().is_on() {
            return;
        }
        self.progress.stage("running the seed tests to see which mutants they reach");
        let lines = sites::all_lines(&self.suite, &self.counted);
        if let Err(error) = self.mutants.borrow_mut().prepare(&lines, &self.interrupt.finish) {
            self.progress.say(&format!("warning: mutants decide about nothing: {error:#}"));
        }
    }

    /// What the tests of a class notice.
    ///
    /// # Errors
    /// Why mutants are not judged any more.
    fn judged(
        &self,
        class: &str,
        subjects: &[Subject],
        end: Option<Instant>,
    ) -> Result<Option<mutants::Judged>, String> {
        if self.interrupt.is_set() || !self.mutants.borrow().is_on() {
            return Ok(None);
        }
        self.progress.stage(&format!("running mutants of {class} with {} tests", subjects.len()));
        let judged = self.mutants.borrow_mut().judge(class, subjects, &self.interrupt.finish, end);
        judged.map_err(|error| {
            let why = format!("mutants decide about nothing from here on: {error:#}");
            tracing::warn!(class, why);
            why
        })
    }

    /// What earlier runs wrote for a class, to take the new tests.
    fn extension(&self, class: &str, stable: &[usize], kept: &[Kept], candidates: &Candidates) -> Extension {
        let is_green =
            |case: &TestCase| case.outcome.thrown.as_ref().is_none_or(|thrown| thrown.is_expected());
        let none = BTreeSet::new();
        let of_place = |(&place, possible): (&usize, &Possible)| {
            let pairs = kept.get(place).map_or(&none, |kept| &kept.pairs);
            is_green(&possible.case).then_some(pairs)
        };
        let facts: Vec<_> = stable.iter().zip(candidates.all()).map(of_place).collect();
        let existing = self.setup.earlier.extendable(class, self.setup.style);
        Extension::new(existing, &self.confirmed, &facts, &self.counted)
    }
}
