//! What can go wrong with trace files. Knows nothing of how they are read. Invariant: every message names the file.

use dynaflow_model::coverage::Sought;
use dynaflow_model::sites::ClassHash;
use std::path::{Path, PathBuf};

/// Where and why the usable part of a file ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Offset of the first byte that is not used.
    pub offset: u64,
    /// Why, in words a user understands.
    pub reason: String,
}

/// How much of a file could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadState {
    /// Everything, up to the end marker the recorder writes when the process ends in order.
    Complete,
    /// Everything before the cut; the process was killed, or the file was harmed.
    CutAt(Cut),
}

/// A class that was recorded in two builds. Facts name bytecode offsets, so those of two builds are never mixed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "class {class} was recorded in two builds, {first} and {second}; traces of different builds of a class cannot be \
     merged: record both suites against the same class files"
)]
pub struct BuildConflict {
    /// Binary name of the class.
    pub class: String,
    /// The build met first.
    pub first: ClassHash,
    /// The other build.
    pub second: ClassHash,
}

/// Why a trace could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The operating system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was attempted: `open`, `read`, `write`, ...
        action: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file does not begin like a trace.
    #[error("{}: this is no dynaflow trace (it does not begin with the bytes DYNAFLOW); pass files written by the agent \
             or by `dynaflow merge`", path.display())]
    NotATrace {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by another version.
    #[error("{}: trace format {found}, but this build of dynaflow reads format {expected}; record again, or use the \
             dynaflow version that recorded it", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version this crate reads and writes.
        expected: u32,
    },
    /// A class in two builds within one file (never within files of [`crate::TraceWriter`]).
    #[error("{}: {conflict}", path.display())]
    Build {
        /// The file.
        path: PathBuf,
        /// The class and its builds.
        conflict: BuildConflict,
    },
    /// A class in two builds in two files.
    #[error(
        "class {class} was recorded in two builds: {first_hash} in {} and {second_hash} in {}; traces of different \
         builds of a class cannot be merged: remove one of the files, or record both suites against the same class \
         files", first_path.display(), second_path.display()
    )]
    TwoBuilds {
        /// Binary name of the class.
        class: String,
        /// The build in the first file.
        first_hash: ClassHash,
        /// The file that has it.
        first_path: PathBuf,
        /// The build in the second file.
        second_hash: ClassHash,
        /// The file that has it.
        second_path: PathBuf,
    },
    /// Coverage recorded with different options.
    #[error(
        "coverage was recorded with {first} in {} and with {second} in {}: these are other associations; read the files \
         apart, or record both suites with the same options", first_path.display(), second_path.display()
    )]
    TwoWays {
        /// How associations were sought in the first file.
        first: Sought,
        /// The first file.
        first_path: PathBuf,
        /// How they were sought in the second.
        second: Sought,
        /// The second file.
        second_path: PathBuf,
    },
    /// A folder without trace files.
    #[error("{}: no trace in this folder (no file named *.{}); pass the folder given to the agent as out=",
            path.display(), crate::EXTENSION)]
    NoTraces {
        /// The folder.
        path: PathBuf,
    },
    /// One value is larger than a block may be.
    #[error("{}: {what} takes {size} bytes, more than the {} bytes of a block", path.display(), crate::MAX_BLOCK)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What was to be written.
        what: String,
        /// Its size in bytes.
        size: usize,
    },
    /// A value the encoding cannot express.
    #[error("{}: cannot encode {what}: {reason}", path.display())]
    Encoding {
        /// The file.
        path: PathBuf,
        /// What was to be written.
        what: String,
        /// Why not.
        reason: String,
    },
    /// An earlier write failed and its beginning could not be taken back.
    #[error("{}: an earlier write failed half way; nothing more can be written", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
    },
}

impl TraceError {
    /// Wraps an error of the operating system; for `map_err`.
    pub(crate) fn io<'a>(
        path: &'a Path,
        action: &'static str,
    ) -> impl FnOnce(std::io::Error) -> Self + use<'a> {
        move |source| Self::Io { path: path.to_owned(), action, source }
    }
}
