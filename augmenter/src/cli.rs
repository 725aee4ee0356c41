//! The tree of commands and options, and the help that teaches them. Knows nothing of how they are carried out.
//!
//! Invariant: every option has a help text, and every command an example that can be typed as it stands.

use crate::commands::atg::options::AtgOptions;
use crate::commands::augment::ask::options::AugmentOptions;
use crate::commands::diff::options::DiffArgs;
use crate::commands::dua::options::DuaOptions;
use crate::commands::mutants::options::MutantsOptions;
use crate::commands::report::options::ReportArgs;
use crate::commands::review::options::ReviewOptions;
use crate::commands::tasks::options::TasksArgs;
use crate::document_version::DocumentVersion;
use crate::duration;
use crate::exit_code;
use clap::{Args, Parser, Subcommand, ValueEnum};
use dynaflow_model::pattern::Pattern;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Finds the def-use pairs of nested object state that a JUnit suite never executes, and writes the tests that do.
#[derive(Debug, Parser)]
#[command(name = "dynaflow", version, disable_help_subcommand = true, after_help = exit_code::HELP, after_long_help = format!("{LONG_HELP}\n\n{}", exit_code::HELP))]
pub struct Cli {
    /// Say more about what is being done; twice: every step
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run java, a build or a script with the agent in the JVMs that run tests, then say what was recorded
    Run(Box<RunArgs>),
    /// Print the absolute path of the agent library
    #[command(after_help = AGENT_PATH_HELP)]
    AgentPath,
    /// Merge trace files into one
    Merge(MergeArgs),
    /// Write the covered pairs and the objectives of traces, as JSON or to be read
    Export(ExportArgs),
    /// Write pages that show what tests execute of the state of objects, and what they leave open
    Report(ReportArgs),
    /// Say which pairs a change loses and gains, and which new objectives it leaves open
    Diff(DiffArgs),
    /// Say which open objectives are worth a test, for whoever writes it
    Tasks(TasksArgs),
    /// Judge submitted tests: whether they hold, and what they add to a suite
    Review(Box<ReviewOptions>),
    /// Grow a seed suite until no new def-use pair appears
    Augment(Box<AugmentOptions>),
    /// List the static definition-use associations of methods, and which of them imply which
    Dua(Box<DuaOptions>),
    /// Change the program in small ways, one at a time, and say which changes no test notices
    Mutants(Box<MutantsOptions>),
    /// Write tests for the mutants of a class: by chance, then one by one with a solver, then only those that are needed
    Atg(Box<AtgOptions>),
    /// Say what of JDK, agent, confinement and solver is found, and what is wrong
    #[command(after_help = DOCTOR_HELP)]
    Doctor(DoctorArgs),
    /// Print the help of dynaflow, or of a command
    #[command(after_help = HELP_HELP)]
    Help(HelpArgs),
}

const LONG_HELP: &str = "\
Examples:
  Record a suite, look at what it covers and what it misses:
    dynaflow run --include 'org.example.**' -- java -cp app.jar:tests.jar:junit.jar org.junit.runner.JUnitCore org.example.AllTests
    dynaflow export dynaflow-traces -o pairs.json
    dynaflow report dynaflow-traces --html data-flow

  Record the tests that a build runs:
    dynaflow run -- mvn test

  Find out why something does not work:
    dynaflow doctor

Environment:
  DYNAFLOW_AGENT  path of the agent library, when it is not next to this program
  DYNAFLOW_LOG    logs by module, such as dynaflow_augmenter=debug
  JAVA_HOME       the JDK, when --java-home is not given";

const AGENT_PATH_HELP: &str = "\
Examples:
  Attach the agent to any java command:
    java -agentpath:$(dynaflow agent-path)=out=traces -cp app.jar:tests.jar org.example.Main

  Attach it to the test JVMs of Maven or Gradle (they write one trace each):
    JAVA_TOOL_OPTIONS=\"-agentpath:$(dynaflow agent-path)=out=$PWD/traces\" mvn test

Options of the agent follow the path as key=value, separated by commas; `dynaflow run --help` explains them.";

const RUN_HELP: &str = "\
Examples:
  Record a JUnit 4 class:
    dynaflow run --include 'org.example.**' -- java -cp classes:tests:junit.jar org.junit.runner.JUnitCore org.example.StackTest

  Record at most ten minutes, and keep what was recorded until then:
    dynaflow run --timeout 10m -- java -jar junit-console.jar execute --class-path classes:tests --scan-class-path

  Which static def-use associations the tests cover:
    dynaflow run --mode dua --include 'org.example.**' -- java -cp classes:tests:junit.jar org.junit.runner.JUnitCore org.example.StackTest
    dynaflow dua --class-path classes --target 'org.example.**' --format text dynaflow-traces

The tests of a build, or of any script that starts JVMs:
    dynaflow run -- mvn test
    dynaflow run -- ./gradlew test
    dynaflow run --out traces -- ./all-tests.sh

With `java` the agent is an option of that JVM. `gradle` and `gradlew` get an init script that adds it to the JVMs of test tasks, and runs these tasks
again. Any other command gets it by JAVA_TOOL_OPTIONS, which JVMs mention as they start; JVMs of build tools and compilers leave no trace. docs/builds.md has more.

Patterns are class names in which `*` stands for any characters within a package and `**` for any across packages:
`org.example.*` are the classes of one package, `org.example.**` those of its subpackages too. Quote them.

Ctrl-C ends the command; what was recorded is kept. The exit status is that of the command.";

