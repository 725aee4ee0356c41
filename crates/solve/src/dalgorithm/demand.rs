//! What an expression must be made of to have a value, where that is forced: operators turned around.
//!
//! Knows no control flow. Invariant: what it assumes holds in every solution.

use super::board::{Board, Cell, Conflict, is_same};
use crate::expr::{Expr, Node};
use crate::value::{self, Binary, Sort, Unary, Value};

/// Parts up to which an expression is looked through: beyond, a value is left to the solver.
const PARTS: usize = 400;

/// Assumes what follows from the value of an expression over what places hold where a node begins.
///
/// # Errors
/// When it cannot have this value.
pub(super) fn demand(
    board: &mut Board<'_>,
    plane: usize,
    node: usize,
    expr: Expr,
    value: Value,
) -> Result<(), Conflict> {
    let mut open = vec![(expr, value)];
    if board.pool.parts(&[expr]).len() > PARTS {
        return Ok(());
    }
    while let Some((expr, value)) = open.pop() {
        if let Some(known) = board.eval(plane, node, expr) {
            if is_same(known, value) {
                continue;
            }
            let at = board.node_text(node);
            return Err(Conflict(format!("a condition or value at {at} is {known}, not {value}")));
        }
        if let Node::Var(var) = board.pool.node(expr).0 {
            let key = board.units.places.key(var);
            if let Some(name) = key.and_then(|key| board.names.at(plane, node).get(&key)).copied() {
                board.set(Cell::Name(name), value)?;
            }
            continue;
        }
        open.extend(operands(board, (plane, node), expr, value));
    }
    Ok(())
}

/// Operands of an expression that are forced, with their values.
fn operands(
    board: &Board<'_>,
    (plane, node): (usize, usize),
    expr: Expr,
    value: Value,
) -> Vec<(Expr, Value)> {
    let known = |expr: Expr| board.eval(plane, node, expr);
    let wholes = |sort: Sort| matches!(sort, Sort::Int | Sort::Long);
    match (board.pool.node(expr).0, value) {
        (Node::Unary(op @ (Unary::Not | Unary::Neg), a), value) => {
            value::unary(op, value).map(|value| (a, value)).into_iter().collect()
        }
        (Node::Binary(Binary::And, a, b), Value::Bool(true)) => vec![(a, value), (b, value)],
        (Node::Binary(Binary::And, a, b), Value::Bool(false)) => {
            one_known(&known, a, b, |_, _| Some(Value::Bool(false)))
        }
        (Node::Binary(Binary::Xor, a, b), value) => {
            one_known(&known, a, b, |other, _| value::binary(Binary::Xor, value, other))
        }
        (Node::Binary(Binary::Add, a, b), value) if wholes(value.sort()) => {
            one_known(&known, a, b, |other, _| value::binary(Binary::Sub, value, other))
        }
        (Node::Binary(Binary::Sub, a, b), value) if wholes(value.sort()) => {
            one_known(&known, a, b, |other, is_first| match is_first {
                true => value::binary(Binary::Sub, other, value),
                false => value::binary(Binary::Add, value, other),
            })
        }
        (Node::Binary(Binary::Eq, a, b), Value::Bool(true)) if wholes(board.pool.sort(a)) => {
            one_known(&known, a, b, |other, _| Some(other))
        }
        (Node::Ite(when, yes, no), value) => chosen(&known, (when, yes, no), value),
        _ => vec![],
    }
}

/// What the one operand must be when the other is known; `is_first` says whether the known one is the first.
fn one_known(
    known: &dyn Fn(Expr) -> Option<Value>,
    a: Expr,
    b: Expr,
    other: impl Fn(Value, bool) -> Option<Value>,
) -> Vec<(Expr, Value)> {
    let forced = match (known(a), known(b)) {
        (Some(a), None) => other(a, true).map(|value| (b, value)),
        (None, Some(b)) => other(b, false).map(|value| (a, value)),
        _ => None,
    };
    forced.into_iter().collect()
}

fn chosen(
    known: &dyn Fn(Expr) -> Option<Value>,
    (when, yes, no): (Expr, Expr, Expr),
    value: Value,
) -> Vec<(Expr, Value)> {
    let is_other = |expr| known(expr).is_some_and(|known| !is_same(known, value));
    match known(when) {
        Some(Value::Bool(true)) => vec![(yes, value)],
        Some(_) => vec![(no, value)],
        None if is_other(yes) => vec![(when, Value::Bool(false)), (no, value)],
        None if is_other(no) => vec![(when, Value::Bool(true)), (yes, value)],
        None => vec![],
    }
}
