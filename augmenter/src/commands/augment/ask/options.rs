//! The options of `dynaflow augment`. Knows nothing of how they are carried out.
//!
//! Invariant: whatever parses is possible: contradictions are refused here, by name.

use super::shard::Shard;
use crate::document_version::DocumentVersion;
use crate::duration;
use crate::junit_launcher;
use crate::project::{ProjectArgs, Settings};
use clap::{ArgAction, Args, ValueEnum};
use dynaflow_model::effect::Permission;
use dynaflow_model::frameworks::Style;
use dynaflow_model::pattern::Pattern;
use dynaflow_testgen::FINDINGS;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

const HELP: &str = "\
Examples:
  Grow the tests of a module that Maven or Gradle builds, all of it, for five minutes:
    dynaflow augment --module core --budget 5m

  Grow the suite of one class for a minute, and look at what was found:
    dynaflow augment --class-path classes:lib.jar --test-class-path tests:junit.jar --target org.example.Stack \\
      --seed-tests 'org.example.StackTest' --budget 60s --out generated --json pairs.json

  Write tests for what a branch changes, as in a pull request (docs/builds.md has jobs for GitHub and GitLab):
    dynaflow augment --since origin/main --budget 5m

  The same tests on every machine, byte for byte:
    dynaflow augment --class-path classes --test-class-path tests:junit.jar --target 'org.example.**' \\
      --seed-tests 'org.example.**' --max-executions 200000 --seed 1 --out generated

Ctrl-C ends the search; what was found is written.";

