//! `dynaflow merge`. Knows nothing of what traces hold. Invariant: the output depends on the inputs' contents alone.

use crate::cli::MergeArgs;
use crate::exit_code::Exit;
use crate::{output, traces};
use anyhow::Result;

/// Merges traces into one file.
///
/// # Errors
/// When a trace cannot be used, the output cannot be written, or a class is there in two builds.
pub fn run(args: &MergeArgs) -> Result<Exit> {
    output::check("--output", Some(&args.output), &traces::files(&args.traces)?)?;
    let merged = traces::read(&args.traces)?;
    traces::check_any(&merged)?;
    dynaflow_trace::write(&args.output, &merged.recording)?;
    let (files, tests) = (merged.files.len(), merged.recording.tests.len());
    let what = if merged.recording.is_coverage_alone() {
        format!("{} covered associations", merged.recording.coverage.covered.len())
    } else {
        format!("{tests} tests")
    };
    output::say(&format!("{files} traces, {what} merged into {}", args.output.display()));
    Ok(Exit::Success)
}
