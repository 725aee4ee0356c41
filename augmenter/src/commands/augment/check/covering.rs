//! Tests for goals of coverage: outcomes of branches, methods without one, lines, and what calls come to.
//!
//! In: what was kept for a class, the shortest sequences that the search met its goals with, and what the seeds reach. Out: tests for goals that neither
//! the seeds nor what was kept reaches, and by test what it reaches. Knows nothing of pairs. Invariant: a test is there for goals that it reached in its
//! final form.

use crate::commands::augment::campaign::Campaign;
use crate::commands::augment::facts::coverage::{Coverage, Goal};
use crate::commands::augment::search::accept::up_to_where_it_ran;
use crate::commands::augment::search::guide::Guide;
use crate::commands::augment::search::kept::Kept;
use crate::commands::augment::search::pool::Pool;
use anyhow::Result;
use dynaflow_model::outcome::Outcome;
use dynaflow_model::sequence::Sequence;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Most runs spent on making one test shorter.
const RUNS: usize = 60;

/// The one that makes tests for goals.
struct Maker<'a, 'c> {
    campaign: &'a Campaign<'c>,
    guide: &'a mut Guide,
    pool: &'a mut Pool,
    goals: &'a BTreeMap<u32, Goal>,
    end: Option<Instant>,
}

impl Campaign<'_> {
    /// Adds tests to those that were kept for a class, for goals that nothing reaches yet. `met` are sequences with which the search met goals, also when it was interrupted. Nothing
    /// where no goals are wanted or nobody measures any more.
    ///
    /// # Errors
    /// When a thread is lost.
    pub fn cover(
        &self,
        class: &str,
        met: &[Sequence],
        kept: &mut Vec<Kept>,
        pool: &mut Pool,
        end: Option<Instant>,
    ) -> Result<Option<Coverage>> {
        let mut guide = self.guide.borrow_mut();
        let Some(guide) = guide.as_mut() else { return Ok(None) };
        let mut fresh;
        let pool = if self.interrupt.is_set() {
            // The search's workers are gone.
            guide.revive(self.setup, &self.interrupt.finish)?;
            fresh = self.pool("coverage", 1, &self.interrupt.finish, true)?;
            &mut fresh
        } else {
            pool
        };
        if guide.is_lost() {
            return Ok(None);
        }
        let goals = guide.wanted(class);
        if goals.is_empty() {
            return Ok(None);
        }
        guide.set_deadline(end);
        let by_seeds: BTreeSet<u32> =
            goals.keys().copied().filter(|goal| self.reached_by_seeds.contains(goal)).collect();
        let mut maker = Maker { campaign: self, guide, pool, goals: &goals, end };
        let own: Vec<Sequence> = kept.iter().map(|kept| kept.sequence.clone()).collect();
        let mut by_tests = maker.reached(&own)?;
        let reached = by_tests.iter().flatten().chain(&by_seeds).copied().collect();
        for (number, (sequence, goals)) in maker.tests(met, reached)?.into_iter().enumerate() {
            let name = format!("coverage {number} of {class}");
            kept.push(Kept::beside(name, sequence, BTreeSet::new()));
            by_tests.push(goals);
        }
        Ok(Some(Coverage { goals, by_seeds, by_tests }))
    }

    /// What the seeds reach, by running them in classes with probes; what their calls come to, and where they cannot run everything, is known as far as their
    /// calls can be rebuilt.
    pub fn measure_seeds(&mut self) {
        let has_seeds = self.setup.options.has_seeds() || !self.seed_classes.names.is_empty();
        if !self.setup.criteria.cover() || !has_seeds {
            return;
        }
        let Some(guide) = self.guide.get_mut() else { return };
        self.progress.stage("running the seed tests to see what they reach");
        let by_probes = guide.of_seeds(self.setup, &self.seed_classes, &self.interrupt.finish);
        if let Err(error) = &by_probes {
            self.progress.say(&format!(
                "warning: what the seeds reach is known only as far as their calls can be rebuilt, so that tests may reach what they reach, too: {error:#}"
            ));
        }
        if by_probes.is_err() || self.setup.criteria.ask_who_calls() {
            if self.interrupt.is_set()
                && let Err(error) = guide.revive(self.setup, &self.interrupt.finish)
            {
                tracing::warn!("what rebuilt seeds reach is not measured: {error:#}");
            }
            guide.set_deadline(None);
            let carved = self.suite.tests.iter().filter_map(|test| test.carved.as_ref());
            let rebuilt: Vec<Sequence> =
                carved.map(|carved| dynaflow_search::rebuildable(&carved.sequence)).collect();
            let runs = guide.run(&rebuilt).unwrap_or_default();
            self.reached_by_seeds.extend(runs.iter().flat_map(|run| outcomes(&run.outcome)));
        }
        self.reached_by_seeds.extend(by_probes.unwrap_or_default());
    }
}

