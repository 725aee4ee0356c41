//! `dynaflow mutants`: which small changes of a program its tests notice.
//!
//! Data path: [`options`] -> [`inputs`] (class path, tests, targets) -> `crate::mutation` -> `text`, `json`, `csv`, `pit`; [`history`] keeps
//! results from run to run. It knows nothing of class files or JVMs. Invariant: what was found is
//! written, whatever ended the analysis once mutants ran.

mod csv;
mod history;
mod inputs;
mod json;
pub mod options;
mod pit;
mod score;
mod text;

use crate::classes::Classes;
use crate::exit_code::Exit;
use crate::jvm::process::Stop;
use crate::mutation::{self, Analysis, LeftOut, Observer, Project, Settings, Status};
use crate::output::{self, NAMED};
use crate::watch::{self, Watch};
use crate::work_folder::WorkFolder;
use anyhow::{Result, anyhow};
use dynaflow_mutants::Options;
use history::History;
use inputs::Inputs;
use options::{MutantsFormat, MutantsOptions};
use score::Score;
use std::collections::BTreeMap;

/// Analyses the mutants and writes what became of them.
///
/// # Errors
/// When the options select nothing, no test passes without mutants, or the output cannot be written.
pub fn run(options: &MutantsOptions) -> Result<Exit> {
    let inputs = Inputs::new(options)?;
    output::check("--output", options.output.as_deref(), &inputs.full)?;
    output::check("--incremental", options.incremental.as_deref(), &inputs.full)?;
    let (stop, watch) = (Stop::default(), Watch::new());
    watch::interrupts(&stop)?;
    let analysed = analyse(options, &inputs, &stop, &watch);
    watch.end();
    let (analysis, history) = match analysed {
        Err(error) if stop.is_stopped() => {
            output::error(&error);
            return Ok(Exit::Interrupted);
        }
        other => other?,
    };
    write(options, &analysis)?;
    if let Some(path) = &options.incremental {
        output::result(Some(path), |out| history.write(&analysis, out))?;
    }
    warn(options, &analysis);
    Ok(exit(options, &analysis))
}

/// Finds tests and targets, and analyses them.
fn analyse(
    options: &MutantsOptions,
    inputs: &Inputs,
    stop: &Stop,
    watch: &Watch,
) -> Result<(Analysis, History)> {
    let work = WorkFolder::new()?;
    watch.stage("looking for tests");
    let mut jvm = inputs::jvm(options, inputs, work.path(), stop)?;
    let (tests, added) = inputs.find_tests(options, &jvm, &|text| watch.say(text))?;
    jvm.class_path.extend(added);
    let targets = inputs.targets(options, &tests)?;
    let history = history(options, inputs)?;
    let project = Project {
        jvm,
        work: work.path().join("mutants"),
        classes: targets.each(|name, bytes| (name.to_owned(), bytes.to_vec()))?,
        tests,
        mutants: Options { operators: options.operators(), filter: true },
    };
    Ok((mutation::analyse(&project, &settings(options), &history, watch)?, history))
}

fn settings(options: &MutantsOptions) -> Settings {
    let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Settings {
        matrix: options.matrix,
        workers: options.workers.map_or_else(processors, |n| n as usize),
        factor: options.timeout_factor,
        constant: options.timeout_constant,
        suite: options.suite_timeout,
    }
}

/// What earlier runs found; with hashes of all classes there are now, when results are kept.
fn history(options: &MutantsOptions, inputs: &Inputs) -> Result<History> {
    let Some(path) = &options.incremental else { return Ok(History::default()) };
    let hashes = Classes::list(&inputs.full)?
        .each(|name, bytes| (name.to_owned(), blake3::hash(bytes).to_hex().to_string()))?;
    let hashes: BTreeMap<String, String> = hashes.into_iter().collect();
    History::read(Some(path), hashes, options.matrix)
}

fn write(options: &MutantsOptions, analysis: &Analysis) -> Result<()> {
    output::result(options.output.as_deref(), |out| match options.format {
        MutantsFormat::Text => text::write(analysis, out),
        MutantsFormat::Json => json::write(analysis, options.matrix, out),
        MutantsFormat::Csv => csv::write(analysis, out),
        MutantsFormat::Pit => pit::write(analysis, options.matrix, out),
    })
}

/// Says what is not in the output, or changes what it means.
fn warn(options: &MutantsOptions, analysis: &Analysis) {
    let named = |left: &LeftOut| format!("{}: {}", left.test, first_line(&left.why));
    for left in analysis.left_out.iter().take(NAMED) {
        output::warning(&format!("this test judges no mutant: {}", named(left)));
    }
    let more = analysis.left_out.len().saturating_sub(NAMED);
    if more > 0 {
        output::warning(&format!("{more} more tests judge no mutant; --format json lists all of them"));
    }
    if !analysis.left_out.is_empty() && !options.unconfined {
        output::say("tests ran confined; what fails only therefore runs with --unconfined");
    }
    for declined in &analysis.declined {
        output::warning(&format!("not mutated: {declined}"));
    }
    let known = analysis.mutants().filter(|mutant| mutant.is_known).count();
    if known > 0 {
        output::say(&format!("{known} results are those of earlier runs"));
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn exit(options: &MutantsOptions, analysis: &Analysis) -> Exit {
    if analysis.interrupted || analysis.mutants().any(|mutant| mutant.judged.status == Status::NotStarted) {
        return Exit::Interrupted;
    }
    let score = Score::of(analysis.mutants());
    match options.fail_below {
        Some(least) if score.percent() < least => {
            let (percent, detected, all) = (score.percent(), score.detected(), score.all());
            output::error(&anyhow!(
                "--fail-below {least}: the score is {percent}%, {detected} of {all} mutants"
            ));
            Exit::BelowScore
        }
        _ => Exit::Success,
    }
}
