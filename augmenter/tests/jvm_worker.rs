//! Workers over real JVMs: results, exceptions, descriptions, and everything a sequence can do to a worker.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails")]

mod jvm_support;

use dynaflow_augmenter::jvm::job::{Job, Probes};
use dynaflow_augmenter::jvm::protocol::VERSION;
use dynaflow_augmenter::jvm::sandbox::{Confinement, PIPE_IN, PIPE_OUT};
use dynaflow_augmenter::jvm::worker::{Worker, WorkerConfig, WorkerError};
use dynaflow_model::outcome::{Broken, Observed, Outcome, Thrown};
use dynaflow_model::parsed::{CONSTANTS, PARSERS};
use dynaflow_model::sequence::{Arg, Caught, Operation, Statement, Value};
use dynaflow_model::sites::{CallKind, FieldRef};
use dynaflow_model::types::{TypeInfo, Visibility};
use jvm_support::{
    COUNTER, Lab, assert_healthy, call, call_static, counter, healthy, int, jdks, job, new, observed,
    on_each_jdk, run, statement, text,
};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

const TROUBLE: &str = "demo.Trouble";
const WITNESS: &str = "demo.Witness";

fn trouble(name: &str, descriptor: &str, args: Vec<Arg>) -> Job {
    job(vec![call_static(TROUBLE, name, descriptor, args)])
}

#[track_caller]
fn thrown(outcome: &Outcome) -> &Thrown {
    outcome.thrown.as_ref().unwrap_or_else(|| panic!("nothing thrown: {outcome:?}"))
}

#[test]
fn results_of_every_kind_come_back() {
    on_each_jdk(|lab| {
        let mixed = vec![
            Arg::Value(Value::Bool(true)),
            Arg::Value(Value::Byte(-1)),
            Arg::Value(Value::Float(2.5f32.to_bits())),
            Arg::Value(Value::Double(0.25f64.to_bits())),
            text("grüß"),
            Arg::Value(Value::Enum("demo.Counter$Color".into(), "GREEN".into())),
            Arg::Value(Value::Class("int".into())),
        ];
        let descriptor = "(ZBFDLjava/lang/String;Ldemo/Counter$Color;Ljava/lang/Class;)D";
        let statements = vec![
            new(COUNTER, "(I)V", vec![int(5)]),
            call(0, COUNTER, "mixed", descriptor, mixed),
            call(0, COUNTER, "color", "()Ldemo/Counter$Color;", vec![]),
            call(0, COUNTER, "boxed", "()Ljava/lang/Integer;", vec![]),
            call(0, COUNTER, "type", "()Ljava/lang/Class;", vec![]),
            call(0, COUNTER, "describe", "()Ljava/lang/Object;", vec![]),
            call(0, COUNTER, "surrogate", "()Ljava/lang/String;", vec![]),
            call(0, COUNTER, "accents", "()Ljava/lang/String;", vec![]),
            call(0, COUNTER, "raise", "()V", vec![]),
            call(0, "demo.Base", "secret", "()V", vec![]),
            call(0, COUNTER, "level", "()I", vec![]),
            call(0, COUNTER, "ints", "()[I", vec![]),
        ];
        let outcome = run(lab, &[job(statements)]).remove(0);
        let expected = [
            counter(),
            observed(Value::Double((1.0 - 1.0 + 2.5 + 0.25 + 4.0 + 2.0 + 3.0f64).to_bits())),
            observed(Value::Enum("demo.Counter$Color".into(), "GREEN".into())),
            observed(Value::Boxed(Box::new(Value::Int(5)))),
            observed(Value::Class("[I".into())),
            observed(Value::Str("level 5".into())),
            Observed::Object("java.lang.String".into()),
            observed(Value::Str("grüß 😀".into())),
            Observed::Void,
            Observed::Void,
            observed(Value::Int(-1)),
            Observed::Object("[I".into()),
        ];
        assert_eq!(outcome.broken, None);
        assert_eq!(outcome.statements, expected);
    });
}

/// A text of an object of each class, in the order of the table.
const PARSED: [&str; 17] = [
    "-12.50",
    "123456789012345678901234567890",
    "https://example.org/a?b=c#d",
    "PT36H0.5S",
    "2026-11-21T08:00:00.000000001Z",
    "2026-11-21",
    "2026-11-21T08:00",
    "08:00:01",
    "--11-21",
    "2026-11-21T08:00+01:00",
    "08:00-05:00",
    "P1Y2M3D",
    "2026",
    "2026-11",
    "+05:30",
    "2026-11-21T08:00+01:00[Europe/Rome]",
    "123e4567-e89b-12d3-a456-426614174000",
];

