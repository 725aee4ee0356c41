//! MIO: a population for each goal that was met, and the goal whose population stands still least long has its turn (Arcuri, "Many Independent
//! Objective (MIO) Algorithm for Test Suite Generation", SSBSE 2017).
//!
//! A goal is here once some run met its branch: then the branches it depends on were taken, so that
//! no approach level is needed. It knows distances, not how they come about. Invariant: what was reached once is no goal any more; what is chosen
//! depends on what was taken in, in order, and on nothing else.

use crate::algorithm::Algorithm;
use crate::archive::Archive;
use crate::breeder::{Breeder, TRIES};
use crate::individual::Individual;
use dynaflow_model::outcome::Operands;
use dynaflow_model::sequence::Sequence;
use rand::Rng;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most sequences kept for a goal.
const MOST: usize = 4;
/// How often a sequence is made without looking at the goals: branches in methods that nobody called have no distance.
const BLIND: f64 = 0.25;

/// A sequence that met a branch and went the other way.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Near {
    /// Its distance, as `Distance::away` has it.
    away: u64,
    /// What it does.
    sequence: Sequence,
    /// What was compared.
    operands: Option<Operands>,
}

#[derive(Clone, Debug, Default)]
struct Goal {
    /// Nearest first; of two alike the shorter one, then the later one.
    nearest: Vec<Near>,
    /// How often it was chosen since something came nearer.
    chosen: u64,
}

/// Goals and what came nearest to them. Memory grows with the branches that were met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mio {
    open: BTreeMap<u32, Goal>,
}

impl Algorithm for Mio {
    fn take(&mut self, individual: &Rc<Individual>, archive: &Archive) {
        for distance in individual.distances() {
            if archive.has(distance.outcome) {
                self.open.remove(&distance.outcome);
            } else if archive.wants(distance.outcome) {
                let near = Near {
                    away: distance.away,
                    sequence: individual.sequence.clone(),
                    operands: distance.operands.clone(),
                };
                self.open.entry(distance.outcome).or_default().take(near);
            }
        }
    }

    fn propose(&mut self, n: usize, _: &Archive, breeder: &mut Breeder) -> Vec<Sequence> {
        let mut batch = vec![];
        for _ in 0..n.saturating_mul(TRIES) {
            if batch.len() >= n {
                break;
            }
            let Some(sequence) = self.led(breeder) else { continue };
            if breeder.admits(&sequence) {
                batch.push(sequence);
            }
        }
        batch
    }
}

impl Mio {
    /// A sequence that came near to some goal, changed; or any.
    fn led(&mut self, breeder: &mut Breeder) -> Option<Sequence> {
        if breeder.rng.random_bool(BLIND) {
            return breeder.random().map(|(sequence, _)| sequence);
        }
        // The nearest is the best start; the others lead out where it does not get nearer.
        let place = if breeder.rng.random_bool(0.6) { 0 } else { breeder.rng.random_range(0..4) };
        let Some(near) = self.choose(place) else {
            return breeder.random().map(|(sequence, _)| sequence);
        };
        breeder.changed(&near.sequence, near.operands.as_ref())
    }

    /// A goal's turn: how near what came nearest to it is; `place` says which of these sequences, nearest first, counted round.
    fn choose(&mut self, place: usize) -> Option<Near> {
        let least = |(outcome, goal): &(&u32, &mut Goal)| (goal.chosen, goal.best(), **outcome);
        let (_, goal) = self.open.iter_mut().min_by_key(least)?;
        goal.chosen += 1;
        goal.nearest.get(place % goal.nearest.len().max(1)).cloned()
    }
}

impl Goal {
    fn best(&self) -> u64 {
        self.nearest.first().map_or(u64::MAX, |near| near.away)
    }

    /// Keeps a sequence if it is among the nearest.
    fn take(&mut self, near: Near) {
        let is_nearer = near.away < self.best();
        let key = |near: &Near| (near.away, near.sequence.statements.len());
        let at = self.nearest.partition_point(|known| key(known) < key(&near));
        if at < MOST && !self.nearest.contains(&near) {
            self.nearest.insert(at, near);
            self.nearest.truncate(MOST);
        }
        if is_nearer {
            self.chosen = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::CoverageGoals;
    use crate::individual::twin::{distance, individual, name_of};
    use dynaflow_model::outcome::Distance;

    /// MIO with its archive.
    struct Led(Mio, Archive);

    impl Led {
        fn new(wanted: &[u32]) -> Self {
            let goals = CoverageGoals::new(wanted.iter().copied().collect(), BTreeMap::new());
            Self(Mio::default(), Archive::new(goals))
        }

        fn take(&mut self, name: &str, length: usize, distances: &[Distance]) {
            let one = Rc::new(individual(name, length, distances));
            self.1.take(&one);
            self.0.take(&one, &self.1);
        }

        fn choose(&mut self, place: usize) -> Option<String> {
            self.0.choose(place).map(|near| name_of(&near.sequence))
        }
    }

    #[test]
    fn the_nearest_of_the_shortest_comes_first_and_no_more_than_a_few_are_kept() {
        let mut led = Led::new(&[4]);
        for (name, length, away) in
            [("far", 1, 9.0), ("long", 3, 2.0), ("short", 2, 2.0), ("middle", 1, 5.0), ("very far", 1, 12.0)]
        {
            led.take(name, length, &[distance(4, away)]);
        }
        let order: Vec<_> = (0..5).map(|place| led.choose(place).unwrap()).collect();
        assert_eq!(order, ["short", "long", "middle", "far", "short"]);
    }

    #[test]
    fn what_was_reached_or_is_not_wanted_has_no_population() {
        let mut led = Led::new(&[4, 5]);
        led.take("one", 1, &[distance(4, 0.0), distance(5, 3.0), distance(8, 1.0)]);
        led.take("two", 1, &[distance(4, 1.0)]);
        assert_eq!(led.choose(0).as_deref(), Some("one"));
        led.take("three", 1, &[distance(5, 0.0)]);
        assert_eq!(led.choose(0), None);
    }

    #[test]
    fn goals_take_turns_and_one_that_came_nearer_comes_again_first() {
        let mut led = Led::new(&[1, 2]);
        led.take("one", 1, &[distance(1, 5.0)]);
        led.take("two", 1, &[distance(2, 7.0)]);
        let turns: Vec<_> = (0..4).map(|_| led.choose(0).unwrap()).collect();
        assert_eq!(turns, ["one", "two", "one", "two"]);
        led.take("nearer", 1, &[distance(2, 6.0)]);
        assert_eq!(led.choose(0).as_deref(), Some("nearer"));
    }
}
