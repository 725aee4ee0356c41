//! `dynaflow export`. Knows nothing of how objectives are inferred. Invariant: standard output carries the document only.

use crate::cli::{ExportArgs, Format};
use crate::document_version::DocumentVersion;
use crate::exit_code::{Exit, usage};
use crate::output::{self, NAMED};
use crate::traces;
use anyhow::{Result, bail};
use dynaflow_model::facts::Recording;
use dynaflow_model::pattern::Pattern;
use dynaflow_objectives::PairsView;
use dynaflow_trace::Merged;
use std::collections::BTreeSet;

/// Writes the pairs of traces.
///
/// # Errors
/// When a trace cannot be used or has no pairs, a pattern matches nothing, or the output cannot be written.
pub fn run(args: &ExportArgs) -> Result<Exit> {
    if let (Format::Text | Format::Effort, Some(version)) = (args.format, args.json_version) {
        let version = if version == DocumentVersion::One { 1 } else { 2 };
        let format = if args.format == Format::Text { "text" } else { "effort" };
        let text = format!(
            "--version {version} is one of the JSON, and does not go together with --format {format}"
        );
        return Err(usage(text));
    }
    output::check("--output", args.output.as_deref(), &traces::files(&args.traces)?)?;
    let merged = traces::read(&args.traces)?;
    traces::check_any(&merged)?;
    let recording = &merged.recording;
    if args.format == Format::Effort {
        let text = effort(&merged);
        output::result(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
        return Ok(Exit::Success);
    }
    if recording.is_coverage_alone() {
        bail!(
            "the traces hold coverage of static associations (mode=dua), no pairs of state variables: `dynaflow dua --class-path \
             CP TRACE...` shows it. For pairs, record with mode=state"
        );
    }
    check_classes(recording, &args.classes)?;
    let document = PairsView::new(recording, |root| {
        args.classes.is_empty() || args.classes.iter().any(|pattern| pattern.matches(root))
    });
    output::result(args.output.as_deref(), |out| match args.format {
        _ if args.summary => document.write_summary(out),
        Format::Text => document.write_text(out),
        Format::Json | Format::Effort => document.write(args.json_version.unwrap_or_default().into(), out),
    })?;
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

/// A pattern that names no root class is most likely a typing error: what is exported for it would look like a class without pairs.
fn check_classes(recording: &Recording, patterns: &[Pattern]) -> Result<()> {
    let facts = &recording.facts;
    let roots: BTreeSet<&str> =
        facts.variables.iter().map(|(_, variable)| facts.text(variable.root)).collect();
    if let Some(pattern) = patterns.iter().find(|pattern| !roots.iter().any(|root| pattern.matches(root))) {
        let some: Vec<&str> = roots.iter().take(NAMED).copied().collect();
        let known = match roots.len() {
            0 => "the traces have no root class at all; did the recording select your classes (--include)?"
                .to_owned(),
            n if n > NAMED => format!("the traces have {n}: {}, ...", some.join(", ")),
            n => format!("the traces have {n}: {}", some.join(", ")),
        };
        bail!("--class {} matches no root class; {known}", pattern.as_str());
    }
    Ok(())
}