#[test]
fn objects_that_a_text_gives_back_are_passed_and_come_back_as_that_text() {
    let parsed = |class: &str, text: &str| Value::Parsed(class.into(), text.into());
    let same = |value: Value| {
        let descriptor = "(Ljava/lang/Object;)Ljava/lang/Object;";
        call_static("java.util.Objects", "requireNonNull", descriptor, vec![Arg::Value(value)])
    };
    let all: Vec<Value> = PARSERS.iter().zip(PARSED).map(|((class, _), text)| parsed(class, text)).collect();
    on_each_jdk(|lab| {
        let outcome = run(lab, &[job(all.iter().cloned().map(same).collect())]).remove(0);
        assert_eq!(outcome.broken, None);
        assert_eq!(outcome.statements, all.iter().cloned().map(observed).collect::<Vec<_>>());
        let number = "java.math.BigInteger";
        let long = "7".repeat(300);
        let outcomes = run(
            lab,
            &[
                job(vec![same(parsed(number, &long))]),
                job(vec![same(parsed(number, "seven"))]),
                job(vec![same(parsed("java.util.ArrayList", "[]"))]),
            ],
        );
        assert_eq!(outcomes[0].statements, [Observed::Object(number.into())], "too long to be read");
        for (outcome, class) in outcomes[1..].iter().zip([number, "java.util.ArrayList"]) {
            let Some(Broken::Unrunnable(why)) = &outcome.broken else { panic!("{outcome:?}") };
            assert!(why.contains("is no text of") && why.contains(class), "{why}");
        }
    });
}

#[test]
fn constants_of_the_jdk_are_what_their_texts_give() {
    let get = |(class, _, name): &(&str, &str, &str)| {
        let descriptor = dynaflow_model::descriptor::of_class(class);
        let field = FieldRef { owner: (*class).into(), name: (*name).into(), descriptor: descriptor.clone() };
        let (operation, result) = (Operation::GetStatic(field), descriptor);
        Statement { operation, result, runtime_class: None, caught: None }
    };
    let expected: Vec<Observed> = CONSTANTS
        .iter()
        .map(|(class, text, _)| observed(Value::Parsed((*class).into(), (*text).into())))
        .collect();
    on_each_jdk(|lab| {
        let outcome = run(lab, &[job(CONSTANTS.iter().map(get).collect())]).remove(0);
        assert_eq!((outcome.broken, outcome.statements), (None, expected.clone()));
    });
}

#[test]
fn arguments_are_converted_as_java_does() {
    on_each_jdk(|lab| {
        let of = |a: Arg, b: Arg, c: Arg, boxed: Arg| {
            call_static(COUNTER, "of", "(JSCLjava/lang/Object;)Ldemo/Counter;", vec![a, b, c, boxed])
        };
        let short = || Arg::Value(Value::Short(2));
        let letter = || Arg::Value(Value::Char(3));
        let boxed = || Arg::Value(Value::Boxed(Box::new(Value::Int(4))));
        let level = call(0, COUNTER, "level", "()I", vec![]);
        let jobs = [
            job(vec![of(int(1), short(), letter(), boxed()), level]),
            job(vec![of(int(1), int(2), letter(), boxed())]),
            job(vec![of(text("1"), short(), letter(), boxed())]),
            job(vec![of(Arg::Value(Value::Null), short(), letter(), boxed())]),
        ];
        let outcomes = run(lab, &jobs);
        assert_eq!(outcomes[0].statements, [counter(), observed(Value::Int(10))]);
        let reasons =
            ["java.lang.Integer does not fit short", "java.lang.String does not fit long", "null does not"];
        for (outcome, reason) in outcomes[1..].iter().zip(reasons) {
            let Some(Broken::Unrunnable(why)) = &outcome.broken else { panic!("{outcome:?}") };
            assert!(why.contains(reason), "{why}");
        }
    });
}

