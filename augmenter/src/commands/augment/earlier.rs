//! What earlier runs wrote: it stays as it is, counts as seeds, and is extended in files with the next number.
//!
//! Knows nothing of search. Invariant: no file that is there is ever written to; a file with the name of one of ours that has not our
//! mark stops the run before it begins.

use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Test classes that an earlier run wrote for the targets.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// The files below the folder of generated tests, by test class.
    pub files: BTreeMap<String, PathBuf>,
    /// By target, the number of the first file that can be written.
    pub next: BTreeMap<String, usize>,
}

/// Looks below `out` and on the class path.
///
/// # Errors
/// When a file has the name of one of ours and was not written by us.
pub fn find(out: &Path, targets: &[String], classes: &BTreeSet<String>) -> Result<Earlier> {
    let mut found = Earlier::default();
    let mut by_package: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for class in targets {
        for path in dynaflow_testgen::paths(class) {
            check_ours(&out.join(path))?;
        }
        by_package.entry(dynaflow_search::package_of(class)).or_default().push(class);
    }
    for (package, targets) in by_package {
        let files = sources(&out.join(package.replace('.', "/")));
        let mut names: BTreeSet<String> = BTreeSet::new();
        for (simple, path) in files {
            let name = if package.is_empty() { simple } else { format!("{package}.{simple}") };
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let is_of_target =
                dynaflow_testgen::class_under_test(&text).is_some_and(|of| targets.iter().any(|t| *t == of));
            if is_of_target {
                found.files.insert(name.clone(), path);
            }
            names.insert(name);
        }
        names.extend(classes.iter().filter(|c| dynaflow_search::package_of(c) == package).cloned());
        for class in targets {
            let taken = names.iter().filter_map(|name| dynaflow_testgen::number(class, name)).max();
            found.next.insert(class.clone(), taken.map_or(1, |number| number + 1));
        }
    }
    Ok(found)
}

/// Java files of a folder, by simple class name. A folder that is not there has none.
fn sources(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| {
        let path = entry.path();
        let simple = path.file_name()?.to_str()?.strip_suffix(".java")?.to_owned();
        Some((simple, path))
    });
    named.collect()
}

/// Refuses a file that is there and is not ours.
fn check_ours(path: &Path) -> Result<()> {
    match std::fs::read_to_string(path) {
        Ok(text) if dynaflow_testgen::class_under_test(&text).is_none() => bail!(
            "`{}` is there and was not written by dynaflow, or its first comment, by which that is known, was changed; move it or name \
             another folder with --out",
            path.display()
        ),
        _ => Ok(()),
    }
}

impl Earlier {
    /// Whether the class holds tests that an earlier run found to fail.
    pub fn is_finding(&self, class: &str) -> bool {
        dynaflow_testgen::is_of_findings(class) && self.files.contains_key(class)
    }

    /// The sources of those that are not among the classes of the class path.
    pub fn missing(&self, classes: &BTreeSet<String>) -> Vec<PathBuf> {
        let missing = self.files.iter().filter(|(class, _)| !classes.contains(*class));
        missing.map(|(_, path)| path.clone()).collect()
    }
}
