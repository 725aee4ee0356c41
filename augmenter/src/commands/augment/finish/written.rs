//! The test methods of generated sources, by name, and the case that each was made of.
//!
//! Knows nothing of what they show. Invariant: a test of an earlier run has no case.

use dynaflow_testgen::{Generated, Placed};
use std::collections::BTreeMap;

/// A test method of the sources.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The place of its case; none for a test of an earlier run.
    pub case: Option<usize>,
    /// Whether it is a finding.
    pub failing: bool,
}

/// By `Class#method`.
pub type Names = BTreeMap<String, Named>;

/// All test methods of the sources.
pub fn names(generated: &Generated) -> Names {
    let mut names = Names::new();
    let mut add = |class: &str, method: &str, case: Option<usize>| {
        let failing = dynaflow_testgen::is_of_findings(class);
        names.insert(format!("{class}#{method}"), Named { case, failing });
    };
    for (index, placed) in generated.placed.iter().enumerate() {
        if let Placed::Written { class, method, .. } = placed {
            add(class, method, Some(index));
        }
    }
    for source in &generated.sources {
        source.kept.iter().for_each(|method| add(&source.class, method, None));
    }
    names
}

/// The cases that were written, ascending.
pub fn indices(names: &Names) -> Vec<usize> {
    let mut indices: Vec<usize> = names.values().filter_map(|test| test.case).collect();
    indices.sort_unstable();
    indices
}

/// The new tests in the order of their cases.
pub fn in_order(names: &Names) -> Vec<&str> {
    let by_case: BTreeMap<usize, &str> =
        names.iter().filter_map(|(name, test)| Some((test.case?, name.as_str()))).collect();
    by_case.into_values().collect()
}