impl Maker<'_, '_> {
    /// The goals that each of these reaches.
    fn reached(&mut self, sequences: &[Sequence]) -> Result<Vec<BTreeSet<u32>>> {
        let runs = self.guide.run(sequences)?;
        Ok(runs.iter().map(|run| self.goals_of(&run.outcome)).collect())
    }

    fn goals_of(&self, outcome: &Outcome) -> BTreeSet<u32> {
        outcomes(outcome).filter(|goal| self.goals.contains_key(goal)).collect()
    }

    /// Tests that reach what was not `reached` before, each with what it reaches, from the shortest sequences on; each is made for one goal, so that it does one
    /// thing.
    fn tests(
        &mut self,
        met: &[Sequence],
        mut reached: BTreeSet<u32>,
    ) -> Result<Vec<(Sequence, BTreeSet<u32>)>> {
        let mut left: Vec<(Sequence, BTreeSet<u32>)> = vec![];
        for (sequence, goals) in met.iter().zip(self.reached(met)?) {
            if !goals.is_subset(&reached) && left.iter().all(|(known, _)| known != sequence) {
                left.push((sequence.clone(), goals));
            }
        }
        let mut tests = vec![];
        while !self.is_over() {
            left.retain(|(_, goals)| !goals.is_subset(&reached));
            let cost = |(_, (sequence, goals)): &(usize, &(Sequence, BTreeSet<u32>))| {
                (sequence.statements.len(), std::cmp::Reverse(goals.difference(&reached).count()))
            };
            // Of equals the first.
            let Some((place, (sequence, goals))) = left.iter().enumerate().min_by_key(cost) else { break };
            let Some(&goal) = goals.difference(&reached).next() else { break };
            match self.test(sequence, goal)? {
                Some(test) => {
                    let goals: BTreeSet<u32> =
                        self.reached(std::slice::from_ref(&test))?.into_iter().flatten().collect();
                    reached.insert(goal);
                    reached.extend(&goals);
                    tests.push((test, goals));
                }
                None => drop(left.remove(place)),
            }
        }
        Ok(tests)
    }

    fn is_over(&self) -> bool {
        self.campaign.interrupt.finish.is_stopped() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// What is left of a sequence without what a goal does not need; none when it does not reach it again, or does more than tests may do.
    fn test(&mut self, sequence: &Sequence, goal: u32) -> Result<Option<Sequence>> {
        let reaches = |outcome: &Outcome| outcomes(outcome).any(|reached| reached == goal);
        let Some(first) = self.run(sequence)?.filter(reaches) else { return Ok(None) };
        let ended = first.thrown.as_ref().map(|thrown| thrown.class.clone());
        let mut whole = up_to_where_it_ran(sequence, &first);
        let plain = dynaflow_search::with_values(&whole, &first.statements);
        if plain != whole && self.run(&plain)?.is_some_and(|outcome| reaches(&outcome)) {
            whole = plain;
        }
        let mut trouble = None;
        let still = dynaflow_search::one_by_one(|shorter| match self.run(shorter) {
            Ok(Some(outcome)) => {
                let class = outcome.thrown.as_ref().map(|thrown| &thrown.class);
                (class.is_none() || class == ended.as_ref()) && reaches(&outcome)
            }
            Ok(None) => false,
            Err(error) => {
                trouble.get_or_insert(error);
                false
            }
        });
        let shorter = dynaflow_search::minimise(&whole, RUNS, still);
        if let Some(error) = trouble {
            return Err(error);
        }
        let runs = self.pool.run(vec![(shorter.clone(), vec![])], |_| false)?;
        let is_fit = |outcome: &Outcome| {
            outcome.broken.is_none() && self.campaign.allowed.refused(&outcome.effects).is_empty()
        };
        Ok(runs.first().is_some_and(|run| is_fit(&run.outcome)).then_some(shorter))
    }

    /// How a sequence ends where goals are measured; none when it does not run to its end.
    fn run(&mut self, sequence: &Sequence) -> Result<Option<Outcome>> {
        let run = self.guide.run(std::slice::from_ref(sequence))?.pop();
        Ok(run.map(|run| run.outcome).filter(|outcome| outcome.broken.is_none()))
    }
}

/// The outcomes that happened.
fn outcomes(outcome: &Outcome) -> impl Iterator<Item = u32> + '_ {
    outcome.distances.iter().filter(|distance| distance.away == 0).map(|distance| distance.outcome)
}
