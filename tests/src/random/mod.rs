//! Random valid classes, made of bytes: shapes that `javac` never writes and the verifier accepts. It knows the verifier's
//! types and the instructions, nothing of weaving.
//!
//! Data path: `types` (what a verifier knows of a method at a place) -> `assembler` (bytes, labels, frames) -> `values`,
//! `uses` and `statements` (which instructions come next) -> [`class`] (methods put together). Invariants: the same seed
//! gives the same bytes; every method ends, because each jump back burns one of the class's fuel.

mod assembler;
pub mod class;
mod statements;
mod types;
mod uses;
mod values;
