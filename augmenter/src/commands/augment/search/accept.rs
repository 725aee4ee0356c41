//! From a candidate that covered something new to a test worth keeping: without what its new pairs do not need, and without effects that
//! are not allowed.
//!
//! Knows nothing of JUnit. Invariant: what is given back was run in its final form and covered, in that run, all the pairs it
//! is kept for.

use super::helpers::Helpers;
use super::pool::{Pool, Run};
use crate::commands::augment::prepare::budget::Budget;
use anyhow::Result;
use dynaflow_model::effect::Allowed;
use dynaflow_model::facts::Recording;
use dynaflow_model::outcome::Outcome;
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::Sequence;
use std::collections::BTreeSet;

/// A test that is worth keeping.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// What it does.
    pub sequence: Sequence,
    /// All pairs of the target it covers.
    pub pairs: BTreeSet<PairKey>,
    /// All its facts.
    pub facts: Recording,
}

impl Accepted {
    /// A sequence with the pairs and facts of its run; none when the facts are lost.
    fn of(sequence: Sequence, pairs: BTreeSet<PairKey>, facts: Option<Recording>) -> Option<Self> {
        facts.map(|facts| Self { sequence, pairs, facts })
    }
}

/// Most runs spent on making one test shorter.
const RUNS: usize = 60;
/// So many shorter forms run at a time, as mostly none of them holds.
const AT_ONCE: usize = 8;
/// After so many shorter forms that end their JVM, or do not end, as they wait for what is gone, none is tried any more.
pub(in crate::commands::augment) const DEAR: usize = 2;

/// The candidate without what its new pairs do not need; none when it does not cover them again, or not without an effect
/// that is not allowed, or a failed assertion of the tests' helpers.
///
/// # Errors
/// When traces are lost.
pub fn minimised(
    pool: &mut Pool,
    budget: &mut Budget,
    candidate: &Sequence,
    run: &Run,
    new: &BTreeSet<PairKey>,
    (allowed, helpers): (&Allowed, Helpers),
) -> Result<Option<Accepted>> {
    if budget.over().is_some() {
        return Ok(as_it_ran(candidate, run).filter(|_| !helpers.failed(&run.outcome)));
    }
    let mut trouble = None;
    let (whole, ended) = without_throwing(pool, budget, candidate, run, new)?;
    if ended.is_some() && helpers.failed(&run.outcome) {
        return Ok(None);
    }
    let holds = |run: &Run, ended: Option<&str>| {
        new.is_subset(&run.pairs)
            && run.outcome.broken.is_none()
            && thrown_class(&run.outcome) == ended
            && allowed.refused(&run.outcome.effects).is_empty()
            && !helpers.failed(&run.outcome)
    };
    let (mut best, mut dear) = (None, 0);
    let mut first = |forms: &[Sequence]| {
        let mut seen = 0;
        while let Some(rest) = forms.get(seen..).filter(|rest| !rest.is_empty()) {
            if budget.over().is_some() || dear >= DEAR {
                return None;
            }
            let many = budget.most(if dear > 0 { 1 } else { AT_ONCE });
            let part = rest.get(..many).unwrap_or(rest);
            let runs = match run_all(pool, budget, part, new) {
                Ok(runs) => runs,
                Err(error) => {
                    trouble.get_or_insert(error);
                    return None;
                }
            };
            dear += runs.iter().filter(|run| run.outcome.is_dear()).count();
            if let Some((place, run)) = (0..).zip(runs).find(|(_, run)| holds(run, ended.as_deref())) {
                best = part.get(place).map(|form| (form.clone(), run));
                return Some(seen + place);
            }
            seen += part.len();
        }
        None
    };
    let fixed = dynaflow_search::with_moments(&whole, &run.outcome.statements);
    let is_fixed = fixed != whole && first(std::slice::from_ref(&fixed)).is_some();
    let whole = if is_fixed { fixed } else { whole };
    let shorter = dynaflow_search::shorter(&whole, RUNS, first);
    if let Some(error) = trouble {
        return Err(error);
    }
    if budget.over().is_some() {
        // Nothing may run any more: the shortest that held, else the candidate as it ran.
        return Ok(match best {
            Some((sequence, run)) => Accepted::of(sequence, run.pairs, run.facts),
            None => as_it_ran(candidate, run),
        });
    }
    let (shorter, ended) = ended_by(shorter, ended.clone());
    let last = run_one(pool, budget, &shorter, new)?;
    if !holds(&last, ended.as_deref()) {
        return Ok(if pool.is_over() { as_it_ran(candidate, run) } else { None });
    }
    Ok(Accepted::of(shorter, last.pairs, last.facts))
}

/// A sequence that has nothing left after a call that was caught ends with the exception.
fn ended_by(sequence: Sequence, thrown: Option<String>) -> (Sequence, Option<String>) {
    let ending = dynaflow_search::ending(&sequence).filter(|_| thrown.is_none());
    ending.map_or((sequence, thrown), |(ending, caught)| (ending, Some(caught.class)))
}

