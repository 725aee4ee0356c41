//! Arrays that a test and the program share, as the test handed one in or got it: what writes into one shows whether the program kept a copy.
//!
//! It knows statements alone. Invariant: an array is shared from the statement on that hands it over.

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
    use dynaflow_model::sites::{CallKind, MethodRef};

    fn sequence(operations: Vec<(Operation, &str)>) -> Sequence {
        let statement = |(operation, result): (Operation, &str)| Statement {
            operation,
            result: result.to_owned(),
            runtime_class: None,
        };
        Sequence { statements: operations.into_iter().map(statement).collect() }
    }

    fn call(name: &str, descriptor: &str, args: Vec<Arg>) -> Operation {
        let method = MethodRef { owner: "a.A".into(), name: name.into(), descriptor: descriptor.into() };
        Operation::Call { method, kind: CallKind::Static, receiver: None, args }
    }

    #[test]
    fn arrays_are_shared_from_the_call_on_that_gives_or_gets_them() {
        let made = |length| (Operation::NewArray { descriptor: "[I".into(), length }, "[I");
        let sequence = sequence(vec![
            made(2),
            made(0),
            made(3),
            (call("take", "([I)V", vec![Arg::Var(1)]), "V"),
            (call("take", "([I)V", vec![Arg::Var(2)]), "V"),
            (call("give", "()[La/A;", vec![]), "[La/A;"),
        ]);
        let of =
            |array, component: &str, length, at| Handed { array, component: component.into(), length, at };
        assert_eq!(arrays(&sequence), [of(2, "I", Some(3), 4), of(5, "La/A;", None, 5)]);
    }
}
