//! What a run is asked for: its options, the class paths that they name, what is recorded, and what earns a test a place.
//!
//! In: a command line, and where that names no class path, a build. Out: [`options`] without gaps, [`paths`] that can be read, [`recorded`] patterns,
//! [`criteria`]. Knows nothing of tests or of search. Invariant: what the user names is taken as it is; what nobody names is asked of the build.

pub(super) mod criteria;
pub(super) mod from_project;
pub mod options;
pub(super) mod paths;
pub(super) mod recorded;
mod shard;
