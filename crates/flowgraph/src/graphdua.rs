//! The graphdua of an association: a graph whose paths from start to exit are the complete paths that cover it.
//!
//! Defined by Concilio Neto, Araujo, Chaim and Offutt, *Graph Representation for Data Flow Coverage*: five sub-graphs, from
//! the entry to the definition (SG1), from the definition back to it (SG2), from the definition to the use without
//! another definition (SG3), from the use back to it (SG4) and from the use to the exit (SG5), joined at their ends. It
//! knows nothing of other associations. Invariant: leaving the parts out of the labels of a path from start to exit gives
//! a complete path that covers the association, and every such path is given.

use crate::cfg::{Cfg, Node};
use crate::problem::{Dua, Problem, Use};
use crate::subgraph::{Place, SubGraph, to_edge, to_node};
use std::borrow::Cow;
use std::fmt::{self, Write};

/// A node of the control flow graph in one of the five sub-graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instance {
    /// The sub-graph, 1 to 5.
    pub part: u8,
    /// Whether it is the copy of its node at which the use of an edge ends SG3.
    pub copy: bool,
    /// The node.
    pub node: Node,
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}({})", if self.copy { "-" } else { "" }, self.node, self.part)
    }
}

/// A graphdua. Its nodes are named by their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graphdua {
    instances: Vec<Instance>,
    edges: Vec<(u32, u32)>,
    start: u32,
    exit: u32,
}

impl Graphdua {
    /// The graphdua of an association; none when no complete path covers it. For code that nothing leads to, paths
    /// begin as if the entry led to it. Linear in the control flow graph.
    pub fn of(problem: &Problem, dua: &Dua) -> Option<Self> {
        Self::on(&reaching(problem, dua.def), problem, dua)
    }

    /// As [`Self::of`], on this graph.
    pub(crate) fn on(cfg: &Cfg, problem: &Problem, dua: &Dua) -> Option<Self> {
        let anything = |_: Node| false;
        let redefined = |node: Node| problem.is_defined(node, dua.variable);
        let (user, clear) = match dua.usage {
            Use::Node(node) => (node, to_node(cfg, dua.def, node, redefined)?),
            Use::Edge(from, to) => (to, to_edge(cfg, dua.def, (from, to), redefined)?),
        };
        let reach = to_node(cfg, cfg.entry(), dua.def, anything);
        if reach.is_none() && dua.def != cfg.entry() {
            return None;
        }
        let again = to_node(cfg, dua.def, dua.def, anything);
        let more = to_node(cfg, user, user, anything);
        let rest = to_node(cfg, user, cfg.exit(), anything);
        Some(Self::join([reach, again, Some(clear), more, rest]))
    }

    /// Puts the sub-graphs together; the third is there.
    fn join(parts: [Option<SubGraph>; 5]) -> Self {
        let instance =
            |part: usize, place: Place| Instance { part: part as u8 + 1, copy: place.copy, node: place.node };
        let mut instances = Vec::new();
        for (part, sub) in parts.iter().enumerate().filter_map(|(part, sub)| Some((part, sub.as_ref()?))) {
            instances
                .extend(sub.edges.iter().flat_map(|(from, to)| [instance(part, *from), instance(part, *to)]));
        }
        instances.sort_unstable();
        instances.dedup();
        let index = |part: usize, place: Place| {
            instances.binary_search(&instance(part, place)).unwrap_or_default() as u32
        };
        let mut edges = Vec::new();
        for (part, sub) in parts.iter().enumerate().filter_map(|(part, sub)| Some((part, sub.as_ref()?))) {
            edges.extend(sub.edges.iter().map(|(from, to)| (index(part, *from), index(part, *to))));
        }
        for (before, behind) in JOINTS {
            if let (Some(Some(before_sub)), Some(Some(sub))) = (parts.get(*before), parts.get(*behind)) {
                let end = index(*before, before_sub.last);
                let onward = sub.edges.iter().filter(|(from, _)| *from == sub.first);
                edges.extend(onward.map(|(_, to)| (end, index(*behind, *to))));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let ends = |sub: &SubGraph, part: usize| (index(part, sub.first), index(part, sub.last));
        let numbered = || parts.iter().enumerate().filter_map(|(part, sub)| Some(ends(sub.as_ref()?, part)));
        let start = numbered().next().map_or(0, |(first, _)| first);
        let exit = numbered().next_back().map_or(0, |(_, last)| last);
        Self { instances, edges, start, exit }
    }

    /// Its nodes, by sub-graph; those that its start does not reach included.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// Its edges, between positions of nodes, ascending.
    pub fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// The position of its start.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// The position of its exit.
    pub fn exit(&self) -> u32 {
        self.exit
    }

    /// Where the edges out of a node lead to.
    pub fn successors(&self, instance: u32) -> impl Iterator<Item = u32> + '_ {
        let start = self.edges.partition_point(|(from, _)| *from < instance);
        let out = self.edges.iter().skip(start).take_while(move |(from, _)| *from == instance);
        out.map(|(_, to)| *to)
    }

    /// By node: whether a path from the start leads there. The beginnings of SG3 and SG5 are not reached: what leads
    /// to them is joined to their successors. Linear.
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.instances.len()];
        let mut open = vec![self.start];
        while let Some(next) = open.pop() {
            if let Some(seen @ false) = reached.get_mut(next as usize) {
                *seen = true;
                open.extend(self.successors(next));
            }
        }
        reached
    }

    /// The graph in the language of Graphviz; what the start does not reach is dashed.
    pub fn dot(&self, name: &str) -> String {
        let mut text = format!("digraph \"{}\" {{\n", name.replace('\\', "\\\\").replace('"', "\\\""));
        for (instance, reached) in self.instances.iter().zip(self.reached()) {
            let style = if reached { "" } else { " [style=dashed]" };
            let _ = writeln!(text, "  \"{instance}\"{style};");
        }
        for (from, to) in &self.edges {
            if let (Some(from), Some(to)) =
                (self.instances.get(*from as usize), self.instances.get(*to as usize))
            {
                let _ = writeln!(text, "  \"{from}\" -> \"{to}\";");
            }
        }
        text.push_str("}\n");
        text
    }
}

/// Which sub-graphs follow which, by position: the end of the one leads to what the beginning of the other leads to.
const JOINTS: &[(usize, usize)] = &[(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4)];

/// The control flow graph, with the entry leading to what nothing leads to if the node is only reached so.
pub(crate) fn reaching(problem: &Problem, node: Node) -> Cow<'_, Cfg> {
    match problem.cfg().reached().get(node as usize) {
        Some(false) => Cow::Owned(problem.cfg().with_orphans()),
        _ => Cow::Borrowed(problem.cfg()),
    }
}
