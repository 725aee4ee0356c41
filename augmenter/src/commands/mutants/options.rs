//! The options of `dynaflow mutants`. Knows nothing of how they are carried out.
//!
//! Invariant: whatever parses is possible; what only the class path contradicts is refused in `inputs`, by name.

use crate::duration;
use crate::inputs::{Running, Tests};
use clap::{Args, ValueEnum};
use dynaflow_model::pattern::Pattern;
use dynaflow_mutants::Operator;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const HELP: &str = "\
Examples:
  What the tests of a project do not notice:
    dynaflow mutants --class-path classes:lib.jar --test-class-path tests:junit.jar

  One class, in a file that tools for PIT read:
    dynaflow mutants --class-path classes --test-class-path tests:junit.jar --target org.example.Stack \\
      --tests 'org.example.Stack*Test' --format pit -o mutations.xml

  In a build, where only what changed is run again, and a score below 80% fails:
    dynaflow mutants --class-path classes --test-class-path tests:junit.jar --incremental mutants.history --fail-below 80

A mutant is the program with one small change, such as `<` for `<=`. The tests that reach the change are run; if one of them fails, the
mutant is killed, otherwise it survives, and shows what no test checks. docs/mutants.md says what the statuses mean.

Ctrl-C ends the analysis; what was found is written.";

/// `dynaflow mutants`.
#[derive(Clone, Debug, Args)]
#[command(after_help = HELP)]
pub struct MutantsOptions {
    /// Class path of the program: folders and jars separated by `:`
    #[arg(long, value_name = "CP", required = true)]
    pub class_path: OsString,
    /// Class path of the tests, JUnit included
    #[arg(long, value_name = "CP")]
    pub test_class_path: Option<OsString>,
    /// Classes to mutate; may be repeated [default: those in folders of --class-path, or of all its jars where it has no folder; tests are
    /// never mutated]
    #[arg(long, value_name = "PATTERN")]
    pub target: Vec<Pattern>,
    /// Classes not to mutate, several separated by `:`
    #[arg(long, value_name = "P:P", value_delimiter = ':')]
    pub exclude: Vec<Pattern>,
    /// Test classes to run; may be repeated [default: those in folders of --test-class-path, or of --class-path where that is not given]
    #[arg(long, visible_alias = "seed-tests", value_name = "PATTERN")]
    pub tests: Vec<Pattern>,
    /// Test classes not to run, several separated by `:`
    #[arg(long, value_name = "P:P", value_delimiter = ':')]
    pub exclude_tests: Vec<Pattern>,
    /// Which changes are made: `pit`, PIT's default set; `mujava`, muJava's method-level operators; `dataflow`, assignments, calls and
    /// copies that are left out; `all`; or names such as MATH,AORB
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "pit", value_parser = operators)]
    pub operators: Vec<Operators>,
    /// Run all tests that reach a mutant, not only up to the first that fails
    #[arg(long)]
    pub matrix: bool,
    /// How many JVMs run mutants at a time [default: one for each processor]
    #[arg(long, visible_alias = "jobs", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub workers: Option<u32>,
    /// A test may take so many times as long with a mutant as without
    #[arg(long, value_name = "X", default_value_t = 1.25, value_parser = factor)]
    pub timeout_factor: f64,
    /// And so much longer, in time of the processor; a test that waits may take ten times as much longer on the clock
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, default_value = "1s")]
    pub timeout_constant: Duration,
    /// How long all tests may take without mutants, run twice
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, default_value = "10m")]
    pub suite_timeout: Duration,
    /// The format
    #[arg(long, value_enum, default_value_t)]
    pub format: MutantsFormat,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// File with the results of earlier runs, made if missing: a mutant is run again only if its class or the tests that decide about it changed
    #[arg(long, value_name = "FILE")]
    pub incremental: Option<PathBuf>,
    /// Exit with 5 if fewer mutants are noticed, in percent of all
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub fail_below: Option<f64>,
    /// The JDK that runs the tests [default: JAVA_HOME, else the java on the PATH]
    #[arg(long, value_name = "DIR")]
    pub java_home: Option<PathBuf>,
    /// An option of the JVMs that run tests, such as --add-opens=java.base/java.lang=ALL-UNNAMED; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub jvm_arg: Vec<String>,
    /// Largest heap of these JVMs, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(16..))]
    pub heap: u32,
    /// Run tests with your rights, as a build does, although a mutant may delete what its test never would [default: without network
    /// and processes, writing nothing outside a private folder]
    #[arg(long)]
    pub unconfined: bool,
    /// Run mutants even where the kernel cannot confine them completely
    #[arg(long, conflicts_with = "unconfined")]
    pub allow_weak_confinement: bool,
}

/// Formats of `dynaflow mutants`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MutantsFormat {
    /// Lines to read: the score, a row for each class, the mutants that survive
    #[default]
    Text,
    /// All mutants with the tests that reach and kill them, described by docs/mutants.schema.json
    Json,
    /// A row for each mutant
    Csv,
    /// `mutations.xml` as PIT writes it
    Pit,
}

/// One word of `--operators`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operators(Vec<Operator>);

fn operators(word: &str) -> Result<Operators, String> {
    let found: Vec<Operator> = match word.to_ascii_lowercase().as_str() {
        "pit" => Operator::pit().collect(),
        "mujava" => Operator::mujava().collect(),
        "dataflow" => Operator::data_flow().collect(),
        "all" => Operator::all().collect(),
        _ => Operator::of_name(&word.to_ascii_uppercase()).into_iter().collect(),
    };
    if found.is_empty() {
        let names: Vec<&str> = Operator::all().map(Operator::name).collect();
        return Err(format!(
            "no operator has this name; expected pit, mujava, dataflow, all, or some of {}",
            names.join(", ")
        ));
    }
    Ok(Operators(found))
}

fn number(text: &str, least: f64, most: f64, what: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("expected {what}"))
}

fn factor(text: &str) -> Result<f64, String> {
    number(text, 1.0, 1000.0, "a number from 1 to 1000, such as 1.25")
}

fn percent(text: &str) -> Result<f64, String> {
    number(text, 0.0, 100.0, "a number from 0 to 100, such as 80")
}

impl MutantsOptions {
    /// Which tests run.
    pub fn tests(&self) -> Tests<'_> {
        let (patterns, exclude) = (&self.tests, &self.exclude_tests);
        Tests { option: "--tests", patterns, exclude, may_be_none: false }
    }

    /// How JVMs run them.
    pub fn running(&self) -> Running<'_> {
        Running {
            what: "mutants",
            java_home: self.java_home.as_deref(),
            heap: self.heap,
            jvm_arg: &self.jvm_arg,
            unconfined: self.unconfined,
            weak: self.allow_weak_confinement,
        }
    }

    /// The operators, each once.
    pub fn operators(&self) -> Vec<Operator> {
        let asked = |operator: &Operator| self.operators.iter().any(|word| word.0.contains(operator));
        Operator::all().filter(asked).collect()
    }
}
