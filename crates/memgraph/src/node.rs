//! Nodes, edges, and what a write does to them: the words that the rest of the crate shares.
//!
//! Knows nothing of the graph. Invariant: plain values, compared by their numbers.

use crate::slot::Slot;

/// A node: an index that is valid from its creation until `Graph::free`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

/// The cell an edge starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The node that refers.
    pub source: Node,
    /// The location that refers.
    pub slot: Slot,
}

/// What a write did to the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: the location has a later write.
    Stale,
    /// The location has a new latest write and was and is no edge.
    Cell,
    /// An edge was made, removed, replaced or written again.
    Edge,
}
