//! What earns tests a place, and what leads the search to it: the criteria of a run.
//!
//! Knows names and kinds of goals, not who reaches them. Invariants: what is not named earns no test; smart selection leaves out what leads the search, never what
//! earns a test.

use super::options::Criterion;
use dynaflow_fitness::{Branch, Kind, Wanted};
use std::collections::BTreeSet;

/// What tests are written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criteria {
    named: BTreeSet<Criterion>,
    /// Whether, of goals that are reached together, some lead the search for all (Zhou et al., "Selectively Combining Multiple Coverage Goals in
    /// Search-Based Unit Test Generation", section 3): branches by direct calls for branches, methods that return for methods called, and few of lines, mutants and def-use pairs.
    is_smart: bool,
}

impl Criteria {
    /// What the command line names; by default objectives, and branches where there are no seeds.
    pub fn of(named: &[Criterion], has_seeds: bool) -> Self {
        let by_default = [Criterion::Objectives, Criterion::Branch];
        let default = if has_seeds { &by_default[..1] } else { &by_default[..] };
        let named = if named.is_empty() { default } else { named };
        Self { named: named.iter().copied().collect(), is_smart: false }
    }

    /// The same, with smart selection or without.
    pub fn with_smart_selection(self, is_smart: bool) -> Self {
        Self { is_smart, ..self }
    }

    /// Whether this is one of them.
    pub fn has(&self, criterion: Criterion) -> bool {
        self.named.contains(&criterion)
    }

    /// Whether goals of coverage earn tests.
    pub fn cover(&self) -> bool {
        self.named.iter().any(|criterion| *criterion != Criterion::Objectives)
    }

    /// Whether goals of calls earn tests.
    pub fn call(&self) -> bool {
        let of_calls =
            [Criterion::Method, Criterion::MethodNoException, Criterion::Exception, Criterion::Output];
        of_calls.into_iter().any(|criterion| self.has(criterion))
    }

    /// Whether it matters which calls a test makes itself: then what seeds reach is known as far as they can be rebuilt.
    pub fn ask_who_calls(&self) -> bool {
        self.call() || self.has(Criterion::DirectBranch)
    }

    /// What has probes: branches lead to pairs, too.
    pub fn probes(&self) -> Wanted {
        Wanted {
            lines: self.has(Criterion::Line),
            direct: self.has(Criterion::DirectBranch),
            mutants: self.has(Criterion::WeakMutation),
            pairs: self.has(Criterion::DefUse),
        }
    }

    /// Whether there is something that smart selection may leave out.
    pub fn may_select(&self) -> bool {
        let of_branches =
            [Criterion::DefUse, Criterion::DirectBranch, Criterion::Line, Criterion::WeakMutation];
        let of_methods = [Criterion::Method, Criterion::MethodNoException];
        of_branches.into_iter().any(|one| self.has(one)) || of_methods.into_iter().all(|one| self.has(one))
    }

    /// Whether the search is led to a goal of probes. Branches lead to pairs, so that they do whatever is named.
    pub fn lead_to(&self, goal: &Branch) -> bool {
        let stands = !self.is_smart || goal.represents;
        // Whoever takes a branch by a direct call takes it.
        let is_taken_too = self.is_smart && self.has(Criterion::DirectBranch) && goal.is_public;
        match goal.kind {
            Kind::Jump | Kind::Case => goal.is_direct || !is_taken_too,
            Kind::Entry => self.want(goal) && (goal.is_direct || !is_taken_too),
            Kind::Line | Kind::Mutant(_) | Kind::Pair(_) => self.want(goal) && stands,
            Kind::Definition => false,
        }
    }

    /// Whether the search is led to calls of methods, whatever they come to: whoever reaches that one returns has called it.
    pub fn lead_to_calls(&self) -> bool {
        !(self.is_smart && self.has(Criterion::MethodNoException))
    }

    /// Whether a goal of probes earns tests.
    pub fn want(&self, goal: &Branch) -> bool {
        !self.that_have(goal).is_empty()
    }

