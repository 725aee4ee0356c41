//! `dynaflow export`. Knows nothing of how objectives are inferred. Invariant: standard output carries the document only.

use crate::cli::{ExportArgs, Format};
use crate::exit_code::Exit;
use crate::{output, traces};
use anyhow::{Result, bail};
use dynaflow_model::facts::Recording;
use dynaflow_model::pattern::Pattern;
use dynaflow_objectives::PairsDocument;
use dynaflow_trace::Merged;
use std::collections::BTreeSet;

/// How many root classes a message names.
const NAMED: usize = 5;

/// Writes the `pairs` document of traces.
///
/// # Errors
/// When a trace cannot be used or has no pairs, or the output cannot be written.
pub fn run(args: &ExportArgs) -> Result<Exit> {
    let merged = traces::read(&args.traces)?;
    if args.format == Format::Json && merged.recording.is_coverage_alone() {
        bail!(
            "the traces hold coverage of static associations (mode=dua), no pairs of state variables: `dynaflow dua --class-path \
             CP TRACE...` shows it. For pairs, record with mode=state"
        );
    }
    warn_of_idle_targets(&merged.recording, &args.target);
    let document = PairsDocument::new(&merged.recording, |root| {
        args.target.is_empty() || args.target.iter().any(|pattern| pattern.matches(root))
    });
    match args.format {
        Format::Json => output::result(args.output.as_deref(), |out| document.write(out))?,
        Format::Effort => {
            let text = effort(&merged);
            output::result(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
        }
    }
    Ok(Exit::Success)
}

/// What recording took. A trace that was cut does not say.
fn effort(merged: &Merged) -> String {
    let effort = merged.recording.effort;
    let bytes: u64 = merged.files.iter().filter_map(|file| Some(file.metadata().ok()?.len())).sum();
    format!(
        "{{\n  \"words\": {},\n  \"waits\": {},\n  \"waited_ms\": {},\n  \"settled_ms\": {},\n  \"trace_bytes\": {bytes}\n}}\n",
        effort.words, effort.waits, effort.waited, effort.settled
    )
}

/// A target that names no root class is most likely a typing error.
fn warn_of_idle_targets(recording: &Recording, targets: &[Pattern]) {
    let facts = &recording.facts;
    let roots: BTreeSet<&str> =
        facts.variables.iter().map(|(_, variable)| facts.text(variable.root)).collect();
    for target in targets.iter().filter(|target| !roots.iter().any(|root| target.matches(root))) {
        let some: Vec<&str> = roots.iter().take(NAMED).copied().collect();
        let known = if some.is_empty() {
            "the traces have no root class at all".to_owned()
        } else {
            format!(
                "the traces have {}: {}{}",
                roots.len(),
                some.join(", "),
                if roots.len() > NAMED { ", ..." } else { "" }
            )
        };
        output::warning(&format!("--target {} matches no root class; {known}", target.as_str()));
    }
}
