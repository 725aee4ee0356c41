//! Objects of interfaces that a test implements itself: when they are made, what they answer, and what the check refuses.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

mod common;

use common::{EXIT, LIST, OUTER, Script, all_types, info, int, method, specimen, text};
use dynaflow_model::declared::{Declared, DeclaredClass, class_signature, method_signature};
use dynaflow_model::sequence::{Answer, Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::CallKind;
use dynaflow_model::types::{TypeInfo, Visibility};
use dynaflow_search::{Candidate, Config, Search, Types, Why, check, typing};
use std::collections::BTreeSet;
use std::sync::Arc;

const STORE: &str = "a.Store";
const FIND: &str = "find(Ljava/lang/String;)La/Middle;";
const TEST: &str = "test(Ljava/lang/Object;)Z";
const APPLY: &str = "apply(Ljava/lang/Object;)Ljava/lang/Object;";
const PREDICATE: &str = "java.util.function.Predicate";
const FUNCTION: &str = "java.util.function.Function";

fn interface(name: &str, methods: &[&str]) -> TypeInfo {
    let mut info = info(name, &[], &[], methods);
    (info.is_interface, info.is_abstract) = (true, true);
    info.to_implement = Some(methods.iter().map(|text| method(name, text)).collect());
    info
}

fn all() -> Vec<TypeInfo> {
    let mut all = all_types();
    let takes = [
        "load(Ljava/lang/String;)V",
        "count(Ljava/util/function/Predicate;)I",
        "map(Ljava/util/function/Function;)V",
        "listen(La/Listener;)V",
        "close(La/Closed;)V",
    ];
    all.push(info("a.Service", &["java.lang.Object"], &["(La/Store;)V"], &takes));
    all.push(interface(STORE, &[FIND, "save(La/Middle;)V"]));
    all.push(interface(PREDICATE, &[TEST]));
    all.push(interface(FUNCTION, &[APPLY]));
    let mut closed = interface("a.Closed", &["shut()V"]);
    closed.to_implement = None;
    all.push(closed);
    // Something makes a listener, and a level: a lambda does as well, an anonymous class is not needed.
    for info in &mut all {
        match info.name.as_str() {
            "a.Listener" => info.to_implement = Some(vec![method("a.Listener", "heard()V")]),
            "a.Level" => {
                info.to_implement = Some(["open()V", "shut()V"].map(|text| method("a.Level", text)).into());
            }
            _ => {}
        }
    }
    all
}

fn all_declared() -> Declared {
    let one = |signature: &str, key: &str, of: &str| {
        let (type_parameters, supertypes) = class_signature(signature).unwrap();
        let methods = [(key.to_owned(), method_signature(of).unwrap())].into();
        DeclaredClass { type_parameters, supertypes, methods, ..DeclaredClass::default() }
    };
    let map = "(Ljava/util/function/Function<Ljava/lang/String;Ljava/lang/Integer;>;)V";
    let function = "<T:Ljava/lang/Object;R:Ljava/lang/Object;>Ljava/lang/Object;";
    Declared::from([
        (PREDICATE.to_owned(), one("<T:Ljava/lang/Object;>Ljava/lang/Object;", TEST, "(TT;)Z")),
        (FUNCTION.to_owned(), one(function, APPLY, "(TT;)TR;")),
        ("a.Service".to_owned(), one("Ljava/lang/Object;", "map(Ljava/util/function/Function;)V", map)),
    ])
}

fn types() -> Types {
    Types::new(all(), "a").with_declared(Arc::new(all_declared()))
}

fn candidates(root: &str) -> Vec<Candidate> {
    let config = Config { seed: 1, roots: vec![root.into()], ..Config::default() };
    Search::new(config, types(), vec![]).next_batch(2000)
}

/// The answers of stubs, by interface and method.
fn answers_of<'c>(
    candidates: &'c [Candidate],
    interface: &str,
    name: &str,
) -> Vec<(&'c Answer, &'c Sequence)> {
    let mut found = vec![];
    for candidate in candidates {
        for statement in &candidate.sequence.statements {
            if let Operation::Stub { interface: of, answers } = &statement.operation
                && of == interface
            {
                let named = answers.iter().filter(|(method, _)| method.name == name);
                found.extend(named.map(|(_, answer)| (answer, &candidate.sequence)));
            }
        }
    }
    found
}

