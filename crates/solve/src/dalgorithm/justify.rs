//! What is assumed and does not follow from anything in front of it: the list of unjustified elements (section IV.B.4 of the paper), and the conditions of
//! local queries about them.
//!
//! Knows no choices. Invariant: when nothing is unjustified, every run with the values of the parameters does what is assumed.

use super::board::{Board, is_same};
use super::names::{Name, Origin};
use crate::expr::{Expr, Var};
use crate::state::Key;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// An unjustified element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unjustified {
    /// A version runs a node, and it is not known from where it comes.
    Node(usize, usize),
    /// A condition of an edge, or a definition, of a version of a node: over what places hold there, and what it must be.
    Value(usize, usize, Expr, Value),
}

/// All unjustified elements, in the order of nodes.
pub(super) fn unjustified(board: &Board<'_>) -> Vec<Unjustified> {
    let mut found = vec![];
    for node in 0..board.flow.all() {
        let is_one = board.names.clean.get(node) == Some(&true);
        for plane in 0..2 {
            if board.runs(plane, node) != Some(true) {
                continue;
            }
            let mut sources = board.flow.sources(plane, node).iter();
            let comes = sources.any(|(from, exit)| board.leaves(plane, *from, *exit) == Some(true));
            let is_listed = found.last() == Some(&Unjustified::Node(0, node)) && is_one;
            if node > 0 && !comes && !is_listed {
                found.push(Unjustified::Node(plane, node));
            }
            if plane == 0 || !is_one || board.is_mutated(node) {
                values(board, plane, node, &mut found);
            }
        }
    }
    found
}

fn values(board: &Board<'_>, plane: usize, node: usize, found: &mut Vec<Unjustified>) {
    for (exit, when) in board.exits(plane, node).into_iter().enumerate() {
        if board.leaves(plane, node, exit) != Some(true) {
            continue;
        }
        if board.eval(plane, node, when) != Some(Value::Bool(true)) {
            found.push(Unjustified::Value(plane, node, when, Value::Bool(true)));
        }
        for (key, name) in board.names.defined(plane, node, exit) {
            let expr = board.definition(plane, node, exit, *key);
            if let (Some(expr), Some(value)) = (expr, board.value(*name))
                && board.eval(plane, node, expr).is_none_or(|known| !is_same(known, value))
            {
                found.push(Unjustified::Value(plane, node, expr, value));
            }
        }
    }
}

/// An expression over what places hold where a node begins, as one over names; what is known is put in.
pub(super) fn named(board: &mut Board<'_>, plane: usize, node: usize, expr: Expr) -> Expr {
    let mut with: FxHashMap<Var, Expr> = FxHashMap::default();
    for var in board.pool.variables_of(&[expr]) {
        let key = board.units.places.key(var);
        let name = key.and_then(|key| board.names.at(plane, node).get(&key)).copied();
        if let Some(name) = name {
            with.insert(var, holder(board, name));
        }
    }
    let mut made = FxHashMap::default();
    board.pool.replace(expr, &|var| with.get(&var).copied(), &mut made)
}

/// What stands for a value: itself where it is known, else its variable.
pub(super) fn holder(board: &mut Board<'_>, name: Name) -> Expr {
    match board.value(name) {
        Some(value) => board.pool.value(value),
        None => board.pool.var(board.names.var(name)),
    }
}

fn equal(board: &mut Board<'_>, expr: Expr, other: Expr) -> Expr {
    let differ = board.pool.differ(expr, other);
    board.pool.not(differ)
}

/// The conditions that everything assumed puts on the values in some conditions: unjustified elements that share a value with them, where these values come
/// from as far as that is decided, and what every call keeps to. The conditions themselves are among them.
pub(super) fn surrounded(board: &mut Board<'_>, conditions: &[Expr]) -> Vec<Expr> {
    let mut apart = vec![];
    for element in unjustified(board) {
        if let Unjustified::Value(plane, node, expr, value) = element {
            let expr = named(board, plane, node, expr);
            let value = board.pool.value(value);
            apart.push(equal(board, expr, value));
        }
    }
    for expr in board.domain {
        let entry = |var: Var| match board.units.places.key(var) {
            Some(key) => board.names.at(0, 0).get(&key).copied(),
            None => None,
        };
        let vars = board.pool.variables_of(&[*expr]);
        let names: Vec<(Var, Name)> = vars.into_iter().filter_map(|var| Some((var, entry(var)?))).collect();
        let with: FxHashMap<Var, Expr> =
            names.into_iter().map(|(var, name)| (var, holder(board, name))).collect();
        let mut made = FxHashMap::default();
        apart.push(board.pool.replace(*expr, &|var| with.get(&var).copied(), &mut made));
    }
    let mut together = conditions.to_vec();
    let mut seen: BTreeSet<Var> = BTreeSet::new();
    loop {
        let vars = board.pool.variables_of(&together);
        let new: Vec<Var> = vars.difference(&seen).copied().collect();
        seen.extend(vars);
        for var in &new {
            together.extend(source(board, *var));
        }
        let before = apart.len();
        apart.retain(|expr| {
            let of = board.pool.variables_of(&[*expr]);
            let joins = of.is_empty() || !of.is_disjoint(&seen);
            together.extend(joins.then_some(*expr));
            !joins
        });
        if new.is_empty() && apart.len() == before {
            return together;
        }
    }
}

/// Where a value that is not known comes from, as a condition, if that is decided.
fn source(board: &mut Board<'_>, var: Var) -> Option<Expr> {
    let name = board.names.named(var)?;
    let itself = board.pool.var(var);
    match board.names.origin(name)? {
        Origin::Entry(_) => None,
        Origin::Definition { plane, node, exit, expr, .. } => {
            (board.leaves(plane, node, exit) == Some(true)).then_some(())?;
            let expr = named(board, plane, node, expr);
            Some(equal(board, itself, expr))
        }
        Origin::Meet { plane, node, key } => {
            let sources = board.flow.sources(plane, node).iter();
            let taken = |edge: &&(usize, usize)| board.leaves(plane, edge.0, edge.1) == Some(true);
            let (from, exit) = *{ sources }.find(taken)?;
            let input = board.names.input(plane, from, exit, key)?;
            let input = holder(board, input);
            Some(equal(board, itself, input))
        }
    }
}

/// The parameters: by place, their values as far as they are known.
pub(super) fn parameters(board: &Board<'_>) -> Vec<(Key, Value)> {
    let entry = board.names.at(0, 0).iter();
    entry.filter_map(|(key, name)| Some((*key, board.value(*name)?))).collect()
}
