//! What the searches of all classes have in common, once: the types that tests may use, and the tests that they build on.
//!
//! Knows nothing of what is searched. Invariant: what two searches are given is the same memory as far as it is the same, so that a hundred classes take little more of it
//! than one.

use dynaflow_model::facts::Recording;
use dynaflow_search::{Specimen, Types};
use std::collections::BTreeMap;

/// Types and tests for the searches of all classes.
#[derive(Debug)]
pub struct Shared {
    types: Types,
    by_package: BTreeMap<String, Types>,
    specimens: Vec<Specimen>,
    /// The specimens are of so many tests of the suite.
    taken: usize,
}

impl Shared {
    /// These types, and no test yet.
    pub fn new(types: Types) -> Self {
        Self { types, by_package: BTreeMap::new(), specimens: vec![], taken: 0 }
    }

    /// The types, as tests in a package see them.
    pub fn types(&mut self, package: &str) -> Types {
        let known = self.by_package.entry(package.to_owned());
        known.or_insert_with(|| self.types.seen_from(package)).clone()
    }

    /// What splicing takes its parts from: the tests carved so far of a suite that only grows.
    pub fn specimens(&mut self, suite: &Recording) -> Vec<Specimen> {
        let new = suite.tests.get(self.taken..).unwrap_or_default();
        let new = new.iter().filter_map(|test| Some((test.carved.as_ref()?, &test.witnesses)));
        let new = new.map(|(carved, seen)| Specimen::new(carved.sequence.clone(), seen.clone()));
        self.specimens.extend(new);
        self.taken = suite.tests.len();
        self.specimens.clone()
    }
}
