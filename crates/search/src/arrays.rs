//! Arrays of objects that lose elements: they become shorter, as an empty place holds null. Knows nothing of what elements are.
//!
//! Invariant: places that a sequence leaves empty stay empty, and no others become so.

use crate::slice::{self, Kept};
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Arg, Operation, Sequence};
use std::collections::{BTreeMap, BTreeSet};

/// Whether the elements of an array type are references.
pub(crate) fn holds_objects(array: &str) -> bool {
    descriptor::component(array).is_some_and(|element| !descriptor::is_primitive(element))
}

/// The part of a sequence that stays when the given statements and all that need them are gone, where arrays of objects have no place any
/// more for what is not stored in them.
pub(crate) fn without(sequence: &Sequence, dropped: &Kept) -> Sequence {
    let gone = slice::gone(sequence, dropped);
    let mut shorter = sequence.clone();
    for (array, places) in emptied(sequence, &gone) {
        let removed = |below: u32| places.iter().filter(|place| **place < below).count();
        for statement in &mut shorter.statements {
            if let Operation::ArrayStore { array: Arg::Var(into), index, .. } = &mut statement.operation
                && *into == array
            {
                *index -= u32::try_from(removed(*index)).unwrap_or_default();
            }
        }
        let made = shorter.statements.get_mut(array as usize).map(|statement| &mut statement.operation);
        if let Some(Operation::NewArray { length, .. }) = made {
            *length -= u32::try_from(removed(*length)).unwrap_or_default();
        }
    }
    slice::without(&shorter, &gone)
}

/// By array of objects that stays, the places in it into which nothing is stored any more.
fn emptied(sequence: &Sequence, gone: &Kept) -> BTreeMap<u32, BTreeSet<u32>> {
    let is_of_objects = |array: u32| {
        let made = slice::at(sequence, array).map(|statement| &statement.operation);
        matches!(made, Some(Operation::NewArray { descriptor, .. }) if holds_objects(descriptor))
    };
    let mut emptied: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let mut filled: BTreeSet<(u32, u32)> = BTreeSet::new();
    for (at, statement) in (0u32..).zip(&sequence.statements) {
        let Operation::ArrayStore { array: Arg::Var(array), index, .. } = &statement.operation else {
            continue;
        };
        if !gone.contains(&at) {
            filled.insert((*array, *index));
        } else if is_of_objects(*array) && !gone.contains(array) {
            emptied.entry(*array).or_default().insert(*index);
        }
    }
    emptied.iter_mut().for_each(|(array, places)| places.retain(|place| !filled.contains(&(*array, *place))));
    emptied
}
