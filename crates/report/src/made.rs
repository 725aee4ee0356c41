//! A report that is one text, and what is to be said of it besides. Knows nothing of formats. Invariant: plain values.

use std::collections::BTreeSet;

/// A report that is one text.
#[derive(Debug, Default)]
pub struct Made {
    /// It.
    pub text: String,
    /// The outermost classes whose source was looked for and not found.
    pub without_source: BTreeSet<String>,
    /// Lines that a source does not have; of LCOV alone.
    pub beyond: usize,
    /// How many source files it is about; of LCOV alone.
    pub files: usize,
}
