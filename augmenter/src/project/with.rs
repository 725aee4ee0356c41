//! With what a build runs. Knows no build. Invariant: what is not given is left to the environment.

use std::path::Path;

/// With what a build runs.
#[derive(Clone, Copy, Debug)]
pub struct With<'a> {
    /// The JDK; that of the environment when not given.
    pub java_home: Option<&'a Path>,
    /// The program that is asked; the project's wrapper or one of the `PATH` when not given.
    pub program: Option<&'a Path>,
    /// Arguments more.
    pub arguments: &'a [String],
}