#[test]
fn arrays_fields_and_varargs_work() {
    on_each_jdk(|lab| {
        let array = Operation::NewArray { descriptor: "[Ldemo/Counter;".into(), length: 2 };
        let store = |index, value| Operation::ArrayStore { array: Arg::Var(1), index, value };
        let shared =
            FieldRef { owner: COUNTER.into(), name: "SHARED".into(), descriptor: "Ldemo/Counter;".into() };
        let level = FieldRef { owner: COUNTER.into(), name: "level".into(), descriptor: "I".into() };
        let statements = vec![
            statement(Operation::GetStatic(shared), "Ldemo/Counter;"),
            statement(array, "[Ldemo/Counter;"),
            statement(store(0, Arg::Var(0)), "V"),
            statement(store(1, Arg::Var(0)), "V"),
            new(COUNTER, "(I)V", vec![int(1)]),
            call(4, COUNTER, "add", "([Ldemo/Counter;)I", vec![Arg::Var(1)]),
            statement(Operation::GetField { field: level, object: Arg::Var(4) }, "I"),
        ];
        let outcome = run(lab, &[job(statements)]).remove(0);
        assert_eq!(outcome.broken, None);
        assert_eq!(outcome.statements[5..], [observed(Value::Int(15)), observed(Value::Int(15))]);
        let outside = job(vec![
            statement(Operation::NewArray { descriptor: "[I".into(), length: 1 }, "[I"),
            statement(Operation::ArrayStore { array: Arg::Var(0), index: 1, value: int(0) }, "V"),
        ]);
        let outcome = run(lab, &[outside]).remove(0);
        assert_eq!(outcome.broken, Some(Broken::Unrunnable("statement 1: a store outside the array".into())));
    });
}

#[test]
fn exceptions_are_reported_with_their_kind() {
    on_each_jdk(|lab| {
        let made = |value| new(COUNTER, "(I)V", vec![int(value)]);
        let failing = |name: &str, value| job(vec![made(value), call(0, COUNTER, name, "()V", vec![])]);
        let jobs = [
            failing("declared", 1),
            failing("undeclared", 1),
            failing("checked", 0),
            trouble("recurse", "(I)I", vec![int(0)]),
            trouble("badMessage", "()V", vec![]),
            healthy(),
        ];
        let outcomes = run(lab, &jobs);
        let declared = thrown(&outcomes[0]);
        assert_eq!((declared.class.as_str(), declared.declared), ("java.io.FileNotFoundException", true));
        assert_eq!((declared.statement, declared.message.as_deref()), (1, Some("gone")));
        assert_eq!(declared.superclasses[0], "java.io.IOException");
        assert_eq!(declared.superclasses.last().unwrap(), "java.lang.Object");
        assert_eq!(outcomes[0].statements, [counter()]);
        let undeclared = thrown(&outcomes[1]);
        assert_eq!((undeclared.message.as_deref(), undeclared.declared), (Some("level 1"), false));
        assert_eq!(thrown(&outcomes[2]).class, "java.lang.AssertionError");
        assert_eq!(thrown(&outcomes[3]).class, "java.lang.StackOverflowError");
        assert_eq!(thrown(&outcomes[4]).message, None);
        assert_healthy(&outcomes[5]);
    });
}

/// A statement that is expected to end with an exception.
fn caught(class: &str, statement: Statement) -> Statement {
    let caught = Some(Caught { class: class.into(), superclasses: vec![], declared: true });
    Statement { result: "V".into(), caught, ..statement }
}

#[test]
fn a_sequence_goes_on_after_an_exception_that_it_expects_and_after_no_other() {
    on_each_jdk(|lab| {
        let level = || call(0, COUNTER, "level", "()I", vec![]);
        let with = |class: &str, name: &str| {
            let left = caught(class, call(0, COUNTER, name, "()V", vec![]));
            job(vec![new(COUNTER, "(I)V", vec![int(1)]), left, level()])
        };
        let jobs = [
            with("java.io.FileNotFoundException", "declared"),
            with("java.io.IOException", "declared"),
            with("java.lang.IllegalStateException", "declared"),
            with("java.io.IOException", "raise"),
            job(vec![caught("java.io.IOException", new(COUNTER, "(J)V", vec![int(1)]))]),
            healthy(),
        ];
        let outcomes = run(lab, &jobs);
        let whole = [counter(), Observed::Void, observed(Value::Int(1))];
        for outcome in &outcomes[..2] {
            assert_eq!(
                (&outcome.statements[..], &outcome.thrown),
                (&whole[..], &None),
                "itself or one below it"
            );
        }
        let other = thrown(&outcomes[2]);
        assert_eq!((other.class.as_str(), other.statement), ("java.io.FileNotFoundException", 1));
        let returned = "statement 1: it did not end with java.io.IOException";
        assert_eq!(outcomes[3].broken, Some(Broken::Unrunnable(returned.into())));
        assert!(matches!(&outcomes[4].broken, Some(Broken::Unrunnable(why)) if why.contains("there is no")));
        assert_healthy(&outcomes[5]);
    });
}

