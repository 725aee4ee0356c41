//! Sub-graphs: all paths between two nodes, or those on which a variable is not defined in between.
//!
//! As Bertolino and Marré have them (*Automatic Generation of Path Covers Based on the Control Flow Analysis of Computer
//! Programs*), the first and the last node of a path occur on it as first and last only. A path that is to end with an
//! edge ends at a copy of the edge's target that nothing else leads to. It knows nothing of associations. Invariant:
//! every edge of a sub-graph lies on a path from its first to its last node, so that nothing dangles.

use crate::cfg::{Cfg, Node};

/// A node of a control flow graph or the copy of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    /// Whether it is the copy of the target of the edge that paths are to end with.
    pub copy: bool,
    /// The node.
    pub node: Node,
}

impl Place {
    /// A node itself.
    pub fn of(node: Node) -> Self {
        Self { copy: false, node }
    }
}

/// A sub-graph; it exists only when it has edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SubGraph {
    pub first: Place,
    pub last: Place,
    /// In ascending order.
    pub edges: Vec<(Place, Place)>,
}

/// The paths with an edge or more from a node to the first arrival at another (or the same); no node in between is
/// `closed`. Linear in the graph.
pub(crate) fn to_node(cfg: &Cfg, first: Node, last: Node, closed: impl Fn(Node) -> bool) -> Option<SubGraph> {
    find(cfg, first, Place::of(last), None, closed)
}

/// The paths from a node to the first time they take an edge; no node in between is `closed`. Linear in the graph.
pub(crate) fn to_edge(
    cfg: &Cfg,
    first: Node,
    edge: (Node, Node),
    closed: impl Fn(Node) -> bool,
) -> Option<SubGraph> {
    find(cfg, first, Place { copy: true, node: edge.1 }, Some(edge), closed)
}

fn find(
    cfg: &Cfg,
    first: Node,
    last: Place,
    split: Option<(Node, Node)>,
    closed: impl Fn(Node) -> bool,
) -> Option<SubGraph> {
    let target = |from: Node, to: Node| Place { copy: split == Some((from, to)), node: to };
    let is_between =
        |place: Place| !place.copy && place.node != first && place != last && !closed(place.node);
    let mut from_first = vec![false; cfg.size()];
    let mut open = vec![first];
    while let Some(node) = open.pop() {
        for edge in cfg.successors(node) {
            if is_between(target(edge.from, edge.to)) && mark(&mut from_first, edge.to) {
                open.push(edge.to);
            }
        }
    }
    let mut to_last = vec![false; cfg.size()];
    let mut leading = vec![last];
    while let Some(place) = leading.pop() {
        for edge in cfg.predecessors(place.node) {
            let from = Place::of(edge.from);
            if target(edge.from, edge.to) == place && is_between(from) && mark(&mut to_last, edge.from) {
                leading.push(from);
            }
        }
    }
    let has = |marks: &[bool], node: Node| marks.get(node as usize) == Some(&true);
    let mut edges = Vec::new();
    for node in cfg.nodes().filter(|node| *node == first || has(&from_first, *node)) {
        let targets = cfg.successors(node).iter().map(|edge| target(edge.from, edge.to));
        let lasting = targets.filter(|to| *to == last || (is_between(*to) && has(&to_last, to.node)));
        edges.extend(lasting.map(|to| (Place::of(node), to)));
    }
    edges.sort_unstable();
    (!edges.is_empty()).then(|| SubGraph { first: Place::of(first), last, edges })
}

/// Sets a mark; whether it was not set.
fn mark(marks: &mut [bool], node: Node) -> bool {
    marks.get_mut(node as usize).is_some_and(|mark| !std::mem::replace(mark, true))
}
