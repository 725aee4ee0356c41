//! What earlier runs wrote: it counts as seeds; a file that nobody edited since may be extended, any other stays as it is.
//!
//! Knows nothing of search. Invariant: only files whose seal is whole are offered for extension; a file with the name of one of ours that
//! has not our mark stops the run before it begins.

use super::seal;
use crate::commands::augment::facts::merit::{self, Merit};
use anyhow::{Result, bail};
use dynaflow_model::frameworks::Style;
use dynaflow_testgen::{Existing, FINDINGS};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Test classes that an earlier run wrote for the targets.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// The files below the folder of generated tests, by test class.
    pub files: BTreeMap<String, PathBuf>,
    /// By target, the number of the first file that can be written.
    pub next: BTreeMap<String, usize>,
    /// The failures and refusals that the comments of these files name.
    pub noted: BTreeSet<Merit>,
    /// By test that was there to fail, the class that it was written for and the lines of its comment.
    pub findings: BTreeMap<String, (String, Vec<String>)>,
    /// The files that are as they were written, by the number in their names.
    unedited: Vec<(usize, Existing)>,
}

/// Looks where generated files go, by their paths below the folder of tests, and on the class path.
///
/// # Errors
/// When a file has the name of one of ours and was not written by us.
pub fn find(
    place: impl Fn(&str) -> PathBuf,
    targets: &[String],
    classes: &BTreeSet<String>,
) -> Result<Earlier> {
    let mut found = Earlier::default();
    let mut by_package: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for class in targets {
        for path in dynaflow_testgen::paths(class) {
            check_ours(&place(&path))?;
        }
        by_package.entry(dynaflow_search::package_of(class)).or_default().push(class);
    }
    for (package, targets) in by_package {
        let folder = package.replace('.', "/");
        let mut names = BTreeSet::new();
        for folder in [folder.clone(), format!("{FINDINGS}/{folder}")] {
            names.extend(found.look((&place(&folder), &folder), package, &targets));
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
fn sources(folder: &Path) -> BTreeMap<String, PathBuf> {
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
    /// Takes in the files of a folder, which is called so below the folder of tests, that hold tests of the targets; gives the names of all classes there.
    fn look(
        &mut self,
        (place, folder): (&Path, &str),
        package: &str,
        targets: &[&String],
    ) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for (simple, path) in sources(place) {
            let name = if package.is_empty() { simple.clone() } else { format!("{package}.{simple}") };
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let of = dynaflow_testgen::class_under_test(&text);
            if let Some(target) = of.and_then(|of| targets.iter().find(|target| target.as_str() == of)) {
                self.files.insert(name.clone(), path);
                let commented = dynaflow_testgen::commented(&text);
                let comments = commented.iter().flat_map(|(_, comments)| comments);
                self.noted.extend(comments.filter_map(|comment| merit::noted(comment)));
                if dynaflow_testgen::is_of_findings(&name) {
                    let tests = commented.into_iter();
                    self.findings.extend(
                        tests.map(|(test, comments)| {
                            (format!("{name}#{test}"), ((*target).clone(), comments))
                        }),
                    );
                }
                let file = if folder.is_empty() {
                    format!("{simple}.java")
                } else {
                    format!("{folder}/{simple}.java")
                };
                let number = dynaflow_testgen::number(target, &name);
                let existing = seal::opened(&text).and_then(|text| Existing::read(&file, &text));
                self.unedited.extend(number.zip(existing.filter(|existing| existing.class == name)));
            }
            names.insert(name);
        }
        names
    }

    /// The files that take new tests of a class: the last one of green tests and the last one of findings that nobody edited.
    pub fn extendable(&self, class: &str, style: &Style) -> Vec<Existing> {
        let mine = |existing: &Existing| {
            existing.class_under_test() == class && existing.style().stands_beside(style)
        };
        let last = |failing: bool| {
            let alike = self
                .unedited
                .iter()
                .filter(|(_, existing)| mine(existing) && existing.is_of_findings() == failing);
            alike.max_by_key(|(number, _)| *number).map(|(_, existing)| existing.clone())
        };
        [false, true].into_iter().filter_map(last).collect()
    }

    /// How many of the files somebody edited.
    pub fn edited(&self) -> usize {
        self.files.len().saturating_sub(self.unedited.len())
    }

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
