//! MOSA: one population of tests for all goals that nobody reached (Panichella, Kifetew and Tonella, ICST 2015); DynaMOSA: for those of them alone whose control
//! dependences were reached (the same authors, "Automated Test Case Generation as a Many-Objective Optimisation Problem with Dynamic Selection of the Targets", TSE
//! 2018).
//!
//! A generation is what is proposed at once. It knows nothing of how sequences are changed. Invariant: the population is the best of what was taken in since
//! it began, for the goals of its moment.

use crate::algorithm::Algorithm;
use crate::archive::Archive;
use crate::breeder::{Breeder, TRIES};
use crate::fitness::Fitness;
use crate::individual::Individual;
use crate::population::{self, Rank, Scored};
use dynaflow_model::sequence::Sequence;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::rc::Rc;

/// Individuals that survive a generation.
const POPULATION: usize = 50;
/// Individuals of which the best becomes a parent.
const TOURNAMENT: usize = 10;
/// How often two parents are crossed.
const CROSSOVER: f64 = 0.75;
/// How often a sequence joins that has no parents in the population.
const FRESH: f64 = 0.1;

/// MOSA or DynaMOSA.
#[derive(Debug)]
pub(crate) struct Mosa {
    /// Whether only goals count whose control dependences were reached.
    is_dynamic: bool,
    /// Best first.
    population: Vec<(Rc<Individual>, Rank)>,
    /// What was taken in since.
    offspring: Vec<Rc<Individual>>,
}

impl Algorithm for Mosa {
    fn take(&mut self, individual: &Rc<Individual>, _: &Archive) {
        self.offspring.push(Rc::clone(individual));
    }

    fn propose(&mut self, n: usize, archive: &Archive, breeder: &mut Breeder) -> Vec<Sequence> {
        let goals = self.goals(archive);
        self.survive(archive, &goals);
        let mut batch: Vec<Sequence> = vec![];
        for _ in 0..n.saturating_mul(TRIES) {
            if batch.len() >= n {
                break;
            }
            let children = match self.is_fresh(batch.len(), breeder) {
                true => fresh(archive, breeder).into_iter().collect(),
                false => self.children(&goals, breeder),
            };
            let admitted = children.into_iter().filter(|child| breeder.admits(child));
            batch.extend(admitted.take(n - batch.len()).collect::<Vec<_>>());
        }
        batch
    }
}

impl Mosa {
    pub(crate) fn new(is_dynamic: bool) -> Self {
        Self { is_dynamic, population: vec![], offspring: vec![] }
    }

    /// The goals that count now.
    fn goals(&self, archive: &Archive) -> Vec<u32> {
        let is_in_reach = |goal: &u32| {
            let above = archive.goals().above(*goal);
            !self.is_dynamic || above.is_empty() || above.iter().any(|above| archive.has(*above))
        };
        archive.uncovered().filter(is_in_reach).collect()
    }

    /// The population becomes the best of itself and of its offspring.
    fn survive(&mut self, archive: &Archive, goals: &[u32]) {
        let before = self.population.drain(..).map(|(individual, _)| individual);
        let all = before.chain(self.offspring.drain(..)).map(|individual| {
            let fitness = |goal: &u32| Fitness::of(*goal, archive.goals(), |goal| individual.away(goal));
            let fitness = goals.iter().map(fitness).collect();
            Scored { individual, fitness }
        });
        let best = population::best(all.collect(), POPULATION);
        self.population = best.into_iter().map(|(scored, rank)| (scored.individual, rank)).collect();
    }

    /// Whether the next sequence has no parents in the population, which had so many children.
    fn is_fresh(&self, children: usize, breeder: &mut Breeder) -> bool {
        let is_small = self.population.is_empty() || self.population.len() + children < POPULATION;
        is_small || breeder.rng.random_bool(FRESH)
    }

    /// What two parents have.
    fn children(&self, goals: &[u32], breeder: &mut Breeder) -> Vec<Sequence> {
        let (Some(one), Some(other)) = (self.parent(breeder), self.parent(breeder)) else { return vec![] };
        if breeder.rng.random_bool(CROSSOVER) {
            let children = breeder.crossed(&one.sequence, &other.sequence);
            // What parents compared leads their children as well, as long as they have the literals.
            return children
                .iter()
                .zip([one, other])
                .filter_map(|(child, parent)| mutated(child, parent, goals, breeder))
                .collect();
        }
        [one, other]
            .into_iter()
            .filter_map(|parent| mutated(&parent.sequence, parent, goals, breeder))
            .collect()
    }

