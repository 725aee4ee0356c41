//! Where a null went that an exception is about.
//!
//! In: a sequence, what its statements gave, the exception that ends it. Out: the parameter, in words. Knows nothing of verdicts. Invariant: whatever the methods are
//! called on, a null for the same parameter of a method that they all override has the same words, so that it is one failure.

use dynaflow_flowgraph::dua::ClassSource;
use dynaflow_flowgraph::made;
use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Observed, Thrown};
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::MethodRef;
use std::collections::{BTreeSet, VecDeque};

/// A parameter that was given null: the method, and its place among the arguments, from 0.
type Parameter<'a> = (&'a MethodRef, usize);

/// The parameter that was given null: of the call that threw the first; else the only one of the calls before.
pub fn given<'a>(sequence: &'a Sequence, results: &[Observed], thrown_by: u32) -> Option<Parameter<'a>> {
    let of = |at: usize| {
        let (method, args) = match &sequence.statements.get(at)?.operation {
            Operation::New { constructor: method, args } | Operation::Call { method, args, .. } => {
                (method, args)
            }
            _ => return None,
        };
        let places = args.iter().enumerate().filter(|(_, arg)| is_null(arg, results));
        Some(places.map(|(place, _)| (method, place)).collect::<Vec<_>>())
    };
    let last = thrown_by as usize;
    let first_of_last = of(last).and_then(|all| all.first().copied());
    let before = || {
        let all: BTreeSet<Parameter> = (0..last).filter_map(of).flatten().collect();
        all.first().copied().filter(|_| all.len() == 1)
    };
    first_of_last.or_else(before)
}

/// Whether a field of `this` that is null may be what the test passed to a constructor, which took it without a word: of a class whose code `is_running`, or that of
/// a class above it.
pub fn is_kept(
    sequence: &Sequence,
    results: &[Observed],
    thrown: &Thrown,
    is_running: impl Fn(&str) -> bool,
) -> bool {
    let passes = |statement: &Statement| match &statement.operation {
        Operation::New { constructor, args } => {
            is_running(&constructor.owner) && args.iter().any(|arg| is_null(arg, results))
        }
        _ => false,
    };
    sequence.statements.iter().take(thrown.statement as usize).any(passes)
}

/// Whether an argument is null, literal or as an earlier call gave it.
pub fn is_null(arg: &Arg, results: &[Observed]) -> bool {
    match arg {
        Arg::Value(value) => *value == Value::Null,
        Arg::Var(at) => results.get(*at as usize) == Some(&Observed::Value(Value::Null)),
    }
}

/// `null passed to a.Door.turn(Key)`, `null passed as argument 2 to new a.Door(String, Key)`; of a method the topmost class or interface of the program that
/// declares it stands for all that override it.
pub fn words((method, place): Parameter, program: &BTreeSet<String>, classes: &dyn ClassSource) -> String {
    let parameters: Vec<String> =
        descriptor::parameters(&method.descriptor).into_iter().map(simple).collect();
    let place = if parameters.len() > 1 { format!(" as argument {}", place + 1) } else { String::new() };
    let list = parameters.join(", ");
    if method.name == "<init>" {
        return format!("null passed{place} to new {}({list})", method.owner);
    }
    format!("null passed{place} to {}.{}({list})", topmost(method, program, classes), method.name)
}

/// The last of the classes above the owner, near ones first, that declares the method itself.
fn topmost(method: &MethodRef, program: &BTreeSet<String>, classes: &dyn ClassSource) -> String {
    let mut top = method.owner.clone();
    let mut open = VecDeque::from([method.owner.clone()]);
    let mut seen = BTreeSet::new();
    while let Some(class) = open.pop_front() {
        if !program.contains(&class) || !seen.insert(class.clone()) {
            continue;
        }
        let bytes = classes.class(class.replace('.', "/").as_bytes());
        let Some((declares, above)) =
            bytes.and_then(|bytes| made::declares(&bytes, &method.name, &method.descriptor).ok())
        else {
            continue;
        };
        if declares {
            top = class;
        }
        open.extend(above);
    }
    top
}

