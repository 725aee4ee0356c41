//! How far a run is from a goal: approach level, then branch distance (Wegener et al., "Evolutionary test environment for automatic structural
//! testing", 2001).
//!
//! It knows what was measured, not how. Invariant: of two fitnesses the smaller one is nearer; the least is that of what was covered.

use crate::coverage::CoverageGoals;
use std::collections::BTreeSet;

/// How far a run is from a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fitness {
    /// How many goals that it depends on, one above the other, were not met.
    level: u32,
    /// The distance to the first that was met, as `Distance::away` has it.
    away: u64,
}

impl Fitness {
    /// That of a goal of which nothing was met, nor of what it depends on.
    pub(crate) const FARTHEST: Self = Self { level: u32::MAX, away: u64::MAX };

    /// The fitness of a run whose distance to a goal, where it met it, `away` gives. Linear in the goals above it.
    pub(crate) fn of(goal: u32, goals: &CoverageGoals, away: impl Fn(u32) -> Option<u64>) -> Self {
        let mut seen = BTreeSet::from([goal]);
        let mut front = vec![goal];
        for level in 0.. {
            if let Some(away) = front.iter().filter_map(|goal| away(*goal)).min() {
                return Self { level, away };
            }
            let above = front.iter().flat_map(|goal| goals.above(*goal));
            front = above.copied().filter(|goal| seen.insert(*goal)).collect();
            if front.is_empty() {
                break;
            }
        }
        Self::FARTHEST
    }

    /// The branch distance between 0 and 1, `d / (d + 1)`; 1 where the branch was not met.
    pub(crate) fn normalised(self) -> f64 {
        let distance = f64::from_bits(self.away);
        if self.level > 0 { 1.0 } else { (distance / (distance + 1.0)).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn of(goal: u32, met: &[(u32, f64)]) -> Fitness {
        // 2 and 4 depend on 0 or on each other, as in a loop; 6 on 2.
        let above = BTreeMap::from([(2, vec![0, 4]), (4, vec![2, 4]), (6, vec![2])]);
        let met: BTreeMap<u32, u64> = met.iter().map(|(goal, away)| (*goal, away.to_bits())).collect();
        Fitness::of(goal, &CoverageGoals::new(BTreeSet::new(), above), |goal| met.get(&goal).copied())
    }

    #[test]
    fn the_nearest_goal_above_that_was_met_counts_and_a_level_is_more_than_any_distance() {
        assert_eq!(of(6, &[(6, 0.0), (2, 5.0)]), Fitness { level: 0, away: 0 });
        let order = [
            of(6, &[(6, 0.0)]),
            of(6, &[(6, 1.0)]),
            of(6, &[(6, f64::MAX), (2, 0.0)]),
            of(6, &[(2, 0.0), (0, 0.0)]),
            of(6, &[(2, 3.0)]),
            of(6, &[(0, 4.0), (4, 2.0)]),
            of(6, &[(0, 4.0)]),
            of(6, &[]),
        ];
        assert!(order.windows(2).all(|two| two[0] < two[1]), "{order:?}");
        assert_eq!(of(6, &[(1, 0.0)]), Fitness::FARTHEST, "what it does not depend on says nothing");
    }

    #[test]
    fn normalised_distances_lie_between_0_and_1_and_keep_their_order() {
        let all: Vec<f64> =
            [0.0, 0.5, 1.0, 40.0].map(|away| of(2, &[(2, away)]).normalised()).into_iter().collect();
        assert_eq!(all[0].to_bits(), 0);
        assert!(all.windows(2).all(|two| two[0] < two[1]) && all[3] < 1.0);
        for far in [of(2, &[(2, f64::MAX)]), of(2, &[(0, 0.0)]), Fitness::FARTHEST] {
            assert_eq!(far.normalised().to_bits(), 1.0_f64.to_bits());
        }
    }
}