    /// The criteria that have a goal of probes.
    pub fn that_have(&self, goal: &Branch) -> Vec<Criterion> {
        let all: &[Criterion] = match goal.kind {
            Kind::Jump | Kind::Case | Kind::Entry if goal.is_direct => &[Criterion::DirectBranch],
            Kind::Jump | Kind::Case | Kind::Entry if goal.is_public => &[Criterion::Branch],
            // A method that is not public counts whoever calls it.
            Kind::Jump | Kind::Case | Kind::Entry => &[Criterion::Branch, Criterion::DirectBranch],
            Kind::Line => &[Criterion::Line],
            Kind::Mutant(_) => &[Criterion::WeakMutation],
            Kind::Pair(_) => &[Criterion::DefUse],
            Kind::Definition => &[],
        };
        all.iter().copied().filter(|criterion| self.has(*criterion)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_fitness::{Mutation, Operator};

    #[test]
    fn objectives_are_the_default_joined_by_branches_where_there_are_no_seeds() {
        let of = |named: &[Criterion], has_seeds| {
            Criteria::of(named, has_seeds).named.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(of(&[], true), [Criterion::Objectives]);
        assert_eq!(of(&[], false), [Criterion::Objectives, Criterion::Branch]);
        assert_eq!(of(&[Criterion::Objectives], false), [Criterion::Objectives]);
        assert_eq!(of(&[Criterion::Line, Criterion::Branch], true), [Criterion::Branch, Criterion::Line]);
    }

    /// Goals of a public method, a branch, its entry, a line, a mutant and the same by direct calls; and a branch of a private one.
    fn goals() -> Vec<(&'static str, Branch)> {
        let goal = |kind, is_public, is_direct, represents| Branch {
            method: "of(I)I".into(),
            offset: 0,
            line: 1,
            kind,
            is_public,
            is_direct,
            represents,
        };
        let mutant = Kind::Mutant(Mutation::Operator(Operator::Plus, Operator::Minus));
        vec![
            ("branch", goal(Kind::Jump, true, false, false)),
            ("entry", goal(Kind::Entry, true, false, false)),
            ("direct branch", goal(Kind::Jump, true, true, false)),
            ("direct entry", goal(Kind::Entry, true, true, false)),
            ("hidden branch", goal(Kind::Case, false, false, false)),
            ("line", goal(Kind::Line, true, false, false)),
            ("standing line", goal(Kind::Line, true, false, true)),
            ("mutant", goal(Kind::Mutant(Mutation::Constant), true, false, false)),
            ("standing mutant", goal(mutant, true, false, true)),
            ("pair", goal(Kind::Pair(0), true, false, false)),
            ("standing pair", goal(Kind::Pair(1), true, false, true)),
        ]
    }

    fn chosen(choose: impl Fn(&Branch) -> bool) -> Vec<&'static str> {
        goals().into_iter().filter(|(_, goal)| choose(goal)).map(|(name, _)| name).collect()
    }

    #[test]
    fn what_is_named_earns_tests_and_branches_lead_in_any_case() {
        let of = |criterion| Criteria::of(&[criterion], true);
        assert_eq!(chosen(|goal| of(Criterion::Branch).want(goal)), ["branch", "entry", "hidden branch"]);
        let direct = ["direct branch", "direct entry", "hidden branch"];
        assert_eq!(chosen(|goal| of(Criterion::DirectBranch).want(goal)), direct);
        assert_eq!(chosen(|goal| of(Criterion::Line).want(goal)), ["line", "standing line"]);
        assert_eq!(chosen(|goal| of(Criterion::WeakMutation).want(goal)), ["mutant", "standing mutant"]);
        assert_eq!(chosen(|goal| of(Criterion::DefUse).want(goal)), ["pair", "standing pair"]);
        assert_eq!(chosen(|goal| of(Criterion::Objectives).want(goal)), [""; 0]);
        for criterion in [Criterion::Objectives, Criterion::Output] {
            assert_eq!(
                chosen(|goal| !goal.is_direct && of(criterion).lead_to(goal)),
                ["branch", "hidden branch"]
            );
        }
        let lines = of(Criterion::Line);
        assert_eq!(
            chosen(|goal| !goal.is_direct && lines.lead_to(goal)),
            ["branch", "hidden branch", "line", "standing line"]
        );
    }

    #[test]
    fn smart_selection_leads_by_what_stands_for_others_and_leaves_what_earns_tests() {
        let named = [
            Criterion::Branch,
            Criterion::DirectBranch,
            Criterion::Line,
            Criterion::WeakMutation,
            Criterion::DefUse,
            Criterion::Method,
            Criterion::MethodNoException,
        ];
        let all = Criteria::of(&named, true);
        let smart = all.clone().with_smart_selection(true);
        assert_eq!(chosen(|goal| all.lead_to(goal)), chosen(|_| true));
        assert_eq!(
            chosen(|goal| smart.lead_to(goal)),
            [
                "direct branch",
                "direct entry",
                "hidden branch",
                "standing line",
                "standing mutant",
                "standing pair"
            ]
        );
        assert_eq!(chosen(|goal| smart.want(goal)), chosen(|goal| all.want(goal)));
        assert!(all.lead_to_calls() && !smart.lead_to_calls());
        let without = Criteria::of(&[Criterion::Line, Criterion::Method], true).with_smart_selection(true);
        assert!(without.lead_to_calls() && without.may_select());
        assert_eq!(
            chosen(|goal| !goal.is_direct && without.lead_to(goal)),
            ["branch", "hidden branch", "standing line"]
        );
        assert!(!Criteria::of(&[Criterion::Branch, Criterion::Output], true).may_select());
    }

    #[test]
    fn lines_and_calls_are_measured_where_they_earn_tests() {
        let of = |criterion| Criteria::of(&[criterion], true);
        assert_eq!(of(Criterion::Branch).probes(), Wanted::BRANCHES);
        assert_eq!(of(Criterion::Line).probes(), Wanted { lines: true, ..Wanted::BRANCHES });
        assert_eq!(of(Criterion::DirectBranch).probes(), Wanted { direct: true, ..Wanted::BRANCHES });
        assert_eq!(of(Criterion::WeakMutation).probes(), Wanted { mutants: true, ..Wanted::BRANCHES });
        assert_eq!(of(Criterion::DefUse).probes(), Wanted { pairs: true, ..Wanted::BRANCHES });
        assert!(
            of(Criterion::Output).call() && of(Criterion::Output).cover() && !of(Criterion::Branch).call()
        );
        assert!(of(Criterion::DirectBranch).ask_who_calls() && !of(Criterion::Line).ask_who_calls());
        assert!(!of(Criterion::Objectives).cover() && of(Criterion::WeakMutation).cover());
    }
}
