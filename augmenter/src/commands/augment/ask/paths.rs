//! The class paths of a run, looked through. Knows nothing of what the classes are for.
//!
//! Invariant: every entry can be read, and its path is absolute.

use super::options::AugmentOptions;
use super::recorded;
use crate::classpath;
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The class paths.
#[derive(Debug)]
pub struct Paths {
    /// That of the program.
    pub class_path: Vec<PathBuf>,
    /// Its entries, each with its classes.
    pub program: Vec<(PathBuf, BTreeSet<String>)>,
    /// Those of the tests.
    pub tests: Vec<(PathBuf, BTreeSet<String>)>,
    /// Names of the program's classes.
    pub classes: BTreeSet<String>,
}

impl Paths {
    /// Those that the options name.
    ///
    /// # Errors
    /// Names the option and the entry that is missing or cannot be read.
    pub fn of(options: &AugmentOptions) -> Result<Self> {
        let class_path =
            classpath::absolute("--class-path", options.class_path.as_deref().unwrap_or_default())?;
        let program = recorded::entries(&class_path)?;
        let tests = match &options.test_class_path {
            Some(tests) => recorded::entries(&classpath::absolute("--test-class-path", tests)?)?,
            None => vec![],
        };
        let classes = program.iter().flat_map(|(_, names)| names.clone()).collect();
        Ok(Self { class_path, program, tests, classes })
    }

    /// The program's and the tests' class path.
    pub fn full(&self) -> Vec<PathBuf> {
        self.program.iter().chain(&self.tests).map(|(path, _)| path.clone()).collect()
    }

    /// Names of all classes.
    pub fn all_classes(&self) -> BTreeSet<String> {
        let of_tests = self.tests.iter().flat_map(|(_, names)| names);
        self.classes.iter().chain(of_tests).cloned().collect()
    }

    /// The folders that only tests have.
    pub fn folders_of_tests(&self) -> Vec<PathBuf> {
        let own = self.tests.iter().map(|(path, _)| path);
        own.filter(|path| path.is_dir() && !self.class_path.contains(path)).cloned().collect()
    }
}
