//! Coverage goals: by number, which are wanted, and which others each depends on.
//!
//! It knows numbers, not what is covered: outcomes of branches, lines, methods. Invariant: a goal without dependences may be reached by any run.

use std::collections::{BTreeMap, BTreeSet};

/// The goals of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverageGoals {
    wanted: BTreeSet<u32>,
    /// By goal, those of which one must be reached before it can be.
    above: BTreeMap<u32, Vec<u32>>,
    /// From this number on every goal is wanted as soon as it is met.
    all_from: Option<u32>,
}

impl CoverageGoals {
    /// These goals, with the goals that they and others depend on: no run reaches a goal that has some and reaches none of them.
    pub fn new(wanted: BTreeSet<u32>, above: BTreeMap<u32, Vec<u32>>) -> Self {
        Self { wanted, above, all_from: None }
    }

    /// The same, with all goals from this number on: which there are shows only when they are met.
    pub fn with_all_from(self, first: u32) -> Self {
        Self { all_from: Some(first), ..self }
    }

    /// Whether a goal is wanted.
    pub(crate) fn wants(&self, goal: u32) -> bool {
        self.wanted.contains(&goal) || self.all_from.is_some_and(|first| goal >= first)
    }

    /// The goals that are wanted, ascending.
    pub(crate) fn wanted(&self) -> &BTreeSet<u32> {
        &self.wanted
    }

    /// What a goal depends on directly.
    pub(crate) fn above(&self, goal: u32) -> &[u32] {
        self.above.get(&goal).map_or(&[], Vec::as_slice)
    }
}
