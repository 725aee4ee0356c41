//! The simple paths from few roots to a node, found forwards: where many refer to the node and the roots reach little.
//!
//! Knows nothing of why a root matters. Invariant: a search that is not given up finds the paths that a search backward finds. They
//! stay valid as long as the nodes it went on from refer to what they referred to.

use crate::ball::SPARSE;
use crate::graph::Graph;
use crate::node::{Edge, Node};
use crate::paths::{Limits, PathSet};

/// Given up.
struct TooMany;

struct Forward<'a> {
    graph: &'a Graph,
    target: Node,
    limits: Limits,
    /// Edges that may still be looked at.
    left: usize,
    set: &'a mut PathSet,
}

impl Forward<'_> {
    /// Goes on from a node at the end of the trail.
    fn visit(&mut self, at: Node) -> Result<(), TooMany> {
        let graph = self.graph;
        if self.set.trail.len() == self.limits.edges {
            self.set.beyond = self.set.beyond || graph.refers(at);
            return Ok(());
        }
        if graph.span(at) > self.left * SPARSE {
            return Err(TooMany);
        }
        self.set.seen.push(at);
        graph.try_each_link(at, |slot, node| self.follow(Edge { source: at, slot }, node))
    }

    /// Goes on along an edge to a node.
    #[inline]
    fn follow(&mut self, edge: Edge, node: Node) -> Result<(), TooMany> {
        self.left = self.left.checked_sub(1).ok_or(TooMany)?;
        if node == edge.source || self.set.trail.iter().any(|edge| edge.source == node) {
            return Ok(());
        }
        self.set.trail.push(edge);
        if node != self.target {
            self.visit(node)?;
        } else if self.set.paths.len() < self.limits.paths {
            let latest = self.graph.latest_of(&self.set.trail);
            self.set.take_trail(latest);
        } else {
            return Err(TooMany);
        }
        self.set.trail.pop();
        Ok(())
    }
}

impl Graph {
    /// The simple paths to `target` from these roots, which are pinned, into `set`; false when that takes too many steps.
    pub(crate) fn search_forward(
        &self,
        roots: &[Node],
        target: Node,
        limits: Limits,
        set: &mut PathSet,
    ) -> bool {
        set.clear(self.epoch());
        set.forward = true;
        if roots.contains(&target) {
            set.take_empty(target);
        }
        let mut search = Forward { graph: self, target, limits, left: limits.forward, set };
        let mut others = roots.iter().filter(|root| **root != target);
        others.all(|root| search.visit(*root).is_ok())
    }
}
