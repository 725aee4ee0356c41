//! Arrays in sequences: those of objects that lose elements become shorter, as an empty place holds null, and what fills one can stand together, as an
//! initialiser does. Knows nothing of what elements are.
//!
//! Invariant: places that a sequence leaves empty stay empty, and no others become so; a statement stays behind those that it mentions.

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

/// The sequence with each array made and filled at one place, after what makes its elements and before the first other statement that mentions it.
pub(crate) fn gathered(sequence: &Sequence) -> Sequence {
    let mut gathered = sequence.clone();
    for array in (0..sequence.statements.len()).rev() {
        if let Some((filling, before)) = scattered(&gathered, array) {
            let is_moved = |at: &usize| filling.contains(at);
            let count = gathered.statements.len();
            let (head, tail) = ((0..before).filter(|at| !is_moved(at)), before..count);
            let order: Vec<usize> = head.chain(filling.iter().copied()).chain(tail).collect();
            gathered = reordered(&gathered, &order);
        }
    }
    gathered
}

/// The statements that make and fill an array, and the first other one that mentions it, where something stands between the former.
fn scattered(sequence: &Sequence, array: usize) -> Option<(Vec<usize>, usize)> {
    let variable = Arg::Var(u32::try_from(array).ok()?);
    let made = sequence.statements.get(array)?;
    if !matches!(made.operation, Operation::NewArray { .. }) {
        return None;
    }
    let mut filling = vec![array];
    for (at, statement) in sequence.statements.iter().enumerate().skip(array + 1) {
        match &statement.operation {
            Operation::ArrayStore { array: into, value, .. } if *into == variable && *value != variable => {
                filling.push(at);
            }
            other if other.args().contains(&&variable) => {
                let is_scattered = filling.last().is_some_and(|last| last - array >= filling.len());
                return is_scattered.then_some((filling, at));
            }
            _ => {}
        }
    }
    None
}

/// The statements in another order, in which each still stands behind those that it mentions.
fn reordered(sequence: &Sequence, order: &[usize]) -> Sequence {
    let place =
        |old: u32| order.iter().position(|at| *at == old as usize).and_then(|new| u32::try_from(new).ok());
    let statement = |at: &usize| {
        let mut statement = sequence.statements.get(*at)?.clone();
        for arg in statement.operation.args_mut() {
            if let Arg::Var(index) = arg {
                *index = place(*index)?;
            }
        }
        Some(statement)
    };
    // Without a place for something that is mentioned nothing is changed.
    let statements: Option<Vec<_>> = order.iter().map(statement).collect();
    statements.map_or_else(|| sequence.clone(), |statements| Sequence { statements })
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::check::check;
    use crate::types::Types;
    use dynaflow_model::sequence::{Statement, Value};
    use dynaflow_model::sites::{CallKind, MethodRef};

    fn made() -> (Operation, &'static str) {
        let constructor = MethodRef { owner: "a.A".into(), name: "<init>".into(), descriptor: "()V".into() };
        (Operation::New { constructor, args: vec![] }, "La/A;")
    }

    pub(crate) fn array(length: u32) -> (Operation, &'static str) {
        (Operation::NewArray { descriptor: "[La/A;".into(), length }, "[La/A;")
    }

    fn store(array: u32, index: u32, value: u32) -> (Operation, &'static str) {
        (Operation::ArrayStore { array: Arg::Var(array), index, value: Arg::Var(value) }, "V")
    }

    pub(crate) fn pass(arg: u32) -> (Operation, &'static str) {
        let method = MethodRef { owner: "a.A".into(), name: "take".into(), descriptor: "([La/A;)V".into() };
        let args = vec![Arg::Var(arg)];
        (Operation::Call { method, kind: CallKind::Static, receiver: None, args }, "V")
    }

    pub(crate) fn sequence(operations: Vec<(Operation, &str)>) -> Sequence {
        let statement = |(operation, result): (Operation, &str)| Statement {
            operation,
            result: result.to_owned(),
            runtime_class: None,
            caught: None,
        };
        Sequence { statements: operations.into_iter().map(statement).collect() }
    }

    #[test]
    fn what_fills_an_array_stands_together_behind_what_makes_its_elements() {
        let scattered = sequence(vec![
            array(2),
            made(),
            store(0, 0, 1),
            made(),
            store(0, 1, 3),
            made(),
            pass(0),
            store(0, 0, 3),
        ]);
        let expected = sequence(vec![
            made(),
            made(),
            made(),
            array(2),
            store(3, 0, 0),
            store(3, 1, 1),
            pass(3),
            store(3, 0, 1),
        ]);
        assert_eq!(gathered(&scattered), expected);
        assert_eq!(gathered(&expected), expected);
        check(&expected, &Types::default()).unwrap();
    }

    #[test]
    fn two_arrays_of_which_one_holds_elements_of_the_other_stay_in_order() {
        let both =
            sequence(vec![array(1), array(1), made(), store(1, 0, 2), store(0, 0, 2), pass(1), pass(0)]);
        let found = gathered(&both);
        check(&found, &Types::default()).unwrap();
        let expected =
            sequence(vec![made(), array(1), store(1, 0, 0), pass(1), array(1), store(4, 0, 0), pass(4)]);
        assert_eq!(found, expected);
    }

    #[test]
    fn an_array_that_nothing_else_mentions_or_that_holds_itself_stays() {
        let alone = sequence(vec![array(1), made(), store(0, 0, 1)]);
        assert_eq!(gathered(&alone), alone);
        let own = sequence(vec![array(1), made(), store(0, 0, 0), pass(0)]);
        assert_eq!(gathered(&own), own);
        let literal = Operation::ArrayStore { array: Arg::Var(0), index: 0, value: Arg::Value(Value::Null) };
        let filled = sequence(vec![array(1), (literal, "V"), made(), pass(0)]);
        assert_eq!(gathered(&filled), filled, "it stands together");
    }
}
