//! What roots reach, nearest first, so that searches backward know where not to look.
//!
//! Knows nothing of paths. Invariant: up to `complete` edges from the roots, a node is in the ball exactly if some path of
//! that many edges leads to it, and goes through the target only to end there.

use crate::graph::{Graph, Node};

/// How many locations may be looked at for each edge that is worth a look.
pub(crate) const SPARSE: usize = 8;

/// The nodes around roots.
#[derive(Debug, Default)]
pub struct Ball {
    /// By number of a node the round in which it was last met, and how far from the root.
    met: Vec<(u32, u32)>,
    /// The present round; one for each root.
    round: u32,
    /// Nodes in the order of their distance.
    nodes: Vec<Node>,
    complete: usize,
}

impl Ball {
    /// Whether a path of at most `edges` edges may lead from a root to a node.
    #[inline]
    pub(crate) fn may_reach(&self, node: Node, edges: usize) -> bool {
        let near = |(round, distance): &(u32, u32)| *round == self.round && *distance as usize <= edges;
        edges > self.complete || self.met.get(node.0 as usize).is_some_and(near)
    }

    /// The nodes whose edges say what is in the ball: while they refer to what they refer to, it holds.
    pub(crate) fn inner(&self) -> impl Iterator<Item = Node> {
        let inner =
            |node: &&Node| self.met.get(node.0 as usize).is_some_and(|met| (met.1 as usize) < self.complete);
        self.nodes.iter().take_while(inner).copied()
    }

    /// Whether it says where not to look.
    pub(crate) fn knows(&self) -> bool {
        self.complete > 0
    }

    /// Nothing is near yet, in a graph with so many nodes.
    fn clear(&mut self, nodes: usize) {
        self.nodes.clear();
        self.complete = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.met.clear();
            self.round = 1;
        }
        if self.met.len() < nodes {
            self.met.resize(nodes.next_power_of_two(), (0, 0));
        }
    }

    /// Adds a node that is not there yet.
    #[inline]
    fn add(&mut self, node: Node, distance: usize) {
        if let Some(met) = self.met.get_mut(node.0 as usize).filter(|met| met.0 != self.round) {
            *met = (self.round, distance as u32);
            self.nodes.push(node);
        }
    }
}

impl Graph {
    /// Makes `ball` the nodes within `radius` edges of the roots, or as many rings of them as about `most` edges lead to. Nothing
    /// is sought through the target, unless it is none.
    pub fn fill_ball(
        &self,
        roots: &[Node],
        target: Option<Node>,
        radius: usize,
        most: usize,
        ball: &mut Ball,
    ) {
        ball.clear(self.nodes.len());
        roots.iter().for_each(|root| ball.add(*root, 0));
        let (mut ring, mut left) = (0, most);
        while ball.complete < radius {
            let end = ball.nodes.len();
            while ring < end {
                let seek = target != ball.nodes.get(ring).copied();
                if seek && !self.add_targets(ball, ring, &mut left) {
                    return;
                }
                ring += 1;
            }
            ball.complete += 1;
        }
    }

    /// Adds what the node at a position refers to; false when there is no room.
    fn add_targets(&self, ball: &mut Ball, at: usize, left: &mut usize) -> bool {
        let distance = ball.complete + 1;
        let node = ball.nodes[at];
        if self.span(node) > *left * SPARSE {
            return false;
        }
        for target in self.targets(node) {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            ball.add(target, distance);
        }
        true
    }
}
