//! The call of the use, given what the call of the definition was given: what is kept under a name or at a place is defined and used there.
//!
//! In: the tests of a definition and of a use, the first of them assembled. Out: one sequence. Knows nothing of plans. Invariant: what the two calls take alike is the same for both;
//! the rest is what the test of the use passes.

use super::mixed::{From, mixed, renamed};
use crate::slice::{self, Assembly, Kept};
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement};
use std::collections::BTreeMap;

/// Appends statement `usage` of the second test, with what it needs, on the object `a` of the first one in place of `b`; `names` are those of the first test's variables. None where
/// the calls take nothing alike, or are given the same.
pub(super) fn append(
    assembly: &mut Assembly,
    (first, definition, names): (&Sequence, u32, &BTreeMap<u32, u32>),
    (second, usage): (&Sequence, u32),
    (a, b): (u32, u32),
) -> Option<()> {
    let mut call = slice::at(second, usage)?.clone();
    let mixed = mixed(&call, slice::at(first, definition)?).filter(|mixed| differs(&call, mixed))?;
    let receiver = match &call.operation {
        Operation::Call { receiver, .. } => receiver.clone(),
        _ => None,
    };
    let own = mixed.iter().filter_map(From::own).chain(variable(receiver.as_ref()));
    let own: Kept = own.filter(|&index| index != b).collect();
    let mut before = slice::connected(second, &own, usage.checked_sub(1)?, Some(b));
    before.remove(&b);
    let before = slice::rebuilt(second, before, own, Some(b));
    let held = BTreeMap::from([(b, *names.get(&a)?)]);
    let own = assembly.append(second, &before, held);
    let given = mixed.into_iter().map(|from| from.renamed(&own, names)).collect::<Option<Vec<Arg>>>()?;
    match &mut call.operation {
        Operation::New { args, .. } => *args = given,
        Operation::Call { receiver, args, .. } => {
            *args = given;
            if let Some(on) = receiver {
                *on = renamed(on.clone(), &own)?;
            }
        }
        _ => return None,
    }
    assembly.sequence.statements.push(call);
    Some(())
}

/// Whether anything is given to a call that it was not given before.
fn differs(call: &Statement, mixed: &[From]) -> bool {
    let given = match &call.operation {
        Operation::New { args, .. } | Operation::Call { args, .. } => args.as_slice(),
        _ => &[],
    };
    mixed.iter().zip(given).any(|(from, arg)| match from {
        From::Other(Arg::Value(value)) => *arg != Arg::Value(value.clone()),
        From::Other(Arg::Var(_)) => true,
        From::Own(_) => false,
    })
}

fn variable(arg: Option<&Arg>) -> Option<u32> {
    match arg {
        Some(Arg::Var(index)) => Some(*index),
        Some(Arg::Value(_)) | None => None,
    }
}
