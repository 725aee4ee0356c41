//! The options of `dynaflow review`. Knows nothing of how they are carried out.
//!
//! Invariant: whatever parses is possible; what only class paths and sources contradict is refused later, by name.

use crate::duration;
use crate::inputs::Running;
use crate::project::ProjectArgs;
use clap::{Args, ValueEnum};
use dynaflow_model::effect::Permission;
use dynaflow_model::pattern::Pattern;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const HELP: &str = "\
Examples:
  Is this test worth having beside the suite?
    dynaflow review StackMoreTest.java --class-path classes --test-class-path tests:junit.jar

  In the folder of a Maven or Gradle project, for a pull request: fail on anything that a reviewer would send back:
    dynaflow review src/test/java/org/example/StackMoreTest.java --fail-on compile,failing,flaky,asserts-nothing,redundant \\
      --format markdown -o comment.md

  For a program that writes tests, one class at a time:
    dynaflow review drafts --class-path classes --test-class-path tests:junit.jar --target org.example.Stack --format json

Each submitted test runs five times in fresh JVMs: recorded, in reverse order, and in three that differ in identity hashes, day, time zone, locale,
processors and order. What it adds are the def-use pairs that it executes and the mutants that it notices beyond what the suite does. docs/review.md says what
each verdict means.

Tests run confined, as somebody else wrote them: without network and processes, writing nothing outside a private folder.";

/// `dynaflow review`.
#[derive(Clone, Debug, Args)]
#[command(after_help = HELP)]
pub struct ReviewOptions {
    /// The tests to judge: Java sources, and folders of them
    #[arg(required = true, value_name = "TESTS")]
    pub tests: Vec<PathBuf>,
    /// Class path of the program: folders and jars separated by `:` [default: the build in --project is asked]
    #[arg(long, value_name = "CP")]
    pub class_path: Option<OsString>,
    /// Class path of the tests, JUnit included
    #[arg(long, value_name = "CP", requires = "class_path")]
    pub test_class_path: Option<OsString>,
    /// The build, in place of class paths.
    #[command(flatten)]
    pub build: ProjectArgs,
    /// Classes whose pairs and mutants count; may be repeated [default: those in folders of --class-path, or of all its jars where it has no folder]
    #[arg(long, value_name = "PATTERN")]
    pub target: Vec<Pattern>,
    /// Test classes of the suite; may be repeated [default: those in folders of --test-class-path; submitted classes never count as suite]
    #[arg(long, visible_alias = "suite", value_name = "PATTERN")]
    pub seed_tests: Vec<Pattern>,
    /// Make no mutants: then what only they show is not judged, nor what is slow
    #[arg(long)]
    pub no_mutants: bool,
    /// A test that takes longer is slow
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, default_value = "1s")]
    pub slow: Duration,
    /// A test that neither ends nor lets another one begin for so long hangs, and its JVM is ended
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, default_value = "60s")]
    pub test_timeout: Duration,
    /// How long all tests may take, in each JVM
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, default_value = "10m")]
    pub suite_timeout: Duration,
    /// An effect beyond their own objects that tests may have, besides those that the suite has; may be repeated. docs/effects.md has the kinds
    #[arg(long, value_name = "KIND")]
    pub allow_effects: Vec<Permission>,
    /// End with 6 when there is any of these, separated by commas
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', default_value = "compile,failing")]
    pub fail_on: Vec<FailOn>,
    /// The format
    #[arg(long, value_enum, default_value_t)]
    pub format: ReviewFormat,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How many JVMs run mutants at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// The JDK that compiles and runs the tests [default: JAVA_HOME, else the java on the PATH]
    #[arg(long, value_name = "DIR")]
    pub java_home: Option<PathBuf>,
    /// An option of the JVMs that run tests; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub jvm_arg: Vec<String>,
    /// Largest heap of these JVMs, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(16..))]
    pub heap: u32,
    /// Run tests with your rights, as a build does
    #[arg(long)]
    pub unconfined: bool,
    /// Run tests even where the kernel cannot confine them completely
    #[arg(long, conflicts_with = "unconfined")]
    pub allow_weak_confinement: bool,
}

/// Formats of `dynaflow review`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReviewFormat {
    /// A line for each test
    #[default]
    Text,
    /// For a comment of a pull request
    Markdown,
    /// Everything, described by docs/review.schema.json
    Json,
}

/// What makes a review fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Sources that do not compile
    Compile,
    /// Tests that fail in every run
    Failing,
    /// Tests that pass in some runs and fail in others
    Flaky,
    /// Tests that no run lets run, such as disabled ones
    Skipped,
    /// Tests that assert nothing and notice no mutant that the suite does not
    AssertsNothing,
    /// Tests of which everything that they add is added by others, or that add nothing
    Redundant,
    /// Tests that touch files outside, the network, or state of the whole JVM
    Effects,
    /// Tests that take longer than --slow
    Slow,
    /// Nothing: end with 0 whatever is found
    None,
}

impl ReviewOptions {
    /// How JVMs run the tests.
    pub fn running(&self) -> Running<'_> {
        Running {
            what: "tests",
            java_home: self.java_home.as_deref(),
            heap: self.heap,
            jvm_arg: &self.jvm_arg,
            unconfined: self.unconfined,
            weak: self.allow_weak_confinement,
        }
    }
}
