//! Numbers as differences: entries of a table resemble the one before, and lists of ids ascend.
//!
//! Knows nothing of bytes or of what the numbers mean. Invariant: all of it can be undone for any numbers at all, wrapping around
//! where they are not ids, so that nothing has to be checked here.

use dynaflow_model::facts::{
    Block, Context, DefAtExit, Definition, EntryId, ExitId, Method, Pair, PairId, Place, ReachableUse,
    ReachingDefinition, Step, TestEnd, TestRecord, Use, UseAtEntry, Variable, Witness, WitnessFact,
};
use dynaflow_model::ids::DenseId;
use dynaflow_model::sequence::CarvedTest;
use serde::Serialize;

/// What has numbers in it, visited in the order in which they are written.
pub trait Entry: Clone {
    /// Visits every number.
    fn numbers(&mut self, visit: &mut dyn FnMut(&mut u32));
}

/// Turns each number into its difference to the number at the same place of the entry before, or to 0 where that has fewer.
pub fn to_differences<T: Entry>(before: Option<&T>, entries: &mut [T]) {
    each(before, entries, |value, last| (zigzag(value.wrapping_sub(last)), value));
}

/// Turns differences into the numbers again.
pub fn to_values<T: Entry>(before: Option<&T>, entries: &mut [T]) {
    each(before, entries, |difference, last| {
        let value = last.wrapping_add(unzigzag(difference));
        (value, value)
    });
}

/// Puts the first of what `change` makes of a number and its predecessor in its place; the second is the number itself.
fn each<T: Entry>(before: Option<&T>, entries: &mut [T], change: impl Fn(u32, u32) -> (u32, u32)) {
    let (mut last, mut now) = (vec![], vec![]);
    if let Some(before) = before {
        before.clone().numbers(&mut |number| last.push(*number));
    }
    for entry in entries {
        now.clear();
        entry.numbers(&mut |number| {
            let (new, value) = change(*number, last.get(now.len()).copied().unwrap_or(0));
            *number = new;
            now.push(value);
        });
        std::mem::swap(&mut last, &mut now);
    }
}

/// Small differences up and down as small numbers.
fn zigzag(difference: u32) -> u32 {
    (difference << 1) ^ (difference >> 31).wrapping_neg()
}

fn unzigzag(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// A test record as it is written: the shape of [`TestRecord`].
#[derive(Debug, Serialize)]
pub struct WrittenTest<'a> {
    name: &'a str,
    end: TestEnd,
    pairs: Vec<PairId>,
    exits: Vec<ExitId>,
    entries: Vec<EntryId>,
    carved: Option<&'a CarvedTest>,
    witnesses: Vec<Witness>,
}

/// The record with differences in place of numbers. Linear in its facts; the calls are not copied.
pub fn written(record: &TestRecord) -> WrittenTest<'_> {
    let mut witnesses = record.witnesses.clone();
    to_differences(None, &mut witnesses);
    WrittenTest {
        name: &record.name,
        end: record.end,
        pairs: steps_of(&record.pairs),
        exits: steps_of(&record.exits),
        entries: steps_of(&record.entries),
        carved: record.carved.as_ref(),
        witnesses,
    }
}

/// Turns what [`written`] gave, read again, into the record.
pub fn restore(record: &mut TestRecord) {
    undo_steps(&mut record.pairs);
    undo_steps(&mut record.exits);
    undo_steps(&mut record.entries);
    to_values(None, &mut record.witnesses);
}

/// Each id less the one before: one byte nearly always, as lists ascend.
fn steps_of<I: DenseId>(ids: &[I]) -> Vec<I> {
    let mut last = 0;
    ids.iter()
        .map(|id| {
            let id = id.index() as u32;
            let step = id.wrapping_sub(last);
            last = id;
            I::from_index(step as usize)
        })
        .collect()
}

fn undo_steps<I: DenseId>(ids: &mut [I]) {
    let mut last = 0_u32;
    for id in ids {
        last = last.wrapping_add(id.index() as u32);
        *id = I::from_index(last as usize);
    }
}

