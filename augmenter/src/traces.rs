//! Reads the traces a command is given and says what of them could not be used. Knows nothing of what they are for.
//!
//! Invariant: a part that is left out is never left out silently.

use crate::output::warning;
use dynaflow_trace::{Merged, TraceError, read_all};
use std::path::PathBuf;

/// Reads and merges files and folders.
///
/// # Errors
/// When one cannot be read or is no trace, a folder has none, or a class is there in two builds.
pub fn read(paths: &[PathBuf]) -> Result<Merged, TraceError> {
    let merged = read_all(paths)?;
    for rest in &merged.cut {
        warning(&format!(
            "{}: {} at byte {}; what comes before is used. A process that was killed leaves such a trace",
            rest.path.display(),
            rest.cut.reason,
            rest.cut.offset
        ));
    }
    tracing::info!(files = merged.files.len(), tests = merged.recording.tests.len(), "traces read");
    Ok(merged)
}
