//! What passing a node or an edge does to every association of a method at once.
//!
//! It knows one graph and its associations, no fixpoints. Along a path an association is first dead, becomes live at its
//! definition, dead again where another definition comes before the use, and covered for good at its use. A [state] is
//! two rows of bits, one bit an association: which of them some path leaves dead, and which some path leaves uncovered
//! (dead or live). Paths that leave it live need no row of their own: whatever covers it dead, covers it live too. Invariant: dead is a subset of uncovered.
//!
//! [state]: Transfer::after_node

use crate::bits::{self, Matrix};
use crate::cfg::{Cfg, Node};
use crate::problem::{Dua, Problem, Use};

/// No row of [`Transfer::edge_uses`].
const NONE: u32 = u32::MAX;

/// The effect of each node and edge. Made anew for every graph, keeping its memory.
#[derive(Debug, Default)]
pub(crate) struct Transfer {
    /// Words of a row.
    width: usize,
    /// By node: the associations it defines, those it uses, those it kills: three rows one behind the other.
    nodes: Matrix,
    /// By edge: its row in `edge_uses`.
    edges: Vec<u32>,
    /// The associations an edge uses.
    edge_uses: Matrix,
    /// Associations by variable, for finding whom a definition kills.
    by_variable: Vec<(u32, u32)>,
}

impl Transfer {
    /// Prepares for a graph over the nodes of the problem and some of its associations, whose bits are in the order they are
    /// in. `O(nodes * associations / 64 + kills)`.
    pub fn prepare(&mut self, cfg: &Cfg, problem: &Problem, duas: &[Dua]) {
        self.width = bits::words(duas.len());
        self.nodes.reset(cfg.size(), self.width * 3);
        self.edges.clear();
        self.edges.resize(cfg.edges().len(), NONE);
        self.by_variable.clear();
        let mut used_edges = 0;
        for (index, dua) in duas.iter().enumerate() {
            self.by_variable.push((dua.variable.0, index as u32));
            match dua.usage {
                Use::Node(node) => bits::set(self.part_mut(node, 1), index),
                Use::Edge(from, to) => {
                    let slot = cfg.edge(from, to).and_then(|edge| self.edges.get_mut(edge));
                    if let Some(slot @ &mut NONE) = slot {
                        *slot = used_edges;
                        used_edges += 1;
                    }
                }
            }
        }
        self.edge_uses.reset(used_edges as usize, self.width);
        for (index, dua) in duas.iter().enumerate() {
            if let Use::Edge(from, to) = dua.usage
                && let Some(row) = cfg.edge(from, to).and_then(|edge| self.edges.get(edge).copied())
            {
                bits::set(self.edge_uses.row_mut(row as usize), index);
            }
        }
        self.by_variable.sort_unstable();
        self.definitions(cfg, problem, duas);
    }

    fn definitions(&mut self, cfg: &Cfg, problem: &Problem, duas: &[Dua]) {
        let by_variable = std::mem::take(&mut self.by_variable);
        for node in cfg.nodes() {
            for variable in problem.defined(node) {
                let start = by_variable.partition_point(|(other, _)| *other < variable.0);
                let same = by_variable.iter().skip(start).take_while(|(other, _)| *other == variable.0);
                for (_, index) in same {
                    let own = duas.get(*index as usize).is_some_and(|dua| dua.def == node);
                    bits::set(self.part_mut(node, if own { 0 } else { 2 }), *index as usize);
                }
            }
        }
        self.by_variable = by_variable;
    }

    fn part_mut(&mut self, node: Node, part: usize) -> &mut [u64] {
        let width = self.width;
        self.nodes.row_mut(node as usize).get_mut(part * width..(part + 1) * width).unwrap_or_default()
    }

    /// Words of one row of a state, of which it has two.
    pub fn width(&self) -> usize {
        self.width
    }

    /// What a node defines, uses and kills.
    fn node(&self, node: Node) -> (&[u64], &[u64], &[u64]) {
        let (defines, rest) = self.nodes.row(node as usize).split_at(self.width);
        let (uses, kills) = rest.split_at(self.width.min(rest.len()));
        (defines, uses, kills)
    }

    /// What taking an edge uses; nothing for most edges.
    fn edge(&self, edge: usize) -> Option<&[u64]> {
        let row = self.edges.get(edge).filter(|row| **row != NONE)?;
        Some(self.edge_uses.row(*row as usize))
    }

    /// The state (dead, then uncovered) behind a node, from the one before it.
    pub fn after_node(&self, node: Node, before: &[u64], after: &mut [u64]) {
        let (dead, open) = before.split_at(self.width);
        let (new_dead, new_open) = after.split_at_mut(self.width);
        let (defines, uses, kills) = self.node(node);
        let states = dead.iter().zip(open).zip(new_dead.iter_mut().zip(new_open));
        let effects = defines.iter().zip(uses).zip(kills);
        for (((dead, open), (new_dead, new_open)), ((defines, uses), kills)) in states.zip(effects) {
            *new_open = open & (dead | !uses);
            *new_dead = (dead & !defines) | (*new_open & kills);
        }
    }

    /// Adds the state at the end of an edge, from the one at its origin's end, to another; whether that changed it.
    pub fn along_edge(&self, edge: usize, before: &[u64], onto: &mut [u64]) -> bool {
        let Some(uses) = self.edge(edge) else { return bits::join(onto, before) };
        let (dead, open) = before.split_at(self.width);
        let (onto_dead, onto_open) = onto.split_at_mut(self.width);
        let mut new = 0;
        for (((dead, open), uses), onto) in dead.iter().zip(open).zip(uses).zip(onto_open) {
            let still = open & (dead | !uses);
            new |= still & !*onto;
            *onto |= still;
        }
        bits::join(onto_dead, dead) || new != 0
    }

    /// Backwards: which associations can stay uncovered up to the exit when they are dead, and when they are live, before
    /// a node; from the same behind it.
    pub fn before_node(&self, node: Node, behind: &[u64], before: &mut [u64]) {
        let (if_dead, if_live) = behind.split_at(self.width);
        let (new_dead, new_live) = before.split_at_mut(self.width);
        let (defines, uses, kills) = self.node(node);
        let states = if_dead.iter().zip(if_live).zip(new_dead.iter_mut().zip(new_live));
        let effects = defines.iter().zip(uses).zip(kills);
        for (((if_dead, if_live), (new_dead, new_live)), ((defines, uses), kills)) in states.zip(effects) {
            *new_dead = (defines & if_live) | (!defines & if_dead);
            *new_live = !uses & ((kills & if_dead) | (!kills & if_live));
        }
    }

    /// Backwards: adds what holds at the origin's end of an edge, from what holds at the edge's end.
    pub fn back_along_edge(&self, edge: usize, behind: &[u64], onto: &mut [u64]) {
        let Some(uses) = self.edge(edge) else {
            bits::join(onto, behind);
            return;
        };
        let (if_dead, if_live) = behind.split_at(self.width);
        let (onto_dead, onto_live) = onto.split_at_mut(self.width);
        bits::join(onto_dead, if_dead);
        for ((live, uses), onto) in if_live.iter().zip(uses).zip(onto_live) {
            *onto |= live & !uses;
        }
    }
}
