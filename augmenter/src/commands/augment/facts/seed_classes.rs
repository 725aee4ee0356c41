//! The test classes of the seeds. Knows nothing of what they are run for.
//!
//! Invariant: findings of earlier runs are not among them, as they fail whatever is changed.

use std::path::PathBuf;

/// The test classes of the seeds, so that they can run again.
#[derive(Clone, Debug, Default)]
pub struct SeedClasses {
    /// Binary names of the test classes.
    pub names: Vec<String>,
    /// What they need besides the class path.
    pub class_path: Vec<PathBuf>,
}
