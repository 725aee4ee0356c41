//! `dynaflow augment`: grows a seed suite until no new def-use pair appears. Not there yet.
//!
//! Knows nothing of the command line. Invariant: what is not there is refused, never pretended.

use crate::exit_code::Exit;
use crate::options::AugmentOptions;
use anyhow::{Result, bail};

/// Grows a suite.
///
/// # Errors
/// Always: this build cannot do it.
pub fn run(options: &AugmentOptions) -> Result<Exit> {
    bail!("this build of dynaflow cannot augment yet (asked to write tests to {})", options.out.display())
}
