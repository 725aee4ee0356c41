//! What is written is read back: whole files, growing files, unfinished files. Knows nothing of harmed ones.
//! Invariant: reading is compared with the recording itself, never with another reading.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;

use common::{arbitrary, coverage_run, hash, meaning, sample};
use dynaflow_model::facts::{BoundsHit, Effort, FactTable, Recording, TestEnd, TestRecord, ThinnedAt};
use dynaflow_model::sequence::{Arg, CarvedTest, Operation, Sequence, Statement, Value};
use dynaflow_trace::{Event, ReadState, TraceError, TraceReader, TraceWriter, merge, read, write};
use std::collections::BTreeMap;
use std::fs;

/// Writes as the agent does: classes and tests one by one, the table always as a whole.
fn record(writer: &mut TraceWriter, recording: &Recording) {
    recording.classes.iter().for_each(|(name, hash)| writer.class(name, *hash).unwrap());
    recording.declined.iter().for_each(|d| writer.declined(d).unwrap());
    recording.notes.iter().for_each(|n| writer.note(n).unwrap());
    recording.coverage.runs.iter().for_each(|run| writer.coverage(run).unwrap());
    // In the order they are covered, which is none.
    recording.coverage.covered.iter().rev().for_each(|&id| writer.covered(&[id]).unwrap());
    recording.tests.iter().for_each(|t| writer.test(&recording.facts, t).unwrap());
    writer.facts(&recording.facts).unwrap();
}

#[test]
fn every_recording_comes_back_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    arbtest::arbtest(|u| {
        let recording = arbitrary(u)?;
        fs::remove_file(&path).ok();
        let mut writer = TraceWriter::create(&path).unwrap();
        record(&mut writer, &recording);
        writer.finish(recording.bounds, recording.effort).unwrap();
        let (back, state) = read(&path).unwrap();
        assert_eq!(state, ReadState::Complete);
        assert_eq!(meaning(&back), meaning(&recording));
        assert_eq!(
            (back.tests, back.bounds, back.effort),
            (recording.tests, recording.bounds, recording.effort)
        );
        Ok(())
    });
}

#[test]
fn where_events_were_left_out_comes_back_and_adds_up_when_merged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    let line = |line| ThinnedAt { class: "a.B".into(), method: "m()V".into(), line };
    // More lines than one block takes.
    let thinned: BTreeMap<_, _> = (0..1000).map(|at| (line(at), u64::from(at) + 1)).collect();
    let mut writer = TraceWriter::create(&path).unwrap();
    writer.thinned(&thinned).unwrap();
    writer.finish(BoundsHit::default(), Effort::default()).unwrap();
    let mut recording = read(&path).unwrap().0;
    assert_eq!(recording.thinned, thinned);
    let again = recording.clone();
    merge(&mut recording, &again).unwrap();
    assert_eq!(recording.thinned[&line(9)], 20);
}

#[test]
fn a_trace_without_end_marker_is_used_and_said_to_be_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    let recording = sample();
    let mut writer = TraceWriter::create(&path).unwrap();
    record(&mut writer, &recording);
    drop(writer);
    let (back, state) = read(&path).unwrap();
    let ReadState::CutAt(cut) = state else { panic!("expected a cut") };
    assert_eq!(cut.offset, fs::metadata(&path).unwrap().len());
    assert!(cut.reason.contains("without the end marker"), "{}", cut.reason);
    assert_eq!(meaning(&back), meaning(&recording));
}

#[test]
fn each_record_can_be_read_as_soon_as_its_call_returned() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    let recording = sample();
    let mut writer = TraceWriter::create(&path).unwrap();
    let mut reader = TraceReader::open(&path).unwrap();
    assert_eq!(reader.poll().unwrap(), vec![]);
    // The table grows between the tests, as it does while recording.
    for test in &recording.tests {
        writer.test(&recording.facts, test).unwrap();
        assert_eq!(reader.poll().unwrap(), vec![Event::Test(test.clone())]);
        assert!(test.pairs.iter().all(|&id| reader.facts().pairs.get(id) == recording.facts.pairs.get(id)));
        assert!(reader.next().unwrap().is_none() && reader.harmed().is_none());
    }
    writer.finish(recording.bounds, recording.effort).unwrap();
    assert_eq!(reader.poll().unwrap(), vec![Event::Effort(recording.effort), Event::End(recording.bounds)]);
    assert_eq!(reader.state(), ReadState::Complete);
}

