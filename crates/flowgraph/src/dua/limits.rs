//! How much one method may ask for. What is beyond is refused with its reason, and everything else of the class is analysed.
//!
//! It knows numbers alone. Of the methods of the JDK and of a dozen large libraries none is refused by these bounds; the one with the most
//! associations has 21,645. Invariant: what is refused says which bound it met.

use super::Refusal;
use crate::pairs::Limits;

/// Associations of a method, and edges gone along to find them.
pub(crate) const ASSOCIATIONS: Limits = Limits { associations: 500_000, steps: 1_000_000_000 };
/// Pairs of a node and a variable it defines, found again and again counted each time.
const DEFINITIONS: usize = 5_000_000;
/// Pairs of a node or edge and a variable it uses, found again and again counted each time.
const USES: usize = 5_000_000;
/// Fields that a path leads through.
pub(crate) const FIELDS: usize = 64;
/// Bytes of the names of variables in associations.
const TEXT: usize = 64 << 20;

/// What a method has asked for so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    definitions: usize,
    uses: usize,
    text: usize,
}

impl Asked {
    /// Counts definitions.
    pub fn defines(&mut self, count: usize) -> Result<(), Refusal> {
        bounded(&mut self.definitions, count, DEFINITIONS, "definitions of variables by its blocks")
    }

    /// Counts uses.
    pub fn uses(&mut self, count: usize) -> Result<(), Refusal> {
        bounded(&mut self.uses, count, USES, "uses of variables by its blocks")
    }

    /// Counts bytes of names.
    pub fn spells(&mut self, bytes: usize) -> Result<(), Refusal> {
        bounded(&mut self.text, bytes, TEXT, "bytes of names of variables in its associations")
    }
}

fn bounded(sum: &mut usize, more: usize, most: usize, what: &str) -> Result<(), Refusal> {
    *sum = sum.saturating_add(more);
    if *sum > most {
        return Err(Refusal { offset: None, reason: format!("it has more than {most} {what}") });
    }
    Ok(())
}
