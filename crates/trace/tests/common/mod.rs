//! Recordings for the tests of this crate: one small and readable, others arbitrary. Knows nothing of files.
//! Invariant: every id refers to an entry of the same recording.

#![allow(dead_code, reason = "each test file uses some of it")]

use arbtest::arbitrary::{Result, Unstructured};
use dynaflow_model::coverage::CoverageRun;
use dynaflow_model::facts::*;
use dynaflow_model::sequence::{Arg, CarvedTest, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::{ClassHash, Declined, FieldRef};
use std::collections::BTreeMap;

/// A class hash that differs from others at first sight.
pub fn hash(byte: u8) -> ClassHash {
    ClassHash([byte; 16])
}

/// An arbitrary recording over few names, so that two of them have much in common.
pub fn arbitrary(u: &mut Unstructured<'_>) -> Result<Recording> {
    let mut recording = Recording::default();
    for _ in 0..u.int_in_range(0..=4)? {
        let record = arbitrary_test(u, &mut recording.facts)?;
        recording.tests.push(record);
    }
    for _ in 0..u.int_in_range(0..=3)? {
        arbitrary_block(u, &mut recording.facts)?;
    }
    for _ in 0..u.int_in_range(0..=2)? {
        recording.classes.insert(class(u)?, hash(7));
        recording.declined.push(Declined { class: class(u)?, reason: "too large".to_owned() });
        recording.notes.push(class(u)?);
    }
    for _ in 0..u.int_in_range(0..=2)? {
        recording.coverage.runs.insert(coverage_run(u.choose(&["a.**", "b.**"])?));
        recording.coverage.covered.insert(*u.choose(&[0, 5, u64::MAX])?);
    }
    recording.bounds.depth = u.int_in_range(0..=3)?;
    Ok(recording)
}

/// A run that recorded coverage of the classes of a pattern.
pub fn coverage_run(include: &str) -> CoverageRun {
    CoverageRun { include: vec![include.to_owned()], ..CoverageRun::default() }
}

fn class(u: &mut Unstructured<'_>) -> Result<String> {
    Ok((*u.choose(&["a.A", "a.B", "a.C$D"])?).to_owned())
}

fn method(u: &mut Unstructured<'_>, facts: &mut FactTable) -> Result<MethodId> {
    let class = facts.sym(&class(u)?);
    let signature = facts.sym(u.choose(&["<init>()V", "f()V", "g(I)J"])?);
    Ok(facts.methods.intern(Method { class, signature }))
}

fn variable(u: &mut Unstructured<'_>, facts: &mut FactTable) -> Result<VariableId> {
    let root = facts.sym(&class(u)?);
    let name = facts.sym(u.choose(&["v", "w"])?);
    let mut steps = vec![Step::Field { class: root, name }];
    if u.arbitrary()? {
        steps.push(Step::Element);
    }
    Ok(facts.variables.intern(Variable { root, steps: steps.into() }))
}

fn place(u: &mut Unstructured<'_>, facts: &mut FactTable) -> Result<PlaceId> {
    let method = method(u, facts)?;
    Ok(facts.places.intern(Place { method, offset: u.int_in_range(0..=2)?, line: 3 }))
}

fn context(u: &mut Unstructured<'_>, facts: &mut FactTable) -> Result<ContextId> {
    let cut = u.arbitrary()?;
    let tail = if cut { vec![method(u, facts)?] } else { vec![] };
    let context = Context { head: [method(u, facts)?].into(), tail: tail.into(), cut };
    Ok(facts.contexts.intern(context))
}

fn definition(u: &mut Unstructured<'_>, facts: &mut FactTable) -> Result<DefinitionId> {
    let kind = *u.choose(&[DefinitionKind::Direct, DefinitionKind::Nested])?;
    let definition = Definition { place: place(u, facts)?, kind, context: context(u, facts)? };
    Ok(facts.definitions.intern(definition))
}

fn usage(u: &mut Unstructured<'_>, facts: &mut FactTable) -> Result<UseId> {
    let usage = Use { place: place(u, facts)?, context: context(u, facts)? };
    Ok(facts.uses.intern(usage))
}

/// A basic block with up to two facts.
fn arbitrary_block(u: &mut Unstructured<'_>, facts: &mut FactTable) -> Result<()> {
    let place = place(u, facts)?;
    let block = facts.blocks.intern(Block { place, number: u.int_in_range(1..=2)? });
    if u.arbitrary()? {
        let (variable, definition) = (variable(u, facts)?, definition(u, facts)?);
        facts.reaching.intern(ReachingDefinition { block, variable, definition });
    }
    if u.arbitrary()? {
        let (variable, usage) = (variable(u, facts)?, usage(u, facts)?);
        facts.reachable.intern(ReachableUse { block, variable, usage });
    }
    Ok(())
}

fn arbitrary_test(u: &mut Unstructured<'_>, facts: &mut FactTable) -> Result<TestRecord> {
    let name = (*u.choose(&["", "a.ATest#one", "a.ATest#two"])?).to_owned();
    let end = *u.choose(&[TestEnd::Returned, TestEnd::Threw, TestEnd::Cut])?;
    let (mut pairs, mut exits, mut entries) = (vec![], vec![], vec![]);
    for _ in 0..u.int_in_range(0..=3)? {
        let variable = variable(u, facts)?;
        let pair = Pair { variable, definition: definition(u, facts)?, usage: usage(u, facts)? };
        pairs.push(facts.pairs.intern(pair));
        let method = method(u, facts)?;
        let exit = DefAtExit { variable, method, exit: Exit::Exception, definition: pair.definition };
        exits.push(facts.exits.intern(exit));
        entries.push(facts.entries.intern(UseAtEntry { variable, method, usage: pair.usage }));
    }
    pairs.sort();
    pairs.dedup();
    exits.sort();
    exits.dedup();
    entries.sort();
    entries.dedup();
    let carved = if u.arbitrary()? { Some(carved(u)?) } else { None };
    let witnesses = witnesses(carved.as_ref(), &pairs, &exits, &entries);
    Ok(TestRecord { name, end, pairs, exits, entries, carved, witnesses })
}

fn witnesses(
    carved: Option<&CarvedTest>,
    pairs: &[PairId],
    exits: &[ExitId],
    entries: &[EntryId],
) -> Vec<Witness> {
    if carved.is_none() {
        return vec![];
    }
    let exits = exits.iter().map(|&id| WitnessFact::Exit(id));
    let entries = entries.iter().map(|&id| WitnessFact::Entry(id));
    let pairs = pairs.iter().map(|&id| WitnessFact::Pair(id));
    exits.chain(entries).chain(pairs).map(|fact| Witness { fact, statement: 1, root: Some(0) }).collect()
}

fn carved(u: &mut Unstructured<'_>) -> Result<CarvedTest> {
    let field = FieldRef { owner: class(u)?, name: "F".to_owned(), descriptor: "La/B;".to_owned() };
    let get = Statement {
        operation: Operation::GetStatic(field),
        result: "La/B;".to_owned(),
        runtime_class: Some("a.B".to_owned()),
        caught: None,
    };
    let value = Arg::Value(Value::Boxed(Box::new(Value::Double(u.int_in_range(0..=1)?))));
    let store = Statement {
        operation: Operation::ArrayStore { array: Arg::Var(0), index: 0, value },
        result: "V".to_owned(),
        runtime_class: None,
        caught: None,
    };
    let sequence = Sequence { statements: vec![get, store] };
    Ok(CarvedTest { sequence, obstacle: None })
}

/// What a recording says, without ids: compared instead of tables.
pub fn meaning(recording: &Recording) -> String {
    let r = dynaflow_trace::canonical(recording);
    let mut text = String::new();
    let mut line = |value: &dyn std::fmt::Debug| text.push_str(&format!("{value:?}\n"));
    r.facts.strings.iter().for_each(|e| line(&e));
    r.facts.methods.iter().for_each(|e| line(&e));
    r.facts.contexts.iter().for_each(|e| line(&e));
    r.facts.variables.iter().for_each(|e| line(&e));
    r.facts.places.iter().for_each(|e| line(&e));
    r.facts.definitions.iter().for_each(|e| line(&e));
    r.facts.uses.iter().for_each(|e| line(&e));
    r.facts.pairs.iter().for_each(|e| line(&e));
    r.facts.exits.iter().for_each(|e| line(&e));
    r.facts.entries.iter().for_each(|e| line(&e));
    r.facts.blocks.iter().for_each(|e| line(&e));
    r.facts.reaching.iter().for_each(|e| line(&e));
    r.facts.reachable.iter().for_each(|e| line(&e));
    line(&r.tests);
    line(&r.classes);
    line(&r.declined);
    line(&r.notes);
    line(&r.coverage);
    text
}

/// A recording drawn from a fixed seed, with every kind of block in it.
pub fn sample() -> Recording {
    let bytes: Vec<u8> = (0..4096_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let mut u = Unstructured::new(&bytes);
    let mut recording = Recording::default();
    while recording.tests.len() < 3 {
        let record = arbitrary_test(&mut u, &mut recording.facts).unwrap();
        if !record.pairs.is_empty() {
            recording.tests.push(record);
        }
    }
    while recording.facts.reaching.is_empty() || recording.facts.reachable.is_empty() {
        arbitrary_block(&mut u, &mut recording.facts).unwrap();
    }
    recording.classes.insert("a.A".to_owned(), hash(1));
    recording.declined.push(Declined { class: "a.Huge#f()V".to_owned(), reason: "over 64 KiB".to_owned() });
    recording.notes.push("no room".to_owned());
    recording.coverage.runs.insert(coverage_run("a.**"));
    recording.coverage.covered.extend([7, 0xfedc_ba98_7654_3210]);
    recording.bounds = BoundsHit { depth: 1, context: 2, paths: 300, memory: 4, unknown: 5 };
    let thinned = |class: &str, line| ThinnedAt { class: class.into(), method: "get()I".into(), line };
    recording.thinned = BTreeMap::from([(thinned("a.Outer", 3), 1 << 40), (thinned("a.Outer", 7), 2)]);
    recording.effort = Effort { words: 4000, waits: 5, waited: 60, settled: 7 };
    recording
}

/// The test with its name and its calls alone.
pub fn without_facts(test: &TestRecord) -> TestRecord {
    TestRecord { pairs: vec![], exits: vec![], entries: vec![], witnesses: vec![], ..test.clone() }
}
