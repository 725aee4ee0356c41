//! Why something was not analysed. Knows nothing of who asked. Invariant: a refusal has a reason that a user can read.

use dynaflow_classfile::Error;
use std::fmt;

/// Why a method or a class was not analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Offset of the instruction in its method, where it is one.
    pub offset: Option<u32>,
    /// The reason.
    pub reason: String,
}

impl Refusal {
    pub(super) fn of_graph(error: impl fmt::Display) -> Self {
        Self { offset: None, reason: error.to_string() }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self { offset: None, reason: error.to_string() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "{} (offset {offset})", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for Refusal {}
