//! What a test is worth: what its exception says of the program, which pairs are its own, and whether it is written at all.
//!
//! In: outcomes, facts and mutants of tests ([`triage`], [`shown`]). Out: [`candidates`], those to be written first, and others for what does not hold. Knows nothing
//! of JVMs or compilers. Invariant: the same tests, with the same outcomes, are chosen alike.

pub mod candidates;
mod nulls;
mod said;
pub mod shown;
pub mod spare;
pub mod triage;
