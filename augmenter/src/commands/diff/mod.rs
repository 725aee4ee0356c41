//! `dynaflow diff`: what a change of program or tests loses, gains and leaves open, between two recordings or documents of pairs.
//!
//! Data path: traces or documents -> [`compare`] -> [`write`] -> text, Markdown or JSON. Knows nothing of how pairs are inferred. Invariant: the exit code says
//! whether what `--fail-on` names was found.

mod compare;
mod lines;
pub mod options;
mod write;

use crate::exit_code::Exit;
use crate::output;
use crate::pairs;
use anyhow::{Result, bail};
use options::{DiffArgs, FailOn};
use std::path::PathBuf;

/// Compares.
///
/// # Errors
/// When a side cannot be read, a pattern matches no root class of either, or the output cannot be written.
pub fn run(args: &DiffArgs) -> Result<Exit> {
    let inputs: Vec<PathBuf> = vec![args.base.clone(), args.head.clone()];
    output::check("--output", args.output.as_deref(), &inputs)?;
    let (base, head) = (pairs::of(&args.base)?, pairs::of(&args.head)?);
    for pattern in &args.classes {
        if !base.pairs.iter().chain(&head.pairs).any(|pair| pattern.matches(&pair.root)) {
            bail!("--class {} matches no root class of either side", pattern.as_str());
        }
    }
    let wanted = |root: &str| args.classes.is_empty() || args.classes.iter().any(|p| p.matches(root));
    let difference = compare::compare(&base, &head, wanted);
    output::result(args.output.as_deref(), |out| write::write(args.format, &difference, out))?;
    let is_found = |what: &FailOn| match what {
        FailOn::Lost => !difference.lost.is_empty(),
        FailOn::Open => !difference.open.is_empty(),
    };
    Ok(if args.fail_on.iter().any(is_found) { Exit::Found } else { Exit::Success })
}