/// The simple name of a type.
fn simple(of: &str) -> String {
    let element = of.trim_start_matches('[');
    let name = match descriptor::class_of(element) {
        Some(class) => class.rsplit(['.', '$']).next().unwrap_or(&class).to_owned(),
        None => descriptor::primitive(element).to_owned(),
    };
    name + &"[]".repeat(of.len() - element.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sites::CallKind;
    use std::borrow::Cow;

    struct Nothing;

    impl ClassSource for Nothing {
        fn class(&self, _: &[u8]) -> Option<Cow<'_, [u8]>> {
            None
        }
    }

    const NULL: Arg = Arg::Value(Value::Null);
    const ONE: Arg = Arg::Value(Value::Int(1));

    fn method(name: &str, descriptor: &str) -> MethodRef {
        MethodRef { owner: "a.Door".into(), name: name.into(), descriptor: descriptor.into() }
    }

    fn made(args: &[Arg]) -> Operation {
        let constructor = method("<init>", "(La/Key;Ljava/lang/String;)V");
        Operation::New { constructor, args: args.to_vec() }
    }

    fn turned(arg: Arg) -> Operation {
        let method = method("turn", "([La/Key$Bit;)V");
        Operation::Call { method, kind: CallKind::Virtual, receiver: Some(Arg::Var(0)), args: vec![arg] }
    }

    fn sequence(operations: &[Operation]) -> Sequence {
        let statement = |operation: &Operation| Statement {
            operation: operation.clone(),
            result: "V".into(),
            runtime_class: None,
            caught: None,
        };
        Sequence { statements: operations.iter().map(statement).collect() }
    }

    fn said(operations: &[Operation], results: &[Observed]) -> Option<String> {
        let last = u32::try_from(operations.len()).unwrap() - 1;
        let sequence = sequence(operations);
        let found = given(&sequence, results, last)?;
        Some(words(found, &BTreeSet::new(), &Nothing))
    }

    #[test]
    fn a_null_that_a_constructor_took_may_be_what_a_field_lacks_of_a_class_whose_code_was_running() {
        let kept = |operations: &[Operation], class: &str| {
            let thrown = Thrown {
                statement: 1,
                class: "java.lang.NullPointerException".into(),
                superclasses: vec![],
                message: None,
                declared: false,
                on_purpose: false,
                raised_in: vec![],
            };
            is_kept(&sequence(operations), &[], &thrown, |owner| owner == class)
        };
        assert!(kept(&[made(&[NULL, ONE]), turned(ONE)], "a.Door"));
        assert!(!kept(&[made(&[ONE, ONE]), turned(ONE)], "a.Door"), "no null was passed");
        assert!(!kept(&[made(&[NULL, ONE]), turned(ONE)], "a.House"), "another object's field");
        assert!(!kept(&[made(&[ONE, ONE]), turned(NULL)], "a.Door"), "to a call that uses it");
    }

    #[test]
    fn the_null_of_the_call_that_threw_counts_before_those_of_earlier_ones() {
        let turn = "null passed to a.Door.turn(Bit[])";
        assert_eq!(said(&[made(&[NULL, NULL]), turned(NULL)], &[]).as_deref(), Some(turn));
        let second = "null passed as argument 2 to new a.Door(Key, String)";
        assert_eq!(said(&[made(&[ONE, NULL]), turned(ONE)], &[]).as_deref(), Some(second));
        assert_eq!(
            said(&[made(&[ONE, NULL]), made(&[ONE, NULL]), turned(ONE)], &[]).as_deref(),
            Some(second)
        );
        assert_eq!(said(&[made(&[NULL, NULL]), turned(ONE)], &[]), None, "which of them nobody knows");
        assert_eq!(said(&[made(&[ONE, ONE]), turned(ONE)], &[]), None);
        let gave = [Observed::Value(Value::Null)];
        assert_eq!(
            said(&[turned(ONE), turned(Arg::Var(0))], &gave).as_deref(),
            Some(turn),
            "as a call gave it"
        );
    }
}
