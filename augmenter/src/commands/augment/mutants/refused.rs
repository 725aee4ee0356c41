//! What the program refused somewhere, tried with its other methods: code checks at the start of many methods what it checks in one, and no test passes there what it
//! refuses, or asks for it too late.
//!
//! In: sequences whose last call was refused, and calls that reach mutants nobody notices. Out: sequences that end with such a call in the state, or with the
//! arguments, that was refused. Knows nothing of what comes of it. Invariant: each place that refuses has one sequence, the shortest until then, the first of several;
//! each method is tried once for each place.

use dynaflow_model::outcome::{StackFrame, Thrown};
use dynaflow_model::sequence::{Operation, Sequence};
use dynaflow_model::sites::MethodRef;
use dynaflow_search::called_instead;
use std::collections::{BTreeMap, BTreeSet};

/// Where calls were refused, each with a sequence that ends there.
#[derive(Debug, Default)]
pub struct Refused {
    shortest: BTreeMap<StackFrame, Sequence>,
    tried: BTreeSet<(MethodRef, StackFrame)>,
}

impl Refused {
    /// A sequence ended so.
    pub fn saw(&mut self, sequence: &Sequence, thrown: &Thrown) {
        let Some(place) = thrown.raised_in.first() else { return };
        let best = self.shortest.entry(place.clone()).or_insert_with(|| sequence.clone());
        if sequence.statements.len() < best.statements.len() {
            best.clone_from(sequence);
        }
    }

    /// Sequences that end with these calls where another one was refused, as far as that is new. Takes time in proportion to the number of both.
    pub fn elsewhere<'a>(&mut self, calls: impl Iterator<Item = (&'a Sequence, u32)>) -> Vec<Sequence> {
        let mut found = vec![];
        for (sequence, at) in calls {
            let operation = sequence.statements.get(at as usize).map(|statement| &statement.operation);
            let Some(Operation::Call { method, .. }) = operation else { continue };
            for (place, refused) in &self.shortest {
                if self.tried.insert((method.clone(), place.clone())) {
                    found.extend(called_instead(refused, sequence, at));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sequence::{Arg, Statement, Value};
    use dynaflow_model::sites::CallKind;

    /// A door, then calls on it with a number.
    fn door(calls: &[(&str, i32)]) -> Sequence {
        let method = |name: &str, descriptor: &str| MethodRef {
            owner: "a.Door".into(),
            name: name.into(),
            descriptor: descriptor.into(),
        };
        let made = Operation::New { constructor: method("<init>", "()V"), args: vec![] };
        let call = |(name, number): &(&str, i32)| Operation::Call {
            method: method(name, "(I)V"),
            kind: CallKind::Virtual,
            receiver: Some(Arg::Var(0)),
            args: vec![Arg::Value(Value::Int(*number))],
        };
        let operations = std::iter::once(made).chain(calls.iter().map(call));
        let statement =
            |operation| Statement { operation, result: "V".into(), runtime_class: None, caught: None };
        Sequence { statements: operations.map(statement).collect() }
    }

    fn thrown(method: &str) -> Thrown {
        let frame = StackFrame { class: "a.Door".into(), method: method.into(), line: Some(7) };
        Thrown {
            statement: 0,
            class: "a.Refused".into(),
            superclasses: vec![],
            message: None,
            declared: false,
            on_purpose: true,
            raised_in: vec![frame],
        }
    }

    #[test]
    fn each_call_is_tried_once_in_the_shortest_sequence_that_each_place_refused() {
        let mut refused = Refused::default();
        refused.saw(&door(&[("turn", 1), ("turn", 2), ("open", 9)]), &thrown("check"));
        refused.saw(&door(&[("turn", 2), ("open", 8)]), &thrown("check"));
        let close = door(&[("close", 3)]);
        let found = refused.elsewhere([(&close, 1)].into_iter());
        let expected = [[("turn", 2), ("close", 3)], [("turn", 2), ("close", 8)]].map(|calls| door(&calls));
        assert_eq!(found, expected, "with what is passed to each of the two");
        assert_eq!(refused.elsewhere([(&close, 1)].into_iter()), [], "that was tried");
        refused.saw(&door(&[("lock", 1)]), &thrown("lock"));
        assert_eq!(
            refused.elsewhere([(&close, 1)].into_iter()),
            [door(&[("close", 3)]), door(&[("close", 1)])]
        );
        let own = door(&[("lock", 5)]);
        assert_eq!(refused.elsewhere([(&own, 1)].into_iter()).len(), 2, "the other place alone");
    }
}