#[test]
fn what_cannot_run_says_why_and_is_no_exception_of_the_program() {
    on_each_jdk(|lab| {
        let null =
            call_static(WITNESS, "property", "(Ljava/lang/String;)Ljava/lang/String;", vec![text("none")]);
        let opaque = statement(Operation::Opaque("a lambda".into()), "Ljava/lang/Runnable;");
        let in_java = call(0, "java.lang.Object", "finalize", "()V", vec![]);
        let jobs = [
            (job(vec![new("demo.Gone", "()V", vec![])]), "class demo.Gone is not on the class path"),
            (job(vec![new(COUNTER, "(J)V", vec![])]), "there is no demo.Counter.<init>(J)V"),
            (job(vec![new("demo.Base", "()V", vec![])]), "demo.Base is abstract"),
            (job(vec![opaque]), "statement 0: a lambda"),
            (job(vec![null, call(0, "java.lang.String", "length", "()I", vec![])]), "the receiver is null"),
            (job(vec![new(COUNTER, "(I)V", vec![])]), "takes 1 arguments, 0 given"),
            (job(vec![call_static(COUNTER, "level", "()I", vec![])]), "is not static"),
            (job(vec![new(COUNTER, "(I)V", vec![int(1)]), in_java]), "outside its module"),
            (job(vec![call_static(COUNTER, "of", "(", vec![])]), "not a descriptor"),
        ];
        let outcomes = run(lab, &jobs.clone().map(|(job, _)| job));
        for (outcome, (_, reason)) in outcomes.iter().zip(&jobs) {
            let Some(Broken::Unrunnable(why)) = &outcome.broken else { panic!("{reason}: {outcome:?}") };
            assert!(why.contains(reason), "{why}");
            assert_eq!(outcome.thrown, None);
        }
    });
}

#[test]
fn hanging_sequences_are_given_up_and_the_others_run() {
    on_each_jdk(|lab| {
        let jobs = [
            healthy(),
            trouble("spin", "()V", vec![]),
            healthy(),
            trouble("sleep", "()V", vec![]),
            trouble("catchAll", "()V", vec![]),
            healthy(),
        ];
        let mut worker = lab.worker_with(lab.jvm(), Duration::from_millis(300));
        let start = Instant::now();
        let outcomes = worker.run(&jobs);
        assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
        for index in [1, 3, 4] {
            assert_eq!(outcomes[index].broken, Some(Broken::TimedOut), "{index}");
            assert_eq!(outcomes[index].thrown, None);
        }
        for index in [0, 2, 5] {
            assert_healthy(&outcomes[index]);
        }
        // An interrupt ends the sleeping one, so two workers were lost, not three.
        assert_eq!(worker.restarts(), 2);
    });
}

#[test]
fn the_first_sequence_of_a_jvm_has_the_time_that_initialising_classes_takes() {
    on_each_jdk(|lab| {
        let slow = || trouble("take", "(I)V", vec![int(800)]);
        let mut worker = lab.worker_with(lab.jvm(), Duration::from_millis(200));
        let outcomes = worker.run(&[slow(), slow(), slow()]);
        let broken: Vec<_> = outcomes.iter().map(|outcome| outcome.broken.clone()).collect();
        assert_eq!(broken, [None, Some(Broken::TimedOut), Some(Broken::TimedOut)]);
        let mutant = Job { mutant: 1, ..slow() };
        let config = WorkerConfig {
            jvm: lab.jvm(),
            time_limit: Duration::from_millis(200),
            probes: Probes::Mutants(2),
        };
        let outcomes = Worker::start(config).unwrap().run(&[mutant, slow(), slow()]);
        let broken: Vec<_> = outcomes.iter().map(|outcome| outcome.broken.clone()).collect();
        assert_eq!(
            broken,
            [Some(Broken::TimedOut), None, Some(Broken::TimedOut)],
            "a mutant may be to blame"
        );
    });
}

#[test]
fn sequences_that_end_the_worker_are_marked_and_the_others_run() {
    on_each_jdk(|lab| {
        let jobs = [
            trouble("exit", "(I)V", vec![int(3)]),
            healthy(),
            trouble("exit", "(I)V", vec![int(0)]),
            trouble("halt", "()V", vec![]),
            trouble("fillMemory", "()I", vec![]),
            healthy(),
        ];
        let mut jvm = lab.jvm();
        jvm.heap_mib = 64;
        let outcomes = lab.worker_with(jvm, Duration::from_secs(5)).run(&jobs);
        for (index, reason) in
            [(0, "exit status: 3"), (2, "exit status: 0"), (3, "exit status: 9"), (4, "OutOfMemory")]
        {
            let Some(Broken::WorkerDied(how)) = &outcomes[index].broken else {
                panic!("{:?}", outcomes[index])
            };
            assert!(how.contains(reason), "{how}");
        }
        assert_healthy(&outcomes[1]);
        assert_healthy(&outcomes[5]);
    });
}

