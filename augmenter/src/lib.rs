//! Everything users see: the command line, its messages and exit codes; the pipeline behind `augment`, and mutation analysis.
//!
//! In: a command line. Out: files, messages, an exit code. The code under test never runs in this process.
//! Invariant: a command that could not do all it was asked for reports it and does not exit with 0.

pub mod agent_path;
mod change;
mod classes;
mod classpath;
pub mod cli;
mod commands;
pub mod document_version;
pub mod duration;
pub mod exit_code;
mod inputs;
mod junit_launcher;
pub mod jvm;
mod keep;
mod library;
mod logging;
mod mutation;
mod output;
mod own;
mod pairs;
mod perturbation;
mod progress;
mod project;
mod solving;
mod traces;
mod watch;
mod work_folder;

use crate::cli::{Cli, Command};
use crate::exit_code::Exit;
use std::process::ExitCode;

/// Runs one command line; errors go to standard error.
pub fn run(cli: Cli) -> ExitCode {
    logging::init(cli.verbose);
    let done = match &cli.command {
        Command::Run(args) => commands::run::run(args),
        Command::AgentPath => commands::agent_path::run(),
        Command::Atg(options) => commands::atg::run(options),
        Command::Merge(args) => commands::merge::run(args),
        Command::Export(args) => commands::export::run(args),
        Command::Diff(args) => commands::diff::run(args),
        Command::Tasks(args) => commands::tasks::run(args),
        Command::Review(options) => commands::review::run(options),
        Command::Report(args) => commands::report::run(args),
        Command::Augment(options) => commands::augment::run(options),
        Command::Dua(options) => commands::dua::run(options),
        Command::Mutants(options) => commands::mutants::run(options),
        Command::Doctor(args) => commands::doctor::run(args),
        Command::Help(args) => commands::help::run(args),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            output::error(&error);
            Exit::of(&error).into()
        }
    }
}
