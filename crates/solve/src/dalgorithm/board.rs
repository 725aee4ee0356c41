//! What is assumed so far in a search: values, and whether nodes and edges are run (invocation status, section IV.A.4), each in both versions; what
//! was assumed last is taken back first.
//!
//! Knows no consequences of what is assumed. Invariants: a cell that is known keeps its value until it is taken back; what is in front of the
//! excited node is one cell in both versions.

use super::flow::Flow;
use super::names::{Name, Names};
use crate::expr::{Expr, Pool};
use crate::problem::Problem;
use crate::state::Key;
use crate::units::{Units, VERSIONS};
use crate::unwound::Unwound;
use crate::value::{Sort, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Something that can be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Cell {
    /// A value.
    Name(Name),
    /// Whether a version runs a node, or comes to an end.
    Node(usize, usize),
    /// Whether a version leaves a node by an exit.
    Edge(usize, usize, usize),
}

/// Why what is assumed cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conflict(pub String);

/// The state of a search.
#[derive(Debug)]
pub(super) struct Board<'a> {
    pub pool: &'a mut Pool,
    pub units: &'a mut Units,
    pub graph: &'a Unwound,
    pub domain: &'a [Expr],
    pub flow: &'a Flow,
    pub names: Names,
    known: FxHashMap<Cell, Value>,
    trail: Vec<Cell>,
    /// Versions and nodes to look at.
    pub open: BTreeSet<(usize, usize)>,
}

impl<'a> Board<'a> {
    /// Nothing is known.
    pub fn new(problem: &'a mut Problem, flow: &'a Flow, excited: usize) -> Self {
        let Problem { pool, units, graph, domain } = problem;
        let names = Names::of(pool, units, graph, flow, excited);
        let (known, trail, open) = (FxHashMap::default(), vec![], BTreeSet::new());
        Self { pool, units, graph, domain, flow, names, known, trail, open }
    }

    /// Whether the mutant changes a node.
    pub fn is_mutated(&self, node: usize) -> bool {
        let unit = self.graph.nodes.get(node).and_then(|node| self.units.units.get(&node.unit));
        unit.is_some_and(|unit| unit.mutant.is_some())
    }

    /// The one cell that stands for a cell.
    fn normal(&self, cell: Cell) -> Cell {
        let is_clean = |node: usize| self.names.clean.get(node) == Some(&true);
        match cell {
            Cell::Node(1, node) if is_clean(node) => Cell::Node(0, node),
            Cell::Edge(1, node, exit) if is_clean(node) && !self.is_mutated(node) => {
                Cell::Edge(0, node, exit)
            }
            cell => cell,
        }
    }

    /// What is known of a cell.
    pub fn get(&self, cell: Cell) -> Option<Value> {
        self.known.get(&self.normal(cell)).copied()
    }

    /// Whether a version runs a node, or comes to an end.
    pub fn runs(&self, plane: usize, node: usize) -> Option<bool> {
        holds(self.get(Cell::Node(plane, node)))
    }

    /// Whether a version leaves a node by an exit.
    pub fn leaves(&self, plane: usize, node: usize, exit: usize) -> Option<bool> {
        holds(self.get(Cell::Edge(plane, node, exit)))
    }

    /// A value.
    pub fn value(&self, name: Name) -> Option<Value> {
        self.known.get(&Cell::Name(name)).copied()
    }

    /// Assumes something.
    ///
    /// # Errors
    /// When the contrary is known.
    pub fn set(&mut self, cell: Cell, value: Value) -> Result<(), Conflict> {
        let cell = self.normal(cell);
        match self.known.get(&cell) {
            Some(known) if is_same(*known, value) => Ok(()),
            Some(known) => {
                Err(Conflict(format!("{} is {}, not {}", self.text(cell), shown(*known), shown(value))))
            }
            None => {
                self.known.insert(cell, value);
                self.trail.push(cell);
                self.touch(cell);
                Ok(())
            }
        }
    }

    /// Assumes that a node or end is run, or not.
    ///
    /// # Errors
    /// When the contrary is known.
    pub fn set_runs(&mut self, plane: usize, node: usize, runs: bool) -> Result<(), Conflict> {
        self.set(Cell::Node(plane, node), Value::Bool(runs))
    }

    /// Assumes that an exit is taken, or not.
    ///
    /// # Errors
    /// When the contrary is known.
    pub fn set_leaves(&mut self, plane: usize, edge: (usize, usize), leaves: bool) -> Result<(), Conflict> {
        self.set(Cell::Edge(plane, edge.0, edge.1), Value::Bool(leaves))
    }

