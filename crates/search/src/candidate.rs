//! A sequence that is worth running with all facts, and where it comes from. It knows no search. Invariant: its sequence is well typed.

use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::Sequence;

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// The definition of one test and the use of another, on one object.
    Splice,
    /// The one that came nearest to its goal, changed.
    Near,
    /// A known sequence, changed.
    Variation,
    /// Made from the types alone.
    Scratch,
    /// Branch distances led to it.
    Guided,
}

/// A sequence worth running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What to run; well typed.
    pub sequence: Sequence,
    /// The goal it was made for, if it was made for one; running it may serve others.
    pub goal: Option<PairKey>,
    /// Where it comes from.
    pub why: Why,
}
