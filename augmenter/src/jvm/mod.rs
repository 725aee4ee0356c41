//! Everything that runs JVMs for `augment` and `mutants`: finding a JDK, confining processes, workers, suites, the compiler.
//!
//! In: classes, sequences, tests. Out: types, outcomes, verdicts. It knows nothing of search, traces or printing.
//! Invariant: code under test runs in other processes only, each of which dies with this one.

mod agents;
pub mod image;
pub mod in_parts;
pub mod jar;
pub mod javac;
pub mod jdk;
pub mod job;
pub mod launch;
mod manifest;
pub mod mutant_runner;
pub mod older;
pub mod process;
pub mod protocol;
mod quota;
mod readable;
pub mod reversed;
pub mod sandbox;
pub mod suite;
pub mod worker;