#[test]
fn the_statement_in_which_the_time_was_over_is_reported_whether_an_interrupt_ends_it_or_not() {
    on_each_jdk(|lab| {
        let behind = |name: &str| {
            let (mut job, hanging) = (healthy(), trouble(name, "()V", vec![]));
            let at = u32::try_from(job.sequence.statements.len()).unwrap();
            job.sequence.statements.extend(hanging.sequence.statements);
            (job, at)
        };
        let ((interrupted, first), (abandoned, second)) = (behind("sleep"), behind("spin"));
        let mut worker = lab.worker_with(lab.jvm(), Duration::from_millis(300));
        let outcomes = worker.run(&[interrupted, abandoned, healthy()]);
        let stalled: Vec<Option<u32>> = outcomes.iter().map(|outcome| outcome.stalled).collect();
        assert_eq!(stalled, [Some(first), Some(second), None]);
    });
}

#[test]
fn a_worker_that_no_longer_makes_sense_is_replaced() {
    on_each_jdk(|lab| {
        let jobs = [trouble("corrupt", "()V", vec![]), healthy(), trouble("blind", "()V", vec![]), healthy()];
        let mut worker = lab.worker_with(lab.jvm(), Duration::from_millis(300));
        let start = Instant::now();
        let outcomes = worker.run(&jobs);
        assert!(matches!(outcomes[0].broken, Some(Broken::WorkerDied(_))), "{:?}", outcomes[0]);
        assert_healthy(&outcomes[1]);
        assert_eq!(outcomes[2].broken, Some(Broken::TimedOut));
        assert_healthy(&outcomes[3]);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    });
}

#[test]
fn a_worker_with_a_thread_that_goes_on_computing_is_replaced_and_one_with_a_waiting_thread_is_not() {
    on_each_jdk(|lab| {
        for (what, restarts) in [("parks", 0), ("reads", 0), ("computes", 1)] {
            let mut worker = lab.worker();
            let leaves = trouble("leave", "(Ljava/lang/String;)V", vec![text(what)]);
            assert_eq!(worker.run(&[leaves])[0].broken, None);
            assert_healthy(&worker.run(&[healthy()])[0]);
            assert_eq!(worker.restarts(), restarts, "{what}");
        }
    });
}

#[test]
fn identities_are_the_same_in_every_worker_and_nothing_to_rely_on() {
    on_each_jdk(|lab| {
        let jobs = [
            trouble("hash", "()I", vec![]),
            trouble("identity", "()Ljava/lang/String;", vec![]),
            trouble("plain", "()Ljava/lang/Object;", vec![]),
        ];
        let outcomes = run(lab, &jobs);
        assert_eq!(outcomes, run(lab, &jobs));
        assert_eq!(outcomes[1].statements, [Observed::Object("java.lang.String".into())]);
        let echo = |text: &str| {
            let descriptor = "(Ljava/lang/Object;)Ljava/lang/String;";
            call_static("java.lang.String", "valueOf", descriptor, vec![jvm_support::text(text)])
        };
        let texts = ["a@b.c is mail", "@12 has no name", "x@123456789 is too long", "user@example", "[I@1b;"];
        let outcome = run(lab, &[job(texts.map(echo).to_vec())]).remove(0);
        for (text, seen) in texts.iter().zip(&outcome.statements) {
            let relied_on = *seen == observed(Value::Str((*text).into()));
            assert_eq!(relied_on, !text.starts_with("[I") && !text.starts_with("a@"), "{text}: {seen:?}");
        }
    });
}

#[test]
fn a_reference_to_no_statement_is_refused() {
    on_each_jdk(|lab| {
        let outcome = run(lab, &[job(vec![call(5, COUNTER, "level", "()I", vec![])])]).remove(0);
        assert_eq!(outcome.broken, Some(Broken::Unrunnable("statement 0: there is no statement 5".into())));
        let array = statement(Operation::NewArray { descriptor: COUNTER.into(), length: 1 }, "[I");
        let outcome = run(lab, &[job(vec![array])]).remove(0);
        assert_eq!(
            outcome.broken,
            Some(Broken::Unrunnable("statement 0: demo.Counter is no array type".into()))
        );
    });
}

