//! What workers see of objects when a sequence has ended: through inspectors, elements and lengths, and what containers hold.
//!
//! Knows nothing of what is asserted. Invariant: a look that leads nowhere costs nothing but itself.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails")]

mod jvm_support;

use dynaflow_model::outcome::{Broken, Container, Look, Observed, Outcome, Path};
use dynaflow_model::sequence::{Arg, Operation, Value};
use jvm_support::{
    COUNTER, assert_healthy, call, call_static, counter, healthy, int, job, method, new, observed,
    on_each_jdk, run, statement, text,
};
use std::time::Duration;

const CRATE: &str = "demo.Crate";

fn inspector(owner: &str, name: &str, descriptor: &str, args: &[Value]) -> Look {
    Look::Call { method: method(owner, name, descriptor), args: args.to_vec() }
}

fn path(variable: u32, looks: &[Look]) -> Path {
    Path { variable, looks: looks.to_vec() }
}

/// What was seen where.
fn seen(outcome: &Outcome) -> Vec<(Path, Observed)> {
    outcome.observations.iter().map(|seen| (seen.path.clone(), seen.result.clone())).collect()
}

#[test]
fn observers_report_after_the_last_statement() {
    on_each_jdk(|lab| {
        let mut observing = job(vec![new(COUNTER, "(I)V", vec![int(5)])]);
        let observer = |name: &str, descriptor: &str| path(0, &[inspector(COUNTER, name, descriptor, &[])]);
        observing.observers = vec![
            observer("describe", "()Ljava/lang/String;"),
            observer("undeclared", "()V"),
            observer("absent", "()V"),
            observer("level", "()I"),
        ];
        let mut slow = job(vec![new("demo.Trouble$SlowObserver", "()V", vec![])]);
        slow.observers = vec![path(0, &[inspector("demo.Trouble$SlowObserver", "value", "()I", &[])])];
        let outcomes = lab.worker_with(lab.jvm(), Duration::from_secs(1)).run(&[observing, slow, healthy()]);
        let expected = [
            (observer("describe", "()Ljava/lang/String;"), observed(Value::Str("level 5".into()))),
            (observer("level", "()I"), observed(Value::Int(5))),
        ];
        assert_eq!(seen(&outcomes[0]), expected);
        assert_eq!(outcomes[1].broken, Some(Broken::TimedOut));
        assert_healthy(&outcomes[2]);
    });
}

/// What one step from a crate leads to.
fn from_crate(name: &str, result: &str) -> Look {
    inspector(CRATE, name, &format!("(){result}"), &[])
}

#[test]
fn observers_go_through_inspectors_with_arguments_elements_and_lengths() {
    on_each_jdk(|lab| {
        let mut looking = job(vec![new(CRATE, "()V", vec![])]);
        let [a, b] = ["a", "b"].map(|text| Value::Str(text.into()));
        let has = |name: &Value, from| {
            inspector(CRATE, "has", "(Ljava/lang/String;I)Z", &[name.clone(), Value::Int(from)])
        };
        let inner = || from_crate("inner", "Ldemo/Crate;");
        let counters = || from_crate("counters", "[Ldemo/Counter;");
        let level = || inspector("demo.Base", "level", "()I", &[]);
        let listed = |index| Look::Listed { index, of: "Ljava/lang/String;".into() };
        let size = inspector("java.util.List", "size", "()I", &[]);
        let leads = [
            (vec![has(&a, 1)], Value::Bool(true)),
            (vec![inner(), inner(), has(&b, 1)], Value::Bool(false)),
            (vec![counters(), Look::Element(0), level()], Value::Int(4)),
            (vec![counters(), Look::Element(1)], Value::Null),
            (vec![counters(), Look::Length], Value::Int(2)),
            (vec![inner(), from_crate("names", "Ljava/util/List;"), size], Value::Int(2)),
            (vec![from_crate("names", "Ljava/util/List;"), listed(1)], a.clone()),
            (vec![from_crate("nothing", "Ldemo/Crate;")], Value::Null),
        ];
        // Nothing is beyond null, no element behind the end, and an inspector takes as many arguments as it has parameters.
        let silent = [
            vec![from_crate("nothing", "Ldemo/Crate;"), level()],
            vec![counters(), Look::Element(2)],
            vec![inner(), Look::Length],
            vec![inspector(CRATE, "has", "(Ljava/lang/String;I)Z", std::slice::from_ref(&a))],
            vec![inspector(CRATE, "has", "(Ljava/lang/String;I)Z", &[Value::Int(1), Value::Int(1)])],
            vec![counters(), level()],
            vec![from_crate("names", "Ljava/util/List;"), listed(2)],
            vec![counters(), listed(0)],
        ];
        let paths = silent.iter().take(3).chain(leads.iter().map(|(looks, _)| looks)).chain(&silent[3..]);
        looking.observers = paths.map(|looks| path(0, looks)).collect();
        let outcomes = run(lab, &[looking, healthy()]);
        let expected = leads.map(|(looks, value)| (path(0, &looks), observed(value)));
        assert_eq!(seen(&outcomes[0]), expected);
        assert_healthy(&outcomes[1]);
    });
}

