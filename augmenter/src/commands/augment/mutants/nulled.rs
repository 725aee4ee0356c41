//! Calls with null in place of an argument: null is what code refuses most often, and chance passes it seldom.
//!
//! In: sequences, and which classes are asked. Out: for each parameter of a reference type of each of their methods and constructors that is called, a sequence that
//! ends with a call which passes null there; for each such parameter of other constructors one that passes null there and goes on, as what is made so may be refused
//! later. Knows nothing of what comes of it. Invariant: each parameter has one sequence, of those it could be the shortest, the first of several; one that goes
//! on to what is asked is preferred.

use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::MethodRef;
use std::collections::BTreeMap;

const NULL: Arg = Arg::Value(Value::Null);

/// The statements of a sequence and which of them is given null.
type Given<'a> = (&'a [Statement], usize);

/// Whether nothing that is asked is called behind it, and its length.
type Rank = (bool, usize);

/// One parameter after the other with null passed for it, by method and place. Takes time in proportion to the arguments of all sequences.
pub fn nulled(sequences: &[Sequence], is_asked: impl Fn(&str) -> bool) -> Vec<Sequence> {
    let is_of_asked =
        |one: &Statement| call(&one.operation).is_some_and(|(method, _)| is_asked(&method.owner));
    let mut shortest: BTreeMap<(&MethodRef, usize), (Rank, Given)> = BTreeMap::new();
    for Sequence { statements } in sequences {
        let last_asked = statements.iter().rposition(is_of_asked);
        for (at, statement) in statements.iter().enumerate() {
            let Some((method, args)) = call(&statement.operation) else { continue };
            let ran = match &statement.operation {
                _ if is_asked(&method.owner) => statements.get(..=at).unwrap_or_default(),
                Operation::New { .. } => statements,
                _ => continue,
            };
            for (place, _) in args.iter().enumerate().filter(|(place, arg)| takes_null(method, *place, arg)) {
                let rank = (last_asked.is_none_or(|last| last < at), ran.len());
                let best = shortest.entry((method, place)).or_insert((rank, (ran, at)));
                if rank < best.0 {
                    *best = (rank, (ran, at));
                }
            }
        }
    }
    shortest.into_iter().map(|((_, place), (_, given))| with_null(given, place)).collect()
}

/// The method that is called, and its arguments.
fn call(operation: &Operation) -> Option<(&MethodRef, &[Arg])> {
    match operation {
        Operation::New { constructor: method, args } | Operation::Call { method, args, .. } => {
            Some((method, args))
        }
        _ => None,
    }
}

/// Whether null can be passed there, and is not.
fn takes_null(method: &MethodRef, place: usize, arg: &Arg) -> bool {
    let parameters = descriptor::parameters(&method.descriptor);
    *arg != NULL && parameters.get(place).is_some_and(|parameter| !descriptor::is_primitive(parameter))
}

/// The statements with null as this argument.
fn with_null((statements, at): Given, place: usize) -> Sequence {
    let mut statements = statements.to_vec();
    if let Some(Operation::New { args, .. } | Operation::Call { args, .. }) =
        statements.get_mut(at).map(|statement| &mut statement.operation)
        && let Some(arg) = args.get_mut(place)
    {
        *arg = NULL;
    }
    Sequence { statements }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sites::CallKind;

    fn statement(operation: Operation) -> Statement {
        Statement { operation, result: "La/Door;".into(), runtime_class: None, caught: None }
    }

    fn made(owner: &str, args: Vec<Arg>) -> Statement {
        let descriptor = "(Ljava/lang/String;I)V".to_owned();
        let constructor = MethodRef { owner: owner.into(), name: "<init>".into(), descriptor };
        statement(Operation::New { constructor, args })
    }

    fn locked(key: Arg) -> Statement {
        let (name, descriptor) = ("lock".to_owned(), "(La/Key;)V".to_owned());
        let method = MethodRef { owner: "a.Door".into(), name, descriptor };
        let receiver = Some(Arg::Var(0));
        statement(Operation::Call { method, kind: CallKind::Virtual, receiver, args: vec![key] })
    }

    #[test]
    fn each_parameter_of_a_reference_type_gets_null_in_the_shortest_sequence() {
        let (text, seven) = (Arg::Value(Value::Str("front".into())), Arg::Value(Value::Int(7)));
        let door = made("a.Door", vec![text.clone(), seven.clone()]);
        let key = made("a.Key", vec![text.clone(), seven.clone()]);
        let long = vec![door.clone(), key.clone(), locked(Arg::Var(1)), locked(Arg::Var(1))];
        let short = vec![door.clone(), locked(Arg::Var(0)), key.clone()];
        let sequences = [long, short].map(|statements| Sequence { statements });
        let all = nulled(&sequences, |owner| owner == "a.Door");
        let nobody = made("a.Door", vec![NULL, seven.clone()]);
        let nameless = made("a.Key", vec![NULL, seven]);
        let all: Vec<_> = all.into_iter().map(|sequence| sequence.statements).collect();
        let on_the_way = vec![door.clone(), nameless, locked(Arg::Var(1)), locked(Arg::Var(1))];
        assert_eq!(
            all,
            [vec![nobody], vec![door, locked(NULL)], on_the_way],
            "an int is never null, and the key is one for the door"
        );
    }

    #[test]
    fn what_goes_on_to_the_class_that_is_asked_is_preferred_to_what_is_shorter() {
        let (text, seven) = (Arg::Value(Value::Str("front".into())), Arg::Value(Value::Int(7)));
        let key = |first: &Arg| made("a.Key", vec![first.clone(), seven.clone()]);
        let door = || made("a.Door", vec![NULL, seven.clone()]);
        let alone = vec![key(&text)];
        let used = vec![door(), key(&text), locked(Arg::Var(1))];
        let late = vec![door(), key(&text)];
        let sequences = [alone, late, used].map(|statements| Sequence { statements });
        let all = nulled(&sequences, |owner| owner == "a.Door");
        let of_key = Sequence { statements: vec![door(), key(&NULL), locked(Arg::Var(1))] };
        assert!(all.contains(&of_key), "{all:?}");
        assert_eq!(all.len(), 2, "the key's text, and the key itself");
    }

    #[test]
    fn what_is_null_is_left_as_it_is() {
        let sequence = Sequence { statements: vec![locked(NULL)] };
        assert_eq!(nulled(&[sequence], |_| true), []);
    }
}
