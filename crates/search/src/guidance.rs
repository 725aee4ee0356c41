//! What a search knows of branches: the archive, what is to be measured, and what was reached for the first time.
//!
//! It makes no sequences. Invariant: no sequence is given twice.

use crate::archive::Archive;
use dynaflow_model::sequence::Sequence;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::hash::BuildHasher;

/// What guides a search.
#[derive(Debug)]
pub(crate) struct Guidance {
    pub(crate) archive: Archive,
    /// Known sequences whose distances were not asked for.
    pub(crate) unmeasured: VecDeque<Sequence>,
    /// Sequences that reached something new.
    pub(crate) reached: VecDeque<Sequence>,
    /// Hashes of what was given.
    given: FxHashSet<u64>,
}

impl Guidance {
    /// Guidance towards these outcomes of branches, from these sequences on.
    pub(crate) fn new(wanted: BTreeSet<u32>, known: &[Sequence]) -> Self {
        Self {
            archive: Archive::new(wanted),
            unmeasured: known.iter().cloned().collect(),
            reached: VecDeque::new(),
            given: FxHashSet::default(),
        }
    }

    /// Whether it may lead anywhere.
    pub(crate) fn may_lead(&self) -> bool {
        self.archive.open() > 0 || !self.unmeasured.is_empty()
    }

    /// Whether a sequence was not given before; it is now.
    pub(crate) fn give(&mut self, sequence: &Sequence) -> bool {
        self.given.insert(FxBuildHasher.hash_one(sequence))
    }

    /// Another sequence is known.
    pub(crate) fn add(&mut self, sequence: &Sequence) {
        self.unmeasured.push_back(sequence.clone());
    }
}
