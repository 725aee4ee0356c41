//! The control flow of an unwound method with its ends as nodes, and the single-entry single-exit region of a node: the minimal region of
//! analysis (mROA) of the paper (section IV.A.1).
//!
//! Knows no values. Invariants: node numbers of the unwound graph stay, ends come behind them, the return first; every normal way out of the
//! region of a node leads through the node that it ends before.

use crate::refusal::Refusal;
use crate::units::VERSIONS;
use crate::unwound::{Next, Unwound};
use dynaflow_flowgraph::cfg::{Cfg, Edge};
use dynaflow_flowgraph::dominance::Dominators;
use std::collections::BTreeSet;

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// It returns.
    Return,
    /// By an exception of this class.
    Throw(String),
    /// Where nothing is looked at.
    Beyond,
}

/// An edge: the node it leaves and by which of its exits.
pub(super) type From = (usize, usize);

/// Control flow in both versions: 0 is the original, 1 the mutant.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    /// By version, node and exit: where it leads.
    pub targets: [Vec<Vec<usize>>; 2],
    /// By version and node or end: the edges that lead there.
    pub sources: [Vec<Vec<From>>; 2],
    /// The ends; the first has the number behind the last node.
    pub ends: Vec<End>,
    /// By node: the closest one that every normal way to the return goes through.
    join: Vec<Option<usize>>,
    /// By node: its closest dominator.
    dominator: Vec<Option<usize>>,
}

impl Flow {
    /// Of a graph.
    ///
    /// # Errors
    /// When its edges make no control flow graph.
    pub fn of(graph: &Unwound) -> Result<Self, Refusal> {
        let nodes = graph.nodes.len();
        let mut ends = BTreeSet::from([End::Return]);
        let end = |next: &Next| match next {
            Next::Node(_) => None,
            Next::Return => Some(End::Return),
            Next::Throw(class) => Some(End::Throw(class.clone())),
            Next::Beyond => Some(End::Beyond),
        };
        for node in &graph.nodes {
            ends.extend(VERSIONS.iter().flat_map(|version| node.next(*version)).filter_map(end));
        }
        let ends: Vec<End> = ends.into_iter().collect();
        let number = |next: &Next| match (next, end(next)) {
            (Next::Node(node), _) => *node,
            (_, end) => nodes + ends.iter().position(|known| Some(known) == end.as_ref()).unwrap_or_default(),
        };
        let targets = VERSIONS.map(|version| -> Vec<Vec<usize>> {
            graph.nodes.iter().map(|node| node.next(version).iter().map(number).collect()).collect()
        });
        let sources = [0, 1].map(|plane: usize| {
            let mut sources = vec![vec![]; nodes + ends.len()];
            for (from, exits) in targets.get(plane).into_iter().flatten().enumerate() {
                for (exit, to) in exits.iter().enumerate() {
                    if let Some(list) = sources.get_mut(*to) {
                        list.push((from, exit));
                    }
                }
            }
            sources
        });
        let mut flow = Self { targets, sources, ends, join: vec![], dominator: vec![] };
        flow.join = flow.joins(nodes)?;
        flow.dominator = flow.dominators(nodes)?;
        Ok(flow)
    }

    /// How many nodes there are, ends left out; the number of the return.
    pub fn nodes(&self) -> usize {
        self.join.len()
    }

    /// The number of all nodes and ends.
    pub fn all(&self) -> usize {
        self.nodes() + self.ends.len()
    }

    /// Where a node leads in a version, by exit.
    pub fn targets(&self, plane: usize, node: usize) -> &[usize] {
        self.targets.get(plane).and_then(|of| of.get(node)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The edges to a node or end.
    pub fn sources(&self, plane: usize, node: usize) -> &[From] {
        self.sources.get(plane).and_then(|of| of.get(node)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The node that the region of a node ends before; none where it reaches to the end of the method.
    pub fn join(&self, node: usize) -> Option<usize> {
        self.join.get(node).copied().flatten()
    }

    /// The closest node that every way to a node goes through.
    pub fn dominator(&self, node: usize) -> Option<usize> {
        self.dominator.get(node).copied().flatten()
    }

    /// Whether some way leads beyond the bounds.
    pub fn is_bounded(&self) -> bool {
        self.ends.contains(&End::Beyond)
    }

    /// Nodes that can be reached from a node, itself left out.
    pub fn behind(&self, node: usize) -> BTreeSet<usize> {
        let (mut found, mut open) = (BTreeSet::new(), vec![node]);
        while let Some(node) = open.pop() {
            for to in (0..2).flat_map(|plane| self.targets(plane, node)) {
                if found.insert(*to) {
                    open.push(*to);
                }
            }
        }
        found
    }

    /// Immediate post-dominators, among the nodes that can return: an exception leaves a region like a return leaves the method, and ends none.
    fn joins(&self, nodes: usize) -> Result<Vec<Option<usize>>, Refusal> {
        let mut returning = BTreeSet::from([nodes]);
        let mut edges = BTreeSet::new();
        for node in (0..nodes).rev() {
            for to in (0..2).flat_map(|plane| self.targets(plane, node)) {
                if returning.contains(to) {
                    edges.insert((node as u32 + 1, *to as u32 + 1));
                }
            }
            if edges.range((node as u32 + 1, 0)..).next().is_some_and(|edge| edge.0 == node as u32 + 1) {
                returning.insert(node);
            }
        }
        let cfg = graph(nodes, edges)?;
        let post = Dominators::post(&cfg);
        let join = |node: usize| {
            let join = post.immediate(node as u32 + 1).filter(|_| returning.contains(&node))?;
            (join != cfg.exit()).then(|| join as usize - 1)
        };
        Ok((0..nodes).map(join).collect())
    }

    /// Immediate dominators, over the ways of both versions.
    fn dominators(&self, nodes: usize) -> Result<Vec<Option<usize>>, Refusal> {
        let mut edges = BTreeSet::new();
        for node in 0..nodes {
            let targets = (0..2).flat_map(|plane| self.targets(plane, node));
            edges.extend(targets.filter(|to| **to < nodes).map(|to| (node as u32 + 1, *to as u32 + 1)));
        }
        let dominators = Dominators::of(&graph(nodes, edges)?);
        let closest =
            |node: usize| dominators.immediate(node as u32 + 1)?.checked_sub(1).map(|of| of as usize);
        Ok((0..nodes).map(closest).collect())
    }
}

/// A graph whose nodes are numbered from 1.
fn graph(nodes: usize, edges: BTreeSet<(u32, u32)>) -> Result<Cfg, Refusal> {
    let edges = edges.into_iter().map(|(from, to)| Edge::normal(from, to)).collect();
    Cfg::new(nodes as u32, edges).map_err(|error| Refusal::new(error.to_string()))
}
