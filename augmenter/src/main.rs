//! The `dynaflow` binary. Everything it does is in the library; this file knows the process alone.
//!
//! Invariant: the hidden subcommand that confines workers is looked for first, while this process has one thread.

use clap::Parser;
use dynaflow_augmenter::cli::Cli;
use dynaflow_augmenter::{jvm, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = jvm::sandbox::intercept() {
        return code;
    }
    run(Cli::parse())
}
