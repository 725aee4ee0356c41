//! Implication: what follows from what is assumed, forward and backward, for values and for what is run (section IV.B.1 of the paper).
//!
//! Knows no choices: it does nothing that is not forced. Invariant: each rule looks at one node of one version, and runs again when something that it looks at
//! becomes known. A value that is forced backward through a definition is found by turning operators around, without the solver.

use super::board::{Board, Cell, Conflict};
use super::demand;
use crate::value::Value;

/// Draws all conclusions.
///
/// # Errors
/// When what is assumed contradicts itself.
pub(super) fn imply(board: &mut Board<'_>) -> Result<(), Conflict> {
    while let Some((plane, node)) = board.open.pop_first() {
        arrive(board, plane, node)?;
        meet(board, plane, node)?;
        leave(board, plane, node)?;
        define(board, plane, node)?;
    }
    Ok(())
}

/// What is known at the very beginning: the method is entered, and nothing goes beyond the bounds (section IV.B.5).
///
/// # Errors
/// When that alone is a contradiction.
pub(super) fn begin(board: &mut Board<'_>) -> Result<(), Conflict> {
    let beyond = board.flow.ends.iter().position(|end| *end == super::flow::End::Beyond);
    for plane in 0..2 {
        board.set_runs(plane, 0, true)?;
        if let Some(end) = beyond {
            board.set_runs(plane, board.flow.nodes() + end, false)?;
        }
        board.open.extend((0..board.flow.all()).map(|node| (plane, node)));
    }
    imply(board)
}

/// A node that is run is entered by one edge, one that is not by none; what dominates a node that is run is run.
fn arrive(board: &mut Board<'_>, plane: usize, node: usize) -> Result<(), Conflict> {
    if node == 0 {
        return Ok(());
    }
    let flow = board.flow;
    if let (Some(true), Some(dominator)) = (board.runs(plane, node), flow.dominator(node)) {
        board.set_runs(plane, dominator, true)?;
    }
    let sources = flow.sources(plane, node);
    let status = |board: &Board<'_>, (from, exit): (usize, usize)| board.leaves(plane, from, exit);
    let taken = sources.iter().find(|edge| status(board, **edge) == Some(true));
    if let Some(taken) = taken {
        board.set_runs(plane, node, true)?;
        for edge in sources.iter().filter(|edge| *edge != taken) {
            board.set_leaves(plane, *edge, false)?;
        }
        return Ok(());
    }
    let open: Vec<_> = sources.iter().filter(|edge| status(board, **edge).is_none()).collect();
    match (open.as_slice(), board.runs(plane, node)) {
        ([], _) => board.set_runs(plane, node, false),
        ([one], Some(true)) => board.set_leaves(plane, **one, true),
        (some, Some(false)) => some.iter().try_for_each(|edge| board.set_leaves(plane, **edge, false)),
        _ => Ok(()),
    }
}

/// Where definitions meet: the one that comes along the edge that is taken; or the one value that all edges bring that can be taken.
fn meet(board: &mut Board<'_>, plane: usize, node: usize) -> Result<(), Conflict> {
    let flow = board.flow;
    let meets = board.names.meets(plane, node).to_vec();
    for (key, name) in meets {
        let mut inputs = vec![];
        for edge in flow.sources(plane, node) {
            let Some(input) = board.names.input(plane, edge.0, edge.1, key) else { continue };
            match board.leaves(plane, edge.0, edge.1) {
                Some(true) => {
                    for (from, to) in [(name, input), (input, name)] {
                        if let Some(value) = board.value(from) {
                            board.set(Cell::Name(to), value)?;
                        }
                    }
                    inputs.clear();
                    break;
                }
                Some(false) => {}
                None => inputs.push((*edge, board.value(input))),
            }
        }
        let is_run = board.runs(plane, node);
        match (board.value(name), is_run) {
            // An edge that brings another value is not the one.
            (Some(value), Some(true)) => {
                for (edge, input) in inputs {
                    if input.is_some_and(|input| !super::board::is_same(input, value)) {
                        board.set_leaves(plane, edge, false)?;
                    }
                }
            }
            (None, Some(true) | None) => {
                let first = inputs.first().and_then(|(_, value)| *value);
                if let Some(value) = first
                    && inputs
                        .iter()
                        .all(|(_, input)| input.is_some_and(|input| super::board::is_same(input, value)))
                {
                    board.set(Cell::Name(name), value)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// A node that is run is left by the one exit whose condition holds.
fn leave(board: &mut Board<'_>, plane: usize, node: usize) -> Result<(), Conflict> {
    let conditions = board.exits(plane, node);
    let is_run = board.runs(plane, node);
    for (exit, when) in conditions.iter().enumerate() {
        let edge = (node, exit);
        if is_run == Some(false) {
            board.set_leaves(plane, edge, false)?;
            continue;
        }
        match (board.leaves(plane, node, exit), board.eval(plane, node, *when)) {
            (Some(true), _) => {
                board.set_runs(plane, node, true)?;
                demand::demand(board, plane, node, *when, Value::Bool(true))?;
                for other in (0..conditions.len()).filter(|other| *other != exit) {
                    board.set_leaves(plane, (node, other), false)?;
                }
            }
            (_, Some(Value::Bool(false))) => board.set_leaves(plane, edge, false)?,
            (_, Some(_)) if is_run == Some(true) => board.set_leaves(plane, edge, true)?,
            (Some(false), _) if is_run == Some(true) => {
                demand::demand(board, plane, node, *when, Value::Bool(false))?;
            }
            _ => {}
        }
    }
    let open: Vec<usize> =
        (0..conditions.len()).filter(|exit| board.leaves(plane, node, *exit) != Some(false)).collect();
    match open.as_slice() {
        [only] if is_run == Some(true) => board.set_leaves(plane, (node, *only), true),
        [] if !conditions.is_empty() => board.set_runs(plane, node, false),
        _ => Ok(()),
    }
}

/// Values through definitions, forward, and backward where the exit is taken.
fn define(board: &mut Board<'_>, plane: usize, node: usize) -> Result<(), Conflict> {
    for exit in 0..board.flow.targets(plane, node).len() {
        let leaves = board.leaves(plane, node, exit);
        if leaves == Some(false) {
            continue;
        }
        let defined: Vec<_> = board.names.defined(plane, node, exit).iter().map(|(k, n)| (*k, *n)).collect();
        for (key, name) in defined {
            let Some(expr) = board.definition(plane, node, exit, key) else { continue };
            if let Some(value) = board.eval(plane, node, expr) {
                board.set(Cell::Name(name), value)?;
            } else if let (Some(value), Some(true)) = (board.value(name), leaves) {
                demand::demand(board, plane, node, expr, value)?;
            }
        }
    }
    Ok(())
}