#[test]
fn an_interface_that_nothing_makes_is_implemented_and_answers_what_its_result_is() {
    let all = candidates("a.Service");
    all.iter().for_each(|candidate| check(&candidate.sequence, &types()).unwrap());
    let found = answers_of(&all, STORE, "find");
    let is_made = |(answer, sequence): &&(&Answer, &Sequence)| match answer {
        Answer::Arg(Arg::Var(index)) => sequence.statements[*index as usize].result == "La/Middle;",
        _ => false,
    };
    let made = found.iter().filter(is_made).count();
    assert!(made > found.len() / 2, "{made} of {}", found.len());
    assert!(found.iter().any(|(answer, _)| **answer == Answer::Arg(Arg::Value(Value::Null))));
    assert!(answers_of(&all, STORE, "save").iter().all(|(answer, _)| **answer == Answer::Nothing));
}

#[test]
fn both_truth_values_are_answered_and_a_function_answers_what_its_type_arguments_say() {
    let all = candidates("a.Service");
    let of =
        |interface, name| answers_of(&all, interface, name).into_iter().map(|(answer, _)| answer.clone());
    let truths: BTreeSet<Answer> = of(PREDICATE, "test").collect();
    for truth in [true, false] {
        assert!(truths.contains(&Answer::Arg(Arg::Value(Value::Bool(truth)))), "{truths:?}");
    }
    // Those that contradict `Function<String, Integer>` are no candidates.
    let is_number = |answer: &Answer| match answer {
        Answer::Arg(Arg::Value(Value::Boxed(inner))) => matches!(**inner, Value::Int(_)),
        answer => *answer == Answer::Arg(Arg::Value(Value::Null)),
    };
    let given: Vec<Answer> = of(FUNCTION, "apply").collect();
    assert!(given.len() > 100 && given.iter().all(is_number), "{given:?}");
}

#[test]
fn what_something_makes_is_a_lambda_now_and_then_and_never_an_anonymous_class() {
    let all = [candidates("a.Service"), candidates(OUTER)].concat();
    let made = all.iter().flat_map(|c| &c.sequence.statements).filter(
        |s| matches!(&s.operation, Operation::New { constructor, .. } if constructor.owner == "a.Loud"),
    );
    let (stubs, made) = (answers_of(&all, "a.Listener", "heard").len(), made.count());
    assert!(stubs > 50 && made > 50, "{stubs} lambdas beside {made} objects");
    assert!(answers_of(&all, "a.Level", "open").is_empty());
}

#[test]
fn what_no_test_can_implement_stays_out_of_reach_and_only_null_is_passed() {
    let (types, all) = (types(), candidates("a.Service"));
    let service = |text: &str| types.out_of_reach(&method("a.Service", text));
    assert_eq!(service("close(La/Closed;)V"), ["a.Closed"]);
    assert_eq!(service("<init>(La/Store;)V"), [] as [&str; 0]);
    assert_eq!(types.not_made(&method("a.Service", "<init>(La/Store;)V")), [STORE]);
    assert!(answers_of(&all, "a.Closed", "shut").is_empty());
    let hidden = all_types().into_iter().chain([{
        let mut store = interface(STORE, &[FIND]);
        store.visibility = Visibility::Private;
        store
    }]);
    assert_eq!(Types::new(hidden, "a").to_implement(STORE), None);
}

