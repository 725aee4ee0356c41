//! The chosen tests of a class without what they are not chosen for: when the search found a test, it was made as short as all of its new pairs allow,
//! and most of these are no reason to write it.
//!
//! In: what was kept, observed and judged. Out: further tests, each a shorter form of one that was chosen, with what no shorter chosen one has; the longer
//! one is written only if something turns out to be missing. Knows nothing of Java or of how mutants are made. Invariant: what is
//! given back ran to the same end as the test that it came of, did nothing that is not allowed, and ran every site that only this one was chosen for. A test
//! that reveals a failure is as short as the failure allows.

use crate::commands::augment::campaign::Campaign;
use crate::commands::augment::facts::coverage::Coverage;
use crate::commands::augment::facts::merit::Merit;
use crate::commands::augment::judge::candidates::{Candidates, Possible};
use crate::commands::augment::mutants::{Changes, Hunt, Ways};
use crate::commands::augment::observe::{Looks, Observations};
use crate::commands::augment::search::accept::DEAR;
use crate::commands::augment::search::kept::{Kept, NewPair};
use crate::commands::augment::search::pool::{Pool, Run};
use anyhow::Result;
use dynaflow_model::facts::{Recording, Witness, WitnessFact};
use dynaflow_model::outcome::{Outcome, StackFrame};
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::{Arg, Operation, Sequence};
use dynaflow_model::sites::MethodRef;
use dynaflow_objectives::pair_key;
use dynaflow_search::Types;
use dynaflow_testgen::one_variable_each;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Most runs spent on making one test shorter.
const RUNS: usize = 40;
/// Which part of the time that is left may be spent on it.
const SHARE: u32 = 2;

/// A test that was chosen, and what for.
struct Chosen<'k> {
    kept: &'k Kept,
    /// How it ended in the worker.
    outcome: Outcome,
    /// A pair of each site that no shorter one runs.
    pairs: BTreeSet<PairKey>,
    /// The mutants that no shorter one notices.
    mutants: BTreeSet<u32>,
    /// Whether it has to end with the same call: for what that gives, or as it fails there.
    keeps_end: bool,
}

impl Campaign<'_> {
    /// Shorter forms of the tests that would be chosen of these.
    ///
    /// # Errors
    /// When a trace cannot be read, or a class file.
    pub fn shortened(
        &self,
        class: &str,
        (kept, observed, coverage): (&[Kept], &Observations, Option<&Coverage>),
        types: &Types,
        pool: &mut Pool,
        end: Option<Instant>,
    ) -> Result<Vec<Kept>> {
        let Some((mut candidates, stable)) = self.to_reform((kept, observed, coverage), pool)? else {
            return Ok(vec![]);
        };
        let chosen = chosen(&mut candidates, &stable);
        if chosen.is_empty() {
            return Ok(vec![]);
        }
        self.progress.stage(&format!("making {} tests of {class} shorter", chosen.len()));
        let until = end.map(|end| Instant::now() + end.saturating_duration_since(Instant::now()) / SHARE);
        let (known, judge) = (self.known(types)?, self.judge()?);
        let refuses = |sequence: &Sequence, outcome: &Outcome| self.is_refused(&judge, sequence, outcome);
        let shorter = Looks::new(known).with(|looks| {
            let ways = Ways { changes: &mut Unchanged, looks, refuses: &refuses };
            let work = |hunt: Option<&mut Hunt>| {
                Shortening { campaign: self, types, pool, hunt, unsure: 0, dear: 0, until }.all(&chosen)
            };
            self.mutants.borrow_mut().with_hunt(class, ways, (&self.interrupt.finish, until), work)
        });
        Ok(shorter)
    }
}

/// Forms of a test are given, not sought.
struct Unchanged;

impl Changes for Unchanged {
    fn change(&mut self, _: &Sequence) -> Option<Sequence> {
        None
    }

    fn ran(&mut self, _: &Sequence, _: &Outcome) {}
}

