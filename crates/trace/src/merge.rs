//! Unites recordings, and brings one into the order that depends on its facts alone.
//!
//! Knows nothing of files. Invariant: on facts, tests, classes, declined classes, notes and coverage, merging is a set union:
//! commutative, associative and idempotent once both sides are in canonical order. Counts of bounds are added: they
//! count events, not facts.

use crate::error::BuildConflict;
use crate::remap::{Order, Remap};
use crate::translate::sorted;
use dynaflow_model::facts::{FactTable, Recording, TestRecord, ThinnedAt};
use dynaflow_model::sequence::{CarvedTest, Sequence};
use std::collections::BTreeMap;

/// What makes two records the same test: the name, and the calls it made where they are known. A parameterised test
/// runs several times under one name; its runs are united when the same calls were seen, else each keeps its own, as
/// witnesses number the calls of one of them.
type TestKey = (String, Option<(Option<String>, Sequence)>);

/// Adds everything `from` has to `into`; the result is not in canonical order.
///
/// # Errors
/// When a class is there in two builds; `into` is then unchanged.
pub fn merge(into: &mut Recording, from: &Recording) -> Result<(), BuildConflict> {
    append(into, from)?;
    into.tests = united(std::mem::take(&mut into.tests).into_iter());
    Ok(())
}

/// As [`merge`], but leaves records of one test apart: those of `from` follow those of `into`, in their order. Linear in `from`, where merging is in both. Many files
/// are united once at the end, by [`canonical`].
///
/// # Errors
/// When a class is there in two builds; `into` is then unchanged.
pub fn append(into: &mut Recording, from: &Recording) -> Result<(), BuildConflict> {
    if let Some(conflict) = conflict(into, from) {
        return Err(conflict);
    }
    let mut map = Remap::unite(&mut into.facts, &from.facts, Order::AsTheyCome);
    into.tests.extend(from.tests.iter().map(|t| map.record(t)));
    into.classes.extend(from.classes.iter().map(|(name, hash)| (name.clone(), *hash)));
    into.declined = sorted_by_text(&into.declined, &from.declined, |d| (d.class.clone(), d.reason.clone()));
    into.notes = sorted_by_text(&into.notes, &from.notes, String::clone);
    into.coverage.unite(&from.coverage);
    into.bounds += from.bounds;
    add_thinned(&mut into.thinned, from.thinned.clone());
    into.effort += from.effort;
    Ok(())
}

/// Adds counts of what was left out.
pub fn add_thinned(into: &mut BTreeMap<ThinnedAt, u64>, lines: impl IntoIterator<Item = (ThinnedAt, u64)>) {
    for (at, count) in lines {
        let sum = into.entry(at).or_default();
        *sum = sum.saturating_add(count);
    }
}

/// The same recording with ids, tests and lists in an order that depends on the contents alone: equal contents, in
/// whatever order they were recorded or merged, give the same bytes.
pub fn canonical(recording: &Recording) -> Recording {
    let mut facts = FactTable::default();
    let mut map = Remap::unite(&mut facts, &recording.facts, Order::Sorted);
    Recording {
        facts,
        tests: united(recording.tests.iter().map(|t| map.record(t))),
        classes: recording.classes.clone(),
        declined: sorted_by_text(&recording.declined, &[], |d| (d.class.clone(), d.reason.clone())),
        notes: sorted_by_text(&recording.notes, &[], String::clone),
        bounds: recording.bounds,
        thinned: recording.thinned.clone(),
        effort: recording.effort,
        coverage: recording.coverage.clone(),
    }
}

/// The first class, by name, that is there in two builds.
fn conflict(into: &Recording, from: &Recording) -> Option<BuildConflict> {
    from.classes.iter().find_map(|(class, &second)| {
        let &first = into.classes.get(class)?;
        (first != second).then(|| BuildConflict { class: class.clone(), first, second })
    })
}

/// Records of one test become one record with the facts of all and the worst of the ends, sorted by key.
fn united(records: impl Iterator<Item = TestRecord>) -> Vec<TestRecord> {
    let mut tests: BTreeMap<TestKey, TestRecord> = BTreeMap::new();
    for record in records {
        let calls = record
            .carved
            .as_ref()
            .map(|CarvedTest { sequence, obstacle }| (obstacle.clone(), sequence.clone()));
        let key = (record.name.clone(), calls);
        match tests.entry(key) {
            std::collections::btree_map::Entry::Vacant(slot) => {
                slot.insert(record);
            }
            std::collections::btree_map::Entry::Occupied(mut slot) => unite(slot.get_mut(), record),
        }
    }
    tests.into_values().collect()
}

fn unite(into: &mut TestRecord, from: TestRecord) {
    into.end = into.end.max(from.end);
    add(&mut into.pairs, from.pairs);
    add(&mut into.exits, from.exits);
    add(&mut into.entries, from.entries);
    add(&mut into.witnesses, from.witnesses);
}

fn add<T: Ord>(into: &mut Vec<T>, from: Vec<T>) {
    into.extend(from);
    *into = sorted(std::mem::take(into));
}

fn sorted_by_text<T: Clone, K: Ord>(ours: &[T], theirs: &[T], key: impl Fn(&T) -> K) -> Vec<T> {
    let by_key: BTreeMap<K, &T> = ours.iter().chain(theirs).map(|value| (key(value), value)).collect();
    by_key.into_values().cloned().collect()
}
