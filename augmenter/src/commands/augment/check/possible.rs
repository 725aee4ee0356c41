//! What may become a test of a class: sequences that run to their end and do what tests may do, and those of them that could be written.
//!
//! In: sequences; then what they showed, with the mutants and goals that are known of them. Out: tests beside those that the search kept; candidates. Knows nothing of how
//! sequences are found. Invariant: what was not the same in another JVM is no candidate.

use crate::commands::augment::ask::options::{Criterion, Keep};
use crate::commands::augment::campaign::Campaign;
use crate::commands::augment::facts::coverage::Coverage;
use crate::commands::augment::facts::merit::{Merit, Verdict};
use crate::commands::augment::facts::sites;
use crate::commands::augment::facts::worthless::Worthless;
use crate::commands::augment::judge::candidates::{Candidates, Possible, Wants};
use crate::commands::augment::judge::spare::Spares;
use crate::commands::augment::judge::triage::{Judge, Judged};
use crate::commands::augment::mutants::{self, Kills, What};
use crate::commands::augment::observe::{Known, Observations};
use crate::commands::augment::search::kept::Kept;
use crate::commands::augment::search::pool::{Pool, Run};
use anyhow::Result;
use dynaflow_model::facts::{PairId, TestRecord};
use dynaflow_model::outcome::Outcome;
use dynaflow_model::sequence::Sequence;
use dynaflow_objectives::SiteKey;
use dynaflow_search::Types;
use dynaflow_testgen::{Form, TestCase};
use std::collections::{BTreeMap, BTreeSet};

/// Stands for the comment of a test that did not run yet, so that its lines have their numbers.
const UNKNOWN: &str = "not run yet";

