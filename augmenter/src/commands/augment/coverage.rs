//! Goals of coverage of a class, and who reaches them. Knows nothing of how that is measured. Invariant: a goal counts once, however many reach it.

use std::collections::{BTreeMap, BTreeSet};

/// The goals of a class, and who reaches them.
#[derive(Debug, Default)]
pub struct Coverage {
    /// What each goal is, by its number.
    pub texts: BTreeMap<u32, String>,
    /// Those that the seeds reach.
    pub by_seeds: BTreeSet<u32>,
    /// By test, those it reaches.
    pub by_tests: Vec<BTreeSet<u32>>,
}

/// How many goals of a class there are, and who reaches them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// All of them.
    pub all: usize,
    /// Those that the seeds reach.
    pub by_seeds: usize,
    /// Those that the seeds or the green tests added reach.
    pub by_suite: usize,
}

impl Coverage {
    /// The figures of a suite that consists of the seeds and of these tests, by their places.
    pub fn figures(&self, tests: impl Iterator<Item = usize>) -> Figures {
        let own = tests.filter_map(|place| self.by_tests.get(place)).flatten().copied();
        let suite: BTreeSet<u32> = own.chain(self.by_seeds.iter().copied()).collect();
        Figures { all: self.texts.len(), by_seeds: self.by_seeds.len(), by_suite: suite.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_seeds_and_tests_reach_counts_once() {
        let texts = (0..6).map(|goal| (goal, String::new())).collect();
        let by_tests = vec![BTreeSet::from([1, 2]), BTreeSet::from([2, 3]), BTreeSet::from([5])];
        let coverage = Coverage { texts, by_seeds: BTreeSet::from([0, 1]), by_tests };
        assert_eq!(coverage.figures([0, 1].into_iter()), Figures { all: 6, by_seeds: 2, by_suite: 4 });
    }
}
