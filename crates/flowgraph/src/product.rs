//! Which associations every complete path that covers a given one covers too, for all of them at once and exactly.
//!
//! It is a must-analysis over pairs of a node and the status of the given association D1 = (d, u, X): not yet live, live,
//! covered. The three statuses part a covering path in three: anything to d; from d to u without another definition of X;
//! anything to the exit. What the first part leaves open depends on d alone, so one forward pass serves all; what the last
//! part can leave open depends on u alone, so one backward pass serves all; the middle is a pass over the nodes that
//! the definition reaches, shared by all uses and by all variables that have the same definitions. Associations between the same
//! two places of such variables are covered by the same paths and followed as one. It knows neither
//! bytecode nor graphduas. Invariant: D2 is subsumed by D1 if and only if no covering path leaves it uncovered.

use crate::bits::{self, Matrix};
use crate::cfg::{Cfg, Node};
use crate::order::{Order, Worklist};
use crate::problem::{Dua, Problem, Use, Variable};
use crate::relation::Relation;
use crate::transfer::Transfer;
use std::cell::RefCell;
use std::ops::Range;
use thiserror::Error;

/// How many associations are followed at once unless it is said otherwise. Methods with more are rare.
const AT_ONCE: usize = 4096;

/// How much may be spent on a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Words of 64 bits that the relation takes: the square of the associations that differ in their paths, by 64.
    pub words: usize,
    /// Words that the analysis goes through.
    pub steps: u64,
}

impl Limits {
    /// None at all.
    pub const NONE: Self = Self { words: usize::MAX, steps: u64::MAX };
}

/// 256 MiB for a relation, seconds for finding it. Of all methods of the JDK and of a dozen large libraries none needs more than 58 MiB
/// or 50 million steps.
impl Default for Limits {
    fn default() -> Self {
        Self { words: 32 << 20, steps: 1_000_000_000 }
    }
}

/// Why the relation among the associations of a method was not determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("which of its {associations} associations imply which would take too much {}", if *.time { "time" } else { "memory" })]
pub struct TooLarge {
    /// How many associations there are.
    pub associations: usize,
    /// Whether it is time, not memory, that would not do.
    pub time: bool,
}

/// The analysis, reusable for the next method to save allocations.
#[derive(Debug, Default)]
pub struct Product {
    at_once: Option<usize>,
    /// Words it may still go through.
    steps: u64,
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

impl Task {
    /// What the paths that cover it depend on.
    fn paths(&self) -> (Node, u32, Use) {
        (self.def, self.kind, self.usage)
    }
}

/// Associations that the same paths cover: one of them, and what the paths depend on.
#[derive(Clone, Copy, Debug)]
struct Row {
    dua: Dua,
    task: Task,
}

/// What some rows subsume of all rows, on the paths of a graph: the method's own, or the one that makes up for unreachable code.
#[derive(Clone, Copy)]
struct Question<'q> {
    problem: &'q Problem,
    cfg: &'q Cfg,
    rows: &'q [Row],
    /// The rows whose subsumed ones are sought.
    asked: &'q [usize],
}

/// No more words may be gone through.
struct Spent;

thread_local! {
    /// One for each thread, for the sake of its memory.
    static PRODUCT: RefCell<Product> = RefCell::default();
}

/// The subsumption relation among the associations of a method. `O((definitions * edges + associations) *
/// associations / 64)`, the factor of loops within loops apart.
pub fn subsumption(problem: &Problem) -> Relation {
    Product::default().subsumption(problem)
}

/// The same, unless it would take more than a method should.
///
/// # Errors
/// When it would take too much.
pub fn within(problem: &Problem, limits: Limits) -> Result<Relation, TooLarge> {
    PRODUCT.with_borrow_mut(|product| product.within(problem, limits))
}

impl Product {
    /// An analysis that follows about so many associations at once, which takes half a byte for each of them and each node;
    /// the relation takes a bit for each pair of associations besides.
    pub fn with_associations_at_once(count: usize) -> Self {
        Self { at_once: Some(bits::words(count) * bits::WORD), ..Self::default() }
    }