    /// The best of a few.
    fn parent(&self, breeder: &mut Breeder) -> Option<&Individual> {
        let drawn: Vec<usize> =
            (0..TOURNAMENT).map(|_| breeder.rng.random_range(0..self.population.len())).collect();
        let best =
            drawn.into_iter().min_by_key(|at| (self.population.get(*at).map(|(_, rank)| *rank), *at))?;
        self.population.get(best).map(|(individual, _)| individual.as_ref())
    }
}

/// A sequence that is new, or one of those that reached a goal, changed.
fn fresh(archive: &Archive, breeder: &mut Breeder) -> Option<Sequence> {
    let covering = archive.covering();
    match covering.choose(breeder.rng).filter(|_| breeder.rng.random_bool(0.5)) {
        Some(covering) => breeder.changed(covering, None),
        None => breeder.random().map(|(sequence, _)| sequence),
    }
}

/// A sequence changed, towards what its parent compared where it missed one of the goals.
fn mutated(
    sequence: &Sequence,
    parent: &Individual,
    goals: &[u32],
    breeder: &mut Breeder,
) -> Option<Sequence> {
    let missed: Vec<_> = goals.iter().filter_map(|goal| parent.operands(*goal)).collect();
    let operands = missed.choose(breeder.rng).copied();
    breeder.changed(sequence, operands)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::CoverageGoals;
    use crate::individual::twin::{distance, individual, name_of};
    use dynaflow_model::outcome::Distance;
    use std::collections::{BTreeMap, BTreeSet};

    /// The goals 2 and 4, of which 4 depends on 2; and 6, which depends on 4.
    fn archive() -> Archive {
        let above = BTreeMap::from([(4, vec![2]), (6, vec![4])]);
        Archive::new(CoverageGoals::new(BTreeSet::from([2, 4, 6]), above))
    }

    fn take(mosa: &mut Mosa, archive: &mut Archive, name: &str, length: usize, met: &[Distance]) {
        let one = Rc::new(individual(name, length, met));
        archive.take(&one);
        mosa.take(&one, archive);
    }

    fn survivors(mosa: &mut Mosa, archive: &Archive) -> Vec<String> {
        let goals = mosa.goals(archive);
        mosa.survive(archive, &goals);
        mosa.population.iter().map(|(individual, _)| name_of(&individual.sequence)).collect()
    }

    #[test]
    fn a_goal_counts_for_dynamosa_once_what_it_depends_on_was_reached_and_for_mosa_at_once() {
        let (mut mosa, mut dynamosa, mut archive) = (Mosa::new(false), Mosa::new(true), archive());
        assert_eq!((mosa.goals(&archive), dynamosa.goals(&archive)), (vec![2, 4, 6], vec![2]));
        take(&mut dynamosa, &mut archive, "two", 1, &[distance(2, 0.0), distance(4, 3.0)]);
        assert_eq!((mosa.goals(&archive), dynamosa.goals(&archive)), (vec![4, 6], vec![4]));
        take(&mut mosa, &mut archive, "four", 1, &[distance(4, 0.0)]);
        assert_eq!((mosa.goals(&archive), dynamosa.goals(&archive)), (vec![6], vec![6]));
    }

    #[test]
    fn who_is_nearest_to_a_goal_survives_those_who_are_near_to_none() {
        let (mut mosa, mut archive) = (Mosa::new(false), archive());
        for number in 0..POPULATION {
            take(&mut mosa, &mut archive, &format!("far {number}"), 1, &[distance(2, 50.0)]);
        }
        assert_eq!(survivors(&mut mosa, &archive).len(), POPULATION);
        take(&mut mosa, &mut archive, "near", 9, &[distance(2, 1.0)]);
        let survivors = survivors(&mut mosa, &archive);
        assert_eq!((survivors.len(), survivors[0].as_str()), (POPULATION, "near"));
    }

    #[test]
    fn of_a_goal_that_was_not_met_the_distance_to_what_it_depends_on_decides() {
        let (mut mosa, mut archive) = (Mosa::new(false), archive());
        take(&mut mosa, &mut archive, "two", 1, &[distance(2, 0.0), distance(4, 9.0)]);
        take(&mut mosa, &mut archive, "nearer", 5, &[distance(2, 0.0), distance(4, 2.0)]);
        take(&mut mosa, &mut archive, "nothing", 1, &[]);
        assert_eq!(survivors(&mut mosa, &archive), ["nearer", "two", "nothing"]);
    }
}
