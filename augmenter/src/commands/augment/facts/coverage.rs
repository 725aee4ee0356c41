//! Goals of coverage of a class, and who reaches them. Knows nothing of how that is measured. Invariant: a goal counts once, however many reach it.

use crate::commands::augment::ask::options::{Criterion, named};
use std::collections::{BTreeMap, BTreeSet};

/// A goal that earns tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// What it is, for people.
    pub text: String,
    /// The criteria that have it.
    pub criteria: Vec<Criterion>,
}

/// The goals of a class, and who reaches them.
#[derive(Debug, Default)]
pub struct Coverage {
    /// The goals by their numbers.
    pub goals: BTreeMap<u32, Goal>,
    /// Those that the seeds reach.
    pub by_seeds: BTreeSet<u32>,
    /// By test, those it reaches.
    pub by_tests: Vec<BTreeSet<u32>>,
}

/// How many goals there are, and who reaches them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub all: usize,
    /// Those that the seeds reach.
    pub by_seeds: usize,
    /// Those that the seeds or the green tests added reach.
    pub by_suite: usize,
}

/// The figures of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Each goal once.
    pub total: Counts,
    /// By criterion; a goal of two criteria counts for both.
    pub by_criterion: BTreeMap<Criterion, Counts>,
    /// What nobody reaches.
    pub open: Vec<String>,
}

impl Counts {
    fn add(&mut self, by_seeds: bool, by_suite: bool) {
        self.all += 1;
        self.by_seeds += usize::from(by_seeds);
        self.by_suite += usize::from(by_suite);
    }
}

impl Figures {
    /// The figures by criterion, for people: `branch 12 of 12, line 30 of 31`; nothing where there is one criterion.
    pub fn of_criteria(&self) -> Option<String> {
        let one = |(criterion, counts): (&Criterion, &Counts)| {
            format!("{} {} of {}", named(criterion), counts.by_suite, counts.all)
        };
        let all: Vec<String> = self.by_criterion.iter().map(one).collect();
        (all.len() > 1).then(|| all.join(", "))
    }

    /// The same as a value of a table: name, all, by seeds, by the suite.
    pub fn cell(&self) -> String {
        let one = |(criterion, counts): (&Criterion, &Counts)| {
            format!("{} {}/{}/{}", named(criterion), counts.all, counts.by_seeds, counts.by_suite)
        };
        self.by_criterion.iter().map(one).collect::<Vec<_>>().join("; ")
    }
}

impl Coverage {
    /// The figures of a suite that consists of the seeds and of these tests, by their places.
    pub fn figures(&self, tests: impl Iterator<Item = usize>) -> Figures {
        let own = tests.filter_map(|place| self.by_tests.get(place)).flatten().copied();
        let suite: BTreeSet<u32> = own.chain(self.by_seeds.iter().copied()).collect();
        let mut figures = Figures::default();
        for (number, goal) in &self.goals {
            let (by_seeds, by_suite) = (self.by_seeds.contains(number), suite.contains(number));
            figures.total.add(by_seeds, by_suite);
            figures.open.extend((!by_suite).then(|| goal.text.clone()));
            for criterion in &goal.criteria {
                figures.by_criterion.entry(*criterion).or_default().add(by_seeds, by_suite);
            }
        }
        figures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_seeds_and_tests_reach_counts_once_and_for_each_criterion_that_has_it() {
        let goal = |number: u32| {
            let criteria = match number {
                0..3 => vec![Criterion::Branch, Criterion::DirectBranch],
                _ => vec![Criterion::Line],
            };
            (number, Goal { text: format!("goal {number}"), criteria })
        };
        let by_tests = vec![BTreeSet::from([1, 2]), BTreeSet::from([2, 3]), BTreeSet::from([5])];
        let coverage =
            Coverage { goals: (0..6).map(goal).collect(), by_seeds: BTreeSet::from([0, 1]), by_tests };
        let figures = coverage.figures([0, 1].into_iter());
        assert_eq!(figures.total, Counts { all: 6, by_seeds: 2, by_suite: 4 });
        assert_eq!(figures.open, ["goal 4", "goal 5"]);
        assert_eq!(figures.of_criteria().unwrap(), "branch 3 of 3, direct-branch 3 of 3, line 1 of 3");
        assert_eq!(figures.cell(), "branch 3/2/3; direct-branch 3/2/3; line 3/0/1");
    }
}
