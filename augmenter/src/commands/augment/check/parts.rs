//! Parts of the seed tests around objects of a class, as candidates: they run what the seeds run, and more is looked at in the end, so that
//! they may notice mutants that the seeds leave alive (assertion amplification, Baudry et al., "DSpot", 2019).
//!
//! Knows nothing of mutants or workers. Invariant: a part does what a seed test does to an object up to some call on it, and no two are alike;
//! the same seeds give the same parts.

use dynaflow_model::descriptor;
use dynaflow_model::facts::TestRecord;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement};
use dynaflow_search::{Types, around, check, rebuildable};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Most parts for a class.
const MOST: usize = 240;
/// Most statements of a part: nobody reads longer ones.
const LONGEST: usize = 16;
/// Most objects of a test that parts are made for.
const OBJECTS: usize = 6;

/// The parts of these tests around objects of some classes, or around calls of their static methods: of each test the longest first, in turn.
pub fn of<'a>(
    tests: impl Iterator<Item = &'a TestRecord>,
    classes: &[String],
    types: &Types,
) -> Vec<Sequence> {
    let mut sequences: BTreeSet<Sequence> = BTreeSet::new();
    let mut by_test: Vec<Vec<Sequence>> = vec![];
    for carved in tests.filter_map(|test| test.carved.as_ref()) {
        let parts = of_test(&rebuildable(&carved.sequence), classes, types);
        by_test.push(parts.into_iter().filter(|part| sequences.insert(part.clone())).collect());
    }
    let mut in_turn: BTreeMap<(usize, usize), Sequence> = BTreeMap::new();
    for (test, parts) in by_test.into_iter().enumerate() {
        in_turn.extend(parts.into_iter().enumerate().map(|(place, part)| ((place, test), part)));
    }
    in_turn.into_values().take(MOST).collect()
}

/// The parts of a test, the longest first.
fn of_test(sequence: &Sequence, classes: &[String], types: &Types) -> Vec<Sequence> {
    let is_about = |statement: &Statement| gives(statement, classes) || is_static_call(statement, classes);
    let objects = (0u32..).zip(&sequence.statements).filter(|(_, statement)| is_about(statement));
    let mut parts: Vec<Sequence> = vec![];
    for (object, _) in objects.take(OBJECTS) {
        for (last, statement) in (0u32..).zip(&sequence.statements).skip(object as usize) {
            if last != object && !touches(statement, object) {
                continue;
            }
            let part = around(sequence, object, last);
            if part.statements.len() > LONGEST {
                break;
            }
            if check(&part, types).is_ok() && !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    parts.sort_by_key(|part| Reverse(part.statements.len()));
    parts
}

/// Whether the statement gives an object of one of the classes, as far as types say.
fn gives(statement: &Statement, classes: &[String]) -> bool {
    match &statement.operation {
        Operation::New { constructor, .. } => classes.contains(&constructor.owner),
        Operation::Call { .. } | Operation::GetStatic(_) => {
            let is_one = |class: &String| classes.contains(class);
            statement.runtime_class.as_ref().is_some_and(is_one)
                || descriptor::class_of(&statement.result).as_ref().is_some_and(is_one)
        }
        _ => false,
    }
}

fn is_static_call(statement: &Statement, classes: &[String]) -> bool {
    matches!(&statement.operation, Operation::Call { method, receiver: None, .. } if classes.contains(&method.owner))
}

fn touches(statement: &Statement, object: u32) -> bool {
    statement.operation.args().contains(&&Arg::Var(object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::facts::TestEnd;
    use dynaflow_model::sequence::{CarvedTest, Value};
    use dynaflow_model::sites::{CallKind, MethodRef};

    fn method(name: &str, descriptor: &str) -> MethodRef {
        MethodRef { owner: "a.Door".into(), name: name.into(), descriptor: descriptor.into() }
    }

    fn statement(operation: Operation, result: &str) -> Statement {
        Statement { operation, result: result.into(), runtime_class: None, caught: None }
    }

    fn door() -> Statement {
        statement(Operation::New { constructor: method("<init>", "()V"), args: vec![] }, "La/Door;")
    }

    fn turn(on: Option<u32>, times: i32) -> Statement {
        let kind = if on.is_some() { CallKind::Virtual } else { CallKind::Static };
        let (method, args) = (method("turn", "(I)V"), vec![Arg::Value(Value::Int(times))]);
        statement(Operation::Call { method, kind, receiver: on.map(Arg::Var), args }, "V")
    }

    fn test(statements: Vec<Statement>) -> TestRecord {
        TestRecord {
            name: String::new(),
            end: TestEnd::Returned,
            pairs: vec![],
            exits: vec![],
            entries: vec![],
            carved: Some(CarvedTest { sequence: Sequence { statements }, obstacle: None }),
            witnesses: vec![],
        }
    }

    /// How many statements each part has, and how often they turn.
    fn parts(tests: &[TestRecord], class: &str) -> Vec<Vec<i32>> {
        let times = |statement: &Statement| match statement.operation.args().last() {
            Some(Arg::Value(Value::Int(times))) => *times,
            _ => 0,
        };
        let parts = of(tests.iter(), &[class.to_owned()], &Types::new([], "a"));
        parts.iter().map(|part| part.statements.iter().map(times).collect()).collect()
    }

    #[test]
    fn a_part_is_what_was_done_to_an_object_up_to_a_call_the_longest_first_and_of_tests_in_turn() {
        // Two doors in one test; another test does to its door what was done to the first.
        let two = test(vec![door(), door(), turn(Some(0), 1), turn(Some(1), 2), turn(Some(0), 3)]);
        let same = test(vec![door(), turn(Some(0), 1), turn(Some(0), 3), turn(Some(0), 4)]);
        assert_eq!(
            parts(&[two, same], "a.Door"),
            [vec![0, 1, 3], vec![0, 1, 3, 4], vec![0, 1], vec![0, 2], vec![0]]
        );
    }

    #[test]
    fn calls_of_static_methods_are_parts_and_other_classes_and_long_ones_are_none() {
        let calls = test(vec![turn(None, 1), turn(None, 2)]);
        assert_eq!(parts(&[calls], "a.Door"), [[1], [2]]);
        let long = test([door()].into_iter().chain((1..40).map(|n| turn(Some(0), n))).collect());
        let found = parts(std::slice::from_ref(&long), "a.Door");
        assert_eq!(found.iter().map(Vec::len).max(), Some(LONGEST));
        assert_eq!(parts(&[long], "a.Window"), [[0; 0]; 0]);
        let opaque =
            test(vec![door(), statement(Operation::Opaque("a lambda".into()), "V"), turn(Some(0), 1)]);
        assert_eq!(parts(&[opaque], "a.Door"), [vec![0, 1], vec![0]], "what can be rebuilt");
    }

    #[test]
    fn there_are_so_many_and_no_more() {
        let tests: Vec<TestRecord> = (0..300).map(|n| test(vec![door(), turn(Some(0), 1000 + n)])).collect();
        assert_eq!(parts(&tests, "a.Door").len(), MOST);
    }
}
