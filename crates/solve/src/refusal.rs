//! Why something cannot be analysed. Knows nothing of who asked. Invariant: a refusal has a reason that a user can read.

use dynaflow_classfile::Error;
use std::fmt;

/// Why a method cannot be analysed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal(pub String);

impl Refusal {
    /// With a reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}
