//! The control flow graph of a method as the literature on data flow testing has it: numbered nodes, one entry, one exit.
//!
//! It knows no bytecode ([`crate::lower`] does) and no variables ([`crate::problem`] does). Blocks are the nodes from 1 in
//! bytecode order, the exit comes last. When something leads back to block 1, the entry is a node 0 of its own, so that
//! what the entry defines is not defined again by going round. Invariants: nothing leads to the entry, nothing leaves
//! the exit, every node can reach the exit: endless loops get added edges to it from each of their nodes, because a
//! run may end (by an exception, by the end of the program) anywhere in them.

use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use thiserror::Error;

/// The number of a node.
pub type Node = u32;

/// Why an edge is there. Of two edges between the same nodes the first of these kinds is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// Falling through, a jump, a branch, a return, an uncaught `throw`.
    Normal,
    /// From a block to a handler of what it throws.
    Exception,
    /// No bytecode stands behind it: from an added entry, out of an endless loop, or to what nothing leads to.
    Added,
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// Where it begins.
    pub from: Node,
    /// Where it leads.
    pub to: Node,
    /// Why it is there.
    pub kind: EdgeKind,
}

impl Edge {
    /// An edge of normal control flow.
    pub fn normal(from: Node, to: Node) -> Self {
        Self { from, to, kind: EdgeKind::Normal }
    }
}

/// Why nodes and edges are no control flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CfgError {
    /// There is no block at all.
    #[error("a method without blocks has no control flow graph")]
    Empty,
    /// An edge names a node that is not there, or leaves the exit.
    #[error("the edge {from} -> {to} does not lie among nodes 1 to {exit}, or leaves the exit {exit}")]
    Stray {
        /// Where the edge begins.
        from: Node,
        /// Where it leads.
        to: Node,
        /// The exit.
        exit: Node,
    },
}

/// A control flow graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cfg {
    entry: Node,
    exit: Node,
    /// In ascending order.
    edges: Vec<Edge>,
    /// By node: where its edges begin in `edges`; one more for the end.
    out_of: Vec<u32>,
    /// Positions in `edges`, by target.
    arriving: Vec<u32>,
    /// By node: where its positions begin in `arriving`; one more for the end.
    into: Vec<u32>,
}

impl Cfg {
    /// The graph over blocks 1 to `blocks` with the exit `blocks + 1`. `O(edges log edges)`.
    ///
    /// # Errors
    /// When there is no block or an edge leads astray.
    pub fn new(blocks: u32, mut edges: Vec<Edge>) -> Result<Self, CfgError> {
        let exit = blocks + 1;
        if blocks == 0 {
            return Err(CfgError::Empty);
        }
        let is_stray = |edge: &&Edge| !(1..exit).contains(&edge.from) || !(1..=exit).contains(&edge.to);
        if let Some(Edge { from, to, .. }) = edges.iter().find(is_stray) {
            return Err(CfgError::Stray { from: *from, to: *to, exit });
        }
        let mut entry = 1;
        if edges.iter().any(|edge| edge.to == 1) {
            entry = 0;
            edges.push(Edge { from: 0, to: 1, kind: EdgeKind::Added });
        }
        Ok(Self::index(entry, exit, edges).with_ends())
    }

    /// Sorts the edges and builds the tables.
    fn index(entry: Node, exit: Node, mut edges: Vec<Edge>) -> Self {
        edges.sort_unstable();
        edges.dedup_by_key(|edge| (edge.from, edge.to));
        let size = exit as usize + 1;
        let out_of = starts(size, edges.iter().map(|edge| edge.from));
        let into = starts(size, edges.iter().map(|edge| edge.to));
        let mut next = into.clone();
        let mut arriving = vec![0; edges.len()];
        for (position, edge) in edges.iter().enumerate() {
            if let Some(next) = next.get_mut(edge.to as usize) {
                if let Some(slot) = arriving.get_mut(*next as usize) {
                    *slot = position as u32;
                }
                *next += 1;
            }
        }
        Self { entry, exit, edges, out_of, arriving, into }
    }

    /// Adds the edges out of endless loops.
    fn with_ends(self) -> Self {
        let mut ends = vec![false; self.size()];
        self.walk(self.exit, &mut ends, |node, visit| self.predecessors(node).for_each(|e| visit(e.from)));
        let stuck = |node: &Node| !ends.get(*node as usize).copied().unwrap_or_default();
        if !self.nodes().any(|node| stuck(&node)) {
            return self;
        }
        let mut edges = self.edges.clone();
        let parts = Parts::new(&self, stuck);
        let left = parts.with_edge(&self, |edge| (edge.from, edge.to));
        for component in
            parts.components.iter().zip(left).filter_map(|(component, left)| (!left).then_some(component))
        {
            let exit = self.exit;
            edges.extend(component.iter().map(|node| Edge { from: *node, to: exit, kind: EdgeKind::Added }));
        }
        Self::index(self.entry, self.exit, edges)
    }

    /// The entry: block 1, or node 0 when something leads back to block 1.
    pub fn entry(&self) -> Node {
        self.entry
    }

    /// The exit, the node with the largest number.
    pub fn exit(&self) -> Node {
        self.exit
    }

