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
    let all = Cli::command();
    let mut words = vec!["dynaflow"];
    if let Some(name) = &args.command {
        if all.find_subcommand(name).is_none() {
            let names: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
            let names = names.join(", ");
            return Err(UsageError(format!(
                "help {name}: there is no such command; expected one of {names}"
            ))
            .into());
        }
        words.push(name);
    }
    words.push("--help");
    // The parser returns a help text as an error.
    let text =
        all.try_get_matches_from(words).map_or_else(|help| help.render().to_string(), |_| String::new());
    output::result(None, |out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Success)
}
