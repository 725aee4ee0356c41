//! The pairs that a command is given: traces, or a document of pairs. Knows nothing of what they are for.
//!
//! Invariant: traces and the document that `export` makes of them give the same pairs.

use crate::traces;
use anyhow::{Context, Result};
use dynaflow_model::facts::Recording;
use dynaflow_objectives::{PairsDocument, PairsView, Version, read};
use std::path::Path;

/// The pairs of a folder with traces, a trace, or a document.
///
/// # Errors
/// Names what cannot be read, or is neither.
pub fn of(path: &Path) -> Result<PairsDocument> {
    let context = || format!("the pairs of `{}`", path.display());
    if !traces::is_trace(path) {
        let bytes = std::fs::read(path).with_context(context)?;
        return read(&bytes).with_context(context);
    }
    let merged = traces::read(&[path.to_owned()])?;
    traces::check_any(&merged)?;
    of_recording(&merged.recording).with_context(context)
}

/// The document of a recording.
///
/// # Errors
/// None that a recording can cause: those of writing and reading in memory.
pub fn of_recording(recording: &Recording) -> Result<PairsDocument> {
    let mut bytes = vec![];
    PairsView::new(recording, |_| true).write(Version::Two, &mut bytes)?;
    Ok(read(&bytes)?)
}
