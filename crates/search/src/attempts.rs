//! How far the sequences came that were made for the goals.
//!
//! In: for a goal what kept a sequence from executing it. Out: the farthest obstacle that any sequence met. Knows nothing of how it is found out.
//! Invariant: what is known of a goal is never nearer than before; a goal for which no sequence ran, as one for another goal was the same, has
//! what those for goals of the same two instructions met.

use crate::goal::{Goal, Sites};
use dynaflow_model::obstacle::Obstacle;
use dynaflow_model::pair_key::PairKey;
use rustc_hash::FxHashMap;

/// The farthest obstacles, by goal and by its instructions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attempts {
    goals: FxHashMap<PairKey, Obstacle>,
    sites: FxHashMap<Sites, Obstacle>,
}

impl Attempts {
    /// A sequence for a goal of these instructions met an obstacle.
    pub(crate) fn meet(&mut self, goal: PairKey, sites: Sites, obstacle: Obstacle) {
        let goal = self.goals.entry(goal).or_insert(obstacle);
        *goal = (*goal).max(obstacle);
        let sites = self.sites.entry(sites).or_insert(obstacle);
        *sites = (*sites).max(obstacle);
    }

    /// What keeps a goal from being executed.
    pub(crate) fn of(&self, goal: &Goal) -> Obstacle {
        let own = self.goals.get(&goal.pair).copied().filter(|own| *own > Obstacle::Unmade);
        let of_sites = || self.sites.get(&goal.sites).copied();
        own.or_else(of_sites).unwrap_or(Obstacle::Untried)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::tests::goal;

    #[test]
    fn a_goal_has_the_farthest_obstacle_of_its_own_sequences_else_of_those_for_its_instructions() {
        let mut attempts = Attempts::default();
        let [first, second, third] = [goal(1, 1), goal(2, 1), goal(3, 9)];
        let mut meet = |goal: &Goal, obstacle| attempts.meet(goal.pair, goal.sites, obstacle);
        meet(&first, Obstacle::Unreached);
        meet(&first, Obstacle::Stopped);
        meet(&second, Obstacle::Unmade);
        let of = |goal: &Goal, attempts: &Attempts| attempts.of(goal);
        assert_eq!(of(&first, &attempts), Obstacle::Unreached);
        assert_eq!(of(&second, &attempts), Obstacle::Unreached, "one for the same instructions ran");
        assert_eq!(of(&third, &attempts), Obstacle::Untried);
        attempts.meet(second.pair, second.sites, Obstacle::Undefined);
        assert_eq!(of(&second, &attempts), Obstacle::Undefined, "its own count first");
    }
}
