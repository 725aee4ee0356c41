//! Expressions held against a real JVM: for many arguments, the expressions of a method evaluate to what the JVM gives, exceptions included; what is not
//! understood is refused by name.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests, outside of a test function"
)]

#[allow(dead_code, reason = "each test uses a part of what they share")]
mod support;

use dynaflow_classfile::ClassFile;
use dynaflow_solve::expr::Expr;
use dynaflow_solve::state::{Env, Key};
use dynaflow_solve::units::{Parameter, Version};
use dynaflow_solve::value::{Sort, Value};
use dynaflow_solve::walk::{Region, walk};
use dynaflow_solve::{Argument, Bounds, Problem, Refusal};
use std::collections::{BTreeMap, BTreeSet};
use support::{Call, Subject, compile, java_folder, java_homes, run};

const METHODS: &[(&str, &str)] = &[
    ("ints", "(II)I"),
    ("divide", "(II)I"),
    ("longs", "(JI)J"),
    ("divideLongs", "(JJ)J"),
    ("doubles", "(DD)D"),
    ("orders", "(DD)I"),
    ("conversions", "(DI)J"),
    ("chosen", "(I)I"),
    ("sorted", "([II)I"),
    ("bytes", "([BI)I"),
    ("called", "(II)I"),
    ("refusing", "(I)I"),
    ("made", "(I)I"),
];

const INTS: [i32; 10] = [0, 1, -1, 2, 3, 33, 1000, 123_456_789, i32::MAX, i32::MIN];
const DOUBLES: [f64; 9] = [0.0, -0.0, 1.5, -2.25, 1e10, -1e300, f64::NAN, f64::INFINITY, 3e9];

fn problem(subject: &Subject, method: (&str, &str)) -> Result<Problem, Refusal> {
    let class = ClassFile::parse(&subject.bytes).unwrap();
    Problem::new(&class, method, &BTreeMap::new(), Bounds::default())
}

/// All values that a parameter is tried with.
fn tried(parameter: &Parameter) -> Vec<Argument> {
    let ints = || INTS.iter().map(|value| Value::Int(*value));
    match parameter {
        Parameter::Number(b'J', _) => {
            let longs = INTS.iter().map(|v| i64::from(*v)).chain([i64::MIN, i64::MAX, 1 << 40]);
            longs.map(|value| Argument::Number(b'J', Value::Long(value))).collect()
        }
        Parameter::Number(b'D', _) => {
            DOUBLES.iter().map(|value| Argument::Number(b'D', Value::Double(value.to_bits()))).collect()
        }
        Parameter::Number(letter, _) => ints().map(|value| Argument::Number(*letter, value)).collect(),
        Parameter::Array(letter, _) => {
            let arrays: [Option<&[i32]>; 6] =
                [None, Some(&[]), Some(&[5]), Some(&[3, 1]), Some(&[1, 2, 3]), Some(&[9, 7, 8, -1])];
            let values = |array: &[i32]| array.iter().map(|value| Value::Int(*value)).collect();
            arrays.iter().map(|array| Argument::Array(*letter, array.map(values))).collect()
        }
    }
}

/// What the places of the parameters hold.
fn inputs(problem: &Problem, arguments: &[Argument]) -> BTreeMap<Key, Value> {
    let mut inputs = BTreeMap::new();
    for (parameter, argument) in problem.units.parameters.iter().zip(arguments) {
        match (parameter, argument) {
            (Parameter::Number(_, key), Argument::Number(_, value)) => drop(inputs.insert(*key, *value)),
            (Parameter::Array(_, array), Argument::Array(_, values)) => {
                inputs.insert(Key::IsNull(*array), Value::Bool(values.is_none()));
                let values = values.as_deref().unwrap_or_default();
                inputs.insert(Key::Length(*array), Value::Int(values.len() as i32));
                for place in 0..problem.units.bounds.elements {
                    let value = values.get(usize::from(place)).copied().unwrap_or(Value::Int(0));
                    inputs.insert(Key::Element(*array, place), value);
                }
            }
            _ => panic!("an argument is no value of its parameter"),
        }
    }
    inputs
}

