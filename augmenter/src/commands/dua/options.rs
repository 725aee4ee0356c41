//! The options of `dynaflow dua`. Knows nothing of how they are carried out.
//!
//! Invariant: whatever parses is possible; what only values contradict is refused in [`DuaOptions::check`], by name.

use crate::exit_code::UsageError;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, ValueEnum};
use dynaflow_flowgraph::dua::{self, Options};
use dynaflow_model::coverage::Sought;
use dynaflow_model::options::Arrays;
use dynaflow_model::pattern::Pattern;
use std::ffi::OsString;
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  The associations of one class, to read:
    dynaflow dua --class-path app.jar --target org.example.Stack --format text

  Which of them to test first, so that the others follow:
    dynaflow dua --class-path classes --target 'org.example.**' --subsumption -o duas.json

  What a suite covers of a class, and which associations to test next:
    dynaflow run --mode dua --include 'org.example.**' -- java -cp classes:tests:junit.jar org.junit.runner.JUnitCore org.example.StackTest
    dynaflow dua --class-path classes --target org.example.Stack --format text dynaflow-traces

  All paths that cover one of them, as a picture (the id is that of the JSON):
    dynaflow dua --class-path classes --target org.example.Stack --graphdua 0123456789abcdef --format dot | dot -Tsvg > dua.svg

  Counts as papers have them:
    dynaflow dua --class-path lib.jar --no-inter --uses statement --leave-out class-initialisers,interfaces --format csv

A definition-use association (DUA) is a definition of a variable, a use of it, and a path between them on which nothing
else defines it. docs/duas.md says what counts as a variable, a definition and a use.";

/// `dynaflow dua`.
#[derive(Clone, Debug, Args)]
#[command(after_help = HELP)]
pub struct DuaOptions {
    /// Traces recorded with mode=dua, and folders that are searched for *.trace: say which associations they cover
    #[arg(value_name = "TRACE", conflicts_with = "graphdua")]
    pub traces: Vec<PathBuf>,
    /// Class path of the program: folders and jars separated by `:`
    #[arg(long, value_name = "CP", required = true)]
    pub class_path: OsString,
    /// Classes to analyse; may be repeated [default: all of the class path]
    #[arg(long, value_name = "PATTERN")]
    pub target: Vec<Pattern>,
    /// The format [default: json; dot with --graphdua]
    #[arg(long, value_enum)]
    pub format: Option<DuaFormat>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Say which associations imply which, and which to test
    #[arg(long)]
    pub subsumption: bool,
    /// Draw the graph of all paths that cover the association with this id
    #[arg(long, value_name = "ID", conflicts_with = "subsumption")]
    pub graphdua: Option<String>,
    /// What a store into an array is
    #[arg(long, value_parser = arrays(), default_value_t)]
    pub arrays: Arrays,
    /// Where a variable is used whose value goes into a computation
    #[arg(long, value_enum, default_value_t)]
    pub uses: UsesOption,
    /// Count ways from what may throw to the handlers as control flow; blocks are cut there
    #[arg(long)]
    pub exception_edges: bool,
    /// Within methods only: no associations between methods
    #[arg(long)]
    pub no_inter: bool,
    /// The JDK whose methods calls lead to [default: JAVA_HOME, else the java on the PATH]
    #[arg(long, value_name = "DIR", conflicts_with = "no_inter")]
    pub java_home: Option<PathBuf>,
    /// What not to count, separated by commas
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', action = ArgAction::Append)]
    pub leave_out: Vec<LeaveOut>,
}

/// Formats of `dynaflow dua`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DuaFormat {
    /// The `dua` document, described by docs/duas.schema.json
    Json,
    /// A row for each association
    Csv,
    /// Lines to read
    Text,
    /// Graphviz, for --graphdua
    Dot,
}

/// What a store into an array is.
fn arrays() -> impl TypedValueParser<Value = Arrays> {
    let values = [
        (Arrays::Reference, "A use of reference, index and value"),
        (Arrays::Whole, "A definition of the whole array"),
    ];
    let values = values.map(|(arrays, help)| PossibleValue::new(arrays.name()).help(help));
    let named = |name: String| if name == Arrays::Whole.name() { Arrays::Whole } else { Arrays::Reference };
    PossibleValuesParser::new(values).map(named)
}

/// Where a variable is used whose value goes into a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum UsesOption {
    /// At the instruction that consumes it
    #[default]
    Consumer,
    /// Where the result ends up: a condition uses all that is in it
    Statement,
}

/// What may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LeaveOut {
    /// Class initialisers
    ClassInitialisers,
    /// Methods of interfaces
    Interfaces,
    /// Local variables that the compiler made (they have no name)
    Temporaries,
}

impl DuaOptions {
    /// The format, once the options fit together.
    ///
    /// # Errors
    /// Names the options that do not.
    pub fn check(&self) -> Result<DuaFormat, UsageError> {
        if !self.traces.is_empty() && self.uses != UsesOption::Consumer {
            return Err(UsageError(
                "--uses statement: runs record uses at the instructions that consume a value; leave --uses out, or the traces"
                    .to_owned(),
            ));
        }
        match (self.format, &self.graphdua) {
            (None | Some(DuaFormat::Dot), Some(_)) => Ok(DuaFormat::Dot),
            (Some(_), Some(_)) => Err(UsageError("--graphdua draws a graph: leave --format out, or give --format dot".to_owned())),
            (Some(DuaFormat::Dot), None) => Err(UsageError(
                "--format dot draws one association: name it with --graphdua ID (the ids are in the other formats)".to_owned(),
            )),
            (format, None) => Ok(format.unwrap_or(DuaFormat::Json)),
        }
    }

    /// How associations must have been sought in runs whose coverage is asked for.
    pub fn sought(&self) -> Sought {
        Sought { arrays: self.arrays, exception_edges: self.exception_edges }
    }

    /// How the analysis seeks associations.
    pub fn analysis(&self) -> Options {
        let counts = |what: LeaveOut| !self.leave_out.contains(&what);
        Options {
            arrays: self.arrays,
            uses: match self.uses {
                UsesOption::Consumer => dua::Uses::Consumer,
                UsesOption::Statement => dua::Uses::Statement,
            },
            exception_edges: self.exception_edges,
            temporaries: counts(LeaveOut::Temporaries),
            class_initialisers: counts(LeaveOut::ClassInitialisers),
            interfaces: counts(LeaveOut::Interfaces),
        }
    }
}
