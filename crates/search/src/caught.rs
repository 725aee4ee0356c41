//! Sequences that go on after an exception, as a test does that expects one.
//!
//! In: a sequence and the exception that ended it. Out: the sequence whose test catches it and goes on. Knows nothing of whether a test should expect it.
//! Invariant: a call that is caught has no result, so that nothing after it needs one, and something stands after it.

use crate::slice::{gone, without};
use dynaflow_model::descriptor;
use dynaflow_model::outcome::Thrown;
use dynaflow_model::sequence::{Caught, Operation, Sequence};
use std::collections::BTreeSet;

/// The sequence that goes on after the exception, without what needs the result of the call that it left. None where nothing is left to go on with, where no
/// call was left, and for errors, after which nobody knows what state objects have.
pub(crate) fn going_on(sequence: &Sequence, thrown: &Thrown) -> Option<Sequence> {
    let (at, mut sequence) = (thrown.statement, sequence.clone());
    let left = sequence.statements.get_mut(at as usize)?;
    let is_call = matches!(left.operation, Operation::New { .. } | Operation::Call { .. });
    if !is_call || !thrown.is_a("java.lang.Exception") {
        return None;
    }
    left.caught = Some(Caught::from(thrown));
    "V".clone_into(&mut left.result);
    left.runtime_class = None;
    let mut needing = gone(&sequence, &BTreeSet::from([at]));
    needing.remove(&at);
    let rest = without(&sequence, &needing);
    (rest.statements.len() > at as usize + 1).then_some(rest)
}

/// A sequence whose last call was caught, ended by the exception instead, and which that is; none where its last call is not caught.
pub fn ending(sequence: &Sequence) -> Option<(Sequence, Caught)> {
    let mut sequence = sequence.clone();
    let last = sequence.statements.last_mut()?;
    let caught = last.caught.take()?;
    match &last.operation {
        Operation::New { constructor, .. } => last.result = descriptor::of_class(&constructor.owner),
        Operation::Call { method, .. } => descriptor::result(&method.descriptor).clone_into(&mut last.result),
        _ => {}
    }
    Some((sequence, caught))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sequence::{Arg, Statement};
    use dynaflow_model::sites::{CallKind, MethodRef};

    fn method(name: &str, descriptor: &str) -> MethodRef {
        MethodRef { owner: "a.Door".into(), name: name.into(), descriptor: descriptor.into() }
    }

    fn call(name: &str, descriptor: &str, on: u32, args: Vec<Arg>) -> Statement {
        let (kind, receiver) = (CallKind::Virtual, Some(Arg::Var(on)));
        let operation = Operation::Call { method: method(name, descriptor), kind, receiver, args };
        let result = descriptor::result(descriptor).to_owned();
        Statement { operation, result, runtime_class: None, caught: None }
    }

    /// A door, a key that it gives, a call with the key, one without.
    fn door() -> Sequence {
        let operation = Operation::New { constructor: method("<init>", "()V"), args: vec![] };
        let made = Statement { operation, result: "La/Door;".into(), runtime_class: None, caught: None };
        let key = call("key", "()La/Key;", 0, vec![]);
        let turn = call("turn", "(La/Key;)V", 0, vec![Arg::Var(1)]);
        Sequence { statements: vec![made, key, turn, call("open", "()Z", 0, vec![])] }
    }

    fn thrown(class: &str, above: &str, statement: u32) -> Thrown {
        Thrown {
            statement,
            class: class.into(),
            superclasses: vec![above.into()],
            message: None,
            declared: true,
            on_purpose: false,
            raised_in: vec![],
        }
    }

    #[test]
    fn a_sequence_goes_on_without_what_needs_the_result_of_the_call_that_was_left() {
        let refused = thrown("a.Locked", "java.lang.Exception", 1);
        let going = going_on(&door(), &refused).unwrap();
        let names: Vec<&str> = going.statements.iter().map(name).collect();
        assert_eq!(names, ["<init>", "key", "open"], "turn() needs the key");
        let (class, superclasses) = ("a.Locked".to_owned(), vec!["java.lang.Exception".to_owned()]);
        let caught = Caught { class, superclasses, declared: true };
        let key = &going.statements[1];
        assert_eq!((&key.caught, key.result.as_str()), (&Some(caught.clone()), "V"));
        assert_eq!(going.statements[2], door().statements[3]);
        let mut cut = going;
        cut.statements.pop();
        let (ended, by) = ending(&cut).unwrap();
        assert_eq!((&ended.statements[..], by), (&door().statements[..2], caught));
        assert_eq!(ending(&ended), None, "its last call is not caught");
    }

    #[test]
    fn nothing_goes_on_after_an_error_after_the_last_call_or_where_no_call_was_left() {
        let exception = |at| thrown("a.Locked", "java.lang.Exception", at);
        assert!(going_on(&door(), &exception(2)).is_some());
        assert_eq!(going_on(&door(), &exception(3)), None, "the last one");
        assert_eq!(going_on(&door(), &exception(9)), None);
        assert_eq!(going_on(&door(), &thrown("a.Broken", "java.lang.Error", 2)), None);
        assert_eq!(going_on(&door(), &thrown("java.lang.Error", "java.lang.Throwable", 2)), None);
        assert_eq!(going_on(&door(), &exception(0)), None, "all that follows needs the door");
        let mut array = door();
        array.statements[2].operation = Operation::NewArray { descriptor: "[I".into(), length: 1 };
        assert_eq!(going_on(&array, &exception(2)), None);
    }

    fn name(statement: &Statement) -> &str {
        match &statement.operation {
            Operation::New { constructor: method, .. } | Operation::Call { method, .. } => &method.name,
            _ => "",
        }
    }
}