/// `dynaflow augment`.
#[derive(Clone, Debug, Args)]
#[command(after_help = HELP)]
pub struct AugmentOptions {
    /// Class path of the program: folders and jars separated by `:` [default: what the build of --project says]
    #[arg(long, value_name = "CP", requires = "target")]
    pub class_path: Option<OsString>,
    /// Class path of the tests, JUnit included
    #[arg(long, value_name = "CP")]
    pub test_class_path: Option<OsString>,
    /// The build, in place of class paths.
    #[command(flatten)]
    pub build: ProjectArgs,
    /// Root classes whose objectives are attacked; may be repeated [default with a project: all classes of the module]
    #[arg(long, value_name = "PATTERN")]
    pub target: Vec<Pattern>,
    /// Attack only classes whose source differs, in the working tree, from where HEAD left this branch, tag or commit: what a pull request changes.
    /// All seed tests run. git is asked, in the folder of --project or the working folder
    #[arg(long, value_name = "GIT_REF")]
    pub since: Option<String>,
    /// Attack one of N parts of the classes, such as 1/4, so that several machines share them: sorted by name they are dealt to the parts in turn
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Test classes of the seed suite; may be repeated; they run with your rights, as a build runs them (see --confine-seeds)
    /// [default: none, start from scratch; with a project, all of the module]
    #[arg(long, value_name = "PATTERN")]
    pub seed_tests: Vec<Pattern>,
    /// Trace files, and folders of them, of a seed suite that ran before, in place of --seed-tests: recorded by `dynaflow run --carve`
    /// from the same classes; may be repeated
    #[arg(long, value_name = "TRACE", conflicts_with = "seed_tests")]
    pub traces: Vec<PathBuf>,
    /// Classes to record, several separated by `:` [default: the project's own: those in folders of the class paths; those of
    /// --class-path where it has only jars]
    #[arg(long, value_name = "P:P", value_delimiter = ':')]
    pub include: Vec<Pattern>,
    /// Classes not to record, several separated by `:`
    #[arg(long, value_name = "P:P", value_delimiter = ':')]
    pub exclude: Vec<Pattern>,
    /// Folder for the test sources; made if missing; tests that reveal a fault stand in its folder `findings`. What earlier runs wrote
    /// there counts as seeds and is extended; a file that was edited since stays as it is
    /// [default: dynaflow-tests; with a project, dynaflow/tests below the module's folder `target` or `build`]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write the tests beside the seeds, into the module's folder of test sources, such as src/test/java; tests that reveal a fault stand in
    /// dynaflow/findings below the module's folder `target` or `build`. A file that dynaflow did not write is never replaced
    #[arg(long, conflicts_with_all = ["out", "class_path"])]
    pub write: bool,
    /// JUnit version of the generated tests [default: 5 when it is on the test class path, else 4]
    #[arg(long, value_parser = junit_launcher::versions(), value_name = "VERSION")]
    pub junit: Option<&'static Style>,
    /// How long to search, such as 60s or 5m [default: 60s, unless --max-executions or --budget-per-class is given]
    ///
    /// Counted is the search of all target classes, which share it in turns: a class whose turn brings nothing new waits. Recording the
    /// seed suite comes before (at most --seed-timeout), checking what was found after (compiling it and running it again: at most as
    /// long as the search, a minute, or half a minute for each class with new tests, whichever is longest; tests that are not
    /// checked then are counted as dropped).
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, conflicts_with = "max_executions")]
    pub budget: Option<Duration>,
    /// How long to search for tests of one class, at most
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, conflicts_with = "max_executions")]
    pub budget_per_class: Option<Duration>,
    /// How long the seed suite may run, and one of its tests a quarter of it; what they showed until then is used
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, default_value = "10m")]
    pub seed_timeout: Duration,
    /// Which of the tests that were found to write
    #[arg(long, value_enum, default_value_t)]
    pub keep: Keep,
    /// How many new tests to write for a class at most, the most valuable first; findings do not count. A later run writes the next [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_tests_per_class: Option<u32>,
    /// Choose assertions and tests without mutants. By default an assertion stays that notices a mutant of the class, or shows the variable
    /// of a new pair, and with --keep few a test that notices a mutant which the seeds do not
    #[arg(long)]
    pub no_mutants: bool,
    /// The solver that is asked for arguments of static methods over numbers with which mutants are noticed that nothing else notices: a command that
    /// reads SMT-LIB 2.6 from standard input [default: z3 -in -smt2, where there is a z3]
    #[arg(long, value_name = "CMD", conflicts_with = "no_mutants")]
    pub solver: Option<String>,
    /// How many call sequences to run at most, for all classes together; makes the result reproducible, whatever --jobs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_executions: Option<u64>,
    /// How many times to infer objectives and search for them, at most [default: until the fixpoint]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_iterations: Option<u32>,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How many worker JVMs to use at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// What tests are written for, separated by commas [default: objectives; without seed tests, objectives,branch]
    ///
    /// Objectives are searched for whatever is named here, as they lead to states; not named, they earn no test.
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', action = ArgAction::Append)]
    pub criteria: Vec<Criterion>,
    /// How the search chooses sequences, once those of known tests are joined
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    pub algorithm: Algorithm,
    /// Of goals that are reached together, let few lead the search: branches by direct calls for branches, methods that return for methods called, the last
    /// line of long blocks, mutants that subsume others. What earns a test stays what --criteria names
    #[arg(long)]
    pub smart_selection: bool,
    /// What tests may do beyond their own objects, besides what the seed tests do; may be repeated
    ///
    /// A call that does more is in no test, and counted. Temporary files that a test makes and removes are fine. KIND is one of
    /// files (changed anywhere, or files:tmp, files:work and files:elsewhere: below the folder for temporary files, below the
    /// working folder, outside of both), reads (files looked at, read or listed, there or not; with the same places; whoever
    /// allows files allows reads), network, processes, natives, properties, locale, time-zone, streams, shutdown-hooks, threads,
    /// preferences, logging, security, defaults, exit.
    #[arg(long, value_name = "KIND")]
    pub allow_effects: Vec<Permission>,
    /// File for the pairs after the last iteration, in the format of `dynaflow export`
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Version of that format: 2, or 1, which is some forty times as large
    #[arg(long = "version", value_name = "N", value_enum, default_value_t)]
    pub json_version: DocumentVersion,
    /// File for statistics: CSV, a row per class
    #[arg(long, value_name = "FILE")]
    pub stats: Option<PathBuf>,
    /// The JDK that runs the tests [default: JAVA_HOME, else the java on the PATH]
    #[arg(long, value_name = "DIR")]
    pub java_home: Option<PathBuf>,
    /// Run the seed suite confined as generated calls are: without network and processes, writing nothing outside a private
    /// folder, reading the class path, the working folder and the system's files [default: with your rights, as a build does]
    #[arg(long)]
    pub confine_seeds: bool,
    /// Run generated calls even where the kernel cannot confine them completely (they may then harm files or processes)
    #[arg(long)]
    pub allow_weak_confinement: bool,
    /// The classes among which the seed tests are, whichever of them have tests, where the build says so and not the user.
    #[arg(skip)]
    pub own_tests: Option<BTreeSet<String>>,
    /// The folder of the tests that reveal a fault, where it is not one of `out`.
    #[arg(skip)]
    pub findings: Option<PathBuf>,
    /// The folder of the seeds' sources, where the build says so.
    #[arg(skip)]
    pub seed_sources: Option<PathBuf>,
    /// With what the build runs tests, where it says so.
    #[arg(skip)]
    pub settings: Settings,
    /// What has the build format the sources that are written, where it says so.
    #[arg(skip)]
    pub format: Vec<String>,
}