#[test]
fn the_answers_of_a_kept_sequence_change_and_stay_of_their_type() {
    let mut s = Script::default();
    let null = || Answer::Arg(Arg::Value(Value::Null));
    let answers = vec![(method(STORE, FIND), null()), (method(STORE, "save(La/Middle;)V"), Answer::Nothing)];
    let store = s.then(Operation::Stub { interface: STORE.into(), answers }, "La/Store;");
    let args = vec![Arg::Var(store)];
    let made = Operation::New { constructor: method("a.Service", "<init>(La/Store;)V"), args };
    let service = s.then(made, "La/Service;");
    let one = Answer::Arg(Arg::Value(Value::Boxed(Box::new(Value::Int(1)))));
    let answers = vec![(method(FUNCTION, APPLY), one.clone())];
    let function =
        s.then(Operation::Stub { interface: FUNCTION.into(), answers }, "Ljava/util/function/Function;");
    let map = "map(Ljava/util/function/Function;)V";
    let called = s.call(service, "a.Service", map, &[Arg::Var(function)]);
    let config = Config { seed: 1, roots: vec!["a.Service".into()], ..Config::default() };
    let seeds = vec![specimen(s, EXIT, called, Some(service))];
    let all = Search::new(config, types(), seeds).next_batch(1500);
    let varied: Vec<Candidate> =
        all.into_iter().filter(|candidate| candidate.why == Why::Variation).collect();
    let of = |interface, name| -> BTreeSet<Answer> {
        answers_of(&varied, interface, name).into_iter().map(|(answer, _)| answer.clone()).collect()
    };
    let is_number = |answer: &&Answer| matches!(answer, Answer::Arg(Arg::Value(Value::Boxed(inner))) if matches!(**inner, Value::Int(_)));
    let given = of(FUNCTION, "apply");
    assert!(given.contains(&one) && given.iter().filter(is_number).count() > 5, "{given:?}");
    assert!(of(STORE, "find").iter().any(|answer| matches!(answer, Answer::Arg(Arg::Var(_)))));
}

/// A function on itself: `lift` takes a `Fn<T, T>` and gives one on such functions, `both` wants what one gives to be what the other takes.
#[test]
fn arguments_that_hang_together_in_a_circle_are_decided_in_bounded_time() {
    let class = |signature: &str, methods: &[(&str, &str)]| {
        let (type_parameters, supertypes) = class_signature(signature).unwrap();
        let read = |(key, of): &(&str, &str)| ((*key).to_owned(), method_signature(of).unwrap());
        let methods = methods.iter().map(read).collect();
        DeclaredClass { type_parameters, supertypes, methods, ..DeclaredClass::default() }
    };
    let apply = "apply(Ljava/lang/Object;)Ljava/lang/Object;";
    let (lift, both) = ("lift(La/Fn;)La/Fn;", "both(La/Fn;La/Fn;)La/Fn;");
    let of_lift = "<T:Ljava/lang/Object;>(La/Fn<TT;TT;>;)La/Fn<La/Fn<TT;TT;>;La/Fn<TT;TT;>;>;";
    let of_both = "<A:Ljava/lang/Object;B:Ljava/lang/Object;C:Ljava/lang/Object;>(La/Fn<TA;TB;>;La/Fn<TB;TC;>;)La/Fn<TA;TC;>;";
    let function = "<T:Ljava/lang/Object;R:Ljava/lang/Object;>Ljava/lang/Object;";
    let declared = Declared::from([
        ("a.Fn".to_owned(), class(function, &[(apply, "(TT;)TR;")])),
        ("a.Fns".to_owned(), class("Ljava/lang/Object;", &[(lift, of_lift), (both, of_both)])),
    ]);
    let types = Types::new([interface("a.Fn", &[apply])], "a").with_declared(Arc::new(declared));
    let mut s = Script::default();
    let answers = vec![(method("a.Fn", apply), Answer::Parameter(0))];
    let first = s.then(Operation::Stub { interface: "a.Fn".into(), answers }, "La/Fn;");
    let mut call = |text: &str, args: &[u32]| {
        let args = args.iter().map(|index| Arg::Var(*index)).collect();
        let (method, kind) = (method("a.Fns", text), CallKind::Static);
        s.then(Operation::Call { method, kind, receiver: None, args }, "La/Fn;")
    };
    let mut last = first;
    for _ in 0..12 {
        let lifted = call(lift, &[last]);
        last = call(both, &[last, lifted]);
    }
    let found = typing::infer(&s.0, s.0.statements.len(), std::iter::empty(), &types);
    let first = format!("{:?}", found[0]);
    assert!(first.contains("a.Fn") && first.len() < 20_000, "{} characters", first.len());
}

