//! Few tests out of many: which of them are worth a place, each for what it alone shows, most valuable first.
//!
//! Knows nothing of what merits are: sites, pairs, killed mutants, failures. Invariant: what is chosen has every merit that any candidate
//! has and that was not there before; nothing chosen could be left out; equal candidates give equal choices.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// A test that could be kept.
#[derive(Clone, Debug)]
pub struct Candidate<M> {
    /// What it shows.
    pub merits: BTreeSet<M>,
    /// How many lines a person has to read.
    pub length: usize,
}

/// The candidates to keep, by their places, most valuable first: a greedy cover of all merits that are not in `have`, weighted by length.
/// Of equally good ones the first is taken. Near-linear in the merits of all candidates.
pub fn chosen<M: Ord>(candidates: &[Candidate<M>], have: &BTreeSet<M>) -> Vec<usize> {
    let numbered = numbered(candidates, have);
    let mut is_shown = vec![false; candidates.iter().map(|c| c.merits.len()).sum()];
    let worth = |place: usize, is_shown: &[bool]| {
        let gain =
            numbered.get(place).into_iter().flatten().filter(|&&merit| is_shown.get(merit) == Some(&false));
        let length = candidates.get(place).map_or(1, |candidate| candidate.length.max(1));
        Worth { gain: gain.count(), length, place }
    };
    let mut heap: BinaryHeap<Worth> = (0..candidates.len()).map(|place| worth(place, &is_shown)).collect();
    let mut chosen = vec![];
    // What is on top was worth so much once, and others are worth at most what they were.
    while let Some(top) = heap.pop().filter(|top| top.gain > 0) {
        let now = worth(top.place, &is_shown);
        if now.gain < top.gain {
            heap.push(now);
            continue;
        }
        chosen.push(top.place);
        for &merit in numbered.get(top.place).into_iter().flatten() {
            is_shown.get_mut(merit).into_iter().for_each(|shown| *shown = true);
        }
    }
    without_redundant(chosen, &numbered)
}

/// The merits that count, as numbers.
fn numbered<'a, M: Ord>(candidates: &'a [Candidate<M>], have: &BTreeSet<M>) -> Vec<Vec<usize>> {
    let mut numbers: BTreeMap<&M, usize> = BTreeMap::new();
    let mut number = |merit| {
        let next = numbers.len();
        *numbers.entry(merit).or_insert(next)
    };
    let new = |candidate: &'a Candidate<M>| candidate.merits.iter().filter(|merit| !have.contains(*merit));
    candidates.iter().map(|candidate| new(candidate).map(&mut number).collect()).collect()
}

/// Leaves out what the others make superfluous, the least valuable first.
fn without_redundant(mut chosen: Vec<usize>, numbered: &[Vec<usize>]) -> Vec<usize> {
    let merits = |place: &usize| numbered.get(*place).into_iter().flatten();
    let mut shown: BTreeMap<usize, usize> = BTreeMap::new();
    chosen.iter().flat_map(merits).for_each(|&merit| *shown.entry(merit).or_default() += 1);
    for at in (0..chosen.len()).rev() {
        let Some(place) = chosen.get(at).copied() else { continue };
        if merits(&place).all(|merit| shown.get(merit).is_some_and(|&times| times > 1)) {
            chosen.remove(at);
            for merit in merits(&place) {
                shown.entry(*merit).and_modify(|times| *times -= 1);
            }
        }
    }
    chosen
}

/// What a candidate adds, for how much.
#[derive(Clone, Copy, Debug)]
struct Worth {
    gain: usize,
    length: usize,
    place: usize,
}

impl Ord for Worth {
    /// By merits for each line; of equals the one with more merits, then the first, is greater.
    fn cmp(&self, other: &Self) -> Ordering {
        let rate = (self.gain * other.length).cmp(&(other.gain * self.length));
        rate.then(self.gain.cmp(&other.gain)).then(other.place.cmp(&self.place))
    }
}

impl PartialOrd for Worth {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Worth {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Worth {}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(candidates: &[(&[u32], usize)]) -> Vec<Candidate<u32>> {
        let one = |(merits, length): &(&[u32], usize)| Candidate {
            merits: merits.iter().copied().collect(),
            length: *length,
        };
        candidates.iter().map(one).collect()
    }

    #[test]
    fn the_test_with_most_merits_for_its_length_comes_first_and_the_first_of_equals() {
        let none = BTreeSet::new();
        assert_eq!(chosen(&of(&[(&[1], 4), (&[1, 2], 4), (&[3], 1)]), &none), [2, 1]);
        assert_eq!(chosen(&of(&[(&[1], 2), (&[1], 2), (&[1], 1)]), &none), [2], "the shortest");
        assert_eq!(chosen(&of(&[(&[1], 2), (&[1], 2)]), &none), [0], "the first");
        assert_eq!(chosen(&of(&[(&[], 1), (&[7], 1)]), &BTreeSet::from([7])), [0; 0], "it was there");
    }

    #[test]
    fn what_later_ones_make_superfluous_is_left_out() {
        // The first is the best bargain, and the two others, which are needed, have all it has.
        let candidates = of(&[(&[1, 2], 1), (&[1, 3], 3), (&[2, 4], 3)]);
        assert_eq!(chosen(&candidates, &BTreeSet::new()), [1, 2]);
    }

    /// The same by going through all candidates each time.
    fn naive(candidates: &[Candidate<u32>], have: &BTreeSet<u32>) -> Vec<usize> {
        let (mut shown, mut chosen) = (have.clone(), vec![]);
        loop {
            let worth = |(place, c): (usize, &Candidate<u32>)| Worth {
                gain: c.merits.difference(&shown).count(),
                length: c.length.max(1),
                place,
            };
            let best = candidates.iter().enumerate().map(worth).max().filter(|best| best.gain > 0);
            let Some(Worth { place, .. }) = best else { break };
            chosen.push(place);
            shown.extend(&candidates[place].merits);
        }
        let merits = |places: &[usize]| -> BTreeSet<u32> {
            let all = places.iter().flat_map(|&place| candidates[place].merits.iter().copied());
            all.filter(|merit| !have.contains(merit)).collect()
        };
        for at in (0..chosen.len()).rev() {
            let mut rest = chosen.clone();
            rest.remove(at);
            if merits(&rest) == merits(&chosen) {
                chosen = rest;
            }
        }
        chosen
    }

    #[test]
    fn it_chooses_as_going_through_all_of_them_does_and_has_every_merit() {
        let mut state = 7_u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..200 {
            let count = random(12) as usize;
            let candidates: Vec<Candidate<u32>> = (0..count)
                .map(|_| Candidate {
                    merits: (0..random(5)).map(|_| random(9)).collect(),
                    length: random(4) as usize,
                })
                .collect();
            let have: BTreeSet<u32> = (0..random(3)).map(|_| random(9)).collect();
            let found = chosen(&candidates, &have);
            assert_eq!(found, naive(&candidates, &have), "{candidates:?} {have:?}");
            let all: BTreeSet<u32> = candidates.iter().flat_map(|c| c.merits.clone()).collect();
            let shown: BTreeSet<u32> =
                found.iter().flat_map(|&place| candidates[place].merits.clone()).collect();
            assert!(all.difference(&have).all(|merit| shown.contains(merit)));
        }
    }
}
