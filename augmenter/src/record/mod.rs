//! Recording one java command of the user: its command line, its life, and what came out of it.
//!
//! Knows nothing of the command line of `dynaflow`. Invariant: the command runs as the user wrote it, plus one option.

pub mod java_command;
pub mod summary;
pub mod supervise;
