//! `dynaflow report`: pages about what tests execute of the state of objects and what they leave open, a comment in Markdown, or what other tools read.
//!
//! Data path: traces or a document -> recording, findings -> `crates/report` -> [`folder`], [`formats`]. Knows nothing of pages. Invariants: inputs and options are checked
//! before anything is written; standard output carries what --format names only.

mod folder;
mod formats;
pub mod options;
mod sources;

use crate::exit_code::{Exit, usage};
use crate::output::{self, warning};
use crate::traces;
use anyhow::{Context, Result, bail};
use dynaflow_objectives::{read, recall};
use dynaflow_report::{Files, Written};
use folder::Folder;
use formats::Input;
use options::{Format, ReportArgs};
use sources::Sources;
use std::path::{Path, PathBuf};

/// How many classes without a source are named.
const NAMED: usize = 3;

/// Writes the report.
///
/// # Errors
/// When the inputs cannot be used or have no pairs, the folder is not ours to write, or a source folder is missing.
pub fn run(args: &ReportArgs) -> Result<Exit> {
    let sources = Sources::of(&args.source_path)?;
    let inputs = inputs(&args.traces)?;
    output::check("--output", args.output.as_deref(), &inputs)?;
    let input = input(&args.traces)?;
    let recording = &input.recording;
    // What fails need not have to do with state.
    let is_of_findings = args.html.is_none() && matches!(args.format, Some(Format::Sarif | Format::Junit));
    if recording.facts.variables.is_empty() && !is_of_findings {
        bail!(
            "there is no state variable in {}: did the recording select your classes (--include)? `dynaflow export --summary` says what was left out",
            input.shown
        );
    }
    if let Some(path) = &args.html {
        let mut pages = Pages { path, folder: None };
        let findings = input.findings.as_deref().unwrap_or_default();
        let written = dynaflow_report::write(recording, findings, |class| sources.find(class), &mut pages)?;
        if let Some(folder) = pages.folder {
            folder.end()?;
        }
        say(path, &sources, &written);
    }
    if let Some(format) = args.format {
        formats::write(format, &input, &sources, args.output.as_deref())?;
    }
    Ok(Exit::Success)
}

fn shown(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    output::first(&paths, output::NAMED)
}

/// The files that are read.
fn inputs(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    if let Some(document) = paths.iter().find(|path| path.is_file() && !traces::is_trace(path)) {
        if paths.len() > 1 {
            return Err(usage(format!(
                "{} is no trace: a document is reported on alone; name traces, or one document",
                document.display()
            )));
        }
        return Ok(paths.to_vec());
    }
    Ok(traces::files(paths)?)
}

/// What traces, or a document, say.
fn input(paths: &[PathBuf]) -> Result<Input> {
    let shown = shown(paths);
    if let [path] = paths
        && path.is_file()
        && !traces::is_trace(path)
    {
        let context = || format!("the pairs of `{}`", path.display());
        let document = read(&std::fs::read(path).with_context(context)?).with_context(context)?;
        let recording = recall(&document).with_context(context)?;
        let none = if document.stopped_by.is_some() { formats::OF_OLDER } else { formats::OF_EXPORT };
        return Ok(Input { recording, findings: document.findings.ok_or(none), shown });
    }
    let merged = traces::read(paths)?;
    traces::check_any(&merged)?;
    if merged.recording.is_coverage_alone() {
        bail!(
            "the traces hold coverage of static associations (mode=dua), no pairs of state variables: `dynaflow dua` shows it. For pages, record with mode=state"
        );
    }
    Ok(Input { recording: merged.recording, findings: Err(formats::OF_TRACES), shown })
}

/// The files of the report, in a folder that is taken when their names are known.
struct Pages<'a> {
    path: &'a Path,
    folder: Option<Folder>,
}

impl Files for Pages<'_> {
    type Error = anyhow::Error;

    fn begin(&mut self, names: &[String]) -> Result<()> {
        self.folder = Some(Folder::begin(self.path, names)?);
        Ok(())
    }

    fn file(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        match &self.folder {
            Some(folder) => Ok(folder.file(name, bytes)?),
            None => bail!("{name}: the folder was not begun"),
        }
    }
}

fn say(path: &Path, sources: &Sources, written: &Written) {
    let (without, pages) = (written.without_source.len(), written.pages);
    if without > 0 {
        let named = output::first(&written.without_source, NAMED);
        let where_ = if sources.is_empty() {
            "no src/main/java is here: name the folders that hold the packages with --source-path"
        } else {
            "name the folders that hold their packages with --source-path"
        };
        warning(&format!(
            "no source was found for {without} of {pages} classes ({named}), whose lines are listed without it; {where_}"
        ));
    }
    let totals = written.totals;
    output::say(&format!(
        "{}: {} pairs executed, {} objectives open, {pages} classes",
        path.join("index.html").display(),
        totals.count.covered,
        totals.count.open
    ));
}
