//! Sequences and witnesses: what a test did, and in which of its statements each fact was seen, on which variable.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use common::{M, World, field_ref};
use dynaflow_dataflow::AnalysisConfig;
use dynaflow_model::facts::{TestRecord, WitnessFact};
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sequence::Operation;
use dynaflow_model::sites::{CallKind, MethodRef, SiteKind, ValueKind};
use dynaflow_model::words;

const NULL: ObjectId = ObjectId::NULL;

struct Box_ {
    w: World,
    init: M,
    put: M,
    get: M,
}

fn boxes() -> Box_ {
    let mut w = World::new();
    let class = w.class("a.Box", "java.lang.Object", &["value"], &["<init>", "put", "get"]);
    w.class("t.T", "java.lang.Object", &["box"], &["test t", "before setUp", "after tearDown", "helper"]);
    let [init, put, get] = ["<init>", "put", "get"].map(|name| w.method(class, name));
    Box_ { w, init, put, get }
}

impl Box_ {
    fn write(&mut self, object: ObjectId) {
        self.w.enter(0, self.put, object);
        self.w.put_this(0, self.put, &field_ref("a.Box", "value"), None);
        self.w.exit(0, self.put);
    }

    fn read(&mut self, object: ObjectId) {
        self.w.enter(0, self.get, object);
        self.w.get_this(0, self.get, &field_ref("a.Box", "value"), ValueKind::Leaf);
        self.w.exit(0, self.get);
    }

    /// A call of a test method: the site before it.
    fn call(&mut self, from: M, callee: M, receiver: ObjectId) {
        let class = &self.w.classes[callee.0];
        let name = class.methods[usize::from(callee.1)].name.clone();
        let kind = if name == "<init>" { CallKind::Constructor } else { CallKind::Virtual };
        let callee = MethodRef { owner: class.name.clone(), name, descriptor: "()V".into() };
        let site = self.w.site(from, SiteKind::Call { callee, kind });
        self.w.push(0, &[words::word(site, receiver.0)]);
    }

    fn returned(&mut self, value: u64) {
        self.w.push(0, &[words::word(words::RETURNED, 4096), value]);
    }

    fn records(&self) -> (dynaflow_dataflow::Engine, Vec<TestRecord>) {
        let mut engine = self.w.engine(AnalysisConfig { carve: true, ..AnalysisConfig::default() });
        self.w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
        let records = engine.take_tests();
        (engine, records)
    }
}

fn witnesses(record: &TestRecord) -> Vec<(&'static str, u32, Option<u32>)> {
    let name = |fact: WitnessFact| match fact {
        WitnessFact::Exit(_) => "exit",
        WitnessFact::Entry(_) => "entry",
        WitnessFact::Pair(_) => "pair",
    };
    record.witnesses.iter().map(|witness| (name(witness.fact), witness.statement, witness.root)).collect()
}

#[test]
fn a_carved_test_has_its_calls_and_each_fact_its_statement_and_the_variable_of_its_root() {
    let mut b = boxes();
    let test = b.w.method(1, "t");
    let instance = b.w.object(0, "t.T");
    b.w.begin_test(0, test, instance);
    b.call(test, b.init, NULL);
    let object = b.w.construct(0, b.init);
    b.returned(words::word(words::VALUE_OBJECT, object.0));
    b.call(test, b.put, object);
    b.write(object);
    b.returned(words::word(words::VALUE_VOID, 0));
    b.call(test, b.get, object);
    b.read(object);
    b.returned(words::word(words::VALUE_VOID, 0));
    b.w.end_test(0, test, false);
    let (_, records) = b.records();
    let carved = records[0].carved.as_ref().unwrap();
    let names = carved.sequence.statements.iter().map(|statement| match &statement.operation {
        Operation::New { constructor, .. } => format!("new {}", constructor.owner),
        Operation::Call { method, .. } => method.name.clone(),
        other => format!("{other:?}"),
    });
    assert_eq!(names.collect::<Vec<_>>(), ["new a.Box", "put", "get"]);
    assert_eq!(carved.sequence.statements[0].runtime_class.as_deref(), Some("a.Box"));
    let expected = [("exit", 1, Some(0)), ("entry", 2, Some(0)), ("pair", 2, Some(0))];
    assert_eq!(witnesses(&records[0]), expected);
}

#[test]
fn a_test_of_the_worker_has_witnesses_by_its_own_statements() {
    let mut b = boxes();
    b.w.push(0, &[words::word(words::TEST_BEGIN, 3)]);
    b.w.push(0, &[words::word(words::STATEMENT, 0)]);
    let other = b.w.construct(0, b.init);
    b.write(other);
    b.w.push(0, &[words::word(words::RETURNED, 0), words::word(words::VALUE_NULL, 0)]);
    b.w.push(0, &[words::word(words::STATEMENT, 1)]);
    let object = b.w.construct(0, b.init);
    b.w.push(0, &[words::word(words::RETURNED, 0), words::word(words::VALUE_OBJECT, object.0)]);
    b.w.push(0, &[words::word(words::STATEMENT, 2)]);
    b.write(object);
    b.w.push(0, &[words::word(words::RETURNED, 0), words::word(words::VALUE_VOID, 0)]);
    b.w.push(0, &[words::word(words::TEST_END, 1)]);
    let mut engine = b.w.engine(AnalysisConfig::default());
    engine.text(3, "candidate 7".into());
    b.w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
    let records = engine.take_tests();
    assert_eq!(records[0].name, "candidate 7");
    assert_eq!(records[0].end, dynaflow_model::facts::TestEnd::Threw);
    assert_eq!(records[0].carved, None);
    // First seen in statement 0 on an object no variable holds; the witness on one that is held is of more use.
    assert_eq!(witnesses(&records[0]), [("exit", 2, Some(1))]);
}

#[test]
fn calls_inside_the_program_and_without_carving_are_no_statements() {
    let mut b = boxes();
    let test = b.w.method(1, "t");
    let instance = b.w.object(0, "t.T");
    b.w.begin_test(0, test, instance);
    let object = b.w.object(0, "a.Box");
    b.w.enter(0, b.put, object);
    // A call site of a test class cannot stand in a program frame.
    b.call(test, b.get, object);
    b.w.exit(0, b.put);
    b.w.end_test(0, test, false);
    let (_, records) = b.records();
    assert!(records[0].carved.as_ref().unwrap().sequence.statements.is_empty());
    let mut engine = b.w.engine(AnalysisConfig::default());
    b.w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
    assert_eq!(engine.take_tests()[0].carved, None);
}