#[test]
fn what_a_sequence_prints_does_not_reach_the_next() {
    on_each_jdk(|lab| {
        let jobs = [
            trouble("print", "()V", vec![]),
            trouble("printBelow", "()V", vec![]),
            trouble("change", "(Ljava/lang/String;)V", vec![text("out")]),
            trouble("print", "()V", vec![]),
            trouble("read", "()I", vec![]),
            healthy(),
        ];
        let mut worker = lab.worker();
        let outcomes = worker.run(&jobs);
        for outcome in &outcomes {
            assert_eq!((&outcome.broken, &outcome.thrown), (&None, &None));
        }
        assert_eq!(outcomes[4].statements, [observed(Value::Int(-1))]);
        assert_healthy(&outcomes[5]);
        assert_eq!(worker.restarts(), 0);
        // Threads left behind cost the worker its place.
        let outcomes = worker.run(&[trouble("leaveThreads", "()V", vec![])]);
        assert_eq!(outcomes[0].broken, None);
        assert_healthy(&worker.run(&[healthy()])[0]);
        assert_eq!(worker.restarts(), 1);
    });
}

/// What belongs to the JVM as a whole and can be put back.
const CHANGES: [&str; 12] = [
    "out",
    "err",
    "in",
    "locale",
    "display",
    "format",
    "zone",
    "property",
    "cleared",
    "properties",
    "handler",
    "file",
];

#[test]
fn what_a_sequence_changes_in_the_jvm_is_as_it_was_for_the_next() {
    on_each_jdk(|lab| {
        let state = || call_static(WITNESS, "state", "()Ljava/lang/String;", vec![]);
        let change = |what: &str| {
            call_static(TROUBLE, "change", "(Ljava/lang/String;)V", vec![jvm_support::text(what)])
        };
        let mut worker = lab.worker();
        let before = worker.run(&[job(vec![state()])]).remove(0).statements.remove(0);
        for what in CHANGES {
            let jobs = [job(vec![change(what), state()]), job(vec![state()])];
            let outcomes = worker.run(&jobs);
            assert_eq!((&outcomes[0].broken, &outcomes[0].thrown), (&None, &None), "{what}");
            assert_ne!(outcomes[0].statements[1], before, "{what}: the sequence sees its own change");
            assert_eq!(
                outcomes[1].statements,
                std::slice::from_ref(&before),
                "{what}: the next one does not"
            );
        }
        let count = || trouble("count", "()I", vec![]);
        let counted = worker.run(&[count(), count()]);
        let numbers: Vec<&Observed> = counted.iter().flat_map(|outcome| &outcome.statements).collect();
        assert_eq!(numbers, [&observed(Value::Int(1)), &observed(Value::Int(1))], "so is static state");
        assert_eq!(worker.restarts(), 0);
    });
}

#[test]
fn a_stopped_worker_says_so() {
    on_each_jdk(|lab| {
        let jvm = lab.jvm();
        let stop = jvm.stop.clone();
        let mut worker = lab.worker_with(jvm, Duration::from_secs(60));
        let pull = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(1));
            stop.stop();
        });
        let start = Instant::now();
        let outcomes = worker.run(&[healthy(), trouble("spin", "()V", vec![]), healthy()]);
        pull.join().unwrap();
        assert!(start.elapsed() < Duration::from_secs(10));
        assert_healthy(&outcomes[0]);
        assert!(matches!(outcomes[1].broken, Some(Broken::WorkerDied(_))));
        let Some(Broken::WorkerDied(why)) = &outcomes[2].broken else { panic!("{:?}", outcomes[2]) };
        assert!(why.contains("interrupted"), "{why}");
    });
}

#[test]
fn a_jvm_that_does_not_start_is_reported_with_its_reason() {
    on_each_jdk(|lab| {
        let mut jvm = lab.jvm();
        jvm.jvm_args = vec!["-XX:NoSuchOption".into()];
        let config = dynaflow_augmenter::jvm::worker::WorkerConfig {
            jvm,
            time_limit: Duration::from_secs(1),
            probes: Probes::None,
        };
        let error = dynaflow_augmenter::jvm::worker::Worker::start(config).unwrap_err();
        assert!(matches!(error, WorkerError::Start { .. }));
        assert!(error.to_string().contains("NoSuchOption"), "{error}");
    });
}

fn describe(lab: &Lab, name: &str) -> TypeInfo {
    lab.worker().describe(&[name.to_owned()]).unwrap().types.remove(0)
}

fn signatures(callables: &[dynaflow_model::types::Callable]) -> Vec<String> {
    callables.iter().map(|c| format!("{}.{}{}", c.method.owner, c.method.name, c.method.descriptor)).collect()
}

