//! Symbolic execution of a part of the acyclic graph: all its paths at once, joined by choices where they meet.
//!
//! Knows where it begins and ends, not why. Invariant: over what the places hold at the beginning, the conditions under which it ends in one
//! way or another exclude one another, and together they always hold.

use crate::expr::{Expr, Pool};
use crate::refusal::Refusal;
use crate::state::{Env, Key};
use crate::units::{Units, Version};
use crate::unwound::{Next, Unwound};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A part of the graph: from the beginning of a node to the beginning of another, or to the end of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The node it begins with.
    pub from: usize,
    /// The node it ends before; none for the end of the method.
    pub to: Option<usize>,
}

/// How a part is left.
#[derive(Clone, Debug)]
pub struct Walked {
    /// At its end: under which condition, and with what in the places.
    pub at_end: (Expr, Env),
    /// To the caller.
    pub returned: (Expr, Env),
    /// By exceptions.
    pub thrown: BTreeMap<String, Expr>,
    /// Where nothing is looked at.
    pub beyond: Expr,
}

/// Runs a part of a version.
///
/// # Errors
/// When expressions get too large.
pub fn walk(
    pool: &mut Pool,
    units: &mut Units,
    graph: &Unwound,
    version: Version,
    region: Region,
    env: &Env,
) -> Result<Walked, Refusal> {
    let (always, never) = (pool.bool(true), pool.bool(false));
    let nothing = (never, Env::new());
    let mut walked =
        Walked { at_end: nothing.clone(), returned: nothing, thrown: BTreeMap::new(), beyond: never };
    let mut pending: BTreeMap<usize, Vec<(Expr, Env)>> = BTreeMap::new();
    let mut returned = vec![];
    pending.insert(region.from, vec![(always, env.clone())]);
    while let Some((number, arrivals)) = pending.pop_first() {
        let Some(node) = graph.nodes.get(number) else { continue };
        let (path, env) = meet(pool, units, arrivals, &node.live);
        if region.to == Some(number) {
            walked.at_end = (path, env);
            continue;
        }
        let mut made = FxHashMap::default();
        let unit = units.units.get(&node.unit).cloned();
        let exits = unit.as_ref().map(|unit| unit.exits(version)).unwrap_or_default();
        for (exit, next) in exits.iter().zip(node.next(version)) {
            let places = &units.places;
            let with = |var| places.key(var).and_then(|key| env.get(&key).copied());
            let when = pool.replace(exit.when, &with, &mut made);
            let when = pool.and(path, when);
            if when == never {
                continue;
            }
            match next {
                Next::Throw(class) => {
                    let before = walked.thrown.get(class).copied().unwrap_or(never);
                    walked.thrown.insert(class.clone(), pool.or(before, when));
                    continue;
                }
                Next::Beyond => {
                    walked.beyond = pool.or(walked.beyond, when);
                    continue;
                }
                Next::Node(_) | Next::Return => {}
            }
            let mut after = env.clone();
            for (key, expr) in &exit.defined {
                after.insert(*key, pool.replace(*expr, &with, &mut made));
            }
            match next {
                Next::Node(next) => pending.entry(*next).or_default().push((when, after)),
                _ => returned.push((when, after)),
            }
        }
        if pool.is_full() {
            return Err(Refusal::new("its expressions get too large"));
        }
    }
    let outputs = crate::unwound::outputs(units);
    walked.returned = meet(pool, units, returned, &outputs);
    Ok(walked)
}

/// What holds where ways meet. A place without an expression holds what it held at the beginning.
fn meet(pool: &mut Pool, units: &mut Units, arrivals: Vec<(Expr, Env)>, live: &BTreeSet<Key>) -> (Expr, Env) {
    let mut rest = arrivals.into_iter().rev();
    let Some((mut path, mut env)) = rest.next() else { return (pool.bool(false), Env::new()) };
    env.retain(|key, _| live.contains(key));
    for (when, other) in rest {
        let keys: BTreeSet<Key> =
            env.keys().chain(other.keys()).copied().filter(|k| live.contains(k)).collect();
        for key in keys {
            let (mine, others) = (env.get(&key).copied(), other.get(&key).copied());
            let Some(some) = mine.or(others) else { continue };
            let var = units.places.var(pool, key, pool.sort(some));
            let before = pool.var(var);
            let joined = pool.ite(when, others.unwrap_or(before), mine.unwrap_or(before));
            env.insert(key, joined);
        }
        path = pool.or(path, when);
    }
    (path, env)
}
