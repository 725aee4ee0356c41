//! Which classes stand on a class path. Knows nothing of their contents. Invariant: names come sorted and once each.

use crate::exit_code::UsageError;
use crate::jvm::jar;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
    let mut names = BTreeSet::new();
    for entry in entries {
        if entry.is_dir() {
            folder(entry, "", &mut names)?;
        } else {
            in_jar(entry, &mut names)?;
        }
    }
    Ok(names)
}

fn folder(dir: &Path, package: &str, names: &mut BTreeSet<String>) -> Result<()> {
    for entry in std::fs::read_dir(dir).with_context(|| format!("reading the folder `{}`", dir.display()))? {
        let path = entry?.path();
        let Some(file) = path.file_name().and_then(|n| n.to_str()) else { continue };
        if path.is_dir() {
            folder(&path, &format!("{package}{file}."), names)?;
        } else if let Some(simple) = file.strip_suffix(".class") {
            add(&format!("{package}{simple}"), names);
        }
    }
    Ok(())
}

fn in_jar(path: &Path, names: &mut BTreeSet<String>) -> Result<()> {
    let archive = jar::open(path)?;
    for file in archive.file_names().filter(|f| !f.starts_with("META-INF/")) {
        if let Some(name) = file.strip_suffix(".class") {
            add(&name.replace('/', "."), names);
        }
    }
    Ok(())
}

fn add(name: &str, names: &mut BTreeSet<String>) {
    if !name.is_empty() && !name.ends_with("module-info") && !name.ends_with("package-info") {
        names.insert(name.to_owned());
    }
}