    fn touch(&mut self, cell: Cell) {
        match cell {
            Cell::Name(name) => self.open.extend(self.names.touched(name)),
            Cell::Node(_, node) => self.open.extend([(0, node), (1, node)]),
            Cell::Edge(_, node, exit) => {
                for plane in 0..2 {
                    self.open.insert((plane, node));
                    self.open.extend(self.flow.targets(plane, node).get(exit).map(|to| (plane, *to)));
                }
            }
        }
    }

    /// How much is known, to come back to.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// What became known since.
    pub fn since(&self, mark: usize) -> &[Cell] {
        self.trail.get(mark..).unwrap_or_default()
    }

    /// Takes back everything assumed since.
    pub fn back(&mut self, mark: usize) {
        self.open.clear();
        for cell in self.trail.drain(mark.min(self.trail.len())..) {
            self.known.remove(&cell);
        }
    }

    /// By exit, the edge condition and what is defined, of a version of a node.
    pub fn exits(&self, plane: usize, node: usize) -> Vec<Expr> {
        let unit = self.graph.nodes.get(node).and_then(|node| self.units.units.get(&node.unit));
        let exits = unit.map(|unit| unit.exits(VERSIONS[plane])).unwrap_or_default();
        exits.iter().map(|exit| exit.when).collect()
    }

    /// What an exit of a version of a node puts in a place.
    pub fn definition(&self, plane: usize, node: usize, exit: usize, key: Key) -> Option<Expr> {
        let unit = self.graph.nodes.get(node).and_then(|node| self.units.units.get(&node.unit))?;
        unit.exits(VERSIONS[plane]).get(exit)?.defined.get(&key).copied()
    }

    /// The value of an expression over what places hold where a node begins, as far as it is known.
    pub fn eval(&self, plane: usize, node: usize, expr: Expr) -> Option<Value> {
        let at = self.names.at(plane, node);
        self.pool.eval(expr, |var| self.value(*at.get(&self.units.places.key(var)?)?))
    }

    /// Whether a value is known to be different in the two versions: the mutation effect (section IV.A.3).
    pub fn has_effect(&self, node: usize, key: Key) -> bool {
        let value = |plane| self.value(*self.names.at(plane, node).get(&key)?);
        value(0).zip(value(1)).is_some_and(|(a, b)| !is_same(a, b))
    }

    /// A cell in words: `runs 5`, `edge 2.1`, `l3@5`; those of the mutant alone end with `'`.
    pub fn text(&self, cell: Cell) -> String {
        let of = |plane: usize| if plane == 1 { "'" } else { "" };
        match cell {
            Cell::Name(name) => {
                let plane = match self.names.origin(name) {
                    Some(
                        super::names::Origin::Definition { plane, .. }
                        | super::names::Origin::Meet { plane, .. },
                    ) => plane,
                    _ => 0,
                };
                format!("{}{}", self.pool.variable(self.names.var(name)).0, of(plane))
            }
            Cell::Node(plane, node) => format!("{}{}", self.node_text(node), of(plane)),
            Cell::Edge(plane, node, exit) => {
                let to = self.flow.targets(plane, node).get(exit).copied().unwrap_or_default();
                format!("{}-{}{}", self.node_text(node), self.node_text(to), of(plane))
            }
        }
    }

    /// The number of a node, or the end in words.
    pub fn node_text(&self, node: usize) -> String {
        use super::flow::End;
        match node.checked_sub(self.flow.nodes()).and_then(|end| self.flow.ends.get(end)) {
            None => node.to_string(),
            Some(End::Return) => "return".to_owned(),
            Some(End::Throw(class)) => class.rsplit('/').next().unwrap_or(class).to_owned(),
            Some(End::Beyond) => "beyond".to_owned(),
        }
    }
}

fn holds(value: Option<Value>) -> Option<bool> {
    match value? {
        Value::Bool(holds) => Some(holds),
        _ => None,
    }
}

/// What is run is `run`, and what is not `not run`; numbers are numbers.
pub(super) fn shown(value: Value) -> String {
    match value {
        Value::Bool(true) => "so".to_owned(),
        Value::Bool(false) => "not so".to_owned(),
        value => value.to_string(),
    }
}

/// Whether two values are one, to the bit; what is no number is no number.
pub(super) fn is_same(a: Value, b: Value) -> bool {
    let is_nan = |value: Value| match value {
        Value::Float(bits) => f32::from_bits(bits).is_nan(),
        Value::Double(bits) => f64::from_bits(bits).is_nan(),
        _ => false,
    };
    a == b || (a.sort() == b.sort() && a.sort() >= Sort::Float && is_nan(a) && is_nan(b))
}