/// The tests that would be written, the longest first, with what each is for. What reveals a failure is for nothing else.
fn chosen<'k>(candidates: &mut Candidates, kept: &[&'k Kept]) -> Vec<Chosen<'k>> {
    let mut places = candidates.first();
    places.sort_by_key(|place| Reverse(candidates.length(*place)));
    let needed = candidates.needed(&places);
    let one = |(place, merits): (usize, BTreeSet<Merit>)| {
        let (possible, &kept) = (candidates.all().get(place)?, kept.get(place)?);
        let mutants: BTreeSet<u32> = merits.iter().filter_map(mutant).collect();
        let outcome = possible.case.outcome.clone();
        let is_of_goal = merits.iter().any(|merit| matches!(merit, Merit::Goal(_)));
        let may_be_shorter = kept.sequence.statements.len() > 1 && !merits.is_empty();
        (may_be_shorter && !is_of_goal).then(|| Chosen {
            kept,
            outcome,
            pairs: pairs_of(possible, kept, &merits),
            mutants,
            keeps_end: kept.closes || possible.is_finding(),
        })
    };
    needed.into_iter().filter_map(one).collect()
}

fn mutant(merit: &Merit) -> Option<u32> {
    match merit {
        Merit::Mutant(mutant) => Some(*mutant),
        _ => None,
    }
}

/// A pair of each of the sites among the merits, a new one where there is one.
fn pairs_of(possible: &Possible, kept: &Kept, merits: &BTreeSet<Merit>) -> BTreeSet<PairKey> {
    let is_new = |key: PairKey| kept.new.iter().any(|new| new.key == key);
    let mut by_site = BTreeMap::new();
    for &(pair, site) in possible.pairs.iter().filter(|(_, site)| merits.contains(&Merit::Site(*site))) {
        let first = by_site.entry(site).or_insert(pair);
        if is_new(pair) && !is_new(*first) {
            *first = pair;
        }
    }
    by_site.into_values().collect()
}

/// Where tests are made shorter.
struct Shortening<'c, 'a, 'h, 'b, 'w> {
    campaign: &'c Campaign<'a>,
    types: &'c Types,
    pool: &'c mut Pool,
    /// What says which mutants a sequence notices, where that is known.
    hunt: Option<&'h mut Hunt<'b, 'w>>,
    /// How many tests were left as they are, as it cannot be said here that they notice what they are chosen for.
    unsure: usize,
    /// How many shorter forms of the test at hand ended their JVM, or did not end.
    dear: usize,
    until: Option<Instant>,
}

impl Shortening<'_, '_, '_, '_, '_> {
    fn all(mut self, chosen: &[Chosen]) -> Vec<Kept> {
        let shorter: Vec<Kept> = chosen.iter().filter_map(|chosen| self.one(chosen)).collect();
        let (chosen, unsure, is_over) = (chosen.len(), self.unsure, self.is_over());
        tracing::info!(chosen, shorter = shorter.len(), unsure, is_over, "tests made shorter");
        shorter
    }

    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until) || self.campaign.interrupt.is_set()
    }

    fn one(&mut self, chosen: &Chosen) -> Option<Kept> {
        // What the inspectors here do not notice cannot be kept here.
        if self.is_over() || !self.notices(&chosen.kept.sequence, chosen) {
            self.unsure += 1;
            return None;
        }
        self.dear = 0;
        let types = self.types;
        let mut best = None;
        let mut holds = |sequence: &Sequence| {
            let run = self.run(sequence, chosen);
            let holds = run.is_some() && self.notices(sequence, chosen);
            if holds {
                best = run;
            }
            holds
        };
        let mut shorter = chosen.kept.sequence.clone();
        // What made a number or a text may go then.
        let plain = dynaflow_search::with_values(&shorter, &chosen.outcome.statements);
        if plain != shorter && holds(&plain) {
            shorter = plain;
        }
        // Of a failure it matters who passed the null.
        let nulls = dynaflow_search::with_nulls(&shorter, &chosen.outcome.statements);
        if nulls != shorter && chosen.outcome.thrown.is_none() && holds(&nulls) {
            shorter = nulls;
        }
        for (number, first) in given_again(&chosen.kept.sequence, &chosen.outcome).into_iter().rev() {
            let one = one_variable_each(&shorter, &BTreeMap::from([(number, first)]), types);
            let without = dynaflow_search::without(&one, &BTreeSet::from([number]));
            if without.statements.len() + 1 == shorter.statements.len() && holds(&without) {
                shorter = without;
            }
        }
        let shorter = dynaflow_search::simplest(&shorter, RUNS, dynaflow_search::one_by_one(holds));
        tracing::debug!(
            test = chosen.kept.name,
            pairs = chosen.pairs.len(),
            mutants = ?chosen.mutants,
            before = chosen.kept.sequence.statements.len(),
            after = shorter.statements.len(),
            "made shorter"
        );
        (shorter != chosen.kept.sequence).then(|| kept(shorter, chosen, best?)).flatten()
    }

    /// A run of the sequence, if it ends as the chosen one does, runs its sites and does nothing else that is not allowed.
    fn run(&mut self, sequence: &Sequence, chosen: &Chosen) -> Option<Run> {
        if self.is_over() || self.dear >= DEAR {
            return None;
        }
        let is_of_test = |key: &PairKey| chosen.kept.pairs.contains(key);
        let run = self
            .pool
            .run(vec![(sequence.clone(), vec![])], |pairs| pairs.iter().any(is_of_test))
            .ok()?
            .pop()?;
        self.dear += usize::from(run.outcome.is_dear());
        let ends_alike = run.outcome.broken.is_none() && end(&run.outcome) == end(&chosen.outcome);
        let ends_there = !chosen.keeps_end || last_call(sequence) == last_call(&chosen.kept.sequence);
        let is_harmless = self.campaign.allowed.refused(&run.outcome.effects).is_empty();
        (ends_alike && ends_there && is_harmless && chosen.pairs.is_subset(&run.pairs)).then_some(run)
    }

    fn notices(&mut self, sequence: &Sequence, chosen: &Chosen) -> bool {
        chosen.mutants.is_empty()
            || self.hunt.as_mut().is_some_and(|hunt| hunt.notices(sequence, &chosen.mutants))
    }
}

