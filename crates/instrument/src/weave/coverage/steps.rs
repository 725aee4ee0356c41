//! The variables that woven code keeps and the steps that change them. Knows neither blocks nor bytes.
//!
//! Invariant: a step reads and writes one variable each, so that steps in a row can be joined.

use dynaflow_bytecode::updates::Change;
use std::collections::BTreeMap;

/// A variable of a frame: live or covered bits of a word, bits that an edge covers when it is taken, or the changes of a word that
/// are in force. The latter end with their block, but for the bits that are covered anyway: those stay covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Var {
    /// Of a word.
    Live(u16),
    /// Of a word.
    Covered(u16),
    /// One of those that [`Placed`] asks for.
    Pending(u16),
    /// In force: bits of a word that are covered if live.
    Uses(u16),
    /// In force: bits of a word that are covered.
    Runs(u16),
    /// In force: bits of a word that do not stop being live.
    Keeps(u16),
    /// In force: bits of a word that become live.
    Gens(u16),
}

impl Var {
    /// Its value while no changes are in force.
    pub fn idle(self) -> u64 {
        if matches!(self, Self::Keeps(_)) { !0 } else { 0 }
    }
}

/// `to = (to & keep) | (from & and) | or`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub to: Var,
    pub from: Var,
    pub keep: u64,
    pub and: u64,
    pub or: u64,
}

impl Step {
    /// Sets a variable.
    pub fn set(to: Var, value: u64) -> Self {
        Self { to, from: to, keep: 0, and: 0, or: value }
    }

    /// Covers bits of a word: `uses` if they are live, `runs` anyway.
    pub fn cover(word: u16, uses: u64, runs: u64) -> Self {
        Self { to: Var::Covered(word), from: Var::Live(word), keep: !0, and: uses, or: runs }
    }

    /// Lets bits of a word die and become live.
    pub fn live(word: u16, kills: u64, gens: u64) -> Self {
        Self { to: Var::Live(word), from: Var::Live(word), keep: !kills, and: 0, or: gens }
    }

    /// Remembers what covering would do.
    pub fn hold(pending: u16, word: u16, uses: u64, runs: u64) -> Self {
        Self { to: Var::Pending(pending), from: Var::Live(word), keep: 0, and: uses, or: runs }
    }

    /// Covers what was remembered.
    pub fn take(pending: u16, word: u16, mask: u64) -> Self {
        Self { to: Var::Covered(word), from: Var::Pending(pending), keep: !0, and: mask, or: 0 }
    }

    /// The steps of a change, in their order, without those that do nothing.
    pub fn of(change: &Change) -> impl Iterator<Item = Self> {
        let covers = change.uses | change.runs != 0;
        let lives = change.kills | change.gens != 0;
        let cover = covers.then(|| Self::cover(change.word, change.uses, change.runs));
        cover.into_iter().chain(lives.then(|| Self::live(change.word, change.kills, change.gens)))
    }
}

/// The steps of all edges, by block.
#[derive(Debug, Default)]
pub(super) struct Placed {
    /// Before its first instruction.
    pub start: BTreeMap<u32, Vec<Step>>,
    /// Behind its whole changes.
    pub end: BTreeMap<u32, Vec<Step>>,
    /// Behind the conditional branch it ends with, when that does not jump.
    pub behind: BTreeMap<u32, Vec<Step>>,
    /// How many variables there are for bits that wait for the end of an edge.
    pub pendings: u16,
}
