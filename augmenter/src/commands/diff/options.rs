//! The options of `dynaflow diff`. Knows nothing of how they are carried out. Invariant: whatever parses is possible.

use clap::{Args, ValueEnum};
use dynaflow_model::pattern::Pattern;
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  What does a change lose, and what does it leave untested?
    git stash && mvn test -DargLine=\"-agentpath:$(dynaflow agent-path)=out=$PWD/base\" && git stash pop
    mvn test -DargLine=\"-agentpath:$(dynaflow agent-path)=out=$PWD/head\"
    dynaflow diff base head

  In a pipeline: fail when a pair is lost, and write a comment for the pull request:
    dynaflow diff base.json head --fail-on lost --format markdown -o comment.md

Pairs of classes whose bytes are the same on both sides are compared one by one. Where a class has changed, lines and offsets say nothing: there a pair is
known by its root, its variable, and the methods with their calls, so that shifted lines do not matter; two pairs that differ by the line alone are one.
Pairs of one variable between the same two calls on its root share a line; JSON has each of them. Where a change puts other methods below these calls, such pairs
have `moved`: they are neither lost nor gained nor open, and --fail-on does not look at them.";

/// `dynaflow diff`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct DiffArgs {
    /// Before the change: a folder of traces, a trace, or a document of `dynaflow export`
    #[arg(value_name = "BASE")]
    pub base: PathBuf,
    /// After it: the same
    #[arg(value_name = "HEAD")]
    pub head: PathBuf,
    /// Root classes to compare; may be repeated [default: all]
    #[arg(long = "class", visible_alias = "target", value_name = "PATTERN")]
    pub classes: Vec<Pattern>,
    /// The format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// End with 6 when there is any of these, separated by commas
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
}

/// Formats of `dynaflow diff`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// To be read
    #[default]
    Text,
    /// For a comment of a pull request
    Markdown,
    /// Pairs as version 1 of the pairs document has them
    Json,
}

/// What makes a comparison fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Pairs that the tests executed before and do not execute now
    Lost,
    /// New objectives that no test executes
    Open,
}
