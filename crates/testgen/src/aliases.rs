//! One variable for one object: where statements gave an object that an earlier one had given, as fluent methods do, all mentions are of one.
//!
//! Calls that follow one another on the object, and nothing else, stay a chain. Knows nothing of lines. Invariant: a mention is of an earlier statement that gave the same
//! object, whose static type is at least as special as that of the one it was of.

use crate::request::TestCase;
use dynaflow_model::outcome::Observed;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement};
use dynaflow_search::Types;
use std::collections::BTreeMap;

/// Statements that gave an object again, each with the first that did.
pub(crate) type Aliases = BTreeMap<u32, u32>;

/// The test with all mentions of an object by one variable, and the statements that gave an object again.
pub(crate) fn rewritten(test: &TestCase, types: &Types) -> (TestCase, Aliases) {
    let mut test = test.clone();
    let aliases = aliases(&test.sequence, &test.outcome.same, types);
    let mut families: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (&alias, &first) in &aliases {
        families.entry(first).or_insert_with(|| vec![first]).push(alias);
    }
    for (first, family) in families {
        let is_chain = is_chain(&test, &family);
        let stands_for = |index: u32, before: u32| match family.contains(&index) {
            true if is_chain => {
                family.iter().rev().find(|member| **member < before).copied().unwrap_or(index)
            }
            true => first,
            false => index,
        };
        for (place, statement) in (0u32..).zip(&mut test.sequence.statements) {
            for arg in statement.operation.args_mut() {
                if let Arg::Var(index) = arg {
                    *index = stands_for(*index, place);
                }
            }
        }
        let seen = test.outcome.observations.iter_mut();
        let results = seen.flat_map(|seen| {
            seen.path.variable = stands_for(seen.path.variable, u32::MAX);
            [&mut seen.result]
        });
        for result in test.outcome.statements.iter_mut().chain(results) {
            if let Observed::Same(index) = result {
                *index = stands_for(*index, u32::MAX);
            }
        }
    }
    (test, aliases)
}

/// The sequence with all mentions of an object by the variable of the first statement that gave it, when these statements gave the `same` objects, each
/// with the first that did: as a test is written that has no chain. What such a test notices, one with chains notices as well.
pub fn one_variable_each(sequence: &Sequence, same: &BTreeMap<u32, u32>, types: &Types) -> Sequence {
    let aliases = aliases(sequence, same, types);
    let mut sequence = sequence.clone();
    for arg in sequence.statements.iter_mut().flat_map(|statement| statement.operation.args_mut()) {
        if let Arg::Var(index) = arg {
            *index = aliases.get(index).copied().unwrap_or(*index);
        }
    }
    sequence
}

/// The statements whose object the variable of the first that gave it can stand for.
fn aliases(sequence: &Sequence, same: &BTreeMap<u32, u32>, types: &Types) -> Aliases {
    let statement = |index: u32| sequence.statements.get(index as usize);
    let stands_for = |alias: u32, first: u32| -> Option<bool> {
        let (one, other) = (statement(first)?, statement(alias)?);
        Some(first < alias && !chooses_type(other, types) && types.assignable(&one.result, &other.result)?)
    };
    let all = same.iter().map(|(alias, first)| (*alias, *first));
    all.filter(|(alias, first)| stands_for(*alias, *first) == Some(true)).collect()
}

/// Whether the call gives the object other type arguments than it has.
fn chooses_type(statement: &Statement, types: &Types) -> bool {
    let Operation::Call { method, .. } = &statement.operation else { return false };
    types.declaration(method).is_some_and(|(_, declared)| !declared.type_parameters.is_empty())
}

/// Whether the object is mentioned by the calls that give it again alone, one after the other, and by one call on it behind them at most. What
/// is passed on reads better as a variable.
fn is_chain(test: &TestCase, family: &[u32]) -> bool {
    let is_own = |arg: &&Arg| matches!(arg, Arg::Var(index) if family.contains(index));
    let mut mentioned_by = vec![];
    for (place, statement) in (0u32..).zip(&test.sequence.statements) {
        let count = statement.operation.args().into_iter().filter(is_own).count();
        mentioned_by.extend(vec![place; count]);
    }
    let is_call_on = |place: &u32| {
        let statement = test.sequence.statements.get(*place as usize).map(|statement| &statement.operation);
        matches!(statement, Some(Operation::Call { receiver: Some(receiver), .. }) if is_own(&receiver))
    };
    let again = family.get(1..).unwrap_or_default();
    let is_shown = test.outcome.observations.iter().any(|seen| family.contains(&seen.path.variable));
    let results = test.outcome.observations.iter().map(|seen| &seen.result).chain(&test.outcome.statements);
    let mut compared =
        results.filter(|result| matches!(result, Observed::Same(index) if family.contains(index)));
    !is_shown
        && compared.next().is_none()
        && mentioned_by.starts_with(again)
        && mentioned_by.len() <= family.len()
        && mentioned_by.iter().all(is_call_on)
}
