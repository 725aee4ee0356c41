//! The classes whose pairs count.
//!
//! In: patterns of targets, the classes of the program, and of all. Out: whether a root is one. Knows nothing of facts. Invariant: a class of the tests
//! counts only where it is named as one that stands for a target, however wide the patterns are.

use dynaflow_model::pattern::Pattern;
use std::collections::BTreeSet;

/// Root classes, by patterns of binary names.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    patterns: Vec<Pattern>,
    /// Classes that a pattern selects and that do not count.
    not: BTreeSet<String>,
}

impl Roots {
    /// Those of the program that the patterns select, and these others.
    pub fn of_program(
        patterns: &[Pattern],
        (program, all): (&BTreeSet<String>, &BTreeSet<String>),
        others: impl IntoIterator<Item = Pattern>,
    ) -> Self {
        let others: Vec<Pattern> = others.into_iter().collect();
        let is_one = |patterns: &[Pattern], class: &str| patterns.iter().any(|p| p.matches(class));
        let of_tests = all.difference(program);
        let not =
            of_tests.filter(|class| is_one(patterns, class) && !is_one(&others, class)).cloned().collect();
        Self { patterns: [patterns, &others].concat(), not }
    }

    /// Exactly what the patterns select.
    pub fn of(patterns: Vec<Pattern>) -> Self {
        Self { patterns, not: BTreeSet::new() }
    }

    /// Whether pairs of this root count.
    pub fn select(&self, class: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.matches(class)) && !self.not.contains(class)
    }

    /// What names the first of them; empty if there is none.
    pub fn first(&self) -> &str {
        self.patterns.first().map_or("", Pattern::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(ToString::to_string).collect()
    }

    fn pattern(text: &str) -> Pattern {
        Pattern::new(text).unwrap()
    }

    #[test]
    fn classes_of_the_tests_do_not_count_however_wide_a_pattern_is_unless_they_stand_for_a_target() {
        let (program, all) = (names(&["a.Box"]), names(&["a.Box", "a.BoxTest", "a.Data", "a.Filled"]));
        let roots = Roots::of_program(&[pattern("**")], (&program, &all), [pattern("a.Filled")]);
        let counted = ["a.Box", "a.BoxTest", "a.Data", "a.Filled", "made.Later"].map(|c| roots.select(c));
        assert_eq!(counted, [true, false, false, true, true]);
        assert!(!Roots::of_program(&[pattern("a.*")], (&program, &all), []).select("b.Box"));
    }
}
