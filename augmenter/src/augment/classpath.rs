//! Which classes stand on a class path. Knows nothing of their contents. Invariant: names come sorted and once each.

use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Checks that every entry can be read.
///
/// # Errors
/// Names the first entry that is missing or unreadable.
pub fn check(option: &str, entries: &[PathBuf]) -> Result<()> {
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
            jar(entry, &mut names).with_context(|| format!("reading the jar `{}`", entry.display()))?;
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

fn jar(path: &Path, names: &mut BTreeSet<String>) -> Result<()> {
    let archive = zip::ZipArchive::new(std::fs::File::open(path)?)?;
    for file in archive.file_names().filter(|f| !f.starts_with("META-INF/")) {
        if let Some(name) = file.strip_suffix(".class") {
            add(&name.replace('/', "."), names);
        }
    }
    Ok(())
}

fn add(name: &str, names: &mut BTreeSet<String>) {
    if !name.ends_with("module-info") && !name.ends_with("package-info") {
        names.insert(name.to_owned());
    }
}