#[test]
fn a_class_is_described_as_a_test_beside_it_sees_it() {
    on_each_jdk(|lab| {
        let info = describe(lab, COUNTER);
        assert_eq!((info.visibility, info.is_abstract, info.is_inner), (Visibility::Package, false, false));
        assert_eq!(info.supertypes, ["demo.Base", "java.lang.Comparable", "java.lang.Object"]);
        assert_eq!(signatures(&info.constructors), ["demo.Counter.<init>(I)V"]);
        let methods = signatures(&info.methods);
        for expected in [
            "demo.Base.level()I",
            "demo.Base.lower()V",
            "demo.Base.raise()V",
            "demo.Counter.add([Ldemo/Counter;)I",
            "demo.Counter.compareTo(Ldemo/Counter;)I",
            "demo.Counter.describe()Ljava/lang/String;",
            "demo.Counter.of(JSCLjava/lang/Object;)Ldemo/Counter;",
        ] {
            assert!(methods.iter().any(|m| m == expected), "{expected} is not in {methods:?}");
        }
        for absent in ["secret", "compareTo(Ljava/lang/Object;", "describe()Ljava/lang/Object;", "hashCode"] {
            assert!(!methods.iter().any(|m| m.contains(absent)), "{absent} is in {methods:?}");
        }
        let declared = info.methods.iter().find(|m| m.method.name == "declared").unwrap();
        assert_eq!(declared.throws, ["java.io.IOException"]);
        assert_eq!((declared.kind, declared.visibility), (CallKind::Virtual, Visibility::Package));
        let fields: Vec<_> = info.static_fields.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(fields, ["SHARED", "created"]);
    });
}

#[test]
fn enums_inner_classes_interfaces_and_missing_classes_are_described() {
    on_each_jdk(|lab| {
        let color = describe(lab, "demo.Counter$Color");
        assert_eq!(color.enum_constants, ["GREEN", "RED"]);
        assert!(color.static_fields.is_empty());
        assert!(describe(lab, "demo.Counter$Inner").is_inner);
        // The class that declares it has no name outside its package.
        let builder = signatures(&describe(lab, "java.lang.StringBuilder").methods);
        assert!(builder.iter().any(|m| m == "java.lang.StringBuilder.length()I"), "{builder:?}");
        let comparable = describe(lab, "java.lang.Comparable");
        assert!(comparable.is_interface && comparable.is_abstract);
        assert_eq!(comparable.methods[0].kind, CallKind::Interface);
        let described = lab.worker().describe(&["demo.Gone".into(), COUNTER.into()]).unwrap();
        assert_eq!(
            described.failures,
            [("demo.Gone".into(), "class demo.Gone is not on the class path".into())]
        );
        assert_eq!(described.types.len(), 1);
    });
}

#[test]
fn describing_and_looking_up_members_initialises_nothing() {
    on_each_jdk(|lab| {
        let mut worker = lab.worker();
        worker.describe(&["demo.Lazy".into()]).unwrap();
        let descriptor = "(Ljava/lang/String;)Ljava/lang/String;";
        let look = call_static(WITNESS, "property", descriptor, vec![text("lazy.initialised")]);
        let lazy = call_static("demo.Lazy", "initialised", "()Ljava/lang/String;", vec![]);
        let outcomes = worker.run(&[job(vec![look.clone(), lazy, look])]);
        let yes = observed(Value::Str("true".into()));
        assert_eq!(outcomes[0].statements, [observed(Value::Null), yes.clone(), yes]);
    });
}

#[test]
fn the_same_jobs_give_the_same_outcomes() {
    on_each_jdk(|lab| {
        let jobs: Vec<Job> = (0..600).map(|n| job(vec![new(COUNTER, "(I)V", vec![int(n)])])).collect();
        assert_eq!(run(lab, &jobs), run(lab, &jobs));
    });
}

/// A figure, not a promise: printed for the reader. The bound only catches a change of kind.
#[test]
fn short_sequences_run_fast() {
    on_each_jdk(|lab| {
        let raise = || call(0, COUNTER, "raise", "()V", vec![]);
        let level = || call(0, COUNTER, "level", "()I", vec![]);
        let short = || job(vec![new(COUNTER, "(I)V", vec![int(1)]), raise(), level(), raise(), level()]);
        let jobs: Vec<Job> = (0..100_000).map(|_| short()).collect();
        let mut worker = lab.worker();
        worker.run(&jobs);
        let start = Instant::now();
        let outcomes = worker.run(&jobs);
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(outcomes.len(), jobs.len());
        assert!(outcomes.iter().all(|o| o.broken.is_none() && o.statements.len() == 5));
        let rate = jobs.len() as f64 / seconds;
        println!("{rate:.0} sequences/s, {:.0} statements/s", rate * 5.0);
        assert!(rate > 2_000.0, "{rate:.0} sequences/s");
    });
}

