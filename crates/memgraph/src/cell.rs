//! The state of one location of a node: what it was last written by, and which node it refers to now.
//!
//! Knows nothing of other locations. Invariant: a moment of 0 means that nobody wrote it.

use crate::node::Node;

/// A write as it is compared and reported: its moment (0: no write), its site and its frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latest {
    /// When it was made, 0 for never.
    pub moment: u64,
    /// Where it was made.
    pub site: u32,
    /// The frame that made it.
    pub frame: u32,
}

/// The state of one location.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Its latest write.
    pub write: Latest,
    /// The node it refers to.
    pub target: Option<Node>,
    /// Where its edge stands in the target's list of incoming edges.
    pub(crate) back: u32,
}

impl Cell {
    pub(crate) const EMPTY: Self =
        Self { write: Latest { moment: 0, site: 0, frame: 0 }, target: None, back: 0 };

    /// Whether anything is known of the location; what a node refers to may be known without a write.
    pub(crate) fn is_written(&self) -> bool {
        self.write.moment != 0 || self.target.is_some()
    }
}
