//! The options of `dynaflow atg`. Knows nothing of how they are carried out.
//!
//! Invariant: whatever parses is possible; what only the class path contradicts is refused in `setup`, by name.

use crate::duration;
use crate::junit_launcher;
use clap::Args;
use dynaflow_model::frameworks::Style;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const HELP: &str = "\
Examples:
  Tests for the mutants of a class with static methods:
    dynaflow atg --class-path classes:junit.jar --target org.example.Triangle --out generated

  With another solver, and what became of every mutant in a file:
    dynaflow atg --class-path classes --test-class-path junit.jar --target org.example.Triangle --solver 'cvc5 --lang=smt2' --json atg.json

A mutant is the class with one small change, as muJava makes them. Random calls notice most of them. For each of the others a solver is asked for
arguments that excite the change and carry its effect to a result (the D-algorithm); then only tests stay that notice a mutant which no later one
does. Mutants run in JVMs, and every test is compiled and runs before it counts. docs/atg.md says what *equivalent* and *undecided* mean.

Static methods with numbers and arrays of numbers as parameters are tested; others are named, with the reason.

Ctrl-C ends it; nothing is written then.";

/// `dynaflow atg`.
#[derive(Clone, Debug, Args)]
#[command(after_help = HELP)]
pub struct AtgOptions {
    /// Class path of the program: folders and jars separated by `:`
    #[arg(long, value_name = "CP", required = true)]
    pub class_path: OsString,
    /// Class path with JUnit, where it is not on --class-path
    #[arg(long, value_name = "CP")]
    pub test_class_path: Option<OsString>,
    /// The class to write tests for, by its binary name
    #[arg(long, value_name = "CLASS", required = true)]
    pub target: String,
    /// Folder for the test sources; made if missing
    #[arg(long, value_name = "DIR", default_value = "dynaflow-atg")]
    pub out: PathBuf,
    /// JUnit version of the tests [default: 5 when it is on the class path, else 4]
    #[arg(long, value_parser = junit_launcher::versions(), value_name = "VERSION")]
    pub junit: Option<&'static Style>,
    /// Random calls of each method, before the solver is asked
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub random_tests: u32,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The solver: a command that reads SMT-LIB 2.6 from standard input [default: z3 -in -smt2, where there is a z3]
    #[arg(long, value_name = "CMD")]
    pub solver: Option<String>,
    /// How long the solver may take for one query
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, default_value = "5s")]
    pub solver_timeout: Duration,
    /// How many decisions the D-algorithm takes back for one mutant, at most
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub backtracks: u32,
    /// Leave mutants to the D-algorithm alone: by default, what it does not decide is asked about as a whole, original and mutant in one query
    #[arg(long)]
    pub no_whole: bool,
    /// File for what became of every mutant, as JSON; described by docs/atg.md
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// How many JVMs run mutants at a time [default: one for each processor]
    #[arg(long, visible_alias = "jobs", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub workers: Option<u32>,
    /// How much longer a test may take with a mutant than without, in time of the processor
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, default_value = "500ms")]
    pub timeout_constant: Duration,
    /// The JDK that runs everything [default: JAVA_HOME, else the java on the PATH]
    #[arg(long, value_name = "DIR")]
    pub java_home: Option<PathBuf>,
    /// Run generated calls even where the kernel cannot confine them completely
    #[arg(long)]
    pub allow_weak_confinement: bool,
}
