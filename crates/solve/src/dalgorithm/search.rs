//! The search for one excited node: excitation, propagation and justification as decisions that are taken back when they lead to a conflict
//! (sections IV.B.2 to IV.B.6 of the paper).
//!
//! Knows one copy of the mutated statement. Invariants: it tries a stated number of solutions of a query and takes back a stated number of
//! decisions at most; a test that it gives was run by our own rules and ends differently.

use super::board::{Board, Cell, Conflict, shown};
use super::effect::{self, Way};
use super::imply::imply;
use super::justify::{Unjustified, parameters, surrounded, unjustified};
use super::steps::Steps;
use crate::expr::{Expr, Model, Var};
use crate::refusal::Refusal;
use crate::solver::{Solved, Solver};
use rustc_hash::FxHashMap;

/// How much is tried for a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Solutions of one query, before it is taken for a conflict (the paper: 3 to 5).
    pub solutions: usize,
    /// Decisions taken back.
    pub backtracks: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { solutions: 4, backtracks: 60 }
    }
}

/// What holds for the whole of a mutant.
pub(super) struct Effort<'s> {
    pub solver: &'s mut Solver,
    pub limits: Limits,
    /// Decisions taken back so far.
    pub backtracks: usize,
    /// Why something was left out that could hold a test.
    pub unknown: Option<String>,
    pub steps: &'s mut Steps,
}

/// What a part of the search came to.
pub(super) enum Found {
    /// The values of the parameters by variable.
    Model(Model),
    /// Nothing.
    Nothing,
    /// Nothing, and the reason is that in no run to the node the versions can part there.
    Never,
}

impl Effort<'_> {
    pub(super) fn is_over(&self) -> bool {
        self.backtracks >= self.limits.backtracks
    }

    fn back(&mut self, board: &mut Board<'_>, mark: usize, why: &str) {
        self.backtracks += 1;
        self.steps.say(format!("backtrack: {why}"));
        board.back(mark);
    }

    /// Assumes something with all that follows; takes it back on a conflict.
    fn assume(
        &mut self,
        board: &mut Board<'_>,
        assume: impl FnOnce(&mut Board<'_>) -> Result<(), Conflict>,
    ) -> Option<usize> {
        let mark = board.mark();
        match assume(board).and_then(|()| imply(board)) {
            Ok(()) => {
                self.steps.implied(board, mark);
                Some(mark)
            }
            Err(Conflict(why)) => {
                self.back(board, mark, &format!("conflict, {why}"));
                None
            }
        }
    }
}

/// Searches for a test by exciting the effect at a node: both versions run it, and until then they did the same.
///
/// # Errors
/// When expressions get too large.
pub(super) fn excite(board: &mut Board<'_>, effort: &mut Effort<'_>, node: usize) -> Result<Found, Refusal> {
    let entered = effort.assume(board, |board| board.set_runs(0, node, true));
    if entered.is_none() {
        return Ok(Found::Never);
    }
    match pass(board, effort, node, &[], "MEE")? {
        Found::Nothing if !effort.is_over() => {
            let condition = effect::ways(board, node)?.any(board);
            let query = Query::new(board, condition);
            let never = effort.solver.solve(board.pool, &query.conditions) == Solved::Unsat;
            Ok(if never { Found::Never } else { Found::Nothing })
        }
        found => Ok(found),
    }
}

/// Lets an effect leave the region of a node, in all its ways, and goes on from there.
fn pass(
    board: &mut Board<'_>,
    effort: &mut Effort<'_>,
    node: usize,
    tried: &[usize],
    what: &str,
) -> Result<Found, Refusal> {
    let ways = effect::ways(board, node)?.differ;
    let region = effect::region(board, node);
    let end = region.to.map_or("return".to_owned(), |to| to.to_string());
    for Way { key, condition } in ways {
        let place = key.map_or("the way out".to_owned(), |key| key.to_string());
        effort.steps.say(format!("{what}: region [{node},{end}), effect in {place}"));
        let mut query = Query::new(board, condition);
        while let Some(model) = query.next(board, effort) {
            let take = |board: &mut Board<'_>| {
                assign(board, &model)?;
                match (key, region.to) {
                    (Some(_), Some(to)) => (0..2).try_for_each(|plane| board.set_runs(plane, to, true)),
                    _ => Ok(()),
                }
            };
            let found = attempt(board, effort, take, |board, effort| propagate(board, effort, node, tried))?;
            if matches!(found, Found::Model(_)) || effort.is_over() {
                return Ok(found);
            }
        }
    }
    Ok(Found::Nothing)
}

