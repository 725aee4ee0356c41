//! Several trace files at once: finding them in folders, merging them, writing the result.
//!
//! Knows nothing of blocks. Invariant: the result of [`write`] depends on the contents of the recording alone, and the
//! target file is either the old one or the whole new one.

use crate::error::{BuildConflict, Cut, ReadState, TraceError};
use crate::format::EXTENSION;
use crate::merge::{append, canonical};
use crate::reader::read;
use crate::writer::TraceWriter;
use dynaflow_model::coverage::Sought;
use dynaflow_model::facts::Recording;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file of which only the beginning was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedRest {
    /// The file.
    pub path: PathBuf,
    /// Where and why.
    pub cut: Cut,
}

/// Several traces in one.
#[derive(Debug, Default)]
pub struct Merged {
    /// What they say together, in canonical order.
    pub recording: Recording,
    /// The files that were read, in order.
    pub files: Vec<PathBuf>,
    /// Those of them that end early.
    pub cut: Vec<SkippedRest>,
}

/// The trace files meant by a list of files and folders: folders are searched to the bottom for `*.trace`, names sorted;
/// a file meant twice is named once.
///
/// # Errors
/// When a path cannot be read or a folder has no trace.
pub fn trace_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, TraceError> {
    let mut found: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for path in paths {
        let meta = std::fs::metadata(path).map_err(TraceError::io(path, "open the trace"))?;
        let mut files = vec![];
        if meta.is_dir() {
            collect(path, &mut files)?;
            if files.is_empty() {
                return Err(TraceError::NoTraces { path: path.clone() });
            }
        } else {
            files.push(path.clone());
        }
        for file in files {
            let real = file.canonicalize().map_err(TraceError::io(&file, "open the trace"))?;
            found.entry(real).or_insert(file);
        }
    }
    Ok(found.into_values().collect())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), TraceError> {
    let io = |source| TraceError::Io { path: folder.to_owned(), action: "read the folder", source };
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let entry = entry.map_err(io)?;
        let path = entry.path();
        let kind = entry.file_type().map_err(io)?;
        // Links to folders are not followed: a folder may lead back to itself. Pipes and devices are no traces, whatever their names.
        if kind.is_dir() {
            collect(&path, files)?;
        } else if (kind.is_file() || kind.is_symlink() && path.is_file())
            && path.extension().is_some_and(|e| e == EXTENSION)
        {
            files.push(path);
        }
    }
    Ok(())
}

/// Reads and merges files and folders of them; the result is in canonical order.
///
/// # Errors
/// When a file cannot be read or is no trace, a folder has none, a class is there in two builds, or coverage was recorded in two ways.
pub fn read_all(paths: &[PathBuf]) -> Result<Merged, TraceError> {
    let mut merged = Merged { files: trace_files(paths)?, ..Merged::default() };
    let mut origin: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut sought: Option<(Sought, PathBuf)> = None;
    for path in &merged.files {
        let (recording, state) = read(path)?;
        append(&mut merged.recording, &recording).map_err(|c| two_builds(c, path, &origin))?;
        for run in &recording.coverage.runs {
            agree(&mut sought, run.sought, path)?;
        }
        for class in recording.classes.into_keys() {
            origin.entry(class).or_insert_with(|| path.clone());
        }
        if let ReadState::CutAt(cut) = state {
            merged.cut.push(SkippedRest { path: path.clone(), cut });
        }
    }
    merged.recording = canonical(&merged.recording);
    Ok(merged)
}

/// Coverage of associations that were sought in two ways is that of two sets of associations.
fn agree(first: &mut Option<(Sought, PathBuf)>, second: Sought, path: &Path) -> Result<(), TraceError> {
    let (sought, first_path) = first.get_or_insert_with(|| (second, path.to_owned()));
    if *sought == second {
        return Ok(());
    }
    Err(TraceError::TwoWays {
        first: *sought,
        first_path: first_path.clone(),
        second,
        second_path: path.to_owned(),
    })
}

fn two_builds(conflict: BuildConflict, path: &Path, origin: &BTreeMap<String, PathBuf>) -> TraceError {
    let first_path = origin.get(&conflict.class).cloned().unwrap_or_else(|| path.to_owned());
    TraceError::TwoBuilds {
        class: conflict.class,
        first_hash: conflict.first,
        first_path,
        second_hash: conflict.second,
        second_path: path.to_owned(),
    }
}

/// Writes a recording as a complete trace in canonical order, replacing the file at once.
///
/// # Errors
/// When the file or its neighbour `FILE.partial-PID` cannot be written, or when the path names something that is no file
/// (a folder, a device): it is not replaced.
pub fn write(path: &Path, recording: &Recording) -> Result<(), TraceError> {
    // A link leads to the file that is meant; a missing file has no other name.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        let source = std::io::Error::other("it is there and is no regular file");
        return Err(TraceError::io(path, "write the trace")(source));
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".partial-{}", std::process::id()));
    let partial = PathBuf::from(partial);
    let result = write_new(&partial, recording)
        .and_then(|()| std::fs::rename(&partial, path).map_err(TraceError::io(path, "write the trace")));
    if result.is_err() {
        // Best effort: the error that led here is the one to report.
        std::fs::remove_file(&partial).ok();
    }
    result
}

fn write_new(path: &Path, recording: &Recording) -> Result<(), TraceError> {
    let recording = canonical(recording);
    let mut writer = TraceWriter::create(path)?;
    for (name, hash) in &recording.classes {
        writer.class(name, *hash)?;
    }
    for declined in &recording.declined {
        writer.declined(declined)?;
    }
    for note in &recording.notes {
        writer.note(note)?;
    }
    for run in &recording.coverage.runs {
        writer.coverage(run)?;
    }
    let covered: Vec<u64> = recording.coverage.covered.iter().copied().collect();
    writer.covered(&covered)?;
    writer.facts(&recording.facts)?;
    for test in &recording.tests {
        writer.test(&recording.facts, test)?;
    }
    writer.thinned(&recording.thinned)?;
    writer.finish(recording.bounds, recording.effort)
}
