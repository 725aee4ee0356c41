//! Which goals were reached, each with the shortest sequence that did, and how near anything came to the others.
//!
//! It chooses nothing and knows no algorithm. Invariant: what was reached once stays reached.

use crate::coverage::CoverageGoals;
use crate::individual::Individual;
use dynaflow_model::sequence::Sequence;
use std::collections::{BTreeMap, BTreeSet};

/// What a sequence brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// The goals that it is the first to reach.
    pub reached: BTreeSet<u32>,
    /// It came nearer to one.
    pub nearer: bool,
}

/// Goals and what became of them. Memory grows with the goals that were met.
#[derive(Clone, Debug)]
pub(crate) struct Archive {
    goals: CoverageGoals,
    /// Goals that were reached, those that only others depend on included, with the shortest sequence that did.
    reached: BTreeMap<u32, Sequence>,
    /// Wanted goals that were met and not reached, with the least distance.
    nearest: BTreeMap<u32, u64>,
}

impl Archive {
    pub(crate) fn new(goals: CoverageGoals) -> Self {
        Self { goals, reached: BTreeMap::new(), nearest: BTreeMap::new() }
    }

    pub(crate) fn goals(&self) -> &CoverageGoals {
        &self.goals
    }

    /// How many goals are wanted, and how many of them were reached.
    pub(crate) fn figures(&self) -> (usize, usize) {
        let wanted = self.goals.wanted().len();
        (wanted, wanted - self.uncovered().count())
    }

    /// How many wanted goals were met and not reached.
    pub(crate) fn open(&self) -> usize {
        self.nearest.len()
    }

    /// Whether a goal was reached.
    pub(crate) fn has(&self, goal: u32) -> bool {
        self.reached.contains_key(&goal)
    }

    /// Whether a goal is wanted and was not reached.
    pub(crate) fn wants(&self, goal: u32) -> bool {
        self.goals.wants(goal) && !self.has(goal)
    }

    /// The wanted goals that were not reached, ascending.
    pub(crate) fn uncovered(&self) -> impl Iterator<Item = u32> + '_ {
        self.goals.wanted().iter().copied().filter(|goal| !self.has(*goal))
    }

    /// The shortest sequences that reached what is wanted, by goal.
    pub(crate) fn covering(&self) -> Vec<&Sequence> {
        self.reached
            .iter()
            .filter(|(goal, _)| self.goals.wants(**goal))
            .map(|(_, sequence)| sequence)
            .collect()
    }

    /// Takes in what a sequence met.
    pub(crate) fn take(&mut self, individual: &Individual) -> News {
        let mut news = News::default();
        for distance in individual.distances() {
            let goal = distance.outcome;
            let is_wanted = self.goals.wants(goal);
            if distance.away == 0 {
                let is_first = self.reach(goal, individual);
                self.nearest.remove(&goal);
                if is_first && is_wanted {
                    news.reached.insert(goal);
                }
            } else if is_wanted && !self.has(goal) {
                let nearest = self.nearest.entry(goal).or_insert(u64::MAX);
                news.nearer |= distance.away < *nearest;
                *nearest = distance.away.min(*nearest);
            }
        }
        news
    }

    /// Keeps the sequence if it is the shortest that reached the goal; whether it is the first.
    fn reach(&mut self, goal: u32, individual: &Individual) -> bool {
        let known = self.reached.get(&goal).map(|known| known.statements.len());
        if known.is_none_or(|length| individual.length() < length) {
            self.reached.insert(goal, individual.sequence.clone());
        }
        known.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::individual::twin::{distance, individual};

    fn archive(wanted: &[u32]) -> Archive {
        Archive::new(CoverageGoals::new(wanted.iter().copied().collect(), BTreeMap::new()))
    }

    #[test]
    fn what_was_reached_or_is_not_wanted_is_no_goal() {
        let mut archive = archive(&[4, 5]);
        let met = [distance(4, 0.0), distance(5, 3.0), distance(8, 1.0)];
        let first = archive.take(&individual("one", 1, &met));
        assert_eq!((first, archive.open()), (News { reached: BTreeSet::from([4]), nearer: true }, 1));
        assert_eq!(archive.take(&individual("two", 1, &[distance(4, 1.0)])), News::default());
        let nearer = archive.take(&individual("three", 1, &[distance(5, 2.0)]));
        assert_eq!(nearer, News { reached: BTreeSet::new(), nearer: true });
        assert_eq!(archive.take(&individual("as near", 1, &[distance(5, 2.0)])), News::default());
        assert_eq!((archive.uncovered().collect::<Vec<_>>(), archive.figures()), (vec![5], (2, 1)));
        assert_eq!(archive.take(&individual("four", 1, &[distance(5, 0.0)])).reached, BTreeSet::from([5]));
        assert_eq!((archive.open(), archive.uncovered().count(), archive.figures()), (0, 0, (2, 2)));
    }

    #[test]
    fn the_shortest_sequence_that_reached_a_goal_is_kept() {
        let mut archive = archive(&[4]);
        for (name, length) in [("middle", 3), ("short", 2), ("later", 2), ("long", 5)] {
            archive.take(&individual(name, length, &[distance(4, 0.0)]));
        }
        assert_eq!(archive.covering(), [&individual("short", 2, &[]).sequence]);
    }
}
