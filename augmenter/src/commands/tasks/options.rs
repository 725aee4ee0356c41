//! The options of `dynaflow tasks`. Knows nothing of how they are carried out. Invariant: whatever parses is possible.

use clap::{Args, ValueEnum};
use dynaflow_model::pattern::Pattern;
use std::ffi::OsString;
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  What is worth a test, with the lines of the sources:
    dynaflow run --include 'org.example.**' -- java -cp classes:tests:junit.jar org.junit.runner.JUnitCore org.example.AllTests
    dynaflow tasks dynaflow-traces --source-path src/main/java

  The five most valuable tasks of one class, for a program that writes tests:
    dynaflow tasks dynaflow-traces --target org.example.Stack --limit 5 --format json -o tasks.json

  What a branch leaves open, for a comment of its pull request:
    dynaflow tasks dynaflow-traces --since origin/main --limit 5 -o tasks.md

A task is the objectives of one state variable with the same line of definition and the same line of use; they differ in the calls in between.
Their order: of each root class in turn its best, and of a class each of its variables in turn; what no test
does in any calls is better, then what has more objectives, then fewer steps, then what comes first by name and line. `dynaflow review` says whether a test does what its task asks for. docs/review.md shows both together.";

/// `dynaflow tasks`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct TasksArgs {
    /// Trace files, and folders that are searched for *.trace; or one document of `dynaflow export` or `dynaflow augment --json`
    #[arg(required = true, value_name = "TRACE|PAIRS.json")]
    pub inputs: Vec<PathBuf>,
    /// Folders with sources, separated by `:`, so that tasks show their lines [default: src/main/java, where that is there]
    #[arg(long, value_name = "P:P")]
    pub source_path: Option<OsString>,
    /// Root classes to write tasks for; may be repeated [default: all]
    #[arg(long = "target", visible_alias = "class", value_name = "PATTERN")]
    pub targets: Vec<Pattern>,
    /// Only tasks with a class whose source differs, in the working tree, from where HEAD left this branch, tag or commit: the root class, or that of the
    /// definition or use. git is asked, in the first folder of --source-path or the working folder
    #[arg(long, value_name = "GIT_REF")]
    pub since: Option<String>,
    /// Most tasks; how many there are is said
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
    /// The format
    #[arg(long, value_enum, default_value_t)]
    pub format: TasksFormat,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Formats of `dynaflow tasks`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TasksFormat {
    /// To be read, by people and language models
    #[default]
    Markdown,
    /// All fields, described by docs/tasks.schema.json
    Json,
}