/// Brings an effect to an output: through regions that use it, or to ends that differ.
fn propagate(
    board: &mut Board<'_>,
    effort: &mut Effort<'_>,
    after: usize,
    tried: &[usize],
) -> Result<Found, Refusal> {
    if let Some(seen) = effect::seen(board) {
        effort.steps.say(format!("effect at an output: {seen}"));
        return justify(board, effort);
    }
    for (plane, end) in ends(board) {
        effort.steps.say(format!("end: {}", board.text(Cell::Node(plane, end))));
        let both = effect::end(board, 0).is_none() && effect::end(board, 1).is_none();
        let come = |board: &mut Board<'_>| {
            board.set_runs(plane, end, true)?;
            if both { board.set_runs(1 - plane, end, true) } else { Ok(()) }
        };
        let found = attempt(board, effort, come, |board, effort| match effect::seen(board) {
            Some(_) => propagate(board, effort, after, tried),
            None => Ok(Found::Nothing),
        })?;
        if matches!(found, Found::Model(_)) || effort.is_over() {
            return Ok(found);
        }
    }
    for node in effect::frontier(board, after) {
        if tried.contains(&node) {
            continue;
        }
        let tried: Vec<usize> = tried.iter().copied().chain([node]).collect();
        let run = |board: &mut Board<'_>| (0..2).try_for_each(|plane| board.set_runs(plane, node, true));
        let found = attempt(board, effort, run, |board, effort| go_on(board, effort, node, &tried))?;
        if matches!(found, Found::Model(_)) || effort.is_over() {
            return Ok(found);
        }
    }
    for edge in effect::bringing(board, after) {
        effort.steps.say(format!("the effect along {}", board.text(Cell::Edge(0, edge.0, edge.1))));
        let take = |board: &mut Board<'_>| (0..2).try_for_each(|plane| board.set_leaves(plane, edge, true));
        let found = attempt(board, effort, take, |board, effort| propagate(board, effort, after, tried))?;
        if matches!(found, Found::Model(_)) || effort.is_over() {
            return Ok(found);
        }
    }
    Ok(Found::Nothing)
}