/// Statements that gave an object which an earlier one gave, each with that one; but for calls on the object itself, which a chain may go on from.
fn given_again(sequence: &Sequence, outcome: &Outcome) -> Vec<(u32, u32)> {
    let is_fluent =
        |number: u32, first: u32| match sequence.statements.get(number as usize).map(|one| &one.operation) {
            Some(Operation::Call { receiver: Some(Arg::Var(on)), .. }) => {
                outcome.same.get(on).unwrap_or(on) == &first
            }
            _ => false,
        };
    outcome
        .same
        .iter()
        .map(|(number, first)| (*number, *first))
        .filter(|(number, first)| !is_fluent(*number, *first))
        .collect()
}

/// The method that a sequence ends with a call of.
fn last_call(sequence: &Sequence) -> Option<&MethodRef> {
    match &sequence.statements.last()?.operation {
        Operation::Call { method, .. } => Some(method),
        _ => None,
    }
}

/// How a run ended: the exception, and where it was raised.
fn end(outcome: &Outcome) -> Option<(&str, Option<&StackFrame>)> {
    let thrown = outcome.thrown.as_ref()?;
    Some((&thrown.class, thrown.raised_in.first()))
}

/// The shorter test, under the name of the longer: what it shows is part of what that one showed.
fn kept(sequence: Sequence, chosen: &Chosen, run: Run) -> Option<Kept> {
    let long = chosen.kept;
    let pairs: BTreeSet<PairKey> = run.pairs.intersection(&long.pairs).copied().collect();
    let seen = run.facts.as_ref().map(seen).unwrap_or_default();
    let new = long.new.iter().filter(|new| pairs.contains(&new.key));
    let new = new.map(|new| NewPair { seen: seen.get(&new.key).copied(), ..*new }).collect();
    let (name, noticing) = (long.name.clone(), chosen.mutants.clone());
    let Kept { iteration, closes, throws, .. } = *long;
    Some(Kept { name, sequence, iteration, pairs, new, noticing, closes, throws })
}

/// Where a run showed its pairs: the statement, and the one that gave the root.
fn seen(run: &Recording) -> BTreeMap<PairKey, (u32, Option<u32>)> {
    let witnesses = run.tests.iter().flat_map(|record| &record.witnesses);
    let one = |witness: &Witness| {
        let WitnessFact::Pair(id) = witness.fact else { return None };
        let pair = run.facts.pairs.get(id)?;
        Some((pair_key(&run.facts, &run.classes, pair), (witness.statement, witness.root)))
    };
    // The first place counts, as for what the search keeps.
    witnesses.rev().filter_map(one).collect()
}
