//! A sequence with what was measured when it ran. It knows no goals. Invariant: the distances are those of one run.

use dynaflow_model::outcome::{Distance, Operands};
use dynaflow_model::sequence::Sequence;

/// A measured sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Individual {
    /// What it does.
    pub(crate) sequence: Sequence,
    /// Ascending by outcome.
    distances: Vec<Distance>,
}

impl Individual {
    /// A sequence with the distances of its run.
    pub(crate) fn new(sequence: Sequence, mut distances: Vec<Distance>) -> Self {
        distances.sort_by_key(|distance| distance.outcome);
        Self { sequence, distances }
    }

    /// What it met.
    pub(crate) fn distances(&self) -> &[Distance] {
        &self.distances
    }

    /// How many statements it has.
    pub(crate) fn length(&self) -> usize {
        self.sequence.statements.len()
    }

    /// How far it was from a goal that it met.
    pub(crate) fn away(&self, goal: u32) -> Option<u64> {
        self.met(goal).map(|distance| distance.away)
    }

    /// What was compared where it missed a goal.
    pub(crate) fn operands(&self, goal: u32) -> Option<&Operands> {
        self.met(goal).and_then(|distance| distance.operands.as_ref())
    }

    fn met(&self, goal: u32) -> Option<&Distance> {
        let at = self.distances.binary_search_by_key(&goal, |distance| distance.outcome).ok()?;
        self.distances.get(at)
    }
}

/// Individuals for tests.
#[cfg(test)]
pub(crate) mod twin {
    use super::Individual;
    use dynaflow_model::outcome::Distance;
    use dynaflow_model::sequence::{Operation, Sequence, Statement};

    /// An individual that differs from others by its name and length.
    pub(crate) fn individual(name: &str, length: usize, distances: &[Distance]) -> Individual {
        let statement = Statement {
            operation: Operation::Opaque(name.to_owned()),
            result: "V".into(),
            runtime_class: None,
            caught: None,
        };
        Individual::new(Sequence { statements: vec![statement; length] }, distances.to_vec())
    }

    /// A distance without operands.
    pub(crate) fn distance(outcome: u32, away: f64) -> Distance {
        Distance { outcome, away: away.to_bits(), operands: None }
    }

    /// The name of an individual's sequence.
    pub(crate) fn name_of(sequence: &Sequence) -> String {
        match sequence.statements.first().map(|statement| &statement.operation) {
            Some(Operation::Opaque(name)) => name.clone(),
            _ => String::new(),
        }
    }
}
