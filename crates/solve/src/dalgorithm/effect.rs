//! The mutation effect: by which values a region lets it begin or pass on (excitation MEE and propagation MEP, sections IV.B.2 and IV.B.3 of the paper), where it
//! can be passed on next, and whether it is at an output.
//!
//! Knows no choices. Invariant: a way to make an effect is a condition over the values that the region takes (RID), for one value that it gives (ROD) or
//! for the way it is left.

use super::board::Board;
use super::flow::End;
use super::justify::holder;
use crate::expr::Expr;
use crate::problem;
use crate::refusal::Refusal;
use crate::state::{Env, Key};
use crate::units::VERSIONS;
use crate::value::Binary;
use crate::walk::{Region, Walked, walk};
use std::collections::BTreeSet;

/// A way in which both versions leave a region differently.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// The place whose values differ at the end of the region; none where the ways out differ.
    pub key: Option<Key>,
    /// When.
    pub condition: Expr,
}

/// What can come of a region.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    /// All ways in which an effect leaves it: one for each value that is read behind it, and one for the way out.
    pub differ: Vec<Way>,
    /// When one version alone goes beyond the bounds in it.
    pub runs_on: Expr,
}

impl Ways {
    /// When the versions part in the region in any way.
    pub fn any(&self, board: &mut Board<'_>) -> Expr {
        let ways = self.differ.iter().map(|way| way.condition);
        ways.fold(self.runs_on, |some, way| board.pool.or(some, way))
    }
}

/// Where a region ends in both versions.
pub(super) fn region(board: &Board<'_>, node: usize) -> Region {
    let targets = |plane| board.flow.targets(plane, node).iter();
    let normal: BTreeSet<usize> =
        targets(0).chain(targets(1)).copied().filter(|to| *to <= board.flow.nodes()).collect();
    let single = normal.first().copied().filter(|to| normal.len() == 1 && *to < board.flow.nodes());
    Region { from: node, to: single.or_else(|| board.flow.join(node)) }
}

/// What can come of the region of a node.
///
/// # Errors
/// When expressions get too large.
pub(super) fn ways(board: &mut Board<'_>, node: usize) -> Result<Ways, Refusal> {
    let region = region(board, node);
    let original = walked(board, node, 0, region)?;
    let mutant = walked(board, node, 1, region)?;
    let mut ways = vec![];
    if let Some(live) = region.to.and_then(|to| board.graph.nodes.get(to)).map(|node| &node.live) {
        let both = board.pool.and(original.at_end.0, mutant.at_end.0);
        for key in live {
            if let (Some(a), Some(b)) = (original.at_end.1.get(key), mutant.at_end.1.get(key)) {
                let differ = board.pool.differ(*a, *b);
                let condition = board.pool.and(both, differ);
                ways.push(Way { key: Some(*key), condition });
            }
        }
    }
    let differ = problem::differ(board.pool, board.units, &original, &mutant);
    let apart = board.pool.binary(Binary::Xor, original.at_end.0, mutant.at_end.0);
    let mut condition = board.pool.or(differ, apart);
    for walked in [&original, &mutant] {
        let within = board.pool.not(walked.beyond);
        condition = board.pool.and(condition, within);
    }
    ways.push(Way { key: None, condition });
    let never = board.pool.bool(false);
    ways.retain(|way| way.condition != never);
    let runs_on = board.pool.binary(Binary::Xor, original.beyond, mutant.beyond);
    Ok(Ways { differ: ways, runs_on })
}

fn walked(board: &mut Board<'_>, node: usize, plane: usize, region: Region) -> Result<Walked, Refusal> {
    let names: Vec<_> = board.names.at(plane, node).iter().map(|(key, name)| (*key, *name)).collect();
    let env: Env = names.into_iter().map(|(key, name)| (key, holder(board, name))).collect();
    walk(board.pool, board.units, board.graph, VERSIONS[plane], region, &env)
}

/// Nodes behind which an effect could go on, in their order: they use a value that has it, both versions can still run them, and what comes of it is not known.
pub(super) fn frontier(board: &Board<'_>, after: usize) -> Vec<usize> {
    let nodes = after + 1..board.flow.nodes();
    nodes
        .filter(|node| {
            (0..2).all(|plane| board.runs(plane, *node) != Some(false))
                && !is_passed(board, *node)
                && uses(board, *node)
        })
        .collect()
}

