//! What earlier analyses found, in a file: `--incremental`. Knows nothing of how mutants are run.
//!
//! Invariant: a result is used again only if class file, mutant and the class files of the tests that decided about it are the same: of a
//! mutant that was noticed the test that noticed it, of one that survived all tests that reach it, and of a matrix all of them in any case.

use crate::exit_code::usage;
use crate::mutation::{AnalysedMutant, Analysis, Known, Status};
use anyhow::{Context, Result};
use dynaflow_mutants::Mutant;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

const FORMAT: &str = "dynaflow-mutants-history";
const VERSION: u32 = 1;

/// The file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    /// The program that wrote it: another version may make other mutants under the same id.
    program: String,
    /// Hashes of the class files of targets and tests.
    classes: BTreeMap<String, String>,
    mutants: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    class: String,
    description: String,
    status: String,
    matrix: bool,
    killing: Vec<String>,
    covering: Vec<String>,
}

/// What is known, and the class files there are now.
#[derive(Debug, Default)]
pub struct History {
    file: File,
    classes: BTreeMap<String, String>,
    matrix: bool,
}

impl History {
    /// Reads a history, which need not be there yet. Hashes are those of the class files there are now.
    ///
    /// # Errors
    /// When the file cannot be read, or is something else.
    pub fn read(path: Option<&Path>, classes: BTreeMap<String, String>, matrix: bool) -> Result<Self> {
        let mut history = Self { classes, matrix, ..Self::default() };
        let Some(path) = path.filter(|path| path.exists()) else { return Ok(history) };
        let name = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("--incremental: cannot read {name}"))?;
        if bytes.is_empty() {
            return Ok(history);
        }
        let file: File = serde_json::from_slice(&bytes).ok().filter(|file: &File| file.format == FORMAT).ok_or_else(|| {
            usage(format!("--incremental {name}: this is no history of dynaflow mutants; name another file, or remove this one"))
        })?;
        if file.version == VERSION && file.program == env!("CARGO_PKG_VERSION") {
            history.file = file;
        }
        Ok(history)
    }

    /// Whether a class is there now as it was then.
    fn is_same(&self, class: &str) -> bool {
        let now = self.classes.get(class);
        now.is_some() && now == self.file.classes.get(class)
    }

    fn is_same_test(&self, test: &str) -> bool {
        self.is_same(class_of(test))
    }

    /// Writes what is known after an analysis.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, analysis: &Analysis, out: &mut dyn io::Write) -> io::Result<()> {
        let mut mutants = self.file.mutants.clone();
        // What was not looked at this time is still true while all it is about is as it was.
        mutants.retain(|_, entry| {
            self.is_same(&entry.class) && entry.covering.iter().all(|test| self.is_same_test(test))
        });
        for class in &analysis.classes {
            for analysed in class.mutants.iter().filter(|one| one.judged.status != Status::NotStarted) {
                let entry = self.entry(analysis, &class.name, analysed);
                mutants.insert(analysed.mutant.id.clone(), entry);
            }
        }
        let needed: BTreeSet<&str> = mutants
            .values()
            .flat_map(|entry| entry.covering.iter().map(|test| class_of(test)).chain([entry.class.as_str()]))
            .collect();
        let hash = |class: &str| Some((class.to_owned(), self.classes.get(class)?.clone()));
        let classes = needed.into_iter().filter_map(hash).collect();
        let program = env!("CARGO_PKG_VERSION").to_owned();
        let file = File { format: FORMAT.to_owned(), version: VERSION, program, classes, mutants };
        serde_json::to_writer(&mut *out, &file)?;
        writeln!(out)
    }

    fn entry(&self, analysis: &Analysis, class: &str, analysed: &AnalysedMutant) -> Entry {
        let names = |tests: &[usize]| tests.iter().map(|test| analysis.test(*test).to_owned()).collect();
        Entry {
            class: class.to_owned(),
            description: analysed.mutant.description.clone(),
            status: analysed.judged.status.name().to_owned(),
            matrix: self.matrix,
            killing: names(&analysed.judged.killing),
            covering: names(&analysed.covering),
        }
    }
}

/// The class of a test.
fn class_of(test: &str) -> &str {
    test.split('#').next().unwrap_or(test)
}

impl Known for History {
    fn result(&self, class: &str, mutant: &Mutant, covering: &[&str]) -> Option<(Status, Vec<String>)> {
        let entry = self.file.mutants.get(&mutant.id)?;
        if !self.is_same(class) || entry.description != mutant.description {
            return None;
        }
        let status = Status::of_name(&entry.status)?;
        let now: BTreeSet<&str> = covering.iter().copied().collect();
        let then: BTreeSet<&str> = entry.covering.iter().map(String::as_str).collect();
        let still = |test: &&String| now.contains(test.as_str()) && self.is_same_test(test);
        let holds = if self.matrix {
            entry.matrix && now == then && now.iter().all(|test| self.is_same_test(test))
        } else if status.is_detected() {
            entry.killing.first().is_some_and(|test| still(&test))
        } else {
            status == Status::Survived
                && now.is_subset(&then)
                && now.iter().all(|test| self.is_same_test(test))
        };
        let killing =
            if self.matrix { entry.killing.clone() } else { entry.killing.iter().take(1).cloned().collect() };
        holds.then_some((status, killing))
    }
}
