//! The private folder of a run, below the system's folder for temporary files; and what killed runs left there.
//!
//! Knows nothing of what lies in it. Invariant: a folder of somebody else, or of a run that still goes on, is never touched: ours have a
//! file with our mark, on which a run holds a lock as long as its process lives.

use anyhow::{Context, Result};
use nix::unistd::geteuid;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// How names of our folders begin.
const PREFIX: &str = "dynaflow-";
/// The file that marks them, and what stands in it.
const OWNER: &str = "owner";
const MARK: &str = "folder of a run of dynaflow; it is removed when the run is over\n";

/// The folders of this process that are there.
static LIVE: Mutex<Vec<PathBuf>> = Mutex::new(vec![]);

/// A folder that is gone when this is dropped.
#[derive(Debug)]
pub struct WorkFolder {
    folder: TempDir,
    _owner: File,
}

impl WorkFolder {
    /// Makes a folder, after it removed those that killed runs left.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new() -> Result<Self> {
        let base = std::env::temp_dir();
        let removed = sweep(&base);
        if removed > 0 {
            tracing::info!(removed, "folders of killed runs removed");
        }
        Self::below(&base).with_context(|| format!("cannot make a private folder in {}", base.display()))
    }

    fn below(base: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(base)?;
        // The mark appears together with its lock: without it nobody takes the folder for one of ours.
        let new = folder.path().join("owner.new");
        let mut owner = File::create_new(&new)?;
        owner.write_all(MARK.as_bytes())?;
        owner.lock()?;
        fs::rename(&new, folder.path().join(OWNER))?;
        LIVE.lock().unwrap_or_else(PoisonError::into_inner).push(folder.path().to_owned());
        Ok(Self { folder, _owner: owner })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        LIVE.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| path != self.folder.path());
    }
}

/// Removes the folders of this process, which ends at once. What its children still hold is left to the next run.
pub fn abandon() {
    for folder in LIVE.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        remove(folder);
    }
}

/// Removes what is left of runs whose process is gone; how many there were.
fn sweep(base: &Path) -> usize {
    let entries = fs::read_dir(base).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    ours.filter(|entry| is_abandoned(&entry.path()) && remove(&entry.path())).count()
}

/// Whether a folder has our mark, belongs to this user, and its process is gone.
fn is_abandoned(folder: &Path) -> bool {
    let is_mine = |path: &Path, is_kind: fn(&fs::Metadata) -> bool| {
        fs::symlink_metadata(path).is_ok_and(|meta| is_kind(&meta) && meta.uid() == geteuid().as_raw())
    };
    let owner = folder.join(OWNER);
    if !is_mine(folder, fs::Metadata::is_dir)
        || !is_mine(&owner, |meta| meta.is_file() && meta.len() == MARK.len() as u64)
    {
        return false;
    }
    let unlocked = File::open(&owner).is_ok_and(|file| file.try_lock().is_ok());
    unlocked && fs::read_to_string(&owner).is_ok_and(|text| text == MARK)
}

/// Removes a folder, its mark last, so that what cannot be removed now is found again.
fn remove(folder: &Path) -> bool {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name() == OWNER {
            continue;
        }
        let path = entry.path();
        let gone = if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        if gone.is_err() {
            return false;
        }
    }
    fs::remove_file(folder.join(OWNER)).is_ok() && fs::remove_dir(folder).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A folder as a killed run leaves it.
    fn killed(base: &Path) -> PathBuf {
        let WorkFolder { folder, .. } = &mut WorkFolder::below(base).unwrap();
        folder.disable_cleanup(true);
        fs::create_dir(folder.path().join("worker-0")).unwrap();
        fs::write(folder.path().join("worker-0/Test.class"), "x").unwrap();
        folder.path().to_owned()
    }

    #[test]
    fn folders_of_killed_runs_are_removed_and_no_others() {
        let base = tempfile::tempdir().unwrap();
        let base = base.path();
        let dead = killed(base);
        let alive = WorkFolder::below(base).unwrap();
        let others = ["dynaflow-traces", "dynaflow-other", "notes"].map(|name| base.join(name));
        others.iter().for_each(|path| fs::create_dir(path).unwrap());
        fs::write(others[1].join(OWNER), "somebody else").unwrap();
        symlink(killed(&others[2]), base.join("dynaflow-link")).unwrap();
        assert_eq!(sweep(base), 1);
        assert!(!dead.exists() && alive.path().join(OWNER).exists());
        assert!(others.iter().all(|path| path.exists()) && base.join("dynaflow-link").join(OWNER).exists());
        let path = alive.path().to_owned();
        drop(alive);
        assert!(!path.exists());
    }

    #[test]
    fn a_process_that_ends_at_once_takes_its_folders_along() {
        let base = tempfile::tempdir().unwrap();
        let folder = WorkFolder::below(base.path()).unwrap();
        fs::write(folder.path().join("left"), "x").unwrap();
        remove(folder.path());
        assert!(!folder.path().exists());
    }
}
