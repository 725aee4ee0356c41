//! The sequences that came nearest to executing goals: they are changed until one does.
//!
//! In: a goal, a sequence that was made for it, and the obstacle that it met. Out: the sequence whose turn it is, and its goal. Knows nothing of how
//! sequences are changed. Invariant: the sequences kept for a goal met the farthest obstacle of those that were handed in for it. Goals
//! whose definition and use are at the same two instructions share their turns, and those that had the fewest are next (as in MIO: Arcuri, "Many Independent Objective (MIO)
//! Algorithm for Test Suite Generation", feedback-directed sampling).

use crate::goal::{Goal, Sites};
use dynaflow_model::obstacle::Obstacle;
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::Sequence;
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};
use std::rc::Rc;

/// Most sequences kept for one goal.
const SEQUENCES: usize = 4;

/// So many turns in a row that brought the goals of two instructions no nearer are enough.
const TURNS: u32 = 100;

/// What came nearest to one goal.
#[derive(Clone, Debug)]
struct Near {
    obstacle: Obstacle,
    /// Shortest first.
    sequences: Vec<Rc<Sequence>>,
}

/// The goals of two instructions.
#[derive(Clone, Debug, Default)]
struct Site {
    /// Turns since one of them came nearer or was executed.
    turns: u32,
    goals: BTreeMap<PairKey, Near>,
    /// The goal that had its turn last.
    last: Option<PairKey>,
}

/// What came nearest to the goals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nearest {
    sites: BTreeMap<Sites, Site>,
}

impl Nearest {
    /// A sequence that was made for a goal met an obstacle.
    pub(crate) fn meet(&mut self, goal: &Goal, obstacle: Obstacle, sequence: &Sequence) {
        let site = self.sites.entry(goal.sites).or_default();
        let near = site.goals.entry(goal.pair);
        let near = near.or_insert_with(|| Near { obstacle, sequences: vec![] });
        if obstacle > near.obstacle {
            *near = Near { obstacle, sequences: vec![] };
            site.turns = 0;
        }
        if obstacle == near.obstacle && near.sequences.iter().all(|known| **known != *sequence) {
            near.sequences.push(Rc::new(sequence.clone()));
            near.sequences.sort_by_key(|known| known.statements.len());
            near.sequences.truncate(SEQUENCES);
        }
    }

    /// Only these goals are open now: those of the instructions of one that is closed begin anew.
    pub(crate) fn close(&mut self, open: &BTreeMap<PairKey, Goal>) {
        for site in self.sites.values_mut() {
            let before = site.goals.len();
            site.goals.retain(|goal, _| open.contains_key(goal));
            if site.goals.len() < before {
                site.turns = 0;
            }
        }
        self.sites.retain(|_, site| !site.goals.is_empty());
    }

    /// The sequence whose turn it is, and the goal that it came near to; none when all had their turns.
    pub(crate) fn next(&mut self) -> Option<(PairKey, Rc<Sequence>)> {
        let site = self.sites.values_mut().min_by_key(|site| site.turns).filter(|site| site.turns < TURNS)?;
        let after = site.last.map_or(Unbounded, Excluded);
        let (&goal, near) =
            site.goals.range((after, Unbounded)).next().or_else(|| site.goals.first_key_value())?;
        let sequence = near.sequences.get(site.turns as usize % near.sequences.len().max(1))?;
        (site.turns, site.last) = (site.turns + 1, Some(goal));
        Some((goal, Rc::clone(sequence)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::tests::goal;
    use dynaflow_model::sequence::{Operation, Statement};

    fn sequence(length: usize) -> Sequence {
        let statement = |at: usize| Statement {
            operation: Operation::Opaque(format!("{at} of {length}")),
            result: "V".into(),
            runtime_class: None,
            caught: None,
        };
        Sequence { statements: (0..length).map(statement).collect() }
    }

    /// So many turns: the number of the goal and the length of the sequence.
    fn turns(nearest: &mut Nearest, count: usize) -> Vec<(u8, usize)> {
        let next = |_| nearest.next().map(|(goal, sequence)| (goal.0[0], sequence.statements.len()));
        (0..count).map_while(next).collect()
    }

    #[test]
    fn what_met_the_farthest_obstacle_has_turns_and_of_these_the_shortest_sequences() {
        let mut nearest = Nearest::default();
        let door = goal(1, 1);
        nearest.meet(&door, Obstacle::Undefined, &sequence(1));
        assert_eq!(turns(&mut nearest, 2), [(1, 1), (1, 1)]);
        for length in [9, 3, 8, 5, 7] {
            nearest.meet(&door, Obstacle::Unreached, &sequence(length));
        }
        nearest.meet(&door, Obstacle::Undefined, &sequence(2));
        assert_eq!(turns(&mut nearest, 5), [(1, 3), (1, 5), (1, 7), (1, 8), (1, 3)]);
    }

    #[test]
    fn goals_of_the_same_instructions_share_turns() {
        let mut nearest = Nearest::default();
        for (pair, place) in [(1, 1), (2, 1), (3, 9)] {
            nearest.meet(&goal(pair, place), Obstacle::Unreached, &sequence(usize::from(pair)));
        }
        let of: Vec<u8> = turns(&mut nearest, 6).into_iter().map(|(goal, _)| goal).collect();
        assert_eq!(of, [1, 3, 2, 3, 1, 3]);
    }

    #[test]
    fn turns_end_when_nothing_comes_nearer_and_begin_anew_when_something_does_or_a_goal_of_the_instructions_is_closed()
     {
        let mut nearest = Nearest::default();
        let (first, second) = (goal(1, 1), goal(2, 1));
        nearest.meet(&first, Obstacle::Undefined, &sequence(1));
        nearest.meet(&second, Obstacle::Undefined, &sequence(2));
        let all = TURNS as usize;
        assert_eq!(turns(&mut nearest, 2 * all).len(), all);
        nearest.meet(&first, Obstacle::Undefined, &sequence(3));
        assert_eq!(turns(&mut nearest, 1).len(), 0, "that is no nearer");
        nearest.meet(&first, Obstacle::Overwritten, &sequence(3));
        assert_eq!(turns(&mut nearest, 2 * all).len(), all);
        nearest.close(&BTreeMap::from([(second.pair, second.clone())]));
        let rest = turns(&mut nearest, 2 * all);
        assert!(
            rest.len() == all && rest.iter().all(|(goal, _)| *goal == 2),
            "the closed one has no more turns"
        );
        nearest.close(&BTreeMap::new());
        assert_eq!(turns(&mut nearest, 1).len(), 0);
    }
}
