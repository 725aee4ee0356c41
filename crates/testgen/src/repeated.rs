//! A call that ends a test and that an assertion makes again: `engine.getParameters();` in front of `assertTrue(engine.getParameters().isSkip());`.
//!
//! Knows nothing of lines. Invariant: what is left out is the call of an inspector, whose result nothing else mentions, and the test makes it all the same.

use crate::request::TestCase;
use dynaflow_model::outcome::{Look, Observation, Observed};
use dynaflow_model::sequence::{Arg, Operation};

/// Takes the last call out of a test if an assertion begins with the same one.
pub(crate) fn leave_out(test: &mut TestCase) {
    if is_made_again(test).unwrap_or(false) {
        test.sequence.statements.pop();
        test.outcome.statements.pop();
    }
}

fn is_made_again(test: &TestCase) -> Option<bool> {
    let (sequence, outcome) = (&test.sequence, &test.outcome);
    let (last, statement) = sequence.statements.iter().enumerate().next_back()?;
    let Operation::Call { method, receiver: Some(Arg::Var(on)), args, .. } = &statement.operation else {
        return None;
    };
    // What it gave is asserted where it stands, unless it is an object of which nothing but that is known, or nothing of it was chosen.
    let gave = outcome.statements.get(last)?;
    let returned = outcome.thrown.is_none() && statement.caught.is_none();
    let is_bare = returned && matches!(gave, Observed::Object(_) | Observed::Void);
    let is_of_last = |seen: &Observation| {
        seen.path.variable as usize == last || seen.result == Observed::Same(last as u32)
    };
    let makes = |seen: &Observation| match seen.path.looks.as_slice() {
        [Look::Call { method: looked, args: given }, _, ..] => {
            seen.path.variable == *on
                && (&looked.name, &looked.descriptor) == (&method.name, &method.descriptor)
                && args.len() == given.len()
                && args.iter().zip(given).all(|(arg, given)| *arg == Arg::Value(given.clone()))
        }
        _ => false,
    };
    let seen = &outcome.observations;
    Some(is_bare && !seen.iter().any(is_of_last) && seen.iter().any(makes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Form;
    use dynaflow_model::outcome::{Outcome, Path};
    use dynaflow_model::sequence::{Sequence, Statement, Value};
    use dynaflow_model::sites::{CallKind, MethodRef};

    fn method(name: &str, descriptor: &str) -> MethodRef {
        MethodRef { owner: "a.Engine".into(), name: name.into(), descriptor: descriptor.into() }
    }

    fn statement(operation: Operation, result: &str) -> Statement {
        Statement { operation, result: result.into(), runtime_class: None, caught: None }
    }

    /// `new Engine()`, then `part(1)` of it.
    fn test(looks: &[Look], variable: u32, gave: Observed) -> TestCase {
        let made = Operation::New { constructor: method("<init>", "()V"), args: vec![] };
        let called = Operation::Call {
            method: method("part", "(I)La/Part;"),
            kind: CallKind::Virtual,
            receiver: Some(Arg::Var(0)),
            args: vec![Arg::Value(Value::Int(1))],
        };
        let statements = vec![statement(made, "La/Engine;"), statement(called, "La/Part;")];
        let path = Path { variable, looks: looks.to_vec() };
        let seen = Observation { path, result: Observed::Value(Value::Int(3)) };
        let outcome = Outcome {
            statements: vec![Observed::Object("a.Engine".into()), gave],
            observations: vec![seen],
            ..Outcome::default()
        };
        let sequence = Sequence { statements };
        TestCase { name_hint: None, comment: String::new(), sequence, outcome, form: Form::default() }
    }

    fn statements_left(mut test: TestCase) -> usize {
        leave_out(&mut test);
        assert_eq!(test.sequence.statements.len(), test.outcome.statements.len());
        test.sequence.statements.len()
    }

    fn part(index: i32) -> Look {
        Look::Call { method: method("part", "(I)La/Part;"), args: vec![Value::Int(index)] }
    }

    fn size() -> Look {
        Look::Call { method: method("size", "()I"), args: vec![] }
    }

    #[test]
    fn a_call_that_an_assertion_makes_again_is_left_out() {
        let object = || Observed::Object("a.Part".into());
        assert_eq!(statements_left(test(&[part(1), size()], 0, object())), 1);
        assert_eq!(
            statements_left(test(&[part(1), size()], 0, Observed::Void)),
            1,
            "nothing of it was chosen"
        );
    }

    #[test]
    fn a_call_stays_that_has_other_arguments_or_whose_result_is_asserted_or_looked_at() {
        let object = || Observed::Object("a.Part".into());
        assert_eq!(statements_left(test(&[part(2), size()], 0, object())), 2, "another argument");
        assert_eq!(
            statements_left(test(&[part(1)], 0, object())),
            2,
            "that it is there is asserted of the call"
        );
        assert_eq!(statements_left(test(&[size()], 0, object())), 2, "another call");
        assert_eq!(statements_left(test(&[part(1), size()], 1, object())), 2, "of what it gave");
        assert_eq!(
            statements_left(test(&[part(1), size()], 0, Observed::Value(Value::Null))),
            2,
            "what it gave is asserted"
        );
    }
}
