//! `dynaflow help`. Knows nothing of what the commands do. Invariant: it prints what `--help` of the command prints.

use crate::cli::{Cli, HelpArgs};
use crate::exit_code::{Exit, UsageError};
use crate::output;
use anyhow::Result;
use clap::CommandFactory;

/// Prints the help of a command, or of dynaflow.
///
/// # Errors
/// When there is no such command.
pub fn run(args: &HelpArgs) -> Result<Exit> {
    let mut all = Cli::command();
    // Names of commands in their usage lines come with the name of the program.
    all.build();
    let names: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
    let names = names.join(", ");
    let command = match &args.command {
        None => &mut all,
        Some(name) => all.find_subcommand_mut(name).ok_or_else(|| {
            UsageError(format!("help {name}: there is no such command; expected one of {names}"))
        })?,
    };
    let text = command.render_long_help().to_string();
    output::result(None, |out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Success)
}
