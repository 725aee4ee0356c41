//! Arguments by a solver: for mutants of static methods over numbers that no test notices.
//!
//! In: a class file, its mutants, a solver. Out: calls to try, as sequences. Knows no JVM, nor what the calls are used for: [`methods`] which methods are called and how,
//! [`mutants`] what becomes of each mutant. Invariant: nothing that is given back counts before it ran.

pub mod methods;
pub mod mutants;

use crate::exit_code::usage;
use anyhow::Result;
use dynaflow_solve::Config;
use std::time::Duration;

/// The solver that was asked for, which must be there; else Z3, or why that is not there.
///
/// # Errors
/// When the one that was asked for does not answer as a solver does.
pub fn solver(command: Option<&str>, limit: Option<Duration>) -> Result<Result<Config, String>> {
    let standard = Config::z3();
    let words = command.map(|text| text.split_whitespace().map(str::to_owned).collect());
    let config = Config {
        command: words.unwrap_or(standard.command),
        limit: limit.unwrap_or(standard.limit),
        ..standard
    };
    match (config.check(), command) {
        (Ok(()), _) => Ok(Ok(config)),
        (Err(why), None) => Ok(Err(why)),
        (Err(why), Some(text)) => Err(usage(format!(
            "--solver {text}: {why}; it takes a command that reads SMT-LIB 2.6, such as 'z3 -in -smt2'"
        ))),
    }
}