fn checked(interface: &str, answers: Vec<(&str, Answer)>) -> Result<(), String> {
    let answers = answers.into_iter().map(|(text, answer)| (method(interface, text), answer)).collect();
    let operation = Operation::Stub { interface: interface.into(), answers };
    let result = format!("L{};", interface.replace('.', "/"));
    let list = Statement {
        operation: Operation::New { constructor: method(LIST, "<init>()V"), args: vec![] },
        result: "Ljava/util/ArrayList;".into(),
        runtime_class: None,
        caught: None,
    };
    let stub = Statement { operation, result, runtime_class: None, caught: None };
    check(&Sequence { statements: vec![list, stub] }, &types()).map_err(|wrong| wrong.reason)
}

#[test]
fn the_check_refuses_stubs_with_other_methods_and_answers_that_do_not_fit() {
    let null = || Answer::Arg(Arg::Value(Value::Null));
    let (save, boolean) = ("save(La/Middle;)V", Answer::Arg(Arg::Value(Value::Bool(true))));
    assert_eq!(checked(STORE, vec![(FIND, null()), (save, Answer::Nothing)]), Ok(()));
    assert_eq!(checked(PREDICATE, vec![(TEST, boolean.clone())]), Ok(()));
    assert_eq!(checked(FUNCTION, vec![(APPLY, Answer::Parameter(0))]), Ok(()));
    assert_eq!(checked(FUNCTION, vec![(APPLY, Answer::Arg(Arg::Var(0)))]), Ok(()));
    let wrong = [
        checked(STORE, vec![(FIND, null())]),
        checked(STORE, vec![(FIND, null()), (save, null())]),
        checked(STORE, vec![(FIND, Answer::Nothing), (save, Answer::Nothing)]),
        checked(STORE, vec![(FIND, Answer::Parameter(0)), (save, Answer::Nothing)]),
        checked(STORE, vec![(FIND, Answer::Arg(Arg::Var(0))), (save, Answer::Nothing)]),
        checked(PREDICATE, vec![(TEST, null())]),
        checked(PREDICATE, vec![(TEST, Answer::Arg(int(1)))]),
        checked(FUNCTION, vec![(APPLY, Answer::Parameter(1))]),
        checked(FUNCTION, vec![(APPLY, Answer::Arg(Arg::Var(7)))]),
        checked("a.Closed", vec![("shut()V", Answer::Nothing)]),
        checked(OUTER, vec![("probe()Z", boolean)]),
        checked("a.Unknown", vec![("say()Ljava/lang/String;", Answer::Arg(text("a")))]),
    ];
    assert!(wrong.iter().all(Result::is_err), "{wrong:?}");
}

#[test]
fn an_interface_whose_methods_give_its_own_kind_is_implemented_a_few_levels_deep() {
    const MODEL: &str = "a.Model";
    let own: Vec<String> = (0..6).map(|n| format!("with{n}()La/Model;")).collect();
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let page = info("a.Page", &["java.lang.Object"], &["(La/Model;)V"], &["fill(La/Model;)V"]);
    let types = Types::new([page, interface(MODEL, &own)], "a");
    let config = Config { seed: 1, roots: vec!["a.Page".into()], ..Config::default() };
    let all = Search::new(config, types.clone(), vec![]).next_batch(200);
    all.iter().for_each(|candidate| check(&candidate.sequence, &types).unwrap());
    let answers = answers_of(&all, MODEL, "with0");
    let nested = answers.iter().filter(|(answer, _)| matches!(answer, Answer::Arg(Arg::Var(_)))).count();
    assert!(nested > 0 && nested < answers.len(), "{nested} of {}", answers.len());
}