    /// As the function of the same name.
    pub fn subsumption(&mut self, problem: &Problem) -> Relation {
        // Without limits it always is.
        self.within(problem, Limits::NONE).unwrap_or_else(|_| Relation::new(Vec::new()))
    }

    /// As the function of the same name.
    ///
    /// # Errors
    /// When it would take too much.
    pub fn within(&mut self, problem: &Problem, limits: Limits) -> Result<Relation, TooLarge> {
        let too_large = |time: bool| TooLarge { associations: problem.duas().len(), time };
        let (rows, row_of) = rows(problem);
        if Relation::words(rows.len()) > limits.words {
            return Err(too_large(false));
        }
        self.steps = limits.steps;
        let mut relation = Relation::new(row_of);
        let reached = problem.cfg().reached();
        let is_reached =
            |row: &usize| rows.get(*row).is_some_and(|row| reached.get(row.task.def as usize) == Some(&true));
        let (direct, orphans): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(is_reached);
        let question = Question { problem, cfg: problem.cfg(), rows: &rows, asked: &direct };
        self.solve(question, &mut relation).map_err(|Spent| too_large(true))?;
        if !orphans.is_empty() {
            let cfg = problem.cfg().with_orphans();
            let question = Question { problem, cfg: &cfg, rows: &rows, asked: &orphans };
            self.solve(question, &mut relation).map_err(|Spent| too_large(true))?;
            relation.keep_apart(orphans.into_iter());
        }
        Ok(relation)
    }

    fn solve(&mut self, question: Question<'_>, relation: &mut Relation) -> Result<(), Spent> {
        let Question { problem, cfg, rows, .. } = question;
        self.order =
            Order::new(cfg.size(), cfg.entry(), |node| cfg.successors(node).iter().map(|edge| edge.to));
        let step = self.at_once.unwrap_or(AT_ONCE);
        for start in (0..rows.len()).step_by(step) {
            let followed = start..rows.len().min(start + step);
            let duas: Vec<Dua> =
                rows.get(followed.clone()).unwrap_or_default().iter().map(|row| row.dua).collect();
            self.transfer.prepare(cfg, problem, &duas);
            self.follow(question, followed, relation)?;
        }
        Ok(())
    }

    /// Finds out which of some rows, which the transfer functions are prepared for, those asked for subsume.
    fn follow(
        &mut self,
        question: Question<'_>,
        followed: Range<usize>,
        relation: &mut Relation,
    ) -> Result<(), Spent> {
        let Question { problem, cfg, rows, asked } = question;
        let width = self.transfer.width() * 2;
        for buffer in [&mut self.scratch, &mut self.behind] {
            buffer.clear();
            buffer.resize(width, 0);
        }
        self.run_forward(cfg, followed.len())?;
        self.run_backward(cfg, followed.len())?;
        self.middle.reset(cfg.size(), width);
        self.touched.clear();
        self.reached.clear();
        self.reached.resize(cfg.size(), false);
        let mut before = None;
        for (index, row) in asked.iter().filter_map(|index| Some((*index, rows.get(*index)?))) {
            let definition = (row.task.def, row.task.kind);
            if before.replace(definition) != Some(definition) {
                self.run_middle(cfg, problem, row.dua.def, row.dua.variable)?;
            }
            if self.conclude(cfg, problem, &row.dua) {
                relation.cover(index, followed.clone(), &self.scratch);
            }
        }
        Ok(())
    }

    fn run_forward(&mut self, cfg: &Cfg, count: usize) -> Result<(), Spent> {
        let Self { transfer, order, work, forward, scratch, steps, .. } = self;
        forward.reset(cfg.size(), transfer.width() * 2);
        let (dead, open) = forward.row_mut(cfg.entry() as usize).split_at_mut(transfer.width());
        bits::fill(dead, count);
        bits::fill(open, count);
        work.reset(order.nodes().len());
        (0..order.nodes().len()).for_each(|position| work.insert(position));
        while let Some(node) = work.pop().and_then(|position| order.nodes().get(position).copied()) {
            spend(steps, cfg, node, transfer.width())?;
            transfer.after_node(node, forward.row(node as usize), scratch);
            for (edge, to) in out_of(cfg, node) {
                if transfer.along_edge(edge, scratch, forward.row_mut(to as usize)) {
                    order.position(to).into_iter().for_each(|position| work.insert(position));
                }
            }
        }
        Ok(())
    }