impl Campaign<'_> {
    /// Those of these sequences that run to their end and do what tests may do.
    ///
    /// # Errors
    /// When a trace cannot be read.
    pub fn fit(
        &self,
        sequences: Vec<Sequence>,
        name: impl Fn(usize) -> String,
        is_fit: impl Fn(&Sequence, &Outcome) -> bool,
        pool: &mut Pool,
    ) -> Result<Vec<Kept>> {
        let jobs = sequences.iter().map(|sequence| (sequence.clone(), vec![])).collect();
        let runs = pool.run(jobs, |_| false)?;
        let fit = sequences.into_iter().zip(runs).filter(|(sequence, run)| is_fit(sequence, &run.outcome));
        let one =
            |(number, (sequence, run)): (usize, (_, Run))| Kept::beside(name(number), sequence, run.pairs);
        Ok(fit.enumerate().map(one).collect())
    }

    /// Whether a sequence ran to its end and did what tests may do.
    pub fn is_fit(&self, outcome: &Outcome) -> bool {
        outcome.broken.is_none()
            && outcome.thrown.is_none()
            && self.allowed.refused(&outcome.effects).is_empty()
    }

    /// Whether the program refuses on purpose the call that ended a sequence, which did what tests may do.
    pub fn is_refused(&self, judge: &Judge, sequence: &Sequence, outcome: &Outcome) -> bool {
        let Some(thrown) = &outcome.thrown else { return false };
        let judged = judge.judge(sequence, (&outcome.statements, &outcome.same), thrown);
        outcome.broken.is_none()
            && judged.verdict == Verdict::Refusal
            && judged.is_of_use
            && self.allowed.refused(&outcome.effects).is_empty()
    }

    /// The candidates, each with what was kept, where other forms of them may be made: only few tests are read that closely, and the search's workers have to be there.
    ///
    /// # Errors
    /// When a class file cannot be read.
    pub fn to_reform<'k>(
        &self,
        (kept, observed, coverage): (&'k [Kept], &Observations, Option<&Coverage>),
        pool: &Pool,
    ) -> Result<Option<(Candidates, Vec<&'k Kept>)>> {
        if self.setup.options.keep != Keep::Few || self.interrupt.is_set() || pool.losses().workers > 0 {
            return Ok(None);
        }
        let mutants = observed.mutants.as_ref();
        let candidates = self.candidates(observed.outcomes.clone(), (mutants, coverage), kept)?;
        let stable = kept.iter().zip(&observed.outcomes).filter(|(_, outcome)| outcome.is_some());
        Ok(Some((candidates, stable.map(|(kept, _)| kept).collect())))
    }

    /// Who decides what an exception says of the program.
    ///
    /// # Errors
    /// Names the jar or folder that cannot be read.
    pub fn judge(&self) -> Result<Judge<'_>> {
        Ok(Judge::new(&self.setup.classes, &self.setup.all_classes, self.library()?))
    }

    /// What is known when tests of a class are observed.
    ///
    /// # Errors
    /// Names the jar or folder that cannot be read.
    pub fn known<'k>(&'k self, types: &'k Types) -> Result<Known<'k>> {
        let every_pair = self.setup.options.keep == Keep::Pairs;
        let (suite, inferred, library) = (&self.suite, &self.inferred, self.library()?);
        Ok(Known { suite, inferred, types, program: &self.setup.classes, library, every_pair })
    }

    /// The tests that could be written, those of them that are stable, with what their exceptions say of the program.
    pub fn candidates(
        &self,
        outcomes: Vec<Option<Outcome>>,
        (mutants, coverage): (Option<&mutants::Judged>, Option<&Coverage>),
        kept: &[Kept],
    ) -> Result<Candidates> {
        let mut records: BTreeMap<&str, Vec<&TestRecord>> = BTreeMap::new();
        for record in &self.suite.tests {
            records.entry(&record.name).or_default().push(record);
        }
        let roots = &self.counted;
        let judge = self.judge()?;
        let mut worthless_sites = Worthless::of(self.library()?);
        // Shorter forms stand behind what they were made of.
        let there = kept.iter().enumerate().zip(&outcomes).filter(|(_, outcome)| outcome.is_some());
        let last: BTreeMap<&str, usize> =
            there.map(|((number, kept), _)| (kept.name.as_str(), number)).collect();
        let one = |(number, (outcome, kept)): (usize, (Option<Outcome>, &Kept))| {
            let mut outcome = outcome?;
            let judged = judged(&judge, &kept.sequence, &mut outcome);
            let of_test = records.get(kept.name.as_str()).into_iter().flatten();
            let ids = of_test.flat_map(|record| record.pairs.iter().copied());
            let sited = ids.filter_map(|id| Some((id, sites::sited(&self.suite, roots, id)?)));
            let sited: Vec<_> = sited.filter(|(_, (key, _))| kept.pairs.contains(key)).collect();
            let lines = |(id, (_, site)): &(PairId, _)| Some((*site, sites::lines(&self.suite, *id)?));
            let lines: Vec<(SiteKey, [_; 2])> = sited.iter().filter_map(lines).collect();
            let blind = mutants.map(|judged| among(&lines, |lines| judged.is_blind_to(number, lines)));
            let blind = blind.unwrap_or_default();
            let worthless = worthless_sites.of_pairs(&self.suite, &sited).into_iter().collect();
            let pairs = sited.iter().map(|(_, pair)| *pair).collect();
            let (comment, sequence) = (UNKNOWN.to_owned(), kept.sequence.clone());
            let case = TestCase { name_hint: None, comment, sequence, outcome, form: Form::default() };
            let kills: Kills = mutants.map(|judged| judged.alive(number)).unwrap_or_default();
            let spare = mutants.and_then(|judged| Some((judged, judged.spare.get(number)?)));
            let spares = spare.map(|(judged, spare)| {
                let noticed = |what: Option<&What>| among(&lines, |at| judged.is_noticed(number, what, at));
                Spares::of(&case, spare, noticed)
            });
            let spares = spares.unwrap_or_default();
            let possible = Possible::new(case, judged, pairs, kills);
            let goals =
                coverage.and_then(|coverage| coverage.by_tests.get(number)).cloned().unwrap_or_default();
            let has_shorter = last.get(kept.name.as_str()).is_some_and(|last| *last > number);
            let is_part = kept.is_beside();
            Some(Possible { is_part, has_shorter, goals, blind, worthless, spares, ..possible })
        };
        let all = outcomes.into_iter().zip(kept).enumerate().filter_map(one).collect();
        let mut have = self.there.clone();
        have.extend(self.setup.earlier.noted.iter().cloned());
        have.extend(self.thrown_in_seeds.borrow().iter().cloned());
        have.extend(
            coverage.into_iter().flat_map(|coverage| &coverage.by_seeds).map(|&goal| Merit::Goal(goal)),
        );
        let texts = mutants.map(|judged| judged.texts.clone()).unwrap_or_default();
        let goals = coverage.map(|coverage| &coverage.goals).into_iter().flatten();
        let goals = goals.map(|(number, goal)| (*number, goal.text.clone())).collect();
        let wants = Wants {
            keep: self.setup.options.keep,
            pairs: self.setup.criteria.has(Criterion::Objectives),
            most: self.setup.options.max_tests_per_class,
        };
        Ok(Candidates::new(wants, all, have).with_goals(goals).with_mutants(texts))
    }
}

/// What the exception says that ended a sequence, which notes whether it was thrown on purpose.
fn judged(judge: &Judge, sequence: &Sequence, outcome: &mut Outcome) -> Option<Judged> {
    let Outcome { thrown, statements, same, .. } = outcome;
    let thrown = thrown.as_mut()?;
    let judged = judge.judge(sequence, (statements, same), thrown);
    thrown.on_purpose = judged.verdict == Verdict::Refusal;
    // What a clause announces is a fault all the same when it should not be.
    thrown.declared &= thrown.on_purpose;
    Some(judged)
}

/// Those of the sites for whose lines, that of the definition and that of the use, this holds.
fn among(
    sites: &[(SiteKey, [(String, u32); 2])],
    holds: impl Fn([&(String, u32); 2]) -> bool,
) -> BTreeSet<SiteKey> {
    let holds = |(_, [definition, usage]): &&(SiteKey, [_; 2])| holds([definition, usage]);
    sites.iter().filter(holds).map(|(site, _)| *site).collect()
}
