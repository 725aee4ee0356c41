//! What the data flow algorithms take: a control flow graph, where variables are defined, and the def-use associations.
//!
//! It knows variables by number only. Within a node all uses come before all definitions: what a node uses after it
//! defined it is nobody else's definition and makes no association. Invariant: every association begins at a node that
//! defines its variable and ends at a node or an edge of the graph.

use crate::cfg::{Cfg, Node, slots};
use std::fmt;
use thiserror::Error;

/// A variable, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// Where a variable is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Use {
    /// In a computation of this node, before the node defines anything.
    Node(Node),
    /// In the decision that takes this edge, after its origin defined what it defines.
    Edge(Node, Node),
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(node) => write!(f, "{node}"),
            Self::Edge(from, to) => write!(f, "({from},{to})"),
        }
    }
}

/// A definition-use association (DUA): the definition at a node, the use that a path without another definition of the
/// variable leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dua {
    /// The node that defines.
    pub def: Node,
    /// What it defines.
    pub variable: Variable,
    /// Where that is used.
    pub usage: Use,
}

/// Why definitions and associations are no data flow problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ProblemError {
    /// A definition at a node that is not there.
    #[error("variable {} is defined at node {node}, which the control flow graph does not have", variable.0)]
    Nowhere {
        /// The variable.
        variable: Variable,
        /// The node.
        node: Node,
    },
    /// An association that begins at no definition, or whose use is at no node or edge.
    #[error("({}, {}, variable {}) begins at no definition or ends nowhere in the graph", dua.def, dua.usage, dua.variable.0)]
    Stray {
        /// The association.
        dua: Dua,
    },
}

/// A control flow graph with definitions and associations.
#[derive(Clone, Debug)]
pub struct Problem {
    cfg: Cfg,
    /// Variables by node, ascending; `defined[starts[n]..starts[n + 1]]` are those of node `n`.
    defined: Vec<Variable>,
    starts: Vec<u32>,
    duas: Vec<Dua>,
}

impl Problem {
    /// Puts a problem together; the order of `duas` is the order in which results speak of them, the order of `defines`
    /// does not matter. `O(n log n)`.
    ///
    /// # Errors
    /// When a definition or an association does not lie in the graph.
    pub fn new(cfg: Cfg, mut defines: Vec<(Node, Variable)>, duas: Vec<Dua>) -> Result<Self, ProblemError> {
        if let Some((node, variable)) = defines.iter().copied().find(|(node, _)| !cfg.contains(*node)) {
            return Err(ProblemError::Nowhere { variable, node });
        }
        defines.sort_unstable();
        defines.dedup();
        let mut starts = Vec::with_capacity(cfg.size() + 1);
        for node in 0..=cfg.size() {
            starts.push(defines.partition_point(|(at, _)| (*at as usize) < node) as u32);
        }
        let defined = defines.into_iter().map(|(_, variable)| variable).collect();
        let problem = Self { cfg, defined, starts, duas };
        let is_stray = |dua: &&Dua| {
            !problem.is_defined(dua.def, dua.variable)
                || match dua.usage {
                    Use::Node(node) => !problem.cfg.contains(node),
                    Use::Edge(from, to) => problem.cfg.edge(from, to).is_none(),
                }
        };
        match problem.duas.iter().find(is_stray) {
            Some(dua) => Err(ProblemError::Stray { dua: *dua }),
            None => Ok(problem),
        }
    }

    /// The control flow graph.
    pub fn cfg(&self) -> &Cfg {
        &self.cfg
    }

    /// The associations.
    pub fn duas(&self) -> &[Dua] {
        &self.duas
    }

    /// What a node defines, in ascending order.
    pub fn defined(&self, node: Node) -> &[Variable] {
        self.defined.get(slots(&self.starts, node)).unwrap_or_default()
    }

    /// Whether a node defines a variable.
    pub fn is_defined(&self, node: Node, variable: Variable) -> bool {
        self.defined(node).binary_search(&variable).is_ok()
    }
}
