//! The test of the use with its object made by the constructor of the definition.
//!
//! In: the tests of a definition that a constructor makes and of a use on an object that a constructor made. Out: one sequence. Knows nothing of
//! plans. Invariant: what the two constructors take alike is what the test of the use passes; the rest is what the test of the definition passes.

use super::mixed::{From, mixed};
use crate::slice::{self, Assembly, Kept};
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement};
use std::collections::BTreeMap;

/// The test of the use up to statement `usage`, its object `b` made as statement `definition` of the first test makes one; none where one of them is no
/// constructor, both are the same, or they take nothing alike.
pub(super) fn remade(
    (first, definition): (&Sequence, u32),
    (second, usage): (&Sequence, u32),
    b: u32,
) -> Option<Sequence> {
    let made = slice::at(first, definition)?;
    let mixed = of_both(made, slice::at(second, b)?)?;
    let own: Kept = mixed.iter().filter_map(From::own).collect();
    let before = definition.checked_sub(1).map(|last| slice::connected(first, &own, last, None));
    let before = slice::rebuilt(first, before.unwrap_or_default(), own, None);
    let kept = slice::state(second, usage, b);
    let mut assembly = Assembly::default();
    let of_first = assembly.append(first, &before, BTreeMap::new());
    let mut names = assembly.append(second, &kept.range(..b).copied().collect(), BTreeMap::new());
    let args = mixed.into_iter().map(|from| from.renamed(&of_first, &names));
    let mut made = made.clone();
    if let Operation::New { args: old, .. } = &mut made.operation {
        *old = args.collect::<Option<Vec<Arg>>>()?;
    }
    names.insert(b, assembly.next());
    assembly.sequence.statements.push(made);
    let rest: Kept = kept.range(b..).copied().filter(|&index| index != b).chain([usage]).collect();
    assembly.append(second, &rest, names);
    Some(assembly.sequence)
}

/// For each argument of the first constructor that of the second with the same type, which is the first such that is not taken yet, else its own.
fn of_both(first: &Statement, second: &Statement) -> Option<Vec<From>> {
    let (Operation::New { constructor, .. }, Operation::New { constructor: other, .. }) =
        (&first.operation, &second.operation)
    else {
        return None;
    };
    // Made with the same constructor from the same, it is what it was.
    (constructor != other).then(|| mixed(first, second))?
}
