//! Which associations every complete path that covers a given one covers too, for all of them at once and exactly.
//!
//! It is a must-analysis over pairs of a node and the status of the given association D1 = (d, u, X): not yet live, live,
//! covered. The three statuses part a covering path in three: anything to d; from d to u without another definition of X;
//! anything to the exit. What the first part leaves open depends on d alone, so one forward pass serves all; what the last
//! part can leave open depends on u alone, so one backward pass serves all; the middle is a pass over the nodes that
//! the definition reaches, shared by all uses and by all variables that have the same definitions. It knows neither
//! bytecode nor graphduas. Invariant: D2 is subsumed by D1 if and only if no covering path leaves it uncovered.

use crate::bits::{self, Matrix};
use crate::cfg::{Cfg, Node};
use crate::order::{Order, Worklist};
use crate::problem::{Problem, Use, Variable};
use crate::relation::Relation;
use crate::transfer::Transfer;
use std::ops::Range;

/// How many associations are followed at once unless it is said otherwise. Methods with more are rare.
const AT_ONCE: usize = 4096;

/// The analysis, reusable for the next method to save allocations.
#[derive(Debug, Default)]
pub struct Product {
    at_once: Option<usize>,
    transfer: Transfer,
    order: Order,
    work: Worklist,
    /// By node: what may be open before it, on paths from the entry.
    forward: Matrix,
    /// By node: what can stay open from before it to the exit.
    backward: Matrix,
    /// By node: what may be open before it, on paths from the definition at hand without another one.
    middle: Matrix,
    /// Nodes that the middle pass has reached, and whether it has, by node.
    touched: Vec<Node>,
    reached: Vec<bool>,
    scratch: Vec<u64>,
    behind: Vec<u64>,
}

/// An association as the analysis goes through them: by definition and kind of variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Task {
    def: Node,
    /// Variables with this number have the same definitions.
    kind: u32,
    usage: Use,
    dua: u32,
}

/// The subsumption relation among the associations of a method. `O((definitions * edges + associations) *
/// associations / 64)`, the factor of loops within loops apart.
pub fn subsumption(problem: &Problem) -> Relation {
    Product::default().subsumption(problem)
}

impl Product {
    /// An analysis that follows about so many associations at once, which takes half a byte for each of them and each node;
    /// the relation takes a bit for each pair of associations besides.
    pub fn with_associations_at_once(count: usize) -> Self {
        Self { at_once: Some(bits::words(count) * bits::WORD), ..Self::default() }
    }

    /// As the function of the same name.
    pub fn subsumption(&mut self, problem: &Problem) -> Relation {
        let mut relation = Relation::new(problem.duas().len());
        let reached = problem.cfg().reached();
        let is_reached = |node: Node| reached.get(node as usize) == Some(&true);
        let (tasks, orphans): (Vec<Task>, Vec<Task>) =
            tasks(problem).into_iter().partition(|task| is_reached(task.def));
        self.solve(problem, problem.cfg(), &tasks, &mut relation);
        if !orphans.is_empty() {
            self.solve(problem, &problem.cfg().with_orphans(), &orphans, &mut relation);
            relation.keep_apart(orphans.iter().map(|task| task.dua as usize));
        }
        relation
    }

    fn solve(&mut self, problem: &Problem, cfg: &Cfg, tasks: &[Task], relation: &mut Relation) {
        self.order =
            Order::new(cfg.size(), cfg.entry(), |node| cfg.successors(node).iter().map(|edge| edge.to));
        let (all, step) = (problem.duas().len(), self.at_once.unwrap_or(AT_ONCE));
        for start in (0..all).step_by(step) {
            self.follow(problem, cfg, start..all.min(start + step), tasks, relation);
        }
    }

