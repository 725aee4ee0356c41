//! Which static def-use associations runs covered: what `mode=dua` records.
//!
//! It knows associations by their ids alone, 64-bit numbers that people see as 16 hex digits. Invariant: everything here is a set, so
//! that the coverage of several runs is their union.

use crate::options::{AgentOptions, Arrays};
use crate::pattern::Pattern;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a run was asked to record.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CoverageRun {
    /// How associations were sought.
    pub sought: Sought,
    /// The include patterns; none means all that is not left out by default.
    pub include: Vec<String>,
    /// The exclude patterns.
    pub exclude: Vec<String>,
}

/// How associations were sought: other ways give other associations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Sought {
    /// What a store into an array counts as.
    pub arrays: Arrays,
    /// Whether ways from a block to the handlers of its exceptions are control flow.
    pub exception_edges: bool,
}

impl std::fmt::Display for Sought {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "arrays={}, exception-edges={}", self.arrays, self.exception_edges)
    }
}

impl CoverageRun {
    /// What these options ask for.
    pub fn of(options: &AgentOptions) -> Self {
        let texts = |patterns: &[Pattern]| patterns.iter().map(|p| p.as_str().to_owned()).collect();
        Self {
            sought: Sought { arrays: options.arrays, exception_edges: options.exception_edges },
            include: texts(&options.include),
            exclude: texts(&options.exclude),
        }
    }

    /// The patterns, as options that say which classes were selected. What is no pattern selects nothing.
    pub fn patterns(&self) -> AgentOptions {
        let read = |texts: &[String]| texts.iter().filter_map(|text| Pattern::new(text).ok()).collect();
        AgentOptions { include: read(&self.include), exclude: read(&self.exclude), ..AgentOptions::default() }
    }
}

/// What runs covered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The runs, by what they were asked for; none when coverage was not recorded.
    pub runs: BTreeSet<CoverageRun>,
    /// The ids of the associations that were covered.
    pub covered: BTreeSet<u64>,
}

impl Coverage {
    /// Adds what another recording covered.
    pub fn unite(&mut self, other: &Self) {
        self.runs.extend(other.runs.iter().cloned());
        self.covered.extend(&other.covered);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_selects_what_the_options_it_was_made_of_select() {
        let options = AgentOptions::parse("include=a.**,exclude=a.b.*,mode=dua,arrays=whole").unwrap();
        let run = CoverageRun::of(&options);
        assert_eq!(run.sought.to_string(), "arrays=whole, exception-edges=false");
        let patterns = run.patterns();
        for class in ["a.A", "a.b.B", "a.b.c.C", "b.A", "java.util.List"] {
            assert_eq!(patterns.includes(class), options.includes(class), "{class}");
        }
        assert!(CoverageRun::default().patterns().includes("org.example.A"));
    }
}
