//! A module as its build left it. Knows no build. Invariant: the class path of the tests has everything else in it.

use super::settings::Settings;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::PathBuf;

/// A module of a project that a build has compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The folder in which the build runs its tests.
    pub folder: PathBuf,
    /// The folders of the program's classes; at least one.
    pub classes: Vec<PathBuf>,
    /// Those of its tests' classes; none when it has no tests.
    pub tests: Vec<PathBuf>,
    /// What these need: resources, jars, and folders of other modules.
    pub needs: Vec<PathBuf>,
    /// The folders of the tests' sources.
    pub sources: Vec<PathBuf>,
    /// The folder for what builds make, which `clean` removes.
    pub made: PathBuf,
    /// With what the build runs its tests.
    pub settings: Settings,
    /// What has the build format the module's sources, as people run it, where the build knows how they are formatted: `./mvnw spotless:apply`.
    pub format: Vec<String>,
}

impl Module {
    /// The class path of the program without what it needs.
    ///
    /// # Errors
    /// When a path has a `:`.
    pub fn class_path(&self) -> Result<OsString> {
        std::env::join_paths(&self.classes).context("a path of the class path")
    }

    /// The class path of its tests, the program and what both need.
    ///
    /// # Errors
    /// When a path has a `:`.
    pub fn test_class_path(&self) -> Result<OsString> {
        let all = self.tests.iter().chain(&self.classes).chain(&self.needs);
        std::env::join_paths(all).context("a path of the class path")
    }
}
