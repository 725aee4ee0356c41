//! Whole methods as one query, held against a real JVM: each test kills its mutant, and no call of many kills what is said to be equivalent.
//!
//! The subjects are the running example of the paper and, by their descriptions, the programs of its Table II. Those with many divisions or queries
//! are slow, and run with `DYNAFLOW_SLOW_TESTS=1` alone.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests, outside of a test function"
)]

mod support;

use dynaflow_classfile::ClassFile;
use dynaflow_solve::{Argument, Bounds, Problem, Verdict, value::Value, whole};
use std::collections::BTreeMap;
use std::path::Path;
use support::{Call, Subject, compile, java_folder, java_homes, run, solver};

const SUBJECTS: &[(&str, &str)] = &[
    ("Example", "function"),
    ("FindLast", "findLast"),
    ("CountPositive", "countPositive"),
    ("NumZero", "numZero"),
];
const SLOW: &[(&str, &str)] = &[
    ("Triang", "triang"),
    ("ReachNumber", "reachNumber"),
    ("SwitchButton", "switchButton"),
    ("IsPalindrome", "isPalindrome"),
    ("ReverseInteger", "reverseInteger"),
];

/// The verdicts on the mutants of a method, by mutant.
fn verdicts(subject: &Subject, method: &str) -> Vec<(usize, Verdict)> {
    let class = ClassFile::parse(&subject.bytes).unwrap();
    let mut solver = solver();
    let mut solve = |(number, mutant)| {
        let mut problem = Problem::of_mutant(&class, mutant, Bounds::default()).unwrap();
        (number, whole::solve(&mut problem, &mut solver).unwrap())
    };
    let own = subject.found.mutants.iter().enumerate().filter(|(_, mutant)| mutant.method == method);
    own.map(&mut solve).collect()
}

/// Arguments of small numbers, in the form of those given.
fn small(form: &[Argument]) -> Vec<Vec<Argument>> {
    let mut all: Vec<Vec<Argument>> = vec![vec![]];
    for argument in form {
        let values: Vec<Argument> = match argument {
            Argument::Number(letter, _) => {
                (-2..5).map(|value| Argument::Number(*letter, Value::Int(value))).collect()
            }
            Argument::Array(letter, _) => {
                let array =
                    |bits: i32| (0..bits % 4).map(|place| Value::Int((bits >> place) % 3 - 1)).collect();
                (0..12).map(|bits| Argument::Array(*letter, Some(array(bits)))).collect()
            }
        };
        let longer = |before: &Vec<Argument>| -> Vec<Vec<Argument>> {
            values.iter().map(|value| before.iter().cloned().chain([value.clone()]).collect()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn check(home: &Path, class: &str, method: &str) -> BTreeMap<String, usize> {
    let folder = tempfile::tempdir().unwrap();
    compile(home, &[java_folder().join(format!("subjects/{class}.java"))], folder.path());
    let subject = Subject::read(folder.path(), class);
    let verdicts = verdicts(&subject, method);
    let form = verdicts.iter().find_map(|(_, verdict)| match verdict {
        Verdict::Test(arguments) => Some(arguments.clone()),
        _ => None,
    });
    let tried = small(&form.unwrap());
    let mut calls: Vec<Call<'_>> = vec![];
    let mut counts = BTreeMap::new();
    for (number, verdict) in &verdicts {
        let (name, with) = match verdict {
            Verdict::Test(arguments) => ("test", std::slice::from_ref(arguments)),
            Verdict::Equivalent(_) => ("equivalent", tried.as_slice()),
            Verdict::RunsOn(_) => ("runs on", [].as_slice()),
            Verdict::Undecided(_) => ("undecided", [].as_slice()),
        };
        *counts.entry(name.to_owned()).or_default() += 1;
        for arguments in with {
            calls
                .extend([None, Some(*number)].map(|mutant| (&subject, mutant, method, arguments.as_slice())));
        }
    }
    let outcomes = run(home, folder.path(), &calls);
    assert_eq!(outcomes.len(), calls.len());
    for (call, pair) in calls.chunks(2).zip(outcomes.chunks(2)) {
        let (_, mutant, _, arguments) = call[1];
        let verdict = verdicts.iter().find(|(number, _)| Some(*number) == mutant).unwrap();
        let is_killed = pair[0] != pair[1];
        let said = matches!(verdict.1, Verdict::Test(_));
        assert_eq!(is_killed, said, "{class}: {verdict:?} with {arguments:?}: {pair:?}");
    }
    counts
}

#[test]
fn tests_kill_their_mutants_in_a_jvm_and_equivalent_ones_are_not_killed() {
    let slow = std::env::var_os("DYNAFLOW_SLOW_TESTS").is_some_and(|value| value == "1");
    for (class, method) in SUBJECTS.iter().chain(SLOW.iter().filter(|_| slow)) {
        let counts = check(&java_homes()[0], class, method);
        println!("{class}: {counts:?}");
        assert!(counts["test"] > 0 && counts["equivalent"] > 0, "{class}: {counts:?}");
    }
}
