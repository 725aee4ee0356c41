//! The def-use associations of a method, from where its variables are defined and used.
//!
//! It knows graphs and numbers of variables, nothing of bytecode. Invariant: an association is given if and only if a path
//! without another definition of the variable leads from the definition to the use, whether or not the entry reaches
//! the definition.

use crate::cfg::{Cfg, Node};
use crate::problem::{Dua, Use, Variable};
use thiserror::Error;

/// Too many associations, or too long a search for them; more than this of either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TooMany {
    /// Associations.
    #[error("it has more than {0} associations")]
    Associations(usize),
    /// Edges gone along.
    #[error("its definitions and uses are too many: seeking associations takes more than {0} steps")]
    Steps(usize),
}

/// How many associations there may be, and how many edges may be gone along to find them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Associations.
    pub associations: usize,
    /// Edges gone along, and uses looked at.
    pub steps: usize,
}

/// All associations between definitions and uses, by definition, then variable, then use. A use at a node is one
/// that comes before the node's own definitions. `O(definitions * (nodes + edges))`, as a rule far less: the search from
/// a definition ends at the next ones.
pub fn pairs(cfg: &Cfg, defines: &[(Node, Variable)], uses: &[(Use, Variable)]) -> Vec<Dua> {
    let limits = Limits { associations: usize::MAX, steps: usize::MAX };
    within(cfg, defines, uses, limits).unwrap_or_default()
}

/// The same, unless there are more than there may be.
///
/// # Errors
/// When there are too many, or finding them takes too long.
pub fn within(
    cfg: &Cfg,
    defines: &[(Node, Variable)],
    uses: &[(Use, Variable)],
    limits: Limits,
) -> Result<Vec<Dua>, TooMany> {
    let mut by_variable: Vec<(Variable, Use)> =
        uses.iter().map(|(usage, variable)| (*variable, *usage)).collect();
    by_variable.sort_unstable();
    by_variable.dedup();
    let mut definitions: Vec<(Variable, Node)> =
        defines.iter().map(|(node, variable)| (*variable, *node)).collect();
    definitions.sort_unstable();
    definitions.dedup();
    let mut search = Search {
        stamps: vec![0; cfg.size()],
        stamp: 0,
        killed: vec![0; cfg.size()],
        open: Vec::new(),
        steps: 0,
    };
    let mut found = Vec::new();
    for (group, nodes) in definitions.chunk_by(|a, b| a.0 == b.0).enumerate() {
        let Some((variable, _)) = nodes.first().copied() else { continue };
        let start = by_variable.partition_point(|(other, _)| *other < variable);
        let end = by_variable.partition_point(|(other, _)| *other <= variable);
        let places = by_variable.get(start..end).unwrap_or_default();
        if places.is_empty() {
            continue;
        }
        for (_, node) in nodes {
            search.kill(*node, group as u32 + 1);
        }
        for (_, def) in nodes {
            search.steps += places.len();
            search.from(cfg, *def, group as u32 + 1);
            let reaches = |usage: &Use| match *usage {
                Use::Node(node) => search.arrived(node),
                Use::Edge(from, _) => from == *def || search.passed(from, group as u32 + 1),
            };
            let hit = places.iter().filter(|(_, usage)| reaches(usage));
            found.extend(hit.map(|(_, usage)| Dua { def: *def, variable, usage: *usage }));
            if found.len() > limits.associations {
                return Err(TooMany::Associations(limits.associations));
            }
            if search.steps > limits.steps {
                return Err(TooMany::Steps(limits.steps));
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// A search along paths without another definition.
struct Search {
    /// By node: the last search that arrived there.
    stamps: Vec<u32>,
    stamp: u32,
    /// By node: the last group of definitions (of one variable) it belonged to.
    killed: Vec<u32>,
    open: Vec<Node>,
    /// Edges gone along so far.
    steps: usize,
}

impl Search {
    fn kill(&mut self, node: Node, group: u32) {
        if let Some(killed) = self.killed.get_mut(node as usize) {
            *killed = group;
        }
    }

    fn from(&mut self, cfg: &Cfg, def: Node, group: u32) {
        self.stamp += 1;
        self.open.clear();
        self.open.push(def);
        while let Some(node) = self.open.pop() {
            self.steps += cfg.successors(node).len();
            for edge in cfg.successors(node) {
                let Some(stamp) = self.stamps.get_mut(edge.to as usize) else { continue };
                if *stamp != self.stamp {
                    *stamp = self.stamp;
                    if self.killed.get(edge.to as usize) != Some(&group) {
                        self.open.push(edge.to);
                    }
                }
            }
        }
    }

    fn arrived(&self, node: Node) -> bool {
        self.stamps.get(node as usize) == Some(&self.stamp)
    }

    fn passed(&self, node: Node, group: u32) -> bool {
        self.arrived(node) && self.killed.get(node as usize) != Some(&group)
    }
}
