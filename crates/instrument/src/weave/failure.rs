//! Why something is not woven, and how much stays as it was then.
//!
//! Knows nothing of what is woven. Invariant: the reason is words for a user.

use dynaflow_classfile::Error;

/// Why something was not woven.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The method stays as it was.
    Method(String),
    /// The class stays as it was.
    Class(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Class(error)
    }
}

/// A method would need more stack or local variables than the JVM allows.
pub(crate) fn too_large() -> Failure {
    Failure::Method("it needs more stack or local variables than the JVM allows".to_owned())
}