    /// Finds out which of some associations the tasks' subsume.
    fn follow(
        &mut self,
        problem: &Problem,
        cfg: &Cfg,
        followed: Range<usize>,
        tasks: &[Task],
        relation: &mut Relation,
    ) {
        self.transfer.prepare(cfg, problem, followed.clone());
        let width = self.transfer.width() * 2;
        for buffer in [&mut self.scratch, &mut self.behind] {
            buffer.clear();
            buffer.resize(width, 0);
        }
        self.run_forward(cfg, followed.len());
        self.run_backward(cfg, followed.len());
        self.middle.reset(cfg.size(), width);
        self.touched.clear();
        self.reached.clear();
        self.reached.resize(cfg.size(), false);
        for group in tasks.chunk_by(|a, b| (a.def, a.kind) == (b.def, b.kind)) {
            let Some(first) = group.first() else { continue };
            let Some(dua) = problem.duas().get(first.dua as usize) else { continue };
            self.run_middle(cfg, problem, dua.def, dua.variable);
            for uses in group.chunk_by(|a, b| a.usage == b.usage) {
                if self.conclude(cfg, problem, uses, dua.variable) {
                    let duas = uses.iter().map(|task| task.dua as usize);
                    relation.cover(duas, followed.clone(), &self.scratch);
                }
            }
        }
    }

    fn run_forward(&mut self, cfg: &Cfg, count: usize) {
        let Self { transfer, order, work, forward, scratch, .. } = self;
        forward.reset(cfg.size(), transfer.width() * 2);
        let (dead, open) = forward.row_mut(cfg.entry() as usize).split_at_mut(transfer.width());
        bits::fill(dead, count);
        bits::fill(open, count);
        work.reset(order.nodes().len());
        (0..order.nodes().len()).for_each(|position| work.insert(position));
        while let Some(node) = work.pop().and_then(|position| order.nodes().get(position).copied()) {
            transfer.after_node(node, forward.row(node as usize), scratch);
            for (edge, to) in out_of(cfg, node) {
                if transfer.along_edge(edge, scratch, forward.row_mut(to as usize)) {
                    order.position(to).into_iter().for_each(|position| work.insert(position));
                }
            }
        }
    }

    fn run_backward(&mut self, cfg: &Cfg, count: usize) {
        let Self { transfer, order, work, backward, scratch, behind, .. } = self;
        backward.reset(cfg.size(), transfer.width() * 2);
        // From the last node to the first: positions count from the end.
        let last = order.nodes().len().saturating_sub(1);
        work.reset(order.nodes().len());
        (0..=last).for_each(|position| work.insert(position));
        while let Some(node) = work.pop().and_then(|position| order.nodes().get(last - position).copied()) {
            scratch.fill(0);
            if node == cfg.exit() {
                let (dead, live) = scratch.split_at_mut(transfer.width());
                bits::fill(dead, count);
                bits::fill(live, count);
            }
            for (edge, to) in out_of(cfg, node) {
                transfer.back_along_edge(edge, backward.row(to as usize), scratch);
            }
            transfer.before_node(node, scratch, behind);
            if bits::join(backward.row_mut(node as usize), behind) {
                let positions = cfg.predecessors(node).filter_map(|edge| order.position(edge.from));
                positions.for_each(|position| work.insert(last - position));
            }
        }
    }

    /// From behind the definition on, through nodes that do not define the variable.
    fn run_middle(&mut self, cfg: &Cfg, problem: &Problem, def: Node, variable: Variable) {
        let Self { transfer, order, work, forward, middle, touched, reached, scratch, .. } = self;
        for node in touched.drain(..) {
            middle.row_mut(node as usize).fill(0);
            mark(reached, node, false);
        }
        work.reset(order.nodes().len());
        transfer.after_node(def, forward.row(def as usize), scratch);
        let mut next = Some(def);
        while let Some(node) = next {
            for (edge, to) in out_of(cfg, node) {
                let changed = transfer.along_edge(edge, scratch, middle.row_mut(to as usize));
                let new = mark(reached, to, true);
                if new {
                    touched.push(to);
                }
                if (changed || new) && !problem.is_defined(to, variable) {
                    order.position(to).into_iter().for_each(|position| work.insert(position));
                }
            }
            next = work.pop().and_then(|position| order.nodes().get(position).copied());
            if let Some(node) = next {
                transfer.after_node(node, middle.row(node as usize), scratch);
            }
        }
    }

