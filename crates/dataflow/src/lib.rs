//! Reaching definitions and reachable uses of nested object state, from the words recorded threads send.
//!
//! In: words of threads (`model::words`), the class tables that explain them (`model::sites`), names of classes. Out: a
//! [`model::facts::FactTable`](dynaflow_model::facts::FactTable) and a `TestRecord` for each test. It knows nothing of
//! the JVM, of files or of other threads than those that are reported to it; it is single threaded and does no I/O. Invariant: the
//! facts depend on the events alone, not on where chunks end, and no word stream makes it panic.
//!
//! The path of an event: `decode` (words to events) with `registry` (what a site means), `engine` (what to do), `frames`
//! (who is active), `definitions` (writes), `uses` (reads), `exits` (ends of invocations),
//! `blocks` (entries of basic blocks), `attribution` (whose facts). What those share is `state`, made of what lies below them all:
//! `log` (what was written), `reaching` (what was found), `entered` (what is known of blocks), `vocabulary` (numbers and interned facts).

mod attribution;
mod blocks;
mod carving;
mod decode;
mod definitions;
mod engine;
mod entered;
mod exits;
mod foreseen;
mod frames;
mod log;
mod muting;
mod periods;
mod reaching;
mod recent;
mod registry;
mod repeats;
mod roots;
mod runtime;
mod state;
mod thinning;
mod thread;
mod uses;
mod uses_memo;
mod vocabulary;

pub use engine::{AnalysisConfig, Engine, Thin, Trouble};