#[test]
fn what_was_covered_can_be_read_as_soon_as_its_call_returned() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    let mut writer = TraceWriter::create(&path).unwrap();
    let mut reader = TraceReader::open(&path).unwrap();
    writer.coverage(&coverage_run("a.**")).unwrap();
    assert_eq!(reader.poll().unwrap(), vec![Event::Coverage(coverage_run("a.**"))]);
    writer.covered(&[9, 3]).unwrap();
    assert_eq!(reader.poll().unwrap(), vec![Event::Covered(vec![9, 3])]);
    writer.covered(&[]).unwrap();
    assert_eq!(reader.poll().unwrap(), vec![]);
    drop(writer);
    let coverage = read(&path).unwrap().0.coverage;
    assert_eq!(coverage.covered.into_iter().collect::<Vec<_>>(), [3, 9]);
}

#[test]
fn more_covered_associations_than_a_block_takes_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    let mut recording = Recording::default();
    recording.coverage.covered.extend((0..(1 << 20) + 5).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    write(&path, &recording).unwrap();
    assert_eq!(TraceReader::open(&path).unwrap().poll().unwrap().len(), 3, "two blocks and the end");
    assert_eq!(read(&path).unwrap().0.coverage, recording.coverage);
}

#[test]
fn a_follower_meets_half_a_block_and_later_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, growing) = (folder.path().join("whole.trace"), folder.path().join("growing.trace"));
    write(&whole, &sample()).unwrap();
    let bytes = fs::read(&whole).unwrap();
    let expected = TraceReader::open(&whole).unwrap().poll().unwrap();
    fs::write(&growing, []).unwrap();
    let mut reader = TraceReader::open(&growing).unwrap();
    let mut events = vec![];
    for end in (0..=bytes.len()).step_by(7).chain([bytes.len()]) {
        fs::write(&growing, &bytes[..end]).unwrap();
        events.extend(reader.poll().unwrap());
    }
    assert_eq!(events, expected);
    assert_eq!(reader.state(), ReadState::Complete);
}

#[test]
fn a_trace_is_never_overwritten_and_a_repeated_pid_gets_its_own_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("made/when/missing");
    let first = TraceWriter::create_in(&out, 7).unwrap();
    let second = TraceWriter::create_in(&out, 7).unwrap();
    assert!(first.path().ends_with("dynaflow-7.trace") && second.path().ends_with("dynaflow-7-2.trace"));
    let error = TraceWriter::create(first.path()).unwrap_err();
    assert!(matches!(error, TraceError::Io { .. }), "{error}");
}

#[test]
fn a_second_build_of_a_class_is_refused_and_leaves_the_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = TraceWriter::create_in(folder.path(), 1).unwrap();
    writer.class("a.A", hash(1)).unwrap();
    let size = fs::metadata(writer.path()).unwrap().len();
    writer.class("a.A", hash(1)).unwrap();
    let error = writer.class("a.A", hash(2)).unwrap_err().to_string();
    assert!(
        error.contains("a.A") && error.contains(&hash(1).to_string()) && error.contains(&hash(2).to_string())
    );
    assert_eq!(fs::metadata(writer.path()).unwrap().len(), size);
}

#[test]
fn a_table_larger_than_a_block_is_split_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut facts = FactTable::default();
    for i in 0..1_200 {
        facts.sym(&format!("{i}{}", "x".repeat(60_000)));
    }
    let record = test_named("a.T#big");
    let mut writer = TraceWriter::create_in(folder.path(), 1).unwrap();
    writer.test(&facts, &record).unwrap();
    let (back, _) = read(writer.path()).unwrap();
    assert_eq!(back.facts.strings.len(), 1_200);
    assert!(back.facts.strings.iter().eq(facts.strings.iter()));
    assert_eq!(back.tests, vec![record]);
}

#[test]
fn a_record_too_large_for_a_block_loses_its_calls_but_not_its_facts() {
    let folder = tempfile::tempdir().unwrap();
    let text = Arg::Value(Value::Str("y".repeat(1 << 20)));
    let statement = Statement {
        operation: Operation::ArrayStore { array: Arg::Var(0), index: 0, value: text },
        result: "V".to_owned(),
        runtime_class: None,
        caught: None,
    };
    let sequence = Sequence { statements: vec![statement; 65] };
    let mut record = test_named("a.T#endless");
    record.carved = Some(CarvedTest { sequence, obstacle: None });
    let mut writer = TraceWriter::create_in(folder.path(), 1).unwrap();
    writer.test(&FactTable::default(), &record).unwrap();
    let (back, _) = read(writer.path()).unwrap();
    assert_eq!(back.tests, vec![test_named("a.T#endless")]);
    assert!(back.notes[0].contains("a.T#endless") && back.notes[0].contains("left out"), "{:?}", back.notes);
}

fn test_named(name: &str) -> TestRecord {
    TestRecord {
        name: name.to_owned(),
        end: TestEnd::Returned,
        pairs: vec![],
        exits: vec![],
        entries: vec![],
        carved: None,
        witnesses: vec![],
    }
}
