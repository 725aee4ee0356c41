//! The submitted sources: found, compiled, and what of them does not compile. Knows nothing of tests.
//!
//! Invariant: every source is either compiled or has an error that names its line.

use super::options::ReviewOptions;
use crate::exit_code::usage;
use crate::jvm::javac::{self, Compilation, JavacError, SourceError};
use crate::jvm::launch::JvmConfig;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest time for compiling.
const COMPILING: Duration = Duration::from_secs(300);
/// What names Java sources.
const JAVA: &str = "java";

/// What came of the sources.
#[derive(Debug)]
pub struct Compiled {
    /// The folder with the classes of those that compile.
    pub classes: PathBuf,
    /// The sources that compile.
    pub sources: Vec<PathBuf>,
    /// What javac says of the others.
    pub errors: Vec<SourceError>,
}

/// The sources that the user names, sorted and each once; a folder means all that lie below it.
///
/// # Errors
/// Names what is no Java source, is not there, or is a folder without any.
pub fn found(options: &ReviewOptions) -> Result<Vec<PathBuf>> {
    let mut sources = BTreeSet::new();
    for path in &options.tests {
        let before = sources.len();
        if path.is_dir() {
            walk(path, &mut sources)?;
            if sources.len() == before {
                return Err(usage(format!("{}: no Java source lies in this folder", path.display())));
            }
        } else if path.extension().is_some_and(|extension| extension == JAVA) {
            std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
            sources.insert(path.clone());
        } else {
            return Err(usage(format!(
                "{}: expected a Java source (*.java), or a folder of them; compiled suites are named with --test-class-path",
                path.display()
            )));
        }
    }
    Ok(sources.into_iter().collect())
}

fn walk(folder: &Path, sources: &mut BTreeSet<PathBuf>) -> Result<()> {
    let reading = || format!("reading the folder {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(reading)? {
        let path = entry.with_context(reading)?.path();
        if path.is_dir() {
            walk(&path, sources)?;
        } else if path.extension().is_some_and(|extension| extension == JAVA) {
            sources.insert(path);
        }
    }
    Ok(())
}

/// Compiles what compiles: sources with errors are left out until the others have none, so that one that is wrong hides no other.
///
/// # Errors
/// When the compiler cannot be run, or fails without naming a source.
pub fn compile(sources: Vec<PathBuf>, jvm: &JvmConfig, out: &Path) -> Result<Compiled> {
    let mut compiled = Compiled { classes: out.to_owned(), sources, errors: vec![] };
    std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    while !compiled.sources.is_empty() {
        let job = Compilation {
            jdk: &jvm.jdk,
            class_path: &jvm.class_path,
            sources: &compiled.sources,
            out,
            release: None,
            limit: COMPILING,
            stop: &jvm.stop,
        };
        match javac::compile(&job) {
            Ok(_) => break,
            Err(JavacError::Sources(errors)) => {
                compiled.sources.retain(|source| !errors.iter().any(|error| error.file == *source));
                compiled.errors.extend(errors);
            }
            Err(error) => return Err(error).context("cannot compile the submitted tests"),
        }
    }
    compiled.errors.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    Ok(compiled)
}

impl Compiled {
    /// The source of a class, for people: where its package and the outermost class of its name lead to.
    pub fn source_of(&self, class: &str) -> Option<String> {
        let outer = class.split('$').next().unwrap_or(class);
        let path = PathBuf::from(outer.replace('.', "/") + ".java");
        let name = path.file_name().map(PathBuf::from)?;
        let find = |end: &Path| self.sources.iter().find(|source| source.ends_with(end));
        // A draft need not lie in the folder of its package.
        find(&path).or_else(|| find(&name)).map(|source| shown(source))
    }
}

/// A path as the user sees it: below the working folder where it is.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}