/// What the expressions say, as the harness prints what a JVM says; none beyond the bounds.
fn expected(problem: &mut Problem, arguments: &[Argument]) -> Option<String> {
    let inputs = inputs(problem, arguments);
    let Problem { pool, units, graph, .. } = problem;
    let all = Region { from: 0, to: None };
    let walked = walk(pool, units, graph, Version::Original, all, &Env::new()).unwrap();
    let eval = |expr: Expr| pool.eval(expr, |var| inputs.get(&units.places.key(var)?).copied());
    let holds = |expr: Expr| match eval(expr) {
        Some(Value::Bool(holds)) => holds,
        other => panic!("a condition evaluates to {other:?} with {arguments:?}"),
    };
    let mut ways: Vec<Option<String>> =
        walked.thrown.iter().filter(|way| holds(*way.1)).map(|way| Some(way.0.replace('/', "."))).collect();
    if holds(walked.beyond) {
        ways.push(None);
    }
    if holds(walked.returned.0) {
        let mut words = vec![shown(eval(walked.returned.1[&Key::Result]).unwrap())];
        for (array, argument) in (0..).zip(arguments.iter().filter(|a| matches!(a, Argument::Array(..)))) {
            let Argument::Array(_, Some(values)) = argument else { continue };
            for place in 0..values.len() as u16 {
                let key = Key::Element(array, place);
                let value = walked.returned.1.get(&key).map_or(inputs[&key], |expr| eval(*expr).unwrap());
                words.push(shown(value));
            }
        }
        ways.push(Some(words.join(" ")));
    }
    assert_eq!(ways.len(), 1, "it ends in one way with {arguments:?}: {ways:?}");
    ways.remove(0)
}

fn shown(value: Value) -> String {
    match value {
        Value::Double(bits) => format!("{:?}", f64::from_bits(bits)),
        other => other.to_string().trim_end_matches('L').to_owned(),
    }
}

/// Numbers with a point are compared as numbers: the two languages print them differently.
fn is_same(sort: Option<Sort>, ours: &str, javas: &str) -> bool {
    match (sort, ours.parse::<f64>(), javas.parse::<f64>()) {
        (Some(Sort::Double), Ok(ours), Ok(javas)) => {
            ours.to_bits() == javas.to_bits() || ours.is_nan() && javas.is_nan()
        }
        _ => ours == javas,
    }
}

#[test]
fn expressions_evaluate_to_what_a_jvm_gives() {
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        compile(&home, &[java_folder().join("Kinds.java")], folder.path());
        let subject = Subject::read(folder.path(), "Kinds");
        let mut all: Vec<(&str, Vec<Argument>, Option<String>, bool)> = vec![];
        for (name, descriptor) in METHODS {
            let mut problem = problem(&subject, (name, descriptor)).unwrap();
            let values: Vec<Vec<Argument>> = problem.units.parameters.iter().map(tried).collect();
            let last = values.get(1).cloned().map_or(vec![None], |v| v.into_iter().map(Some).collect());
            for first in &values[0] {
                for second in &last {
                    let arguments: Vec<Argument> =
                        [first.clone()].into_iter().chain(second.clone()).collect();
                    let ours = expected(&mut problem, &arguments);
                    all.push((name, arguments, ours, descriptor.ends_with('D')));
                }
            }
        }
        let calls: Vec<Call<'_>> = all.iter().map(|of| (&subject, None, of.0, of.1.as_slice())).collect();
        let javas = run(&home, folder.path(), &calls);
        assert_eq!(javas.len(), all.len());
        let beyond: BTreeSet<&str> = all.iter().filter(|of| of.2.is_none()).map(|of| of.0).collect();
        assert_eq!(beyond, BTreeSet::from(["made"]), "arrays longer than the bound, and nothing else");
        for ((name, arguments, ours, is_double), javas) in all.iter().zip(&javas) {
            let Some(ours) = ours else { continue };
            let sort = is_double.then_some(Sort::Double);
            assert!(is_same(sort, ours, javas), "{name} {arguments:?}: {ours}, in a JVM {javas}");
        }
    }
}

#[test]
fn what_is_not_understood_is_refused_by_name() {
    let home = java_homes().remove(0);
    let folder = tempfile::tempdir().unwrap();
    compile(&home, &[java_folder().join("Kinds.java")], folder.path());
    let subject = Subject::read(folder.path(), "Kinds");
    for (name, descriptor, why) in [
        ("endless", "(I)I", "it calls Kinds.endless, which is mutated, by itself or what it calls"),
        ("text", "(I)Ljava/lang/String;", "it calls java.lang.StringBuilder.<init>"),
        ("handled", "(I)I", "it handles exceptions"),
        ("remainder", "(D)D", "it uses drem"),
        ("missing", "()V", "there is no such method"),
        ("<init>", "()V", "it is no static method"),
    ] {
        let refusal = problem(&subject, (name, descriptor)).unwrap_err().to_string();
        assert_eq!(refusal, why, "{name}");
    }
}
