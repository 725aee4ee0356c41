//! Arrays that a test and the program share, as the test handed one in or got it: what writes into one shows whether the program kept a copy.
//!
//! It knows statements alone. Invariant: an array is shared from the statement on that hands it over.

use crate::slice::{self, Kept};
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement};

/// An array that is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Handed {
    /// Its variable.
    pub(crate) array: u32,
    /// The descriptor of its elements.
    pub(crate) component: String,
    /// How many it has, where the test made it.
    pub(crate) length: Option<u32>,
    /// The first statement that hands it over.
    pub(crate) at: u32,
}

/// The arrays of a sequence that a call gave or was given; those without elements are left out.
pub(crate) fn arrays(sequence: &Sequence) -> Vec<Handed> {
    let statements = (0u32..).zip(&sequence.statements);
    statements.filter_map(|(array, statement)| handed(sequence, array, statement)).collect()
}

/// Whether a value may hold an array, as a call had both. What then is put into the array holds itself: hardly a method ends on such a
/// thing, and nobody makes one.
pub(crate) fn may_hold(sequence: &Sequence, value: &Arg, array: u32) -> bool {
    let last = u32::try_from(sequence.statements.len()).unwrap_or(u32::MAX);
    let around = slice::connected(sequence, &Kept::from([array]), last, None);
    matches!(value, Arg::Var(index) if around.contains(index))
}

fn handed(sequence: &Sequence, array: u32, statement: &Statement) -> Option<Handed> {
    let component = descriptor::component(&statement.result)?.to_owned();
    let (length, at) = match statement.operation {
        Operation::NewArray { length: 0, .. } => return None,
        Operation::NewArray { length, .. } => {
            let gets = |other: &Statement| {
                let is_call = matches!(other.operation, Operation::New { .. } | Operation::Call { .. });
                is_call && other.operation.args().contains(&&Arg::Var(array))
            };
            let at = sequence.statements.iter().position(gets)?;
            (Some(length), u32::try_from(at).ok()?)
        }
        Operation::Call { .. } => (None, array),
        _ => return None,
    };
    Some(Handed { array, component, length, at })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::tests::{array, pass, sequence};
    use dynaflow_model::sequence::Value;
    use dynaflow_model::sites::{CallKind, MethodRef};

    #[test]
    fn arrays_are_shared_from_the_call_on_that_gives_or_gets_them() {
        let method = MethodRef { owner: "a.A".into(), name: "give".into(), descriptor: "()[I".into() };
        let given = Operation::Call { method, kind: CallKind::Static, receiver: None, args: vec![] };
        let all = sequence(vec![array(2), array(0), array(3), pass(1), pass(2), (given, "[I")]);
        let of =
            |array, component: &str, length, at| Handed { array, component: component.into(), length, at };
        assert_eq!(arrays(&all), [of(2, "La/A;", Some(3), 4), of(5, "I", None, 5)]);
    }

    #[test]
    fn what_a_call_had_together_with_an_array_may_hold_it() {
        let all = sequence(vec![array(2), array(2), pass(0)]);
        let may_hold = |value: Arg| super::may_hold(&all, &value, 0);
        assert!(may_hold(Arg::Var(2)) && may_hold(Arg::Var(0)), "the result of the call, and itself");
        assert!(!may_hold(Arg::Var(1)) && !may_hold(Arg::Value(Value::Null)));
    }
}
