//! What a root reaches, nearest first, so that searches backward know where not to look.
//!
//! Knows nothing of paths. Invariant: up to `complete` edges from the root, a node is in the ball exactly if some path of
//! that many edges leads to it.

use crate::graph::{Graph, Node};

/// The nodes around a root.
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
    /// Whether a path of at most `edges` edges may lead from the root to a node.
    #[inline]
    pub(crate) fn may_reach(&self, node: Node, edges: usize) -> bool {
        let near = |(round, distance): &(u32, u32)| *round == self.round && *distance as usize <= edges;
        edges > self.complete || self.met.get(node.0 as usize).is_some_and(near)
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
    /// Makes `ball` the nodes within `radius` edges of `root`, or as many rings of them as about `most` edges lead to.
    pub fn fill_ball(&self, root: Node, radius: usize, most: usize, ball: &mut Ball) {
        ball.clear(self.nodes.len());
        ball.add(root, 0);
        let (mut ring, mut left) = (0, most);
        while ball.complete < radius {
            let end = ball.nodes.len();
            while ring < end {
                if !self.add_targets(ball, ring, &mut left) {
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
