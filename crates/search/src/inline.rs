//! Values in place of the calls that gave them, where a test can write them down: what a call of the program needs is then in sight.
//!
//! Knows nothing of why. Invariant: no statement goes, and a variable is replaced only by what it held, where the types are the same.

use crate::ambient::is_ambient;
use dynaflow_model::descriptor;
use dynaflow_model::outcome::Observed;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use std::collections::BTreeMap;

/// The sequence with literals for arguments that are numbers, characters, truth values or texts which statements gave. `results` is what each statement gave
/// when it ran.
pub fn with_values(sequence: &Sequence, results: &[Observed]) -> Sequence {
    inlined(sequence, results, |statement, value| {
        let is_meant =
            descriptor::is_primitive(&statement.result) || statement.result == "Ljava/lang/String;";
        is_meant && *value != Value::Null
    })
}

/// The same with `null` for what a statement gave that is null, of whatever type: a getter that gives nothing need not be asked.
pub fn with_nulls(sequence: &Sequence, results: &[Observed]) -> Sequence {
    inlined(sequence, results, |_, value| *value == Value::Null)
}

/// The same for the numbers alone that the moment or chance gave: a test that passes what a clock shows is another one each time. A text, such as the name of a
/// folder, is right on this machine only.
pub fn with_moments(sequence: &Sequence, results: &[Observed]) -> Sequence {
    inlined(sequence, results, |statement, _| {
        let is_ambient = matches!(&statement.operation, Operation::Call { method, .. } if is_ambient(method));
        is_ambient && descriptor::is_primitive(&statement.result)
    })
}

/// The sequence with literals for what the statements gave that are meant.
fn inlined(
    sequence: &Sequence,
    results: &[Observed],
    is_meant: impl Fn(&Statement, &Value) -> bool,
) -> Sequence {
    let value = |(index, (statement, shown)): (u32, (&Statement, &Observed))| match shown {
        Observed::Value(value) if is_meant(statement, value) => {
            Some((index, (statement.result.clone(), value.clone())))
        }
        _ => None,
    };
    let known: BTreeMap<u32, (String, Value)> =
        (0..).zip(sequence.statements.iter().zip(results)).filter_map(value).collect();
    let mut changed = sequence.clone();
    for statement in &mut changed.statements {
        let (Operation::New { constructor: method, args } | Operation::Call { method, args, .. }) =
            &mut statement.operation
        else {
            continue;
        };
        for (arg, wanted) in args.iter_mut().zip(descriptor::parameters(&method.descriptor)) {
            let Arg::Var(index) = arg else { continue };
            if let Some((_, value)) = known.get(index).filter(|(result, _)| result == wanted) {
                *arg = Arg::Value(value.clone());
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sites::{CallKind, MethodRef};

    fn call(descriptor: &str, args: &[Arg]) -> Statement {
        let method = MethodRef { owner: "a.B".into(), name: "m".into(), descriptor: descriptor.into() };
        Statement {
            operation: Operation::Call {
                kind: CallKind::Static,
                method,
                receiver: None,
                args: args.to_vec(),
            },
            result: descriptor::result(descriptor).into(),
            runtime_class: None,
            caught: None,
        }
    }

    #[test]
    fn what_a_statement_gave_stands_where_it_is_used_unless_it_is_an_object_or_of_another_type() {
        let vars: Vec<Arg> = (0..5).map(Arg::Var).collect();
        let made = [call("()I", &[]), call("()Ljava/lang/String;", &[]), call("()Ljava/lang/Integer;", &[])];
        let more = [call("()Ljava/lang/String;", &[]), call("()I", &[])];
        let user = call("(ILjava/lang/String;Ljava/lang/Integer;Ljava/lang/String;J)V", &vars);
        let statements: Vec<Statement> = made.into_iter().chain(more).chain([user]).collect();
        let sequence = Sequence { statements: statements.clone() };
        let int = |n| Observed::Value(Value::Int(n));
        let text = Value::Str("x".into());
        let results = [int(7), Observed::Value(text.clone()), int(8), Observed::Value(Value::Null), int(9)];
        let changed = with_values(&sequence, &results);
        assert_eq!(changed.statements[..5], statements[..5]);
        let Operation::Call { args, .. } = &changed.statements[5].operation else { panic!("a call") };
        let expected = [Arg::Value(Value::Int(7)), Arg::Value(text), Arg::Var(2), Arg::Var(3), Arg::Var(4)];
        assert_eq!(args[..], expected, "an object, nothing, and a type of its own stay");
        let changed = with_nulls(&sequence, &results);
        let Operation::Call { args, .. } = &changed.statements[5].operation else { panic!("a call") };
        assert_eq!(args[3], Arg::Value(Value::Null));
        assert_eq!((&args[..3], &args[4]), (&vars[..3], &vars[4]), "nothing else");
    }

    #[test]
    fn what_a_clock_gave_stands_where_it_is_used_and_what_a_folder_is_called_does_not() {
        let system = |name: &str, descriptor: &str| {
            let mut statement = call(descriptor, &[]);
            if let Operation::Call { method, .. } = &mut statement.operation {
                (method.owner, method.name) = ("java.lang.System".into(), name.into());
            }
            statement
        };
        let made =
            [system("nanoTime", "()J"), system("getProperty", "()Ljava/lang/String;"), call("()J", &[])];
        let user = call("(JLjava/lang/String;J)V", &[Arg::Var(0), Arg::Var(1), Arg::Var(2)]);
        let sequence = Sequence { statements: made.into_iter().chain([user]).collect() };
        let results =
            [Value::Long(77), Value::Str("/home".into()), Value::Long(78)].map(Observed::Value).to_vec();
        let changed = with_moments(&sequence, &results);
        let Operation::Call { args, .. } = &changed.statements[3].operation else { panic!("a call") };
        assert_eq!(args[..], [Arg::Value(Value::Long(77)), Arg::Var(1), Arg::Var(2)]);
    }
}
