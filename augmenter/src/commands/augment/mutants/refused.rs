//! What the program refused somewhere, tried with its other methods: code checks at the begin of many methods what it checks in one, and no test passes there what it
//! refuses, or asks for it too late.
//!
//! In: sequences whose last call was refused, and calls that reach mutants nobody notices. Out: sequences that end with such a call in the state, or with the
//! arguments, that was refused. Knows nothing of what comes of it. Invariant: each place that refuses has one sequence, the shortest, the first of several; each
//! method is tried once for each place.

use dynaflow_model::outcome::{StackFrame, Thrown};
use dynaflow_model::sequence::{Operation, Sequence};
use dynaflow_search::called_instead;
use std::collections::{BTreeMap, BTreeSet};

/// Where calls were refused, each with a sequence that ends there.
#[derive(Debug, Default)]
pub struct Refused {
    shortest: BTreeMap<StackFrame, Sequence>,
}

impl Refused {
    /// A sequence ended so.
    pub fn saw(&mut self, sequence: &Sequence, thrown: &Thrown) {
        let Some(place) = thrown.raised_in.first() else { return };
        let best = self.shortest.entry(place.clone()).or_insert_with(|| sequence.clone());
        if sequence.statements.len() < best.statements.len() {
            best.clone_from(sequence);
        }
    }

    /// Sequences that end with these calls where another one was refused. Takes time in proportion to the number of both.
    pub fn elsewhere<'a>(&self, calls: impl Iterator<Item = (&'a Sequence, u32)>) -> Vec<Sequence> {
        let (mut tried, mut found) = (BTreeSet::new(), vec![]);
        for (sequence, at) in calls {
            let operation = sequence.statements.get(at as usize).map(|statement| &statement.operation);
            let Some(Operation::Call { method, .. }) = operation else { continue };
            if tried.insert(method) {
                found
                    .extend(self.shortest.values().flat_map(|refused| called_instead(refused, sequence, at)));
            }
        }
        found
    }
}
