//! What a mutation analysis takes and gives. Knows nothing of how it is done.
//!
//! Invariant: nothing in an [`Analysis`] depends on clocks or on the order in which workers ended, as far as the tests themselves do not.

use crate::jvm::launch::JvmConfig;
use dynaflow_mutants::{Mutant, Options};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// What is mutated and what runs.
#[derive(Clone, Debug)]
pub struct Project {
    /// A JVM that runs the tests: class path, confinement, options. It is started with further folders and a private folder of its own.
    pub jvm: JvmConfig,
    /// A folder of this analysis alone.
    pub work: PathBuf,
    /// The classes to mutate: binary name and class file, sorted by name.
    pub classes: Vec<(String, Vec<u8>)>,
    /// Binary names of the test classes.
    pub tests: Vec<String>,
    /// Which mutants are made.
    pub mutants: Options,
}

/// How it is run.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Run all covering tests of each mutant, not only up to the first that notices it.
    pub matrix: bool,
    /// How many JVMs run at a time.
    pub workers: usize,
    /// A test with a mutant may take this many times as long as without.
    pub factor: f64,
    /// And so much longer, in time of the processor.
    pub constant: Duration,
    /// How long the tests may run without mutants, all together.
    pub suite: Duration,
}

/// What became of a mutant, in PIT's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// A test failed.
    Killed,
    /// All tests that reach it passed.
    Survived,
    /// No test reaches it.
    NoCoverage,
    /// A test took too long.
    TimedOut,
    /// A test used up the memory.
    MemoryError,
    /// A test ended the JVM.
    RunError,
    /// It was not run: the analysis was interrupted.
    NotStarted,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Killed,
        Self::Survived,
        Self::NoCoverage,
        Self::TimedOut,
        Self::MemoryError,
        Self::RunError,
        Self::NotStarted,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Killed => "KILLED",
            Self::Survived => "SURVIVED",
            Self::NoCoverage => "NO_COVERAGE",
            Self::TimedOut => "TIMED_OUT",
            Self::MemoryError => "MEMORY_ERROR",
            Self::RunError => "RUN_ERROR",
            Self::NotStarted => "NOT_STARTED",
        }
    }

    /// The status of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Whether a test noticed the mutant.
    pub fn is_detected(self) -> bool {
        matches!(self, Self::Killed | Self::TimedOut | Self::MemoryError | Self::RunError)
    }
}

/// What became of a mutant, and by which tests; tests by their position in [`Analysis::tests`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Its status.
    pub status: Status,
    /// The tests that noticed it; one at most unless all were run.
    pub killing: Vec<usize>,
    /// How many tests ran.
    pub ran: u32,
}

/// A mutant and what became of it.
#[derive(Clone, Debug)]
pub struct AnalysedMutant {
    /// The mutant.
    pub mutant: Mutant,
    /// What became of it.
    pub judged: Judged,
    /// The tests that reach it, in the order in which they are run.
    pub covering: Vec<usize>,
    /// Whether the result is an earlier one.
    pub is_known: bool,
}

/// A class and its mutants.
#[derive(Clone, Debug)]
pub struct AnalysedClass {
    /// Binary name.
    pub name: String,
    /// Its source file, where the class has its name.
    pub source_file: Option<String>,
    /// Its mutants.
    pub mutants: Vec<AnalysedMutant>,
}

/// A test that judges no mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Class, or class and method.
    pub test: String,
    /// Why.
    pub why: String,
}

/// What an analysis found.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The classes that have mutants, sorted by name.
    pub classes: Vec<AnalysedClass>,
    /// The tests that judge mutants, sorted: `a.OuterTest#probe`, or a class where its tests cannot be run one by one.
    pub tests: Vec<String>,
    /// Tests that fail without mutants, or cannot run without others.
    pub left_out: Vec<LeftOut>,
    /// How many mutants were not made, by reason.
    pub not_made: BTreeMap<&'static str, usize>,
    /// Classes and methods that are not mutated, and why.
    pub declined: Vec<String>,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

impl Analysis {
    /// All mutants.
    pub fn mutants(&self) -> impl Iterator<Item = &AnalysedMutant> {
        self.classes.iter().flat_map(|class| &class.mutants)
    }

    /// The name of a test.
    pub fn test(&self, position: usize) -> &str {
        self.tests.get(position).map_or("", String::as_str)
    }
}

/// What is known of mutants from earlier runs.
pub trait Known: Sync {
    /// The result of a mutant if it need not be run: its status and the tests that noticed it.
    fn result(&self, class: &str, mutant: &Mutant, covering: &[&str]) -> Option<(Status, Vec<String>)>;
}

/// Who watches.
pub trait Observer: Sync {
    /// A new stage begins.
    fn stage(&self, text: &str);
    /// So many of so many things of this stage are done.
    fn done(&self, done: usize, of: usize);
    /// Something the user should know.
    fn say(&self, text: &str);
}
