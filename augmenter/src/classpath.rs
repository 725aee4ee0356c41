//! The entries of a class path, and the classes in them. Knows nothing of what classes contain. Invariant: names come sorted and once each.

use crate::classes::Classes;
use crate::exit_code::UsageError;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The entries of a class path, all of which can be read.
///
/// # Errors
/// Names the first entry that is missing or unreadable; says when there is none.
pub fn entries(option: &str, class_path: &std::ffi::OsStr) -> Result<Vec<PathBuf>> {
    let entries: Vec<PathBuf> =
        std::env::split_paths(class_path).filter(|path| !path.as_os_str().is_empty()).collect();
    if entries.is_empty() {
        return Err(UsageError(format!(
            "{option} is empty: name folders with class files, and jars, separated by `:`"
        ))
        .into());
    }
    check(option, &entries)?;
    Ok(entries)
}

/// The same with absolute paths, for JVMs that run in a folder of their own.
///
/// # Errors
/// As [`entries`]; and when there is no working folder.
pub fn absolute(option: &str, class_path: &std::ffi::OsStr) -> Result<Vec<PathBuf>> {
    let entries = entries(option, class_path)?;
    entries.iter().map(|path| std::path::absolute(path).map_err(Into::into)).collect()
}

/// Checks that every entry can be read.
///
/// # Errors
/// Names the first entry that is missing or unreadable.
fn check(option: &str, entries: &[PathBuf]) -> Result<()> {
    for entry in entries {
        let name = || format!("{option}: class path entry `{}` cannot be read", entry.display());
        if entry.is_dir() {
            std::fs::read_dir(entry).with_context(name)?;
        } else {
            std::fs::File::open(entry).with_context(name)?;
        }
    }
    Ok(())
}

/// Binary names of all classes in the folders and jars.
///
/// # Errors
/// Names the jar or folder that cannot be read.
pub fn classes(entries: &[PathBuf]) -> Result<BTreeSet<String>> {
    Ok(Classes::list(entries)?.names().map(str::to_owned).collect())
}
