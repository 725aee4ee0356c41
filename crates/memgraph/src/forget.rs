//! Forgetting: how much room the graph takes, and giving some of it back.
//!
//! Knows nothing of what was lost by it. Invariant: after a node was forgotten, it refers to nothing and has no cells, and the answer to a question
//! for the latest write of one of its locations is that there may have been an unknown one.

use crate::cell::{Cell, Latest};
use crate::graph::{Graph, NodeData};
use crate::node::{Edge, Node};
use crate::slot::Slot;

/// About how much a node takes besides what it lists: itself, its stamp and flags, its name.
const NODE: usize = size_of::<NodeData>() + 16;

fn weight(data: &NodeData) -> usize {
    data.cells.weight()
        + data.incoming.capacity() * size_of::<Edge>()
        + data.held.as_ref().map_or(0, |held| held.weight())
}

impl Latest {
    /// An unknown write: it stands for the latest write, if there was any, of a location that was forgotten at a moment. Its own moment is no
    /// later.
    pub fn unknown(moment: u64) -> Self {
        Self { moment, site: Self::UNKNOWN_SITE, frame: u32::MAX }
    }

    /// Whether it is unknown.
    #[inline]
    pub fn is_unknown(&self) -> bool {
        self.site == Self::UNKNOWN_SITE && self.moment > 0
    }

    const UNKNOWN_SITE: u32 = u32::MAX;
}

impl Graph {
    /// About how many bytes the graph takes. Looks at every node.
    pub fn weight(&self) -> usize {
        self.nodes.iter().map(|data| NODE + weight(data)).sum()
    }

    /// Forgets the locations of nodes that were not written for the longest time, until about half of `weight` is given back or only
    /// pinned nodes are left. `moment` is the present one. The result is how many nodes it forgot.
    pub fn forget_oldest(&mut self, weight: usize, moment: u64) -> u64 {
        let newest = |data: &NodeData| data.cells.iter().map(|(_, cell): (_, &Cell)| cell.write.moment).max();
        let is_live = |at: &usize| self.is_live(Node(*at as u32));
        let written = self.nodes.iter().enumerate().filter(|(at, data)| is_live(at) && data.pins == 0);
        let mut oldest: Vec<(u64, u32)> =
            written.filter_map(|(at, data)| Some((newest(data)?, at as u32))).collect();
        oldest.sort_unstable();
        let (mut given_back, mut forgotten) = (0, 0);
        for (_, at) in oldest {
            if given_back >= weight / 2 {
                break;
            }
            let node = Node(at);
            given_back += self::weight(&self.nodes[at as usize]);
            self.forget(node, moment);
            forgotten += 1;
        }
        forgotten
    }

    /// Forgets what a node's locations were written by and what they refer to.
    fn forget(&mut self, node: Node, moment: u64) {
        self.drop_edges(node);
        let data = &mut self.nodes[node.0 as usize];
        data.cells = Default::default();
        data.held = None;
        data.forgotten = moment;
        data.incoming.shrink_to_fit();
        self.is_bare(node);
    }

    /// An unknown write changed locations of a node at a moment, forgotten ones included: their unknown latest writes may be as young as
    /// that. Returns whether any were forgotten.
    pub fn rewrite_forgotten(&mut self, node: Node, moment: u64) -> bool {
        let data = &mut self.nodes[node.0 as usize];
        let any = data.forgotten > 0;
        if any {
            data.forgotten = moment;
            self.rewrite_contents(node);
        }
        any
    }

    /// An unknown write may have changed any location of a node at a moment, also one that was never written as far as is known.
    pub fn rewrite_unwritten(&mut self, node: Node, moment: u64) {
        self.nodes[node.0 as usize].forgotten = moment;
        self.rewrite_contents(node);
    }

    /// The latest write of a location, moment 0 if there is none, an unknown one if the node was forgotten since.
    #[inline]
    pub fn latest(&self, node: Node, slot: Slot) -> Latest {
        match self.cell(node, slot) {
            Some(cell) => cell.write,
            None => self.unwritten(node),
        }
    }

    /// What a location without a cell was last written by.
    #[inline]
    pub fn unwritten(&self, node: Node) -> Latest {
        match self.nodes[node.0 as usize].forgotten {
            0 => Latest::default(),
            moment => Latest::unknown(moment),
        }
    }
}
