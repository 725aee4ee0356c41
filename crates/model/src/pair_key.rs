//! What names a def-use pair everywhere: in the pairs document, in the search and between recordings.
//!
//! Knows nothing of how it is computed (`dynaflow_objectives::pair_key` does that). Invariant: two pairs have the same key when, and only
//! when, they have the same root, steps, definition and use, and the classes that contain definition and use are of the same builds.

/// The identity of a pair: 128 bits of a hash of everything that makes it this pair. Written as 32 hex digits, it is the `id` of the pairs
/// document. Ids of fact tables ([`crate::facts::PairId`]) are positions in one table and mean nothing outside it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairKey(pub [u8; 16]);

/// The identity of one half of a pair: a definition of a state variable, or a use of one, with its context; comparable between tables as a
/// [`PairKey`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HalfKey(pub [u8; 16]);

impl std::fmt::Display for PairKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for PairKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PairKey({self})")
    }
}
