//! What roots reach, nearest first, so that searches backward know where not to look.
//!
//! Knows nothing of paths. Invariant: up to `complete` edges from the roots, a node is in the ball or, if the last edge comes from a
//! wide node, referred to by that one exactly if some path of that many edges leads to it, and goes through the target only to end there.
//!
//! What a wide node refers to, a large array mostly, is not gone through: whether it refers to a node is asked of that node.

use crate::graph::Graph;
use crate::node::{Edge, Node};

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
    /// Nodes `complete - 1` edges from the roots of which it is not known what they refer to.
    wide: Vec<Node>,
    /// Roots that roots refer to.
    again: Vec<Node>,
}

/// Most wide nodes.
const WIDE: usize = 8;

/// What a ball says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// No path leads to it.
    Never,
    /// One may.
    Maybe,
    /// One does if a wide node refers to it.
    IfReferred,
}

impl Ball {
    /// Whether a path of at most `edges` edges may lead from a root to a node.
    #[inline]
    pub(crate) fn reach(&self, node: Node, edges: usize) -> Reach {
        let near = |(round, distance): &(u32, u32)| *round == self.round && *distance as usize <= edges;
        if edges > self.complete || self.met.get(node.0 as usize).is_some_and(near) {
            Reach::Maybe
        } else if edges == self.complete && !self.wide.is_empty() {
            Reach::IfReferred
        } else {
            Reach::Never
        }
    }

    /// Whether a path of at most `edges` edges may lead from a root to a node.
    #[inline]
    pub fn may_lead_to(&self, node: Node, edges: usize) -> bool {
        self.reach(node, edges) != Reach::Never
    }

    /// Whether it says of paths of so many edges where they do not lead.
    pub fn reaches(&self, edges: usize) -> bool {
        self.complete >= edges
    }

    /// Whether a root may refer to a node.
    #[inline]
    pub(crate) fn may_follow_root(&self, node: Node) -> bool {
        let wide_root = self.complete == 1 && !self.wide.is_empty();
        let next = |(round, distance): &(u32, u32)| *round == self.round && *distance == 1;
        self.complete == 0
            || wide_root
            || self.met.get(node.0 as usize).is_some_and(next)
            || self.again.contains(&node)
    }

    /// Whether a wide node is among the sources of some edges.
    #[inline]
    pub(crate) fn has_wide(&self, incoming: &[Edge]) -> bool {
        incoming.iter().any(|edge| self.wide.contains(&edge.source))
    }

    /// The nodes whose edges say what is in the ball, wide ones among them: while they refer to what they refer to, it holds.
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
        self.wide.clear();
        self.again.clear();
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
        let Some(met) = self.met.get_mut(node.0 as usize) else { return };
        if met.0 != self.round {
            *met = (self.round, distance as u32);
            self.nodes.push(node);
        } else if distance == 1 && met.1 == 0 {
            self.again.push(node);
        }
    }
}

impl Graph {
    /// Makes `ball` the nodes within `radius` edges of the roots, or as many rings of them as about `most` edges lead to, up to the ring
    /// behind the first wide nodes. Nothing is sought through the target, unless it is none.
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
        while ball.complete < radius && ball.wide.is_empty() {
            let end = ball.nodes.len();
            while ring < end {
                let seek = target != ball.nodes.get(ring).copied();
                if seek && !self.add_targets(ball, ring, &mut left) {
                    ball.wide.clear();
                    return;
                }
                ring += 1;
            }
            ball.complete += 1;
        }
    }

    /// Adds what the node at a position refers to, or that it is wide; false when there is no room.
    fn add_targets(&self, ball: &mut Ball, at: usize, left: &mut usize) -> bool {
        let distance = ball.complete + 1;
        let node = ball.nodes[at];
        if self.span(node) > *left * SPARSE {
            ball.wide.push(node);
            return ball.wide.len() <= WIDE;
        }
        let all: Result<(), ()> = self.try_each_link(node, |_, target| {
            *left = left.checked_sub(1).ok_or(())?;
            ball.add(target, distance);
            Ok(())
        });
        all.is_ok()
    }
}