/// Edges that would bring an effect to a place where definitions meet, and that are not decided: an effect goes on there although nothing uses it.
pub(super) fn bringing(board: &Board<'_>, after: usize) -> Vec<(usize, usize)> {
    let mut found = vec![];
    for node in after + 1..=board.flow.nodes() {
        for edge in board.flow.sources(0, node) {
            let is_common = board.flow.sources(1, node).contains(edge);
            let status = [0, 1].map(|plane| board.leaves(plane, edge.0, edge.1));
            let is_open = !status.contains(&Some(false)) && status.contains(&None);
            let brings = |(key, _): &(Key, super::names::Name)| {
                let value = |plane| board.value(board.names.input(plane, edge.0, edge.1, *key)?);
                value(0).zip(value(1)).is_some_and(|(a, b)| !super::board::is_same(a, b))
            };
            if is_common && is_open && board.names.meets(0, node).iter().any(brings) {
                found.push(*edge);
            }
        }
    }
    found
}

/// Whether both versions are known to run a node, and all that they do there is known.
fn is_passed(board: &Board<'_>, node: usize) -> bool {
    (0..2).all(|plane| {
        let exits = 0..board.flow.targets(plane, node).len();
        let taken = { exits }.find(|exit| board.leaves(plane, node, *exit) == Some(true));
        let known =
            |exit| board.names.defined(plane, node, exit).values().all(|name| board.value(*name).is_some());
        board.runs(plane, node) == Some(true) && taken.is_some_and(known)
    })
}

/// Whether a node uses a value with an effect.
fn uses(board: &Board<'_>, node: usize) -> bool {
    let mut read = vec![];
    for plane in 0..2 {
        read.extend(board.exits(plane, node));
        for exit in 0..board.flow.targets(plane, node).len() {
            let keys = board.names.defined(plane, node, exit).keys();
            read.extend(keys.filter_map(|key| board.definition(plane, node, exit, *key)));
        }
    }
    let vars = board.pool.variables_of(&read);
    vars.into_iter().filter_map(|var| board.units.places.key(var)).any(|key| board.has_effect(node, key))
}

/// The end that a version is known to come to.
pub(super) fn end(board: &Board<'_>, plane: usize) -> Option<usize> {
    (board.flow.nodes()..board.flow.all()).find(|end| board.runs(plane, *end) == Some(true))
}

/// The ends that a version can still come to.
pub(super) fn possible_ends(board: &Board<'_>, plane: usize) -> Vec<usize> {
    let all = board.flow.nodes()..board.flow.all();
    let can = |end: &usize| {
        let kind = board.flow.ends.get(end - board.flow.nodes());
        board.runs(plane, *end) != Some(false) && kind != Some(&End::Beyond)
    };
    all.filter(can).collect()
}

/// The outputs of the program (POD) that are known to have an effect when both versions return.
pub(super) fn outputs(board: &Board<'_>) -> Vec<Key> {
    let end = board.flow.nodes();
    let exists = |key: &Key| match key {
        Key::Element(array, place) => {
            let length = board.names.at(0, 0).get(&Key::Length(*array)).and_then(|name| board.value(*name));
            matches!(length, Some(crate::value::Value::Int(length)) if i32::from(*place) < length)
        }
        _ => true,
    };
    board.names.at(0, end).keys().copied().filter(|key| board.has_effect(end, *key) && exists(key)).collect()
}

/// An output, or the end, at which an effect is known to be.
pub(super) fn seen(board: &Board<'_>) -> Option<String> {
    let (original, mutant) = (end(board, 0)?, end(board, 1)?);
    if original != mutant {
        return Some(format!("{} / {}", board.node_text(original), board.node_text(mutant)));
    }
    let key = outputs(board).into_iter().next().filter(|_| original == board.flow.nodes())?;
    let value =
        |plane: usize| board.value(*board.names.at(plane, original).get(&key)?).map(super::board::shown);
    Some(format!("{key} = {}/{} at the return", value(0)?, value(1)?))
}