#[test]
fn a_request_that_does_not_follow_the_protocol_is_no_exception_of_the_program() {
    fn frame(mut from: impl Read) -> Vec<u8> {
        let mut length = [0; 4];
        from.read_exact(&mut length).unwrap();
        let mut frame = vec![0; u32::from_be_bytes(length) as usize];
        from.read_exact(&mut frame).unwrap();
        frame
    }
    on_each_jdk(|lab| {
        let started = lab.jvm().start("io.dynaflow.shim.Worker", &[PIPE_IN, PIPE_OUT], &[]);
        let (_running, mut requests, mut replies) = started.unwrap();
        assert_eq!(frame(&mut replies)[0], 1, "it is ready");
        // Run, a second each, no probes of mutants and of branches, no new names and members, one sequence of 21 bytes: its number, no
        // mutant, no members, one statement of an unknown kind.
        let numbers = [1000, 0, 0, 0, 0, 1, 21_u32].map(u32::to_be_bytes).concat();
        let sequence = [&7_u64.to_be_bytes()[..], &[0; 4], &[0; 4], &1_u32.to_be_bytes(), &[99]].concat();
        let request = [&[2][..], &numbers, &sequence].concat();
        requests.write_all(&u32::try_from(request.len()).unwrap().to_be_bytes()).unwrap();
        requests.write_all(&request).unwrap();
        let reply = frame(&mut replies);
        assert_eq!(reply[0], 8, "{}", String::from_utf8_lossy(&reply));
        assert!(String::from_utf8_lossy(&reply).contains("an operation of kind 99"));
    });
}

#[test]
fn a_worker_that_cannot_read_a_request_is_not_replaced_and_the_reason_is_kept() {
    let jdk = &jdks()[0];
    let lab = Lab::new(jdk, "subjects", &[]);
    let bin = lab.private().join("fake/bin");
    std::fs::create_dir_all(&bin).unwrap();
    let greeting = format!(r"\000\000\000\003\001\{VERSION:03o}\000");
    let complaint = r"\000\000\000\011\010\000\000\000\004oops";
    let script =
        format!("#!/bin/sh\nfor last; do :; done\nprintf '{greeting}{complaint}' > $last\nsleep 3\n");
    let java = bin.join("java");
    std::fs::write(&java, script).unwrap();
    std::fs::set_permissions(&java, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut jvm = lab.jvm();
    jvm.confinement = Confinement::None;
    jvm.jdk.home = lab.private().join("fake");
    let mut worker = lab.worker_with(jvm, Duration::from_secs(1));
    let outcomes = worker.run(&[healthy(), healthy()]);
    assert_eq!(outcomes.len(), 2);
    for outcome in outcomes {
        let broken = format!("{:?}", outcome.broken);
        assert!(broken.contains("protocol error") && broken.contains("oops"), "{broken}");
    }
    assert!(worker.gone().unwrap().contains("fault of dynaflow"), "{:?}", worker.gone());
    assert_eq!(worker.restarts(), 0);
}

#[test]
fn static_state_is_for_each_sequence_as_the_initialiser_left_it_but_for_what_other_objects_hold() {
    const LEDGER: &str = "demo.Ledger";
    on_each_jdk(|lab| {
        let state = || call_static(LEDGER, "state", "()Ljava/lang/String;", vec![]);
        let change = || call_static(LEDGER, "change", "()V", vec![]);
        let changes_and_looks = || job(vec![change(), state()]);
        let jobs = [changes_and_looks(), job(vec![state()]), changes_and_looks(), job(vec![state()])];
        let outcomes = run(lab, &jobs);
        let seen: Vec<&Observed> =
            outcomes.iter().map(|outcome| outcome.statements.last().unwrap()).collect();
        let text = |text: &str| observed(Value::Str(text.into()));
        let changed = |times| format!("4 null 9 [head, line] {{b=2}} 8 somebody [fixed] 5 {times}");
        let left = |times| format!("3 new 2 [head] {{a=1}} 7 nobody [fixed] 4 {times}");
        let expected = [changed(1), left(1), changed(2), left(2)].map(|state| text(&state));
        assert_eq!(seen, expected.iter().collect::<Vec<_>>());
    });
}