    fn run_backward(&mut self, cfg: &Cfg, count: usize) -> Result<(), Spent> {
        let Self { transfer, order, work, backward, scratch, behind, steps, .. } = self;
        backward.reset(cfg.size(), transfer.width() * 2);
        // From the last node to the first: positions count from the end.
        let last = order.nodes().len().saturating_sub(1);
        work.reset(order.nodes().len());
        (0..=last).for_each(|position| work.insert(position));
        while let Some(node) = work.pop().and_then(|position| order.nodes().get(last - position).copied()) {
            spend(steps, cfg, node, transfer.width())?;
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
        Ok(())
    }

    /// From behind the definition on, through nodes that do not define the variable.
    fn run_middle(
        &mut self,
        cfg: &Cfg,
        problem: &Problem,
        def: Node,
        variable: Variable,
    ) -> Result<(), Spent> {
        let Self { transfer, order, work, forward, middle, touched, reached, scratch, steps, .. } = self;
        for node in touched.drain(..) {
            middle.row_mut(node as usize).fill(0);
            mark(reached, node, false);
        }
        work.reset(order.nodes().len());
        transfer.after_node(def, forward.row(def as usize), scratch);
        let mut next = Some(def);
        while let Some(node) = next {
            spend(steps, cfg, node, transfer.width())?;
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
        Ok(())
    }

    /// Whether the middle pass has reached a use; if so, what is open at the exit behind it begins `scratch`.
    fn conclude(&mut self, cfg: &Cfg, problem: &Problem, dua: &Dua) -> bool {
        let Self { transfer, forward, backward, middle, reached, scratch, behind, .. } = self;
        let is_reached = |node: Node| reached.get(node as usize) == Some(&true);
        let Dua { def, variable, usage } = *dua;
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

/// Takes off what looking at a node and its edges costs.
fn spend(steps: &mut u64, cfg: &Cfg, node: Node, width: usize) -> Result<(), Spent> {
    let cost = (width * (2 + cfg.successors(node).len())) as u64;
    *steps = steps.checked_sub(cost).ok_or(Spent)?;
    Ok(())
}

/// The associations that differ in their paths, by definition and kind of variable; and the row of each association.
fn rows(problem: &Problem) -> (Vec<Row>, Vec<u32>) {
    let kinds = kinds(problem);
    let kind = |variable: Variable| {
        let found = kinds.binary_search_by_key(&variable, |(variable, _)| *variable);
        found.ok().and_then(|index| kinds.get(index)).map_or(u32::MAX, |(_, kind)| *kind)
    };
    let task = |(index, dua): (usize, &Dua)| Task {
        def: dua.def,
        kind: kind(dua.variable),
        usage: dua.usage,
        dua: index as u32,
    };
    let mut tasks: Vec<Task> = problem.duas().iter().enumerate().map(task).collect();
    tasks.sort_unstable();
    let mut row_of = vec![0; tasks.len()];
    let mut rows: Vec<Row> = Vec::new();
    for same in tasks.chunk_by(|a, b| a.paths() == b.paths()) {
        for task in same {
            row_of.get_mut(task.dua as usize).into_iter().for_each(|row| *row = rows.len() as u32);
        }
        let first = same
            .first()
            .and_then(|task| Some(Row { dua: *problem.duas().get(task.dua as usize)?, task: *task }));
        rows.extend(first);
    }
    (rows, row_of)
}

/// By variable that is defined: a number that variables with the same definitions share.
fn kinds(problem: &Problem) -> Vec<(Variable, u32)> {
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
    kinds
}
