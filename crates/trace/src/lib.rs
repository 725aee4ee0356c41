//! The trace file: what one recorded process found out, written test by test, read whole or while it grows, merged.
//!
//! In: a `Recording` piece by piece. Out: a file that is readable up to its last complete block whatever happened to the
//! process; from files, a `Recording`. It knows nothing of events, of objectives or of the JVM. Invariant: a block is
//! used when all of it arrived unharmed and everything it refers to came before it, and is otherwise where reading ends.
//!
//! Data path: `delta`, `block_delta` (what is new in the tables) -> `relative` (numbers as differences) -> `encoding` (values as
//! bytes) -> `window` (fewer bytes) -> `format` (checked blocks) -> [`TraceWriter`]; back through [`TraceReader`]; several files through [`merge()`] and [`read_all`]. The format is
//! described in `docs/trace-format.md`.

mod block_delta;
mod delta;
mod encoding;
mod error;
mod extract;
mod files;
mod format;
mod merge;
mod reader;
mod relative;
mod remap;
mod translate;
mod window;
mod writer;

pub use error::{BuildConflict, Cut, ReadState, TraceError};
pub use extract::extract;
pub use files::{Merged, SkippedRest, read_all, trace_files, write};
pub use format::{EXTENSION, MAGIC, MAX_BLOCK, VERSION};
pub use merge::{append, canonical, merge};
pub use reader::{Event, TraceReader, read};
pub use writer::TraceWriter;
