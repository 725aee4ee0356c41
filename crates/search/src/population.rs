//! A population of tests ranked for many goals at once: preference criterion, fronts that nobody dominates, and crowding (Panichella, Kifetew and Tonella,
//! "Reformulating Branch Coverage as a Many-Objective Optimization Problem", ICST 2015).
//!
//! It knows vectors of fitness, no sequences beyond their lengths. Invariant: what is given is ordered, best first, and depends on the given order alone
//! where two are alike.

use crate::fitness::Fitness;
use crate::individual::Individual;
use std::rc::Rc;

/// An individual with its fitness for each goal that counts now, in the order of the goals.
#[derive(Clone, Debug)]
pub(crate) struct Scored {
    pub(crate) individual: Rc<Individual>,
    pub(crate) fitness: Vec<Fitness>,
}

/// A place in the order: of two the smaller one is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// The front, from 0.
    front: usize,
    /// The most goals for which one other of the front is better.
    crowding: usize,
    length: usize,
}

/// The best `most` individuals, best first, with their ranks. `O(n^2)` comparisons of vectors.
pub(crate) fn best(all: Vec<Scored>, most: usize) -> Vec<(Scored, Rank)> {
    let mut ranked: Vec<(usize, Rank)> = vec![];
    for (number, front) in fronts(&all, most).into_iter().enumerate() {
        let crowding = crowding(&all, &front);
        let rank = |(&at, crowding): (&usize, usize)| {
            let length = all.get(at).map_or(0, |scored| scored.individual.length());
            (at, Rank { front: number, crowding, length })
        };
        let mut front: Vec<(usize, Rank)> = front.iter().zip(crowding).map(rank).collect();
        front.sort_by_key(|(at, rank)| (*rank, *at));
        ranked.extend(front);
    }
    ranked.truncate(most);
    let mut all: Vec<Option<Scored>> = all.into_iter().map(Some).collect();
    let taken = |(at, rank): (usize, Rank)| Some((all.get_mut(at)?.take()?, rank));
    ranked.into_iter().filter_map(taken).collect()
}

/// Whether one is nowhere worse and somewhere better.
fn dominates(one: &Scored, other: &Scored) -> bool {
    let mut is_better = false;
    for (one, other) in one.fitness.iter().zip(&other.fitness) {
        if one > other {
            return false;
        }
        is_better |= one < other;
    }
    is_better
}

/// The first front has the best for each goal, of alike ones the shortest; the others are the fronts of the rest that nobody of the rest dominates. No
/// front begins once there are `most`.
fn fronts(all: &[Scored], most: usize) -> Vec<Vec<usize>> {
    let preferred = preferred(all);
    let rest: Vec<usize> = (0..all.len()).filter(|at| preferred.binary_search(at).is_err()).collect();
    let mut placed = preferred.len();
    let mut fronts = vec![preferred];
    // Deb et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II", 2002, section III A.
    let mut above = vec![0_usize; all.len()];
    let mut below: Vec<Vec<usize>> = vec![vec![]; all.len()];
    for &one in &rest {
        for &other in &rest {
            let is_above = matches!((all.get(one), all.get(other)), (Some(a), Some(b)) if dominates(a, b));
            if is_above && let (Some(below), Some(above)) = (below.get_mut(one), above.get_mut(other)) {
                below.push(other);
                *above += 1;
            }
        }
    }
    let mut front: Vec<usize> = rest.into_iter().filter(|at| above.get(*at) == Some(&0)).collect();
    while !front.is_empty() && placed < most {
        let mut next = vec![];
        for &below in front.iter().filter_map(|at| below.get(*at)).flatten() {
            if let Some(above) = above.get_mut(below) {
                *above -= 1;
                if *above == 0 {
                    next.push(below);
                }
            }
        }
        next.sort_unstable();
        placed += front.len();
        fronts.push(std::mem::replace(&mut front, next));
    }
    fronts
}

/// The best for each goal, ascending.
fn preferred(all: &[Scored]) -> Vec<usize> {
    let goals = all.first().map_or(0, |scored| scored.fitness.len());
    let best = |goal: usize| {
        let key = |scored: &Scored| (scored.fitness.get(goal).copied(), scored.individual.length());
        (0..all.len()).min_by_key(|&at| (all.get(at).map(key), at))
    };
    let mut preferred: Vec<usize> = (0..goals).filter_map(best).collect();
    preferred.sort_unstable();
    preferred.dedup();
    preferred
}

