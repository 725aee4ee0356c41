//! What earns tests a place: the criteria of a run.
//!
//! Knows names and kinds of goals, not who reaches them. Invariant: what is not named earns no test.

use super::options::Criterion;
use dynaflow_fitness::{Kind, Wanted};
use std::collections::BTreeSet;

/// What tests are written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criteria(BTreeSet<Criterion>);

impl Criteria {
    /// What the command line names; by default objectives, and branches where there are no seeds.
    pub fn of(named: &[Criterion], has_seeds: bool) -> Self {
        let by_default = [Criterion::Objectives, Criterion::Branch];
        let default = if has_seeds { &by_default[..1] } else { &by_default[..] };
        Self(if named.is_empty() { default } else { named }.iter().copied().collect())
    }

    /// Whether this is one of them.
    pub fn has(&self, criterion: Criterion) -> bool {
        self.0.contains(&criterion)
    }

    /// Whether goals of coverage earn tests.
    pub fn cover(&self) -> bool {
        self.has(Criterion::Branch) || self.has(Criterion::Line) || self.call()
    }

    /// Whether goals of calls earn tests.
    pub fn call(&self) -> bool {
        let of_calls =
            [Criterion::Method, Criterion::MethodNoException, Criterion::Exception, Criterion::Output];
        of_calls.into_iter().any(|criterion| self.has(criterion))
    }

    /// What has probes: branches lead to pairs, too.
    pub fn probes(&self) -> Wanted {
        if self.has(Criterion::Line) { Wanted::BranchesAndLines } else { Wanted::Branches }
    }

    /// Whether the search is led to goals of this kind.
    pub fn lead_to(&self, kind: Kind) -> bool {
        matches!(kind, Kind::Jump | Kind::Case) || self.want(kind)
    }

    /// Whether goals of this kind earn tests.
    pub fn want(&self, kind: Kind) -> bool {
        match kind {
            Kind::Jump | Kind::Case | Kind::Entry => self.has(Criterion::Branch),
            Kind::Line => self.has(Criterion::Line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objectives_are_the_default_joined_by_branches_where_there_are_no_seeds() {
        let of =
            |named: &[Criterion], has_seeds| Criteria::of(named, has_seeds).0.into_iter().collect::<Vec<_>>();
        assert_eq!(of(&[], true), [Criterion::Objectives]);
        assert_eq!(of(&[], false), [Criterion::Objectives, Criterion::Branch]);
        assert_eq!(of(&[Criterion::Objectives], false), [Criterion::Objectives]);
        assert_eq!(of(&[Criterion::Line, Criterion::Branch], true), [Criterion::Branch, Criterion::Line]);
    }

    #[test]
    fn lines_and_calls_are_measured_where_they_earn_tests() {
        let of = |criterion| Criteria::of(&[criterion], true);
        assert_eq!(
            (of(Criterion::Line).probes(), of(Criterion::Branch).probes()),
            (Wanted::BranchesAndLines, Wanted::Branches)
        );
        assert!(
            of(Criterion::Output).call() && of(Criterion::Output).cover() && !of(Criterion::Branch).call()
        );
        assert!(!of(Criterion::Objectives).cover() && of(Criterion::Objectives).lead_to(Kind::Jump));
        assert!(
            !of(Criterion::Objectives).lead_to(Kind::Entry) && of(Criterion::Branch).lead_to(Kind::Entry)
        );
    }
}
