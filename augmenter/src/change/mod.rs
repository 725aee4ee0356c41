//! What a change touched: the sources that differ from where a branch began, and the classes that come from them.
//!
//! In: a folder, the name of a commit, and class paths or names of classes. Out: changed sources; changed classes. Knows nothing of what is done with them. Invariant: nothing is
//! written, neither files nor anything of the repository.

mod git;
mod names;
mod origins;
mod source;
mod tokens;

pub use names::outermost;
pub use origins::Origins;
pub use source::Source;

use anyhow::Result;
use std::path::Path;

/// What differs between the working tree and the merge base of a commit and `HEAD`. Files that are not committed, or not known to git, differ too.
#[derive(Clone, Debug)]
pub struct Change {
    /// The commit as the user named it.
    reference: String,
    /// The short hash of the merge base.
    base: String,
    /// Whether that is the commit itself.
    is_itself: bool,
    /// The changed sources, by path.
    pub sources: Vec<Source>,
}

impl Change {
    /// Asks git, in a folder of a clone.
    ///
    /// # Errors
    /// Names `--since`, the folder and what to do: there is no git or no repository, the commit is not known, or has nothing in common with `HEAD`. An empty name is an error of
    /// the command line.
    pub fn since(folder: &Path, reference: &str) -> Result<Self> {
        let asked = git::ask(folder, reference)?;
        let sources = asked.files.iter().filter_map(|path| Source::read(&asked.top, path)).collect();
        let (base, is_itself) = (asked.base, asked.is_itself);
        Ok(Self { reference: reference.to_owned(), base, is_itself, sources })
    }

    /// Where the change begins, in words: `0a1b2c3, the merge base of main and HEAD`, or `0a1b2c3 (HEAD~3)`.
    pub fn beginning(&self) -> String {
        if self.is_itself {
            format!("{} ({})", self.base, self.reference)
        } else {
            format!("{}, the merge base of {} and HEAD", self.base, self.reference)
        }
    }

    /// Whether a class comes from a changed source, as far as its name says: where no class file is at hand.
    pub fn names(&self, class: &str) -> bool {
        self.sources.iter().any(|source| source.names(class))
    }
}