/// An entry whose numbers are these parts of it.
macro_rules! entry {
    ($type:ident: $($part:ident $(. $id:tt)?),+) => {
        impl Entry for $type {
            fn numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
                $(visit(&mut self.$part$(.$id)?);)+
            }
        }
    };
}

entry!(Method: class.0, signature.0);
entry!(Place: method.0, offset, line);
entry!(Definition: place.0, context.0);
entry!(Use: place.0, context.0);
entry!(Pair: variable.0, definition.0, usage.0);
entry!(DefAtExit: variable.0, method.0, definition.0);
entry!(UseAtEntry: variable.0, method.0, usage.0);
entry!(Block: place.0, number);
entry!(ReachingDefinition: block.0, variable.0, definition.0);
entry!(ReachableUse: block.0, variable.0, usage.0);

impl Entry for Box<str> {
    fn numbers(&mut self, _visit: &mut dyn FnMut(&mut u32)) {}
}

impl Entry for Context {
    fn numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        self.head.iter_mut().chain(&mut self.tail).for_each(|method| visit(&mut method.0));
    }
}

impl Entry for Variable {
    fn numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        visit(&mut self.root.0);
        for step in &mut self.steps {
            if let Step::Field { class, name } = step {
                visit(&mut class.0);
                visit(&mut name.0);
            }
        }
    }
}

impl Entry for Witness {
    fn numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        visit(match &mut self.fact {
            WitnessFact::Exit(id) => &mut id.0,
            WitnessFact::Entry(id) => &mut id.0,
            WitnessFact::Pair(id) => &mut id.0,
        });
        visit(&mut self.statement);
        if let Some(root) = &mut self.root {
            visit(root);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::facts::{MethodId, Sym};

    fn context(methods: &[u32]) -> Context {
        let head = methods.iter().map(|&m| MethodId(m)).collect();
        Context { head, tail: Box::new([]), cut: false }
    }

    #[test]
    fn a_number_becomes_its_difference_to_the_one_at_the_same_place_of_the_entry_before() {
        let entries = [context(&[7, 9]), context(&[8, 8, 5]), context(&[]), context(&[1])];
        let mut changed = entries.clone();
        to_differences(Some(&context(&[6])), &mut changed);
        // Zigzag: 1, 2, 3, ... are -1, 1, -2, ...
        assert_eq!(changed, [context(&[2, 18]), context(&[2, 1, 10]), context(&[]), context(&[2])]);
        to_values(Some(&context(&[6])), &mut changed);
        assert_eq!(changed, entries);
    }

    #[test]
    fn whatever_the_numbers_are_they_come_back() {
        arbtest::arbtest(|u| {
            let (before, ids): ([u32; 3], Vec<[u32; 4]>) = (u.arbitrary()?, u.arbitrary()?);
            let before = before.map(|id| id % 5);
            let steps = |n: [u32; 4]| {
                let field = Step::Field { class: Sym(n[1]), name: Sym(n[2]) };
                [field, Step::Element, field][..n[3] as usize % 4].into()
            };
            let variables: Vec<_> =
                ids.iter().map(|&n| Variable { root: Sym(n[0]), steps: steps(n) }).collect();
            let first = Variable { root: Sym(before[0]), steps: steps([0, before[1], before[2], 3]) };
            let mut changed = variables.clone();
            to_differences(Some(&first), &mut changed);
            to_values(Some(&first), &mut changed);
            assert_eq!(changed, variables);
            let list: Vec<PairId> = ids.iter().flatten().map(|&n| PairId(n)).collect();
            let mut changed = steps_of(&list);
            undo_steps(&mut changed);
            assert_eq!(changed, list);
            Ok(())
        });
    }

    #[test]
    fn ascending_lists_take_small_numbers() {
        assert_eq!(steps_of(&[3, 4, 300, 301].map(ExitId)), [3, 1, 296, 1].map(ExitId));
    }
}
