//! A mutant of a method before it is known whether it stays. It knows neither who makes it nor who leaves it out.
//!
//! Invariant: all its sites change at once.

use crate::change::Change;
use crate::operator::Operator;

/// A mutant of a method, before it is known whether it stays.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Its operator.
    pub operator: Operator,
    /// Index of the mutated instruction.
    pub insn: usize,
    /// What it does.
    pub description: String,
    /// The instructions in place of the mutated one.
    pub change: Change,
    /// Further instructions that it mutates: the same source, compiled more than once.
    pub copies: Vec<(usize, Change)>,
}

impl Found {
    /// All instructions that it mutates, and what takes their place.
    pub fn sites(&self) -> impl Iterator<Item = (usize, &Change)> {
        sites(self.insn, &self.change, &self.copies)
    }
}

/// A first site and further ones.
pub(crate) fn sites<'m>(
    insn: usize,
    change: &'m Change,
    copies: &'m [(usize, Change)],
) -> impl Iterator<Item = (usize, &'m Change)> {
    std::iter::once((insn, change)).chain(copies.iter().map(|(insn, change)| (*insn, change)))
}
