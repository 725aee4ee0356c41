//! Which statements of a test have nothing to do with the program: calls of the JDK on what only the JDK gave.
//!
//! Knows nothing of workers. Invariant: an object is the JDK's own until a statement that is not gets hold of it, so that what a list of the
//! test answers counts again once the program may have changed it.

use dynaflow_model::sequence::{Arg, Operation, Sequence};
use std::collections::BTreeSet;

/// Those statements. What they give is asserted of the JDK, and nothing the program does can change it.
///
/// O(the arguments of all statements).
pub fn foreign(sequence: &Sequence) -> BTreeSet<u32> {
    let mut own: BTreeSet<u32> = BTreeSet::new();
    let mut foreign = BTreeSet::new();
    for (index, statement) in (0u32..).zip(&sequence.statements) {
        let variables: Vec<u32> = statement.operation.args().into_iter().filter_map(variable).collect();
        if owner(&statement.operation).is_some_and(is_of_jdk) && variables.iter().all(|v| own.contains(v)) {
            own.insert(index);
            foreign.insert(index);
        } else {
            variables.iter().for_each(|variable| {
                own.remove(variable);
            });
        }
    }
    foreign
}

fn variable(arg: &Arg) -> Option<u32> {
    match arg {
        Arg::Var(index) => Some(*index),
        Arg::Value(_) => None,
    }
}

/// The class whose code a statement runs; none for what the test does itself.
fn owner(operation: &Operation) -> Option<&str> {
    match operation {
        Operation::New { constructor, .. } => Some(&constructor.owner),
        Operation::Call { method, .. } => Some(&method.owner),
        Operation::GetStatic(field) => Some(&field.owner),
        _ => None,
    }
}

fn is_of_jdk(class: &str) -> bool {
    class.starts_with("java.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sequence::{Statement, Value};
    use dynaflow_model::sites::{CallKind, MethodRef};

    fn method(owner: &str, name: &str) -> MethodRef {
        MethodRef { owner: owner.into(), name: name.into(), descriptor: "()V".into() }
    }

    fn call(owner: &str, name: &str, on: Option<u32>, args: Vec<Arg>) -> Operation {
        let (kind, receiver) = match on {
            Some(on) => (CallKind::Virtual, Some(Arg::Var(on))),
            None => (CallKind::Static, None),
        };
        Operation::Call { method: method(owner, name), kind, receiver, args }
    }

    fn of(operations: Vec<Operation>) -> Vec<u32> {
        let statement =
            |operation| Statement { operation, result: "V".into(), runtime_class: None, caught: None };
        let statements = operations.into_iter().map(statement).collect();
        foreign(&Sequence { statements }).into_iter().collect()
    }

    #[test]
    fn what_the_jdk_makes_of_literals_is_foreign_and_what_the_program_does_with_it_is_not() {
        let seconds = call("java.time.Duration", "ofSeconds", None, vec![Arg::Value(Value::Long(42))]);
        let doubled = call("java.time.Duration", "multipliedBy", Some(0), vec![Arg::Value(Value::Long(2))]);
        let refill = call("a.Refill", "greedy", None, vec![Arg::Var(1)]);
        let period = call("a.Refill", "period", Some(2), vec![]);
        let negated = call("java.time.Duration", "negated", Some(3), vec![]);
        assert_eq!(of(vec![seconds, doubled, refill, period, negated]), [0, 1]);
    }

    #[test]
    fn a_list_of_the_test_is_no_longer_foreign_once_the_program_was_given_it() {
        let made = Operation::New { constructor: method("java.util.ArrayList", "<init>"), args: vec![] };
        let add = call("java.util.List", "add", Some(0), vec![Arg::Value(Value::Int(1))]);
        let given = call("a.Box", "keep", None, vec![Arg::Var(0)]);
        let size = call("java.util.List", "size", Some(0), vec![]);
        assert_eq!(of(vec![made, add, given, size]), [0, 1]);
    }
}
