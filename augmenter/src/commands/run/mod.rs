//! `dynaflow run`. Knows nothing of traces' insides. Invariant: the command's status is passed on, unless it is 0 and
//! nothing was recorded, or the timeout ended it.

mod attached;
mod summary;
mod supervise;

use crate::cli::RunArgs;
use crate::exit_code::{Exit, UsageError};
use crate::work_folder::WorkFolder;
use crate::{agent_path, output, traces};
use anyhow::{Context, Result};
use attached::{Attached, CommandError, Surroundings, VARIABLE, Way, with_agent};
use dynaflow_model::options::{AgentOptions, Mode};
use dynaflow_trace::EXTENSION;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a command with the agent and says what was recorded.
///
/// # Errors
/// When the options are wrong, the agent or the program is not found, the trace folder cannot be made, or traces cannot be read.
pub fn run(args: &RunArgs) -> Result<Exit> {
    let way = Way::of(&args.command);
    let mut options = agent_options(args)?;
    // Of the JVMs that a build tool or a script starts, some have nothing to do with the program.
    options.quiet = way != Way::Option;
    let work = WorkFolder::new()?;
    let attached = attached(args, &options, work.path())?;
    std::fs::create_dir_all(&options.out)
        .with_context(|| format!("--out {}: the folder cannot be made", options.out.display()))?;
    let before = traces_in(&options.out)?;
    let interrupts = supervise::count_interrupts().context("cannot catch Ctrl-C")?;
    tracing::info!(program = %attached.program.display(), args = ?attached.args, "running");
    let mut command = Command::new(&attached.program);
    command.args(&attached.args).envs(attached.variable);
    let ended = supervise::run(&mut command, args.timeout, &interrupts)
        .with_context(|| format!("{}: cannot be run", attached.program.display()))?;
    if ended.timed_out {
        let limit = args.timeout.unwrap_or_default();
        output::warning(&format!("the command ran longer than --timeout {limit:?} and was ended"));
    }
    let new: Vec<PathBuf> = traces_in(&options.out)?.difference(&before).cloned().collect();
    let recorded = report(&new, &options, (way, ended.code()))?;
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

/// The command with the agent, and the script that it needs in its place.
fn attached(args: &RunArgs, options: &AgentOptions, work: &Path) -> Result<Attached> {
    let agent = agent_path::find()?;
    let variable = std::env::var_os;
    let (path, home, tool_options) = (variable("PATH"), variable("JAVA_HOME"), variable(VARIABLE));
    let around = Surroundings {
        agent: &agent,
        work,
        path: path.as_deref(),
        java_home: home.as_deref(),
        tool_options: tool_options.as_deref(),
    };
    let attached = with_agent(&args.command, options, around).map_err(|error| match error {
        CommandError::NotFound(..) => anyhow::Error::from(error),
        _ => UsageError(error.to_string()).into(),
    })?;
    if let Some((script, text)) = &attached.script {
        std::fs::write(script, text).with_context(|| format!("cannot write {}", script.display()))?;
    }
    Ok(attached)
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

/// Why there may be no trace, and what to do.
fn untraced(way: Way, code: u8) -> String {
    match way {
        Way::Option => format!(
            "the java command ended with status {code} before the agent could begin one. Look at its messages above, and let \
             `dynaflow doctor` try the agent with this JDK"
        ),
        Way::Script => format!(
            "the command ended with status {code}, and none of its test tasks loaded a class that is recorded. Did it run any tests? \
             --include names the classes to record"
        ),
        Way::Environment => format!(
            "the command ended with status {code}, and no JVM that it started loaded a class that is recorded. Did it run any tests? In the JVMs of \
             build tools themselves (Surefire's forkCount=0, Ant without fork) classes are recorded only if --include names them; a Gradle behind a script \
             runs tests again only with --rerun-tasks"
        ),
    }
}

/// Prints the summary; says whether anything was recorded.
fn report(new: &[PathBuf], options: &AgentOptions, (way, code): (Way, u8)) -> Result<bool> {
    if new.is_empty() {
        output::warning(&format!(
            "no trace was written to {}: {}",
            options.out.display(),
            untraced(way, code)
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
