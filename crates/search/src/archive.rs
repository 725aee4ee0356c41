//! The outcomes of branches that nobody reached yet, each with the sequences that came nearest.
//!
//! A population for each goal, and the goal whose population stands still least long has its turn (Arcuri, "Many Independent Objective (MIO)
//! Algorithm for Test Suite Generation", SSBSE 2017). A goal is here once some run met its branch: then the branches it depends on were taken, so that
//! no approach level is needed. It knows distances, not how they come about. Invariant: what was reached once is no goal any more; what is chosen
//! depends on what was taken in, in order, and on nothing else.

use dynaflow_model::outcome::{Distance, Operands};
use dynaflow_model::sequence::Sequence;
use std::collections::{BTreeMap, BTreeSet};

/// Most sequences kept for a goal.
const MOST: usize = 4;

/// A sequence that met a branch and went the other way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Near {
    /// Its distance, as [`Distance::away`] has it.
    pub(crate) away: u64,
    /// What it does.
    pub(crate) sequence: Sequence,
    /// What was compared.
    pub(crate) operands: Option<Operands>,
}

#[derive(Clone, Debug, Default)]
struct Goal {
    /// Nearest first; of two alike the shorter one, then the later one.
    nearest: Vec<Near>,
    /// How often it was chosen since something came nearer.
    chosen: u64,
}

/// What a sequence brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// It reached an outcome that none before it reached.
    pub reached: bool,
    /// It came nearer to one.
    pub nearer: bool,
}

/// Goals and what came nearest to them. Memory grows with the branches that were met.
#[derive(Clone, Debug)]
pub(crate) struct Archive {
    /// The outcomes that are worth reaching.
    wanted: BTreeSet<u32>,
    reached: BTreeSet<u32>,
    open: BTreeMap<u32, Goal>,
}

impl Archive {
    pub(crate) fn new(wanted: BTreeSet<u32>) -> Self {
        Self { wanted, reached: BTreeSet::new(), open: BTreeMap::new() }
    }

    /// How many goals are open.
    pub(crate) fn open(&self) -> usize {
        self.open.len()
    }

    /// Takes in what a sequence met.
    pub(crate) fn take(&mut self, sequence: &Sequence, distances: &[Distance]) -> News {
        let mut news = News::default();
        for distance in distances.iter().filter(|distance| self.wanted.contains(&distance.outcome)) {
            if distance.away == 0 {
                news.reached |= self.reached.insert(distance.outcome);
                self.open.remove(&distance.outcome);
            } else if !self.reached.contains(&distance.outcome) {
                let near = Near {
                    away: distance.away,
                    sequence: sequence.clone(),
                    operands: distance.operands.clone(),
                };
                news.nearer |= self.open.entry(distance.outcome).or_default().take(near);
            }
        }
        news
    }

    /// A goal's turn: how near what came nearest to it is; `place` says which of these sequences, nearest first, counted round.
    pub(crate) fn choose(&mut self, place: usize) -> Option<Near> {
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

    /// Keeps a sequence if it is among the nearest; whether it is the nearest.
    fn take(&mut self, near: Near) -> bool {
        let nearer = near.away < self.best();
        let key = |near: &Near| (near.away, near.sequence.statements.len());
        let at = self.nearest.partition_point(|known| key(known) < key(&near));
        if at < MOST && !self.nearest.contains(&near) {
            self.nearest.insert(at, near);
            self.nearest.truncate(MOST);
        }
        if nearer {
            self.chosen = 0;
        }
        nearer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sequence::{Operation, Statement};

    /// A sequence that differs from others by its name and length.
    fn sequence(name: &str, length: usize) -> Sequence {
        let statement = Statement {
            operation: Operation::Opaque(name.to_owned()),
            result: "V".into(),
            runtime_class: None,
        };
        Sequence { statements: vec![statement; length] }
    }

    fn distance(outcome: u32, away: f64) -> Distance {
        Distance { outcome, away: away.to_bits(), operands: None }
    }

    fn name_of(near: Option<Near>) -> Option<String> {
        match near?.sequence.statements.first()?.operation.clone() {
            Operation::Opaque(name) => Some(name),
            _ => None,
        }
    }

    #[test]
    fn the_nearest_of_the_shortest_comes_first_and_no_more_than_a_few_are_kept() {
        let mut archive = Archive::new(BTreeSet::from([4]));
        for (name, length, away) in
            [("far", 1, 9.0), ("long", 3, 2.0), ("short", 2, 2.0), ("middle", 1, 5.0), ("very far", 1, 12.0)]
        {
            archive.take(&sequence(name, length), &[distance(4, away)]);
        }
        let order: Vec<_> = (0..5).map(|place| name_of(archive.choose(place)).unwrap()).collect();
        assert_eq!(order, ["short", "long", "middle", "far", "short"]);
    }

    #[test]
    fn what_was_reached_or_is_not_wanted_is_no_goal() {
        let mut archive = Archive::new(BTreeSet::from([4, 5]));
        let first =
            archive.take(&sequence("one", 1), &[distance(4, 0.0), distance(5, 3.0), distance(8, 1.0)]);
        assert_eq!((first, archive.open()), (News { reached: true, nearer: true }, 1));
        assert_eq!(archive.take(&sequence("two", 1), &[distance(4, 1.0)]), News::default());
        assert_eq!(
            archive.take(&sequence("three", 1), &[distance(5, 2.0)]),
            News { reached: false, nearer: true }
        );
        assert!(archive.take(&sequence("four", 1), &[distance(5, 0.0)]).reached);
        assert_eq!(archive.choose(0), None);
    }

    #[test]
    fn goals_take_turns_and_one_that_came_nearer_comes_again_first() {
        let mut archive = Archive::new(BTreeSet::from([1, 2]));
        archive.take(&sequence("one", 1), &[distance(1, 5.0)]);
        archive.take(&sequence("two", 1), &[distance(2, 7.0)]);
        let turns: Vec<_> = (0..4).map(|_| name_of(archive.choose(0)).unwrap()).collect();
        assert_eq!(turns, ["one", "two", "one", "two"]);
        archive.take(&sequence("nearer", 1), &[distance(2, 6.0)]);
        assert_eq!(name_of(archive.choose(0)).unwrap(), "nearer");
    }
}