const MERGE_HELP: &str = "\
Examples:
  dynaflow merge traces -o suite.trace
  dynaflow merge unit.trace integration/traces -o all.trace

The order of the files does not matter: the result is the same bytes. Traces of different builds of a class cannot
be merged.";

const EXPORT_HELP: &str = "\
Examples:
  dynaflow export dynaflow-traces -o pairs.json
  dynaflow export unit.trace it.trace --class 'org.example.Stack' -o stack.json

To be read: how much the suite misses, and what it misses of one class:
  dynaflow export dynaflow-traces --summary
  dynaflow export dynaflow-traces --class 'org.example.Stack' --format text

How many pairs are covered, with jq (docs/pairs.md has recipes that show definitions and uses):
  dynaflow export dynaflow-traces | jq '[.pairs[] | select(.[4] == \"covered\")] | length'";

const DOCTOR_HELP: &str = "\
Examples:
  dynaflow doctor
  dynaflow doctor --java-home \"$JAVA_HOME\"

Every line is `ok`, `note` (works without) or `MISSING` (needed), and says what to do. Exits with 4 when something
needed is missing.";

const HELP_HELP: &str = "\
Examples:
  dynaflow help
  dynaflow help augment";

/// `dynaflow help`.
#[derive(Debug, Args)]
pub struct HelpArgs {
    /// The command [default: dynaflow as a whole]
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// `dynaflow run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
pub struct RunArgs {
    /// Folder for the trace; made if missing
    #[arg(long, value_name = "DIR", default_value = "dynaflow-traces")]
    pub out: PathBuf,
    /// Classes to record, several separated by `:` [default: those in folders of the class path; all but the JDK's, test frameworks' and build tools' where there are only jars]
    #[arg(long, value_name = "P:P")]
    pub include: Vec<String>,
    /// Classes not to record, several separated by `:`
    #[arg(long, value_name = "P:P")]
    pub exclude: Vec<String>,
    /// What to record: `state`, pairs of the state variables of objects, or `dua`, coverage of static associations
    #[arg(long, default_value = "state")]
    pub mode: String,
    /// Longest state variable, in steps [default: 5]
    #[arg(long, value_name = "N")]
    pub depth: Option<String>,
    /// Record reaching definitions and reachable uses per basic block too
    #[arg(long)]
    pub blocks: bool,
    /// Record the calls of tests too, so that `augment` can build on them
    #[arg(long)]
    pub carve: bool,
    /// Longest context, in frames; longer ones are cut in the middle and counted [default: 16]
    #[arg(long, value_name = "N")]
    pub context: Option<String>,
    /// Most paths followed from one object at one event; what is beyond is counted [default: 256]
    #[arg(long, value_name = "N")]
    pub paths: Option<String>,
    /// About how many MiB the picture of the program's objects may take; what is forgotten then is counted [default: 4096]
    #[arg(long, value_name = "N")]
    pub memory: Option<String>,
    /// `auto`: of reads that showed nothing new for very long, most are left out and counted; `off`: never [default: auto]
    #[arg(long, value_name = "HOW")]
    pub thin: Option<String>,
    /// Leave out more as soon as the program takes more than N times as long because it waits; what is missing depends on time then [default: none]
    #[arg(long, value_name = "N")]
    pub slowdown: Option<String>,
    /// With --mode dua, what a store into an array counts as: `reference` or `whole`, as `dynaflow dua` has it [default: reference]
    #[arg(long, value_name = "HOW")]
    pub arrays: Option<String>,
    /// With --mode dua, count ways from a block to the handlers of its exceptions as control flow
    #[arg(long)]
    pub exception_edges: bool,
    /// End the command after this time, such as 90s or 10m, and keep what was recorded
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub timeout: Option<Duration>,
    /// The command and its arguments: `java ...`, `mvn test`, `./gradlew test`, a script
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// `dynaflow merge`.
#[derive(Debug, Args)]
#[command(after_help = MERGE_HELP)]
pub struct MergeArgs {
    /// Trace files, and folders that are searched for *.trace
    #[arg(required = true, value_name = "TRACE")]
    pub traces: Vec<PathBuf>,
    /// The merged trace
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// `dynaflow export`.
#[derive(Debug, Args)]
#[command(after_help = EXPORT_HELP)]
pub struct ExportArgs {
    /// Trace files, and folders that are searched for *.trace
    #[arg(required = true, value_name = "TRACE")]
    pub traces: Vec<PathBuf>,
    /// The format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Root classes to export; may be repeated [default: all]
    #[arg(long = "class", visible_alias = "target", value_name = "PATTERN")]
    pub classes: Vec<Pattern>,
    /// Version of the JSON: 2, or 1, which is some forty times as large
    #[arg(long = "version", value_name = "N", value_enum)]
    pub json_version: Option<DocumentVersion>,
    /// Only how many pairs there are, by root class, and what was left out
    #[arg(long, conflicts_with_all = ["format", "json_version"])]
    pub summary: bool,
}

/// Formats of `dynaflow export`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The `pairs` document, see docs/pairs.md
    #[default]
    Json,
    /// The pairs to be read: by root class, variable and definition
    Text,
    /// What recording took, as JSON: words from the program, waits for the analysis, bytes of trace; differs from run to run
    Effort,
}

/// `dynaflow doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Folder of the JDK to look at [default: JAVA_HOME, else the java on the PATH]
    #[arg(long, value_name = "DIR")]
    pub java_home: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_tree_of_commands_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_option_of_every_command_has_a_help_text() {
        for command in Cli::command().get_subcommands() {
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
            }
        }
    }
}