    /// One more than the largest number: the length of a table by node.
    pub fn size(&self) -> usize {
        self.exit as usize + 1
    }

    /// All nodes in ascending order, entry first and exit last.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        self.entry..=self.exit
    }

    /// Whether there is a node with this number.
    pub fn contains(&self, node: Node) -> bool {
        (self.entry..=self.exit).contains(&node)
    }

    /// All edges, by origin, then by target.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The position of an edge among [`Self::edges`].
    pub fn edge(&self, from: Node, to: Node) -> Option<usize> {
        let found = self.successors(from).binary_search_by_key(&to, |edge| edge.to).ok();
        found.map(|index| self.first_edge(from) + index)
    }

    /// The position among [`Self::edges`] of the first edge that leaves a node; those of its others follow.
    pub fn first_edge(&self, node: Node) -> usize {
        self.out_of.get(node as usize).copied().unwrap_or_default() as usize
    }

    /// The edges that leave a node, by target.
    pub fn successors(&self, node: Node) -> &[Edge] {
        self.edges.get(slots(&self.out_of, node)).unwrap_or_default()
    }

    /// The edges that arrive at a node, by origin.
    pub fn predecessors(&self, node: Node) -> impl Iterator<Item = Edge> + '_ {
        let arriving = self.arriving.get(slots(&self.into, node)).unwrap_or_default();
        arriving.iter().filter_map(|position| self.edges.get(*position as usize).copied())
    }

    /// By node: whether a path leads there from the entry. Linear.
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.size()];
        self.walk(self.entry, &mut reached, |node, visit| {
            self.successors(node).iter().for_each(|edge| visit(edge.to));
        });
        reached
    }

    /// The graph in which the entry leads to all that nothing led to: to one node of each part that no other part leads to.
    /// Without exception edges such parts are the handlers. Linear.
    #[must_use]
    pub fn with_orphans(&self) -> Self {
        let reached = self.reached();
        let is_orphan = |node: &Node| reached.get(*node as usize) == Some(&false);
        let mut edges = self.edges.clone();
        let parts = Parts::new(self, is_orphan);
        let led_to = parts.with_edge(self, |edge| (edge.to, edge.from));
        let first = parts.components.iter().zip(led_to).filter(|(_, led_to)| !led_to);
        let first = first.filter_map(|(component, _)| component.iter().min());
        edges.extend(first.map(|to| Edge { from: self.entry, to: *to, kind: EdgeKind::Added }));
        Self::index(self.entry, self.exit, edges)
    }

    /// Marks all that is found from a node on.
    fn walk(&self, from: Node, seen: &mut [bool], onward: impl Fn(Node, &mut dyn FnMut(Node))) {
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if let Some(seen @ false) = seen.get_mut(node as usize) {
                *seen = true;
                onward(node, &mut |next| open.push(next));
            }
        }
    }
}

/// The strongly connected components of a part of a graph.
struct Parts {
    components: Vec<Vec<Node>>,
    /// By node: its component.
    of: Vec<Option<u32>>,
}

impl Parts {
    fn new(cfg: &Cfg, is_part: impl Fn(&Node) -> bool) -> Self {
        let mut graph = DiGraphMap::<Node, ()>::new();
        cfg.nodes().filter(&is_part).for_each(|node| {
            graph.add_node(node);
        });
        for edge in cfg.edges.iter().filter(|edge| is_part(&edge.from) && is_part(&edge.to)) {
            graph.add_edge(edge.from, edge.to, ());
        }
        // Tarjan's would go as deep as a chain of blocks is long.
        let components = kosaraju_scc(&graph);
        let mut of = vec![None; cfg.size()];
        for (index, component) in components.iter().enumerate() {
            for node in component {
                if let Some(slot) = of.get_mut(*node as usize) {
                    *slot = Some(index as u32);
                }
            }
        }
        Self { components, of }
    }

    /// By component: whether an edge has one end (the first that `ends` gives) within it and the other outside.
    fn with_edge(&self, cfg: &Cfg, ends: impl Fn(&Edge) -> (Node, Node)) -> Vec<bool> {
        let of = |node: Node| self.of.get(node as usize).copied().flatten();
        let mut found = vec![false; self.components.len()];
        for (inside, outside) in cfg.edges.iter().map(ends) {
            if let Some(component) = of(inside).filter(|component| of(outside) != Some(*component))
                && let Some(found) = found.get_mut(component as usize)
            {
                *found = true;
            }
        }
        found
    }
}

/// By key: how many keys are smaller; one more entry for all.
fn starts(size: usize, keys: impl Iterator<Item = Node>) -> Vec<u32> {
    let mut starts = vec![0; size + 1];
    for key in keys {
        if let Some(count) = starts.get_mut(key as usize + 1) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for count in &mut starts {
        sum += *count;
        *count = sum;
    }
    starts
}

/// The slots that a table of starts gives to a node.
pub(crate) fn slots(starts: &[u32], node: Node) -> std::ops::Range<usize> {
    let at = |index: usize| starts.get(index).copied().unwrap_or_default() as usize;
    at(node as usize)..at(node as usize + 1)
}
