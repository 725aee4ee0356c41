//! `dynaflow tasks`: the open objectives that are worth a test most, as texts for whoever writes it.
//!
//! Data path: traces or a document of pairs -> [`group`] (tasks, in order) -> [`document`], with the lines of [`sources`], the tests of [`starts`] and the
//! [`words`] -> [`markdown`], or JSON. Knows nothing of how objectives are inferred. Invariant: what is not shown is counted.

mod document;
mod group;
mod markdown;
pub mod options;
mod sources;
mod starts;
mod touched;
mod words;

use crate::change::Change;
use crate::exit_code::{Exit, usage};
use crate::output::{self, NAMED};
use crate::pairs;
use crate::traces;
use anyhow::{Result, bail};
use dynaflow_objectives::PairsDocument;
use options::{TasksArgs, TasksFormat};
use sources::Sources;
use starts::Starts;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Writes tasks.
///
/// # Errors
/// When the input cannot be read, git cannot say what changed, a pattern matches no root class, or the output cannot be written.
pub fn run(args: &TasksArgs) -> Result<Exit> {
    output::check("--output", args.output.as_deref(), &args.inputs)?;
    let mut sources = sources(args)?;
    let change = args.since.as_deref().map(|since| Change::since(&folder(args), since)).transpose()?;
    let (document, starts) = inputs(&args.inputs)?;
    check_targets(args, &document)?;
    let is_wanted = |root: &str| args.targets.is_empty() || args.targets.iter().any(|p| p.matches(root));
    let pairs = document.pairs.iter().filter(|pair| is_wanted(&pair.root));
    let (infeasible, pairs) = group::infeasible(pairs, &document.obstacles);
    let [mut tasks, mut no_tasks] = [pairs, infeasible].map(|pairs| group::tasks(pairs.into_iter()));
    if let Some(change) = &change {
        touched::keep(&mut tasks, change);
        touched::keep(&mut no_tasks, change);
    }
    let since = change.as_ref().map(Change::beginning);
    let mut document = document::document((&tasks, args.limit as usize), since, &starts, &mut sources);
    let infeasible: usize = no_tasks.iter().map(|task| task.pairs.len()).sum();
    document.infeasible = (infeasible > 0).then_some(infeasible);
    output::result(args.output.as_deref(), |out| match args.format {
        TasksFormat::Markdown => markdown::write(&document, out),
        TasksFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &document)?;
            writeln!(out)
        }
    })?;
    Ok(Exit::Success)
}

/// The folders of --source-path.
fn source_path(args: &TasksArgs) -> Vec<PathBuf> {
    let all = args.source_path.iter().flat_map(std::env::split_paths);
    all.filter(|folder| !folder.as_os_str().is_empty()).collect()
}

/// Where git is asked what changed: where the sources are.
fn folder(args: &TasksArgs) -> PathBuf {
    source_path(args).into_iter().next().unwrap_or_else(|| PathBuf::from("."))
}

fn sources(args: &TasksArgs) -> Result<Sources> {
    if args.source_path.is_none() {
        return Ok(Sources::usual());
    }
    let folders = source_path(args);
    match folders.iter().find(|folder| !folder.is_dir()) {
        Some(missing) => bail!(
            "--source-path: there is no folder {}; name the folders that hold the packages of the sources, separated by `:`",
            missing.display()
        ),
        None => Ok(Sources::new(folders)),
    }
}

/// The pairs, and which tests show their halves.
fn inputs(inputs: &[PathBuf]) -> Result<(PairsDocument, Starts)> {
    match inputs {
        [only] if !traces::is_trace(only) => {
            let document = pairs::of(only)?;
            let starts = Starts::of_document(&document);
            Ok((document, starts))
        }
        all => {
            if let Some(document) = all.iter().find(|path| path.is_file() && !traces::is_trace(path)) {
                return Err(usage(format!(
                    "{}: a document of pairs stands alone; to take several recordings together, name their traces",
                    document.display()
                )));
            }
            let merged = traces::read(all)?;
            traces::check_any(&merged)?;
            let recording = &merged.recording;
            if recording.is_coverage_alone() {
                bail!(
                    "the traces hold coverage of static associations (mode=dua), no pairs of state variables; record with mode=state"
                );
            }
            Ok((pairs::of_recording(recording)?, Starts::of_recording(recording)))
        }
    }
}

/// A pattern that names no root class is most likely a typing error.
fn check_targets(args: &TasksArgs, document: &PairsDocument) -> Result<()> {
    let roots: BTreeSet<&str> = document.pairs.iter().map(|pair| pair.root.as_str()).collect();
    if let Some(pattern) = args.targets.iter().find(|p| !roots.iter().any(|root| p.matches(root))) {
        let roots: Vec<&str> = roots.into_iter().collect();
        let known = match roots.len() {
            0 => "there is none at all; did the recording select your classes (--include)?".to_owned(),
            n => format!("there are {n}: {}", output::first(&roots, NAMED)),
        };
        bail!("--target {} matches no root class with pairs; {known}", pattern.as_str());
    }
    Ok(())
}