/// Assumes something, and goes on; takes it back when that leads nowhere.
fn attempt(
    board: &mut Board<'_>,
    effort: &mut Effort<'_>,
    assume: impl FnOnce(&mut Board<'_>) -> Result<(), Conflict>,
    go_on: impl FnOnce(&mut Board<'_>, &mut Effort<'_>) -> Result<Found, Refusal>,
) -> Result<Found, Refusal> {
    let Some(mark) = effort.assume(board, assume) else { return Ok(Found::Nothing) };
    effort.steps.deeper();
    let found = go_on(board, effort)?;
    effort.steps.up();
    if !matches!(found, Found::Model(_)) {
        effort.back(board, mark, "nothing further from there");
    }
    Ok(found)
}

/// Behind a node that uses an effect and is now run: what follows may be enough, or its region is asked about.
fn go_on(
    board: &mut Board<'_>,
    effort: &mut Effort<'_>,
    node: usize,
    tried: &[usize],
) -> Result<Found, Refusal> {
    effort.steps.say(format!("MEP: through the use at {node}"));
    effort.steps.deeper();
    let is_known = effect::seen(board).is_some() || !effect::frontier(board, node - 1).contains(&node);
    let found = if is_known {
        propagate(board, effort, node, tried)?
    } else {
        pass(board, effort, node, tried, "MEP")?
    };
    effort.steps.up();
    Ok(found)
}

/// Ends that are worth assuming: the return where an output has an effect, or another end than the one that the other version has come to.
fn ends(board: &Board<'_>) -> Vec<(usize, usize)> {
    match (effect::end(board, 0), effect::end(board, 1)) {
        (None, None) if !effect::outputs(board).is_empty() => vec![(0, board.flow.nodes())],
        (Some(end), None) => {
            let others = effect::possible_ends(board, 1).into_iter().filter(|other| *other != end);
            others.map(|other| (1, other)).collect()
        }
        (None, Some(end)) => {
            let others = effect::possible_ends(board, 0).into_iter().filter(|other| *other != end);
            others.map(|other| (0, other)).collect()
        }
        _ => vec![],
    }
}

/// Finds reasons for everything that is assumed: first from where nodes are entered, then values, those that depend on each other together.
fn justify(board: &mut Board<'_>, effort: &mut Effort<'_>) -> Result<Found, Refusal> {
    let open = unjustified(board);
    effort.steps.unjustified(board, &open);
    let node = open.iter().find_map(|element| match element {
        Unjustified::Node(plane, node) => Some((*plane, *node)),
        Unjustified::Value(..) => None,
    });
    if let Some((plane, node)) = node {
        return enter(board, effort, plane, node);
    }
    let Some(Unjustified::Value(plane, node, expr, value)) = open.first().copied() else {
        return Ok(finish(board));
    };
    let expr = super::justify::named(board, plane, node, expr);
    let value = board.pool.value(value);
    let differ = board.pool.differ(expr, value);
    let seed = board.pool.not(differ);
    let mut query = Query::new(board, seed);
    while let Some(model) = query.next(board, effort) {
        let found = attempt(board, effort, |board| assign(board, &model), justify)?;
        if matches!(found, Found::Model(_)) || effort.is_over() {
            return Ok(found);
        }
    }
    Ok(Found::Nothing)
}

/// Justifies that a node is run: by each edge that can lead there.
fn enter(
    board: &mut Board<'_>,
    effort: &mut Effort<'_>,
    plane: usize,
    node: usize,
) -> Result<Found, Refusal> {
    let flow = board.flow;
    for edge in flow.sources(plane, node) {
        if board.leaves(plane, edge.0, edge.1).is_some() {
            continue;
        }
        effort.steps.say(format!("JUST: {}", board.text(Cell::Edge(plane, edge.0, edge.1))));
        let found = attempt(board, effort, |board| board.set_leaves(plane, *edge, true), justify)?;
        if matches!(found, Found::Model(_)) || effort.is_over() {
            return Ok(found);
        }
    }
    Ok(Found::Nothing)
}

/// The values of the parameters, by the variables that places have at the entry.
fn finish(board: &mut Board<'_>) -> Found {
    let known = parameters(board);
    let mut model = Model::new();
    for (key, value) in known {
        model.insert(board.units.places.var(board.pool, key, value.sort()), value);
    }
    Found::Model(model)
}

fn assign(board: &mut Board<'_>, model: &Model) -> Result<(), Conflict> {
    let named: Vec<_> =
        model.iter().filter_map(|(var, value)| Some((board.names.named(*var)?, *value))).collect();
    named.into_iter().try_for_each(|(name, value)| board.set(Cell::Name(name), value))
}

/// A query and the solutions that it gave already.
struct Query {
    conditions: Vec<Expr>,
    given: usize,
}

impl Query {
    /// A condition over names, with all that is assumed about the values in it.
    fn new(board: &mut Board<'_>, condition: Expr) -> Self {
        let conditions = surrounded(board, &[condition]);
        let mut with: FxHashMap<Var, Expr> = FxHashMap::default();
        for var in board.pool.variables_of(&conditions) {
            if let Some(value) = board.names.named(var).and_then(|name| board.value(name)) {
                with.insert(var, board.pool.value(value));
            }
        }
        let mut made = FxHashMap::default();
        let mut put_in = |expr| board.pool.replace(expr, &|var| with.get(&var).copied(), &mut made);
        Self { conditions: conditions.into_iter().map(&mut put_in).collect(), given: 0 }
    }

    /// The next solution, until there is none, too many were given, or it is not known.
    fn next(&mut self, board: &mut Board<'_>, effort: &mut Effort<'_>) -> Option<Model> {
        if self.given == effort.limits.solutions {
            effort.unknown.get_or_insert_with(|| "more solutions of a query were not tried".to_owned());
            return None;
        }
        match effort.solver.solve(board.pool, &self.conditions) {
            Solved::Sat(model) => {
                self.given += 1;
                let mut same = board.pool.bool(true);
                let mut said = vec![];
                for (var, value) in &model {
                    let (var, value) = (board.pool.var(*var), board.pool.value(*value));
                    let differ = board.pool.differ(var, value);
                    let equal = board.pool.not(differ);
                    same = board.pool.and(same, equal);
                }
                for (var, value) in &model {
                    if let Some(name) = board.names.named(*var) {
                        said.push(format!("{} = {}", board.text(Cell::Name(name)), shown(*value)));
                    }
                }
                effort.steps.say(format!("solved: {}", said.join(", ")));
                let other = board.pool.not(same);
                self.conditions.push(other);
                Some(model)
            }
            Solved::Unsat => {
                effort.steps.say("solved: no".to_owned());
                None
            }
            Solved::Unknown(why) => {
                effort.steps.say(format!("solved: not known, {why}"));
                effort.unknown = Some(why);
                None
            }
        }
    }
}