/// The candidate up to where it ran, when there is no time to make it shorter: as it ran, it holds.
fn as_it_ran(candidate: &Sequence, run: &Run) -> Option<Accepted> {
    Accepted::of(up_to_where_it_ran(candidate, &run.outcome), run.pairs.clone(), run.facts.clone())
}

/// The candidate without the statements whose effects are not allowed, with a run of it; none when nothing of the pairs is
/// left then, or it still has such an effect.
///
/// # Errors
/// When traces are lost.
pub fn harmless(
    pool: &mut Pool,
    budget: &mut Budget,
    candidate: &Sequence,
    run: &Run,
    new: &BTreeSet<PairKey>,
    allowed: &Allowed,
) -> Result<Option<(Sequence, Run)>> {
    let refused = allowed.refused(&run.outcome.effects);
    let culprits: Option<BTreeSet<u32>> = refused.iter().map(|effect| effect.statement).collect();
    let Some(culprits) = culprits else { return Ok(None) };
    let rest = dynaflow_search::without(&up_to_where_it_ran(candidate, &run.outcome), &culprits);
    if rest.statements.is_empty() || budget.over().is_some() {
        return Ok(None);
    }
    let run = run_one(pool, budget, &rest, new)?;
    let holds = !new.is_disjoint(&run.pairs) && allowed.refused(&run.outcome.effects).is_empty();
    Ok(holds.then_some((rest, run)))
}

/// What minimising starts from: the candidate up to where it ran, without the call that threw when the pairs do not need it; and the
/// exception that remains.
fn without_throwing(
    pool: &mut Pool,
    budget: &mut Budget,
    candidate: &Sequence,
    run: &Run,
    new: &BTreeSet<PairKey>,
) -> Result<(Sequence, Option<String>)> {
    let mut whole = up_to_where_it_ran(candidate, &run.outcome);
    let ended = thrown_class(&run.outcome).map(str::to_owned);
    if ended.is_some() && whole.statements.len() > 1 && budget.over().is_none() {
        let last = whole.statements.pop();
        let shorter = run_one(pool, budget, &whole, new)?;
        if shorter.outcome.broken.is_none()
            && shorter.outcome.thrown.is_none()
            && new.is_subset(&shorter.pairs)
        {
            return Ok((whole, None));
        }
        whole.statements.extend(last);
    }
    Ok((whole, ended))
}

fn run_one(
    pool: &mut Pool,
    budget: &mut Budget,
    sequence: &Sequence,
    new: &BTreeSet<PairKey>,
) -> Result<Run> {
    let mut runs = run_all(pool, budget, std::slice::from_ref(sequence), new)?;
    runs.pop().ok_or_else(|| anyhow::anyhow!("a worker gave no outcome"))
}

/// Runs of sequences, with the facts of those that cover all of the pairs.
fn run_all(
    pool: &mut Pool,
    budget: &mut Budget,
    sequences: &[Sequence],
    new: &BTreeSet<PairKey>,
) -> Result<Vec<Run>> {
    budget.count(sequences.len());
    let jobs = sequences.iter().map(|sequence| (sequence.clone(), vec![])).collect();
    pool.run(jobs, |pairs| new.is_subset(pairs))
}

/// Statements after the one that threw did not run.
pub(in crate::commands::augment) fn up_to_where_it_ran(sequence: &Sequence, outcome: &Outcome) -> Sequence {
    let ran = outcome.statements.len() + usize::from(outcome.thrown.is_some());
    let mut sequence = sequence.clone();
    sequence.statements.truncate(ran);
    sequence
}

fn thrown_class(outcome: &Outcome) -> Option<&str> {
    outcome.thrown.as_ref().map(|thrown| thrown.class.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::outcome::{Observed, Thrown};
    use dynaflow_model::sequence::{Operation, Statement};

    #[test]
    fn what_threw_is_kept_up_to_the_statement_that_threw_and_what_returned_whole() {
        let statement = |n: usize| Statement {
            operation: Operation::Opaque(n.to_string()),
            result: "V".into(),
            runtime_class: None,
            caught: None,
        };
        let sequence = Sequence { statements: (0..5).map(statement).collect() };
        for returned in 0..5 {
            let thrown = Thrown {
                statement: u32::try_from(returned).unwrap(),
                class: "a.Refused".into(),
                superclasses: vec![],
                message: None,
                declared: false,
                on_purpose: false,
                raised_in: vec![],
            };
            let statements = vec![Observed::Void; returned];
            let outcome = Outcome { statements, thrown: Some(thrown), ..Outcome::default() };
            let kept = up_to_where_it_ran(&sequence, &outcome);
            assert_eq!(kept.statements, sequence.statements[..=returned], "the one that threw is the last");
        }
        let whole = Outcome { statements: vec![Observed::Void; 5], ..Outcome::default() };
        assert_eq!(up_to_where_it_ran(&sequence, &whole), sequence);
    }
}
