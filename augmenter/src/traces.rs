//! Reads the traces a command is given and warns about what of them could not be used. Knows nothing of what they are for.
//!
//! Invariant: a part that is left out is never left out silently.

use crate::output::{self, warning};
use anyhow::{Result, bail};
use dynaflow_model::facts::Recording;
use dynaflow_trace::{EXTENSION, Merged, TraceError, read_all, trace_files};
use std::path::{Path, PathBuf};

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

/// The files that are meant by files and folders.
///
/// # Errors
/// When one cannot be found, or a folder has none.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, TraceError> {
    trace_files(paths)
}

/// Whether a path is one that traces are read from, by what it is called: a folder, or a file with their ending.
pub fn is_trace(path: &Path) -> bool {
    path.is_dir() || path.extension().is_some_and(|extension| extension == EXTENSION)
}

/// How much of a recording was left out, and why; nothing if all was recorded.
pub fn left_out(recording: &Recording) -> Option<String> {
    let (events, lines) = (recording.left_out(), recording.thinned.len());
    let text = || {
        format!(
            "{events} accesses and ends of invocations at {lines} lines, whose like showed nothing new for long"
        )
    };
    (events > 0).then(text)
}

/// Checks that there is anything in traces that end early.
///
/// # Errors
/// When all of them end before anything was recorded.
pub fn check_any(merged: &Merged) -> Result<()> {
    let recording = &merged.recording;
    let is_empty =
        recording.classes.is_empty() && recording.facts.variables.is_empty() && recording.tests.is_empty();
    if is_empty && !merged.files.is_empty() && merged.cut.len() == merged.files.len() {
        let files: Vec<String> = merged.files.iter().map(|file| file.display().to_string()).collect();
        bail!(
            "nothing was recorded in {}: the process ended before it wrote anything; record again, and look at what it printed",
            output::first(&files, 3)
        );
    }
    Ok(())
}
