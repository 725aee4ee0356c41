//! Dominators, post-dominators and control dependence of a control flow graph.
//!
//! It knows nodes and edges alone. Invariants: a node is dominated by itself, by the root, and by what lies between on
//! every path from the root; what the root does not reach has no dominators. Since every node reaches the exit, every
//! node has post-dominators.

use crate::cfg::{Cfg, Edge, Node};
use petgraph::algo::dominators::simple_fast;
use petgraph::graphmap::DiGraphMap;
use petgraph::visit::Reversed;

/// The dominator tree from the entry, or the post-dominator tree from the exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    root: Node,
    /// By node: its parent in the tree; the root is its own, what is not in the tree has none.
    parents: Vec<Option<Node>>,
}

impl Dominators {
    /// Which nodes lie on every path from the entry to a node. `O(nodes^2)` at worst, as a rule linear.
    pub fn of(cfg: &Cfg) -> Self {
        let found = simple_fast(&graph(cfg), cfg.entry());
        Self::new(cfg, cfg.entry(), |node| found.immediate_dominator(node))
    }

    /// Which nodes lie on every path from a node to the exit. `O(nodes^2)` at worst, as a rule linear.
    pub fn post(cfg: &Cfg) -> Self {
        let found = simple_fast(Reversed(&graph(cfg)), cfg.exit());
        Self::new(cfg, cfg.exit(), |node| found.immediate_dominator(node))
    }

    fn new(cfg: &Cfg, root: Node, parent: impl Fn(Node) -> Option<Node>) -> Self {
        let mut parents = vec![None; cfg.size()];
        for node in cfg.nodes() {
            if let Some(slot) = parents.get_mut(node as usize) {
                *slot = if node == root { Some(root) } else { parent(node) };
            }
        }
        Self { root, parents }
    }

    /// The root of the tree: the entry, or for post-dominators the exit.
    pub fn root(&self) -> Node {
        self.root
    }

    /// The closest dominator of a node other than itself; none for the root and for what the root does not reach.
    pub fn immediate(&self, node: Node) -> Option<Node> {
        self.parent(node).filter(|_| node != self.root)
    }

    /// A node and its dominators, the closest first. Nothing for what the root does not reach.
    pub fn of_node(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let first = self.parent(node).map(|_| node);
        std::iter::successors(first, |node| self.immediate(*node))
    }

    /// Whether `a` lies on every path from the root to `b`. `O(depth of b)`.
    pub fn dominates(&self, a: Node, b: Node) -> bool {
        self.of_node(b).any(|node| node == a)
    }

    fn parent(&self, node: Node) -> Option<Node> {
        self.parents.get(node as usize).copied().flatten()
    }
}

fn graph(cfg: &Cfg) -> DiGraphMap<Node, ()> {
    let mut graph = DiGraphMap::with_capacity(cfg.size(), cfg.edges().len());
    cfg.nodes().for_each(|node| {
        graph.add_node(node);
    });
    for edge in cfg.edges() {
        graph.add_edge(edge.from, edge.to, ());
    }
    graph
}

/// A node that is executed if an edge is taken and need not be if another edge of the same origin is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dependence {
    /// The edge that decides.
    pub on: Edge,
    /// What depends on it.
    pub node: Node,
}

/// The control dependences of a graph, by edge, then by closeness: what post-dominates the target of an edge, but not
/// strictly its origin (Ferrante, Ottenstein and Warren). `O(dependences + edges * depth)`.
pub fn control_dependences(cfg: &Cfg, post: &Dominators) -> Vec<Dependence> {
    let mut found = Vec::new();
    for edge in cfg.edges() {
        let end = post.immediate(edge.from);
        let dependent = post.of_node(edge.to).take_while(|node| Some(*node) != end);
        found.extend(dependent.map(|node| Dependence { on: *edge, node }));
    }
    found
}