/// By member of a front: the most goals for which one other member is better, so that what is unlike all others comes first (sub-vector dominance: Koeppen and
/// Yoshida, "Substitute Distance Assignments in NSGA-II for Handling Many-Objective Optimization Problems", 2007).
fn crowding(all: &[Scored], front: &[usize]) -> Vec<usize> {
    let better = |one: usize, other: usize| match (all.get(one), all.get(other)) {
        (Some(one), Some(other)) => one.fitness.iter().zip(&other.fitness).filter(|(a, b)| a < b).count(),
        _ => 0,
    };
    let most = |&at: &usize| front.iter().map(|&other| better(other, at)).max().unwrap_or(0);
    front.iter().map(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::CoverageGoals;
    use crate::individual::twin::{distance, individual};
    use crate::slice::twin::Random;
    use std::collections::{BTreeMap, BTreeSet};

    /// Individuals of random lengths with random distances to so many goals.
    fn some(random: &mut Random, count: u32, goals: u32) -> Vec<Scored> {
        let none = CoverageGoals::new(BTreeSet::new(), BTreeMap::new());
        let mut one = |_| {
            let met: Vec<_> = (0..goals).map(|goal| distance(goal, f64::from(1 + random.below(4)))).collect();
            let individual = Rc::new(individual("some", 1 + random.below(3) as usize, &met));
            let fitness = |goal| Fitness::of(goal, &none, |goal| individual.away(goal));
            let fitness = (0..goals).map(fitness).collect();
            Scored { individual, fitness }
        };
        (0..count).map(&mut one).collect()
    }

    /// Distances as they stand in the definitions.
    fn away(scored: &Scored) -> Vec<f64> {
        scored.individual.distances().iter().map(|distance| f64::from_bits(distance.away)).collect()
    }

    /// Dominance by its definition: no goal is farther, and some goal is nearer.
    fn is_above(one: &Scored, other: &Scored) -> bool {
        let (one, other) = (away(one), away(other));
        (0..one.len()).all(|goal| one[goal] <= other[goal])
            && (0..one.len()).any(|goal| one[goal] < other[goal])
    }

    /// Fronts by their definition: who is the best for some goal; then again and again who is below nobody that is left.
    fn naive_fronts(all: &[Scored]) -> Vec<BTreeSet<usize>> {
        let goals = all.first().map_or(0, |one| one.fitness.len());
        let mut first = BTreeSet::new();
        for goal in 0..goals {
            let mut best = 0;
            for at in 0..all.len() {
                let key = |at: usize| (away(&all[at])[goal], all[at].individual.length());
                if key(at).0 < key(best).0 || key(at).0 <= key(best).0 && key(at).1 < key(best).1 {
                    best = at;
                }
            }
            first.insert(best);
        }
        let mut left: BTreeSet<usize> = (0..all.len()).filter(|at| !first.contains(at)).collect();
        let mut fronts = vec![first];
        while !left.is_empty() {
            let is_free = |at: &&usize| !left.iter().any(|other| is_above(&all[*other], &all[**at]));
            let front: BTreeSet<usize> = left.iter().filter(is_free).copied().collect();
            left.retain(|at| !front.contains(at));
            fronts.push(front);
        }
        fronts
    }

    /// Crowding by its definition.
    fn naive_crowding(all: &[Scored], front: &BTreeSet<usize>, of: usize) -> usize {
        let mut most = 0;
        for other in front {
            let mut better = 0;
            for (other, one) in away(&all[*other]).iter().zip(away(&all[of])) {
                better += usize::from(*other < one);
            }
            most = most.max(better);
        }
        most
    }

    #[test]
    fn fronts_and_crowding_are_those_of_the_definitions() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let (count, goals) = (random.below(14), 1 + random.below(5));
            let all = some(&mut random, count, goals);
            let naive: Vec<BTreeSet<usize>> =
                naive_fronts(&all).into_iter().filter(|front| !front.is_empty()).collect();
            let found = fronts(&all, usize::MAX);
            let sets: Vec<BTreeSet<usize>> =
                found.iter().map(|front| front.iter().copied().collect()).collect();
            assert_eq!(sets.iter().filter(|front| !front.is_empty()).count(), naive.len());
            assert!(sets.iter().filter(|front| !front.is_empty()).eq(&naive), "{all:?}");
            for (front, set) in found.iter().zip(&sets) {
                let expected: Vec<usize> = front.iter().map(|at| naive_crowding(&all, set, *at)).collect();
                assert_eq!(crowding(&all, front), expected);
            }
        }
    }

    #[test]
    fn the_best_are_those_of_the_first_fronts_and_nobody_comes_twice() {
        for seed in 0..100 {
            let mut random = Random::new(seed);
            let all = some(&mut random, 12, 4);
            let most = 1 + random.below(14) as usize;
            let best = best(all.clone(), most);
            assert_eq!(best.len(), most.min(12));
            assert!(best.windows(2).all(|two| two[0].1 <= two[1].1), "best first");
            let fronts = naive_fronts(&all);
            let sizes: Vec<usize> = fronts.iter().map(BTreeSet::len).collect();
            let mut expected = vec![];
            sizes.iter().enumerate().for_each(|(front, size)| expected.extend(vec![front; *size]));
            expected.truncate(most);
            assert_eq!(best.iter().map(|(_, rank)| rank.front).collect::<Vec<_>>(), expected);
            let once: BTreeSet<_> = best.iter().map(|(scored, _)| Rc::as_ptr(&scored.individual)).collect();
            assert_eq!(once.len(), best.len());
        }
    }

    #[test]
    fn of_two_alike_for_a_goal_the_shorter_one_is_preferred() {
        let two = [("long", 5), ("short", 2)].map(|(name, length)| Scored {
            individual: Rc::new(individual(name, length, &[distance(0, 1.0)])),
            fitness: vec![Fitness::FARTHEST],
        });
        let best = best(two.to_vec(), 1);
        assert_eq!(best[0].0.individual.length(), 2);
    }
}
