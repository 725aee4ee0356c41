//! How much a confined process has put into its own folder, and emptying that folder.
//!
//! Knows nothing of JVMs. Where the launcher can, the folder is a small file system in memory that this process does not
//! even see; elsewhere a [`Watch`] ends the process once it holds more than it may.
//! Invariant: links are never followed, and folders nested as deep as one likes are neither walked by recursion nor by long paths.

use super::sandbox::{MOST_BYTES, MOST_FILES};
use std::fs::{self, ReadDir};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How often a folder is looked at.
const INTERVAL: Duration = Duration::from_millis(50);
/// Bytes of a block, as file systems count.
const BLOCK: u64 = 512;

/// Looks after a folder until it is dropped.
#[derive(Debug)]
pub struct Watch {
    over: Arc<AtomicBool>,
    full: Arc<AtomicBool>,
}

impl Watch {
    /// Calls `end`, once, when the folder holds more than it may.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn start(folder: PathBuf, end: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let watch = Self { over: Arc::default(), full: Arc::default() };
        let (over, full) = (Arc::clone(&watch.over), Arc::clone(&watch.full));
        thread::Builder::new().name("dynaflow-quota".to_owned()).spawn(move || {
            while !over.load(Ordering::SeqCst) {
                if exceeds(&folder, MOST_BYTES, MOST_FILES) {
                    full.store(true, Ordering::SeqCst);
                    end();
                    return;
                }
                thread::sleep(INTERVAL);
            }
        })?;
        Ok(watch)
    }

    /// Whether the folder held more than it may.
    pub fn is_full(&self) -> bool {
        self.full.load(Ordering::SeqCst)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
    }
}

/// Whether more than so many bytes or entries are below a folder. What cannot be looked at is nested too deep, and more.
fn exceeds(folder: &Path, most_bytes: u64, most_files: u64) -> bool {
    let (mut bytes, mut files) = (0, 0);
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let entries = match fs::read_dir(&next) {
            Ok(entries) => entries,
            // It is gone meanwhile, or was when the process had not begun.
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            Err(_) => return true,
        };
        for entry in entries.flatten() {
            let Ok(meta) = entry.metadata() else { continue };
            (bytes, files) = (bytes + meta.blocks() * BLOCK, files + 1);
            if bytes > most_bytes || files > most_files {
                return true;
            }
            if meta.is_dir() {
                open.push(entry.path());
            }
        }
    }
    false
}

/// Removes everything in a folder; what is not there is empty.
///
/// # Errors
/// When something cannot be removed.
pub fn empty(folder: &Path) -> io::Result<()> {
    let mut lifted = 0_u64;
    loop {
        let Some(entries) = read(folder)? else { return Ok(()) };
        let mut none = true;
        for entry in entries {
            none = false;
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                flatten(folder, &entry.path(), &mut lifted)?;
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        if none {
            return Ok(());
        }
    }
}

/// Removes one folder; the folders in it become its neighbours and are next.
fn flatten(above: &Path, folder: &Path, lifted: &mut u64) -> io::Result<()> {
    for entry in read(folder)?.into_iter().flatten() {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            let target = loop {
                *lifted += 1;
                let name = above.join(format!("dynaflow-{lifted}"));
                if fs::symlink_metadata(&name).is_err() {
                    break name;
                }
            };
            fs::rename(entry.path(), target)?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_dir(folder)
}

fn read(folder: &Path) -> io::Result<Option<ReadDir>> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(Some(entries)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of folders far deeper than any path is long, made as a hostile program can: by moving chains into chains.
    fn deep(folder: &Path) {
        let chain: PathBuf = std::iter::repeat_n("d", 900).collect();
        fs::create_dir_all(folder.join("a").join(&chain)).unwrap();
        fs::create_dir_all(folder.join("b").join(&chain)).unwrap();
        fs::rename(folder.join("a"), folder.join("b").join(&chain).join("a")).unwrap();
        fs::create_dir_all(folder.join("c").join(&chain)).unwrap();
        fs::rename(folder.join("b"), folder.join("c").join(&chain).join("b")).unwrap();
    }

    #[test]
    fn everything_goes_however_deep_and_what_links_lead_to_stays() {
        let dir = tempfile::tempdir().unwrap();
        let (own, other) = (dir.path().join("own"), dir.path().join("other"));
        fs::create_dir_all(own.join("dynaflow-1/x/y")).unwrap();
        fs::create_dir(&other).unwrap();
        fs::write(other.join("precious"), "precious").unwrap();
        fs::write(own.join("dynaflow-1/x/file"), "f").unwrap();
        std::os::unix::fs::symlink(&other, own.join("dynaflow-1/link")).unwrap();
        std::os::unix::fs::symlink(other.join("precious"), own.join("link")).unwrap();
        deep(&own);
        empty(&own).unwrap();
        assert_eq!(fs::read_dir(&own).unwrap().count(), 0);
        assert_eq!(fs::read_to_string(other.join("precious")).unwrap(), "precious");
        empty(&dir.path().join("not there")).unwrap();
    }

    #[test]
    fn bytes_and_files_count_and_what_is_too_deep_is_too_much() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!exceeds(dir.path(), 0, 0) && !exceeds(&dir.path().join("gone"), 0, 0));
        fs::write(dir.path().join("file"), vec![7; 1 << 20]).unwrap();
        assert!(!exceeds(dir.path(), 2 << 20, 1));
        assert!(exceeds(dir.path(), 1 << 19, 1));
        assert!(exceeds(dir.path(), 2 << 20, 0));
        std::os::unix::fs::symlink("/", dir.path().join("everything")).unwrap();
        assert!(!exceeds(dir.path(), 2 << 20, 2));
        deep(dir.path());
        assert!(exceeds(dir.path(), u64::MAX, u64::MAX));
    }
}
