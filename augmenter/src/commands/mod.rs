//! The commands, one module each, a folder where one file is not enough. They share nothing but the modules beside this one.
//!
//! Invariant: a command gives an [`Exit`](crate::exit_code::Exit) or an error, and never ends the process itself.

pub mod agent_path;
pub mod atg;
pub mod augment;
pub mod diff;
pub mod doctor;
pub mod dua;
pub mod export;
pub mod help;
pub mod merge;
pub mod mutants;
pub mod report;
pub mod review;
pub mod run;
pub mod tasks;
