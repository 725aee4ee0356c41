//! Which exceptions a test may expect: those that the program throws on purpose.
//!
//! Knows nothing of how that is found out. Invariant: what a run without an exception showed is expected of nobody.

use dynaflow_model::outcome::{Outcome, Thrown};
use dynaflow_model::sequence::Sequence;
use std::fmt;

/// Says of the exception that ended a run whether a test may expect it.
#[derive(Clone, Copy)]
pub struct Expects<'a>(pub &'a dyn Fn(&Sequence, &Outcome, &Thrown) -> bool);

impl Expects<'_> {
    /// Whether an exception ended the run of the sequence, and one that a test may expect.
    pub fn has(self, sequence: &Sequence, outcome: &Outcome) -> bool {
        outcome.thrown.as_ref().is_some_and(|thrown| self.0(sequence, outcome, thrown))
    }
}

impl fmt::Debug for Expects<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Expects")
    }
}
