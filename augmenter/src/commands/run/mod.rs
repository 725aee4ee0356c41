//! `dynaflow run`. Knows nothing of traces' insides. Invariant: the java command's status is passed on, unless it is 0 and
//! nothing was recorded, or the timeout ended it.

mod java_command;
mod summary;
mod supervise;

use crate::cli::RunArgs;
use crate::exit_code::{Exit, UsageError};
use crate::{agent_path, output, traces};
use anyhow::{Context, Result};
use dynaflow_model::options::{AgentOptions, Mode};
use dynaflow_trace::EXTENSION;
use java_command::{CommandError, JavaCommand, with_agent};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a java command with the agent and says what was recorded.
///
/// # Errors
/// When the options are wrong, the agent or java is not found, the trace folder cannot be made, or traces cannot be read.
pub fn run(args: &RunArgs) -> Result<Exit> {
    let options = agent_options(args)?;
    let java = command(args, &options)?;
    std::fs::create_dir_all(&options.out)
        .with_context(|| format!("--out {}: the folder cannot be made", options.out.display()))?;
    let before = traces_in(&options.out)?;
    let interrupts = supervise::count_interrupts().context("cannot catch Ctrl-C")?;
    tracing::info!(program = %java.program.display(), args = ?java.args, "running");
    let ended = supervise::run(Command::new(&java.program).args(&java.args), args.timeout, &interrupts)
        .with_context(|| format!("{}: cannot be run", java.program.display()))?;
    if ended.timed_out {
        let limit = args.timeout.unwrap_or_default();
        output::warning(&format!("the java command ran longer than --timeout {limit:?} and was ended"));
    }
    let new: Vec<PathBuf> = traces_in(&options.out)?.difference(&before).cloned().collect();
    let recorded = report(&new, &options, ended.code())?;
    Ok(match ended.code() {
        _ if ended.timed_out => Exit::TimedOut,
        0 if !recorded => Exit::NothingRecorded,
        code => Exit::Passed(code),
    })
}

/// The agent's options as the agent itself reads them, so that both agree about what is right.
fn agent_options(args: &RunArgs) -> Result<AgentOptions> {
    check_commas(args)?;
    let list = |name: &str, patterns: &[String]| match patterns {
        [] => String::new(),
        patterns => format!(",{name}={}", patterns.join(":")),
    };
    let given = [("depth", &args.depth), ("context", &args.context), ("paths", &args.paths)]
        .into_iter()
        .chain([("memory", &args.memory), ("thin", &args.thin), ("slowdown", &args.slowdown)])
        .chain([("arrays", &args.arrays)])
        .filter_map(|(name, value)| Some(format!(",{name}={}", value.as_ref()?)));
    let flags = [("blocks", args.blocks), ("carve", args.carve), ("exception-edges", args.exception_edges)];
    let set = flags.into_iter().filter(|(_, set)| *set).map(|(name, _)| format!(",{name}=true"));
    let text = format!(
        "mode={}{}{}{}",
        args.mode,
        given.chain(set).collect::<String>(),
        list("include", &args.include),
        list("exclude", &args.exclude)
    );
    let mut options = AgentOptions::parse(&text).map_err(|e| UsageError(e.to_string()))?;
    options.out = std::path::absolute(&args.out).with_context(|| format!("--out {}", args.out.display()))?;
    Ok(options)
}

/// A comma begins the agent's next option: a value with one would be taken for two options.
fn check_commas(args: &RunArgs) -> Result<(), UsageError> {
    let list = |name, values: &[String]| values.iter().map(|value| (name, value.clone())).collect::<Vec<_>>();
    let numbers = [
        ("depth", &args.depth),
        ("context", &args.context),
        ("paths", &args.paths),
        ("memory", &args.memory),
        ("thin", &args.thin),
        ("slowdown", &args.slowdown),
    ];
    let single = numbers.into_iter().chain([("arrays", &args.arrays)]);
    let mut single =
        single.filter_map(|(name, value)| Some((name, value.clone()?))).chain([("mode", args.mode.clone())]);
    let mut patterns = list("include", &args.include).into_iter().chain(list("exclude", &args.exclude));
    if let Some((name, value)) = patterns.find(|(_, value)| value.contains(',')) {
        let list = value.replace(',', ":");
        return Err(UsageError(format!(
            "--{name} {value}: patterns are separated by `:`; write --{name} '{list}', or give --{name} twice"
        )));
    }
    match single.find(|(_, value)| value.contains(',')) {
        Some((name, value)) => {
            Err(UsageError(format!("--{name} {value}: expected one value, without a comma")))
        }
        None => Ok(()),
    }
}

fn command(args: &RunArgs, options: &AgentOptions) -> Result<JavaCommand> {
    let agent = agent_path::find()?;
    let (path, home) = (std::env::var_os("PATH"), std::env::var_os("JAVA_HOME"));
    with_agent(&args.command, &agent, options, path.as_deref(), home.as_deref()).map_err(
        |error| match error {
            CommandError::NotFound(..) => error.into(),
            _ => UsageError(error.to_string()).into(),
        },
    )
}

fn traces_in(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let context = || format!("--out {}: the folder cannot be read", folder.display());
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            found.insert(path);
        }
    }
    Ok(found)
}

/// Prints the summary; says whether anything was recorded.
fn report(new: &[PathBuf], options: &AgentOptions, code: u8) -> Result<bool> {
    if new.is_empty() {
        output::warning(&format!(
            "no trace was written to {}: the java command ended with status {code} before the agent could begin one. Look \
             at its messages above, and let `dynaflow doctor` try the agent with this JDK",
            options.out.display()
        ));
        return Ok(false);
    }
    let merged = traces::read(new)?;
    for trouble in summary::troubles(&merged, options) {
        output::warning(&trouble);
    }
    output::say(&format!("recorded\n{}", summary::figures(&merged).trim_end()));
    output::say(&match options.mode {
        Mode::State => format!("`dynaflow export {}` lists pairs and objectives", options.out.display()),
        Mode::Dua => format!(
            "`dynaflow dua --class-path CP --format text {}` shows what is covered of each method, and what to test next",
            options.out.display()
        ),
    });
    Ok(!summary::is_empty(&merged))
}
