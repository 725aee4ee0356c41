//! `dynaflow agent-path`. Knows nothing of JVMs. Invariant: standard output is one line, the path, or nothing.

use crate::exit_code::Exit;
use crate::{agent_path, output};
use anyhow::Result;

/// Prints the path of the agent library.
///
/// # Errors
/// When there is none.
pub fn run() -> Result<Exit> {
    let path = agent_path::find()?;
    output::result(None, |out| writeln!(out, "{}", path.display()))?;
    Ok(Exit::Success)
}