#[test]
fn observers_report_what_small_containers_of_the_jdk_hold_and_go_through_no_others() {
    on_each_jdk(|lab| {
        let mut looking = job(vec![
            new(CRATE, "()V", vec![]),
            statement(Operation::NewArray { descriptor: "[I".into(), length: 2 }, "[I"),
            statement(Operation::ArrayStore { array: Arg::Var(1), index: 1, value: int(7) }, "V"),
        ]);
        let [a, b] = ["a", "b"].map(|text| observed(Value::Str(text.into())));
        let number = |n| observed(Value::Int(n));
        let two = observed(Value::Boxed(Box::new(Value::Int(2))));
        let null = observed(Value::Null);
        let array = |of: &str| Container::Array(of.into());
        let in_crate = Observed::Object(CRATE.into());
        let leads = [
            ("names", "Ljava/util/List;", Container::List.holding(vec![b.clone(), a.clone()])),
            ("set", "Ljava/util/Set;", Container::Set.holding(vec![a.clone(), b.clone()])),
            ("map", "Ljava/util/Map;", Container::Map.holding(vec![a, null.clone(), b, two])),
            (
                "values",
                "Ljava/util/Collection;",
                Observed::Object("java.util.LinkedHashMap$LinkedValues".into()),
            ),
            ("optional", "Ljava/util/Optional;", Container::Optional.holding(vec![in_crate])),
            ("numbers", "[I", array("[I").holding(vec![number(3), number(-1)])),
            ("counters", "[Ldemo/Counter;", array("[Ldemo/Counter;").holding(vec![counter(), null])),
            ("many", "[I", Observed::Object("[I".into())),
            ("own", "Ljava/util/List;", Observed::Object("demo.Crate$Own".into())),
        ];
        let one = |name: &str, result: &str| path(0, &[from_crate(name, result)]);
        looking.observers = vec![path(1, &[]), one("hostile", "Ljava/util/List;")];
        looking.observers.extend(leads.iter().map(|(name, result, _)| one(name, result)));
        let outcome = run(lab, &[looking]).remove(0);
        let whole = (path(1, &[]), array("[I").holding(vec![number(0), number(7)]));
        let expected: Vec<_> =
            [whole].into_iter().chain(leads.map(|(name, result, seen)| (one(name, result), seen))).collect();
        assert_eq!(seen(&outcome), expected);
    });
}

#[test]
fn observers_look_at_what_an_exception_of_the_last_statement_left_and_not_behind_an_error() {
    on_each_jdk(|lab| {
        let names = || vec![path(0, &[from_crate("names", "Ljava/util/List;")])];
        let add = || call(0, CRATE, "add", "(Ljava/lang/String;)V", vec![text("c")]);
        let mut last = job(vec![new(CRATE, "()V", vec![]), add()]);
        let mut earlier = job(vec![new(CRATE, "()V", vec![]), add(), add()]);
        let recurse = call_static("demo.Trouble", "recurse", "(I)I", vec![int(0)]);
        let mut error = job(vec![new(CRATE, "()V", vec![]), recurse]);
        [&mut last, &mut earlier, &mut error].into_iter().for_each(|job| job.observers = names());
        let outcomes = run(lab, &[last, earlier, error, healthy()]);
        let texts = ["b", "a", "c"].map(|text| observed(Value::Str(text.into()))).to_vec();
        assert_eq!(seen(&outcomes[0]), [(names().remove(0), Container::List.holding(texts))]);
        assert_eq!(outcomes[0].thrown.as_ref().unwrap().message.as_deref(), Some("full"));
        assert_eq!((seen(&outcomes[1]), seen(&outcomes[2])), (vec![], vec![]));
        assert_healthy(&outcomes[3]);
    });
}
