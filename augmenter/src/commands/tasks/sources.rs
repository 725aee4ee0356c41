//! The lines of sources around a place. Knows nothing of what happens there.
//!
//! Invariant: what is shown is what stands in the file now; where the file has no such line, nothing is.

use super::group::Site;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many lines are shown before a line, and as many behind it.
const AROUND: usize = 3;
/// The folder that is looked into where nobody names one.
const USUAL: &str = "src/main/java";

/// Some lines of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// The file, below the folder of sources that it was found in.
    pub file: String,
    /// The number of the first line, from 1.
    pub first: usize,
    /// The lines.
    pub lines: Vec<String>,
}

/// Folders with sources, and what was read of them.
#[derive(Debug)]
pub struct Sources {
    folders: Vec<PathBuf>,
    read: BTreeMap<String, Option<Vec<String>>>,
}

impl Sources {
    /// Of these folders.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders, read: BTreeMap::new() }
    }

    /// Of the folder that most builds have, if it is there.
    pub fn usual() -> Self {
        Self::new(Some(PathBuf::from(USUAL)).filter(|folder| folder.is_dir()).into_iter().collect())
    }

    /// The lines around a place; none where the source is not found.
    pub fn around(&mut self, site: Site<'_>) -> Option<Excerpt> {
        let line = (site.line as usize).checked_sub(1)?;
        let file = file_of(site.class);
        let folders = &self.folders;
        let lines = self.read.entry(file.clone()).or_insert_with(|| read(folders, &file)).as_ref()?;
        let first = line.saturating_sub(AROUND);
        let shown = lines.get(first..lines.len().min(line + AROUND + 1)).filter(|_| line < lines.len())?;
        Some(Excerpt { file, first: first + 1, lines: shown.to_vec() })
    }
}

/// Where the source of a class lies: a class inside another one stands in the file of that one.
fn file_of(class: &str) -> String {
    let (package, name) = class.rsplit_once('.').map_or(("", class), |(package, name)| (package, name));
    // A name may begin with `$`.
    let end = name.char_indices().skip(1).find(|(_, c)| *c == '$').map_or(name.len(), |(at, _)| at);
    let outer = name.get(..end).unwrap_or(name);
    let folder = if package.is_empty() { String::new() } else { package.replace('.', "/") + "/" };
    format!("{folder}{outer}.java")
}

fn read(folders: &[PathBuf], file: &str) -> Option<Vec<String>> {
    let path = folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file())?;
    let text = text(&path)?;
    Some(text.lines().map(|line| line.trim_end().to_owned()).collect())
}

/// Sources in other encodings are shown as far as they are ASCII.
fn text(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_inside_another_one_stands_in_its_file() {
        for (class, file) in
            [("a.b.Outer$Inner", "a/b/Outer.java"), ("Plain", "Plain.java"), ("a.$Odd$1", "a/$Odd.java")]
        {
            assert_eq!(file_of(class), file);
        }
    }

    #[test]
    fn lines_that_are_not_there_are_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("A.java"), "one\ntwo\nthree\nfour\nfive\nsix\n").unwrap();
        let mut sources = Sources::new(vec![folder.path().to_owned()]);
        let mut shown = |class: &str, line| {
            sources.around(Site::new(class, "m()V", line, 0)).map(|e| (e.first, e.lines.join(" ")))
        };
        assert_eq!(shown("A", 2), Some((1, "one two three four five".to_owned())));
        assert_eq!(shown("A", 6), Some((3, "three four five six".to_owned())));
        assert_eq!((shown("A", 7), shown("A", 0), shown("B", 1)), (None, None, None));
    }
}
