//! A run of a method with given arguments by our own rules, without solver and without JVM: what a solution is held against before it is believed.
//!
//! Knows no search. Invariant: what it gives is what the expressions of the taken path evaluate to.

use crate::expr::Var;
use crate::problem::{Argument, Problem};
use crate::state::Key;
use crate::units::{Parameter, Version};
use crate::unwound::{Next, outputs};
use crate::value::{Binary, Sort, Value, binary};
use std::collections::BTreeMap;

/// How a run ends, as a caller sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It returns: by place, the result and what arrays hold.
    Returned(BTreeMap<Key, Value>),
    /// By an exception of this class.
    Thrown(String),
    /// It goes beyond the bounds, or does what has no value.
    Unknown,
}

/// Runs a version with these arguments, which are in the order of the parameters. Linear in the length of the run.
pub fn run(problem: &Problem, version: Version, arguments: &[Argument]) -> Ended {
    let Some(mut holds) = entry(problem, arguments) else { return Ended::Unknown };
    let mut node = 0;
    loop {
        let Some(at) = problem.graph.nodes.get(node) else { return Ended::Unknown };
        let exits = problem.units.units.get(&at.unit).map(|unit| unit.exits(version)).unwrap_or_default();
        let known = |var: Var| holds.get(&problem.units.places.key(var)?).copied();
        let is_taken = |when| problem.pool.eval(when, known) == Some(Value::Bool(true));
        let Some(exit) = exits.iter().position(|exit| is_taken(exit.when)) else { return Ended::Unknown };
        let mut after = holds.clone();
        for (key, expr) in exits.get(exit).map(|exit| &exit.defined).into_iter().flatten() {
            match problem.pool.eval(*expr, known) {
                Some(value) => drop(after.insert(*key, value)),
                None => drop(after.remove(key)),
            }
        }
        holds = after;
        match at.next(version).get(exit) {
            Some(Next::Node(next)) => node = *next,
            Some(Next::Throw(class)) => return Ended::Thrown(class.clone()),
            Some(Next::Return) => return returned(problem, &holds),
            Some(Next::Beyond) | None => return Ended::Unknown,
        }
    }
}

/// Whether the two versions are known to end differently with these arguments.
pub fn is_killed(problem: &Problem, arguments: &[Argument]) -> bool {
    let ends = (run(problem, Version::Original, arguments), run(problem, Version::Mutant, arguments));
    match ends {
        (Ended::Unknown, _) | (_, Ended::Unknown) => false,
        (Ended::Returned(a), Ended::Returned(b)) => {
            let is_same = |key: &Key| match (a.get(key), b.get(key)) {
                (Some(a), Some(b)) => is_equal(*a, *b),
                (a, b) => a == b,
            };
            !a.keys().chain(b.keys()).all(is_same)
        }
        (a, b) => a != b,
    }
}

/// Equal as an assertion of a test sees it.
fn is_equal(a: Value, b: Value) -> bool {
    let is_nan = |value| binary(Binary::Eq, value, value) == Some(Value::Bool(false));
    binary(Binary::Eq, a, b) == Some(Value::Bool(true)) || (is_nan(a) && is_nan(b))
}

/// What places hold at the entry; none where arguments do not fit the parameters, or lie beyond the bounds.
fn entry(problem: &Problem, arguments: &[Argument]) -> Option<BTreeMap<Key, Value>> {
    let parameters = &problem.units.parameters;
    (parameters.len() == arguments.len()).then_some(())?;
    let mut holds = BTreeMap::new();
    for (parameter, argument) in parameters.iter().zip(arguments) {
        match (parameter, argument) {
            (Parameter::Number(_, key), Argument::Number(_, value)) => drop(holds.insert(*key, *value)),
            (Parameter::Array(letter, array), Argument::Array(_, values)) => {
                let length = values.as_ref().map_or(0, Vec::len);
                let length = u16::try_from(length).ok().filter(|n| *n <= problem.units.bounds.elements)?;
                holds.insert(Key::Length(*array), Value::Int(length.into()));
                holds.insert(Key::IsNull(*array), Value::Bool(values.is_none()));
                let sort = crate::state::sort_of(*letter).unwrap_or(Sort::Int);
                for place in 0..problem.units.bounds.elements {
                    let given = values.as_ref().and_then(|values| values.get(usize::from(place)));
                    let value = given.copied().unwrap_or(Value::small(sort, 0));
                    holds.insert(Key::Element(*array, place), value);
                }
            }
            _ => return None,
        }
    }
    Some(holds)
}

fn returned(problem: &Problem, holds: &BTreeMap<Key, Value>) -> Ended {
    let exists = |key: &Key| match key {
        Key::Element(array, place) => {
            matches!(holds.get(&Key::Length(*array)), Some(Value::Int(length)) if i32::from(*place) < *length)
        }
        _ => true,
    };
    let seen = outputs(&problem.units).into_iter().filter(exists);
    let values = seen.filter_map(|key| Some((key, *holds.get(&key)?)));
    Ended::Returned(values.collect())
}
