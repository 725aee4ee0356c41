//! A target class and how far it has been searched, and what is left of it once it is checked. Knows nothing of turns. Invariant: a target whose search ended is not searched again.

use super::growth::Grown;
use crate::commands::augment::ask::criteria::Criteria;
use crate::commands::augment::facts::effects::Refusals;
use dynaflow_search::{Search, Types};
use std::time::Duration;

/// A target class, as far as it has been searched.
#[derive(Debug)]
pub struct Target {
    /// Its binary name.
    pub class: String,
    /// The classes whose objects run its code: itself, or subclasses that stand for it.
    pub objects: Vec<String>,
    /// What its tests may use.
    pub types: Types,
    /// Tests that did more than is allowed.
    pub refusals: Refusals,
    /// What came of it.
    pub grown: Grown,
    /// Sequences executed for it.
    pub executions: u64,
    /// Wall time of its turns.
    pub searched: Duration,
    /// Where its candidates come from.
    pub search: Search,
    /// What it used of the limit: microseconds, or executions.
    pub used: u64,
    /// Whether its last turn kept no test, so that it waits until all others wait.
    pub waits: bool,
}

impl Target {
    /// How much its turns have brought: tests, and goals where these earn some.
    pub fn yielded(&self, criteria: &Criteria) -> usize {
        self.grown.kept.len() + if criteria.cover() { self.search.goals_reached().1 } else { 0 }
    }

    /// Whether it can be searched further.
    pub fn is_open(&self) -> bool {
        self.grown.stopped_by.is_none()
    }
}

/// A target class whose candidates were chosen: nothing is sought for it any more.
#[derive(Debug)]
pub struct Searched {
    /// Its binary name.
    pub class: String,
    /// What its tests may use.
    pub types: Types,
    /// Tests that did more than is allowed.
    pub refusals: Refusals,
    /// What came of it.
    pub grown: Grown,
    /// Sequences executed for it.
    pub executions: u64,
    /// Wall time of its turns.
    pub searched: Duration,
    /// How many outcomes of branches there are, and how many were reached.
    pub branches: (usize, usize),
}

impl From<Target> for Searched {
    fn from(target: Target) -> Self {
        let Target { class, types, refusals, grown, executions, searched, search, .. } = target;
        Self { class, types, refusals, grown, executions, searched, branches: search.goals_reached() }
    }
}
