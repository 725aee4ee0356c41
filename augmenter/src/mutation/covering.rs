//! Which tests reach which mutants, in the order in which they are run. Knows numbers of mutants and probes, no processes.
//!
//! Invariant: the order depends on what tests meet and on their names; times matter in steps of ten only, so that a test of seconds is not
//! run before one of milliseconds.

use super::plan::{Plan, PlannedClass};
use super::survey::Unit;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// By number of a mutant, the tests that reach it, in the order in which they run.
#[derive(Debug)]
pub(super) struct Covering {
    /// Those that reach it whenever they run.
    pub warm: Vec<Vec<usize>>,
    /// Those that have to be the first of a fresh JVM: they reach it there only, or do there what they do not do again in its class, as where a
    /// table is filled that stays.
    pub once: Vec<Vec<usize>>,
}

/// The number of a mutant of a class.
pub(super) fn number(class: &PlannedClass, mutant: usize) -> u32 {
    class.base.saturating_add(u32::try_from(mutant).unwrap_or(u32::MAX))
}

impl Covering {
    /// Finds them.
    pub fn of(plan: &Plan, units: &[Unit]) -> Self {
        let mut behind: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for class in &plan.classes {
            for (mutant, probes) in class.probes.iter().enumerate() {
                for probe in probes {
                    behind.entry(number(class, *probe)).or_default().push(number(class, mutant));
                }
            }
        }
        let mut order: Vec<(usize, &Unit)> = units.iter().enumerate().collect();
        order.sort_by_key(|(position, unit)| (rank(unit), *position));
        let mut covering = Self { warm: vec![vec![]; plan.numbers], once: vec![vec![]; plan.numbers] };
        for (position, unit) in order {
            add(&mut covering.warm, position, &behind, unit.warm.iter());
            let class = |probe: &u32| plan.classes.partition_point(|class| class.base <= *probe);
            let changing: BTreeSet<usize> = unit.once.iter().map(class).collect();
            let first = unit.warm.iter().filter(|probe| changing.contains(&class(probe)));
            add(&mut covering.once, position, &behind, unit.once.iter().chain(first));
        }
        covering
    }

    /// Leaves out what costs most and seldom says more: slow tests of a mutant that another test reaches whenever it runs, and those that reach it whenever they run
    /// once more in a fresh JVM.
    pub fn without_dear(&mut self, is_slow: impl Fn(usize) -> bool) {
        for (warm, once) in self.warm.iter_mut().zip(&mut self.once) {
            once.retain(|test| !warm.contains(test));
            if warm.iter().any(|test| !is_slow(*test)) {
                [warm, once].into_iter().for_each(|tests| tests.retain(|test| !is_slow(*test)));
            }
        }
    }

    /// All tests of a mutant in the order in which they run, each once.
    pub fn tests(&self, number: u32) -> Vec<usize> {
        let list = |lists: &[Vec<usize>]| lists.get(number as usize).cloned().unwrap_or_default();
        let (mut tests, once) = (list(&self.warm), list(&self.once));
        let more: Vec<usize> = once.into_iter().filter(|test| !tests.contains(test)).collect();
        tests.extend(more);
        tests
    }
}

/// Adds a test to the lists of the mutants behind these probes.
fn add<'p>(
    lists: &mut [Vec<usize>],
    test: usize,
    behind: &BTreeMap<u32, Vec<u32>>,
    probes: impl Iterator<Item = &'p u32>,
) {
    for mutant in probes.filter_map(|probe| behind.get(probe)).flatten() {
        if let Some(list) = lists.get_mut(*mutant as usize)
            && list.last() != Some(&test)
        {
            list.push(test);
        }
    }
}

/// Fast tests first, and of those that take about as long the ones that do less.
fn rank(unit: &Unit) -> (u32, usize) {
    let steps = [100, 1_000, 10_000].map(Duration::from_millis);
    let slow = steps.iter().filter(|step| unit.time >= **step).count();
    (u32::try_from(slow).unwrap_or_default(), unit.warm.len() + unit.once.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_tests_are_asked_about_what_no_other_one_reaches_whenever_it_runs() {
        let lists = |lists: &[&[usize]]| lists.iter().map(|list| list.to_vec()).collect::<Vec<_>>();
        // Tests from 10 on are slow.
        let mut covering = Covering {
            warm: lists(&[&[1, 10], &[10, 11], &[], &[2]]),
            once: lists(&[&[11, 2], &[1, 11], &[10, 3], &[2]]),
        };
        covering.without_dear(|test| test >= 10);
        assert_eq!(covering.warm, lists(&[&[1], &[10, 11], &[], &[2]]));
        assert_eq!(covering.once, lists(&[&[2], &[1], &[10, 3], &[]]));
    }
}