    /// Whether the middle pass has reached a use; if so, what is open at the exit behind it begins `scratch`.
    fn conclude(&mut self, cfg: &Cfg, problem: &Problem, tasks: &[Task], variable: Variable) -> bool {
        let Self { transfer, forward, backward, middle, reached, scratch, behind, .. } = self;
        let is_reached = |node: Node| reached.get(node as usize) == Some(&true);
        let Some(Task { def, usage, .. }) = tasks.first().copied() else { return false };
        match usage {
            Use::Node(node) if is_reached(node) => {
                scratch.copy_from_slice(middle.row(node as usize));
                behind.copy_from_slice(backward.row(node as usize));
            }
            Use::Edge(from, _) if from == def => transfer.after_node(def, forward.row(def as usize), scratch),
            Use::Edge(from, _) if is_reached(from) && !problem.is_defined(from, variable) => {
                transfer.after_node(from, middle.row(from as usize), scratch);
            }
            _ => return false,
        }
        if let Use::Edge(from, to) = usage
            && let Some(edge) = cfg.edge(from, to)
        {
            behind.fill(0);
            transfer.back_along_edge(edge, backward.row(to as usize), behind);
        }
        let (dead, open) = scratch.split_at_mut(transfer.width());
        let (if_dead, if_live) = behind.split_at(transfer.width());
        for ((dead, open), (if_dead, if_live)) in dead.iter_mut().zip(open).zip(if_dead.iter().zip(if_live)) {
            *dead = (*dead & if_dead) | (*open & if_live);
        }
        true
    }
}

/// The edges that leave a node, as their positions, with their targets.
fn out_of(cfg: &Cfg, node: Node) -> impl Iterator<Item = (usize, Node)> + '_ {
    let first = cfg.first_edge(node);
    cfg.successors(node).iter().enumerate().map(move |(offset, edge)| (first + offset, edge.to))
}

/// Sets a mark; whether that changed it.
fn mark(marks: &mut [bool], node: Node, to: bool) -> bool {
    marks.get_mut(node as usize).is_some_and(|mark| std::mem::replace(mark, to) != to)
}

/// The associations by definition and kind of variable.
fn tasks(problem: &Problem) -> Vec<Task> {
    let mut definitions: Vec<(Variable, Node)> = Vec::new();
    for node in problem.cfg().nodes() {
        definitions.extend(problem.defined(node).iter().map(|variable| (*variable, node)));
    }
    definitions.sort_unstable();
    let mut groups: Vec<&[(Variable, Node)]> = definitions.chunk_by(|a, b| a.0 == b.0).collect();
    groups.sort_unstable_by(|a, b| a.iter().map(|d| d.1).cmp(b.iter().map(|d| d.1)));
    let mut kinds: Vec<(Variable, u32)> = Vec::with_capacity(groups.len());
    for (kind, same) in groups.chunk_by(|a, b| a.iter().map(|d| d.1).eq(b.iter().map(|d| d.1))).enumerate() {
        kinds.extend(same.iter().filter_map(|group| group.first()).map(|d| (d.0, kind as u32)));
    }
    kinds.sort_unstable();
    let kind = |variable: Variable| {
        let found = kinds.binary_search_by_key(&variable, |(variable, _)| *variable);
        found.ok().and_then(|index| kinds.get(index)).map_or(u32::MAX, |(_, kind)| *kind)
    };
    let task = |(index, dua): (usize, &crate::problem::Dua)| Task {
        def: dua.def,
        kind: kind(dua.variable),
        usage: dua.usage,
        dua: index as u32,
    };
    let mut tasks: Vec<Task> = problem.duas().iter().enumerate().map(task).collect();
    tasks.sort_unstable();
    tasks
}
