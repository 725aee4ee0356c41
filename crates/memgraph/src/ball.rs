//! What a root reaches, nearest first, so that searches backward know where not to look.
//!
//! Knows nothing of paths. Invariant: up to `complete` edges from the root, a node is in the ball exactly if some path of
//! that many edges leads to it.

use crate::graph::{Graph, Node};
use rustc_hash::FxHashMap;

/// The nodes around a root.
#[derive(Debug, Default)]
pub struct Ball {
    distances: FxHashMap<Node, usize>,
    /// Nodes in the order of their distance.
    nodes: Vec<Node>,
    complete: usize,
}

impl Ball {
    /// Whether a path of at most `edges` edges may lead from the root to a node.
    #[inline]
    pub(crate) fn may_reach(&self, node: Node, edges: usize) -> bool {
        edges > self.complete || self.distances.get(&node).is_some_and(|distance| *distance <= edges)
    }
}

impl Graph {
    /// Makes `ball` the nodes within `radius` edges of `root`, or as many rings of them as about `most` edges lead to.
    pub fn fill_ball(&self, root: Node, radius: usize, most: usize, ball: &mut Ball) {
        ball.distances.clear();
        ball.nodes.clear();
        ball.distances.insert(root, 0);
        ball.nodes.push(root);
        ball.complete = 0;
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
            if let std::collections::hash_map::Entry::Vacant(new) = ball.distances.entry(target) {
                new.insert(distance);
                ball.nodes.push(target);
            }
        }
        true
    }
}
