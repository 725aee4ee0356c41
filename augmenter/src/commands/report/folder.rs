//! The folder of a report: which of its files are ours, and how new ones replace them. Knows nothing of what is in them.
//!
//! Invariants: a file that no report wrote is neither replaced nor deleted; a report that was interrupted leaves a folder that the next one takes for its own.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The file that says which files are ours.
const LIST: &str = "dynaflow-report.json";
const FORMAT: &str = "dynaflow-report";

/// What [`LIST`] says.
#[derive(Debug, Serialize, Deserialize)]
struct Listed {
    files: BTreeSet<String>,
    format: String,
    version: u32,
}

/// A folder that a report is being written to.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    before: BTreeSet<String>,
    now: BTreeSet<String>,
}

impl Folder {
    /// Takes a folder, made if missing, for files of these names. Nothing but the list is written yet.
    ///
    /// # Errors
    /// When it is no folder or cannot be written, or one of the names is that of a file that no report wrote.
    pub fn begin(path: &Path, names: &[String]) -> Result<Self> {
        let shown = path.display();
        if path.exists() && !path.is_dir() {
            bail!("--html {shown}: it is no folder; name a folder, which is made if missing");
        }
        fs::create_dir_all(path).with_context(|| format!("--html {shown}: the folder cannot be made"))?;
        let before = listed(path)?;
        let foreign = |name: &&String| !before.contains(*name) && path.join(name).symlink_metadata().is_ok();
        if let Some(name) = names.iter().find(foreign) {
            bail!(
                "--html {shown}: {name} is there and no report wrote it; name another folder, or move it away"
            );
        }
        let folder = Self { path: path.to_owned(), now: names.iter().cloned().collect(), before };
        for part in ["assets", "classes"] {
            fs::create_dir_all(path.join(part))
                .with_context(|| format!("--html {shown}: {part} cannot be made"))?;
        }
        folder.list(&folder.before.union(&folder.now).cloned().collect())?;
        Ok(folder)
    }

    /// Writes a file; one that has these bytes already stays as it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn file(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.join(name);
        if fs::read(&path).is_ok_and(|found| found == bytes) {
            return Ok(());
        }
        fs::write(&path, bytes).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
        })
    }

    /// Deletes what an earlier report wrote and this one did not.
    ///
    /// # Errors
    /// When a file cannot be deleted.
    pub fn end(self) -> Result<()> {
        for name in self.before.difference(&self.now) {
            match fs::remove_file(self.path.join(name)) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(error)
                        .with_context(|| format!("cannot delete {}", self.path.join(name).display()));
                }
                _ => {}
            }
        }
        self.list(&self.now)
    }

    fn list(&self, files: &BTreeSet<String>) -> Result<()> {
        let listed = Listed { files: files.clone(), format: FORMAT.to_owned(), version: 1 };
        let text = serde_json::to_string_pretty(&listed)? + "\n";
        Ok(self.file(LIST, text.as_bytes())?)
    }
}

/// The files that earlier reports wrote.
fn listed(path: &Path) -> Result<BTreeSet<String>> {
    let list = path.join(LIST);
    let bytes = match fs::read(&list) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", list.display())),
    };
    let listed: Listed = serde_json::from_slice(&bytes)
        .with_context(|| format!("{} is not what a report writes; move it away", list.display()))?;
    if let Some(wrong) = listed.files.iter().find(|name| !is_ours(name)) {
        bail!("{} lists `{wrong}`, which no report writes; move it away", list.display());
    }
    Ok(listed.files)
}

/// Whether a name is one that a report gives: a list from elsewhere must not lead out of the folder.
fn is_ours(name: &str) -> bool {
    match name.split_once('/') {
        None => name == "index.html",
        Some(("assets" | "classes", file)) => {
            !file.is_empty() && !file.contains('/') && file != "." && file != ".."
        }
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_new_report_replaces_the_old_one_and_leaves_what_is_not_ours() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::begin(dir.path(), &names(&["index.html", "classes/a.html"])).unwrap();
        folder.file("index.html", b"1").unwrap();
        folder.file("classes/a.html", b"1").unwrap();
        folder.end().unwrap();
        fs::write(dir.path().join("classes/mine.html"), "mine").unwrap();
        let folder = Folder::begin(dir.path(), &names(&["index.html", "classes/b.html"])).unwrap();
        folder.file("index.html", b"2").unwrap();
        // It is interrupted, and another one begins.
        drop(folder);
        let folder = Folder::begin(dir.path(), &names(&["index.html", "classes/b.html"])).unwrap();
        folder.file("classes/b.html", b"2").unwrap();
        folder.end().unwrap();
        let there = |name: &str| dir.path().join(name).exists();
        assert_eq!(["classes/a.html", "classes/b.html", "classes/mine.html"].map(there), [false, true, true]);
        let error = Folder::begin(dir.path(), &names(&["classes/mine.html"])).unwrap_err().to_string();
        assert!(error.contains("classes/mine.html is there and no report wrote it"), "{error}");
    }

    #[test]
    fn a_list_that_leads_out_of_the_folder_deletes_nothing() {
        for name in ["../x", "/etc/x", "classes/../../x", "classes/..", "other/x", "x", "classes/"] {
            assert!(!is_ours(name), "{name}");
            let dir = tempfile::tempdir().unwrap();
            let list = format!("{{\"files\":[\"{name}\"],\"format\":\"{FORMAT}\",\"version\":1}}");
            fs::write(dir.path().join(LIST), list).unwrap();
            let error = Folder::begin(dir.path(), &[]).unwrap_err().to_string();
            assert!(error.contains("which no report writes"), "{error}");
        }
    }
}