impl AugmentOptions {
    /// The folder for the test sources.
    pub fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new(""))
    }

    /// The folder of the sources that generated ones are to look like.
    pub fn siblings(&self) -> &Path {
        self.seed_sources.as_deref().unwrap_or_else(|| self.out())
    }

    /// Where a generated file goes, by its path below the folder for the test sources.
    pub fn place(&self, path: &str) -> PathBuf {
        let finding = Path::new(path).strip_prefix(FINDINGS).ok();
        match self.findings.as_deref().zip(finding) {
            Some((findings, path)) => findings.join(path),
            None => self.out().join(path),
        }
    }

    /// Whether there is a seed suite.
    pub fn has_seeds(&self) -> bool {
        !self.seed_tests.is_empty() || !self.traces.is_empty()
    }
}

/// What tests are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Criterion {
    /// Def-use pairs inferred from executions
    Objectives,
    /// Static def-use pairs: of variables within a method, of fields also from one method to another that calls it, is called by it, or is called after it
    DefUse,
    /// Outcomes of branches, and methods without a branch
    Branch,
    /// Branches, those of public methods by direct calls of their methods
    DirectBranch,
    /// Lines
    Line,
    /// Mutants of operators, conditions, constants and variables that make the state differ where they stand
    WeakMutation,
    /// Methods that a test calls itself
    Method,
    /// Methods that return when a test calls them
    MethodNoException,
    /// Exceptions with which methods end that a test calls
    Exception,
    /// Kinds of values that methods give: true and false, negative, zero, positive, null, empty, ...
    Output,
}

/// What a value of an option is called.
pub fn named(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Which tests are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Keep {
    /// Those that together run every definition and use that new pairs have, from whatever context, or show a refusal
    #[default]
    Few,
    /// Those that together run every new pair, or show a refusal
    Pairs,
    /// Every test that covered a new pair when it was found
    All,
}

/// How the search chooses sequences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// Each branch that was met and not taken has the sequences that came nearest to taking it, and they are changed towards it
    #[default]
    Mio,
    /// By chance
    Random,
    /// Suites of sequences compete for the sum of how near they come to all branches
    WholeSuite,
    /// One population of sequences, sorted by how near each comes to every branch that was not taken
    Mosa,
    /// The same, for those branches alone that the branches taken so far lead to
    #[value(name = "dynamosa")]
    DynaMosa,
}
