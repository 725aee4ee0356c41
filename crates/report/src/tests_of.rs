//! Which tests showed something: how many, and the names of the first.
//!
//! Knows nothing of pairs. Invariant: a test counts once, however many records it has; the count is exact, and names are the first in alphabetical order.

use dynaflow_model::facts::{Recording, TestRecord};

/// How many names are kept; the rest is a number.
const NAMED: usize = 5;

/// Tests that showed something.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tests {
    /// How many.
    pub count: u32,
    /// Positions of the first in [`TestNames`], at most five.
    pub first: Vec<u32>,
    last: u32,
}

impl Tests {
    fn add(&mut self, test: u32) {
        if self.count > 0 && self.last == test {
            return;
        }
        self.count += 1;
        self.last = test;
        if self.first.len() < NAMED {
            self.first.push(test);
        }
    }
}

/// The tests by name. What happened outside tests is none.
#[derive(Debug)]
pub struct TestNames<'a> {
    records: Vec<(u32, &'a TestRecord)>,
    names: Vec<&'a str>,
}

impl<'a> TestNames<'a> {
    /// Those of a recording.
    pub fn of(recording: &'a Recording) -> Self {
        let mut sorted: Vec<&TestRecord> =
            recording.tests.iter().filter(|test| !test.name.is_empty()).collect();
        sorted.sort_by(|a, b| a.name.cmp(&b.name));
        let (mut records, mut names) = (vec![], Vec::<&str>::new());
        for record in sorted {
            if names.last() != Some(&record.name.as_str()) {
                names.push(&record.name);
            }
            records.push((u32::try_from(names.len() - 1).unwrap_or(u32::MAX), record));
        }
        Self { records, names }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The name of one.
    pub fn name(&self, test: u32) -> &'a str {
        self.names.get(test as usize).copied().unwrap_or_default()
    }

    /// Adds each test to the entries of the facts it showed.
    pub fn each<I: Copy + 'a>(
        &self,
        shown: impl Fn(&'a TestRecord) -> &'a [I],
        at: impl Fn(I) -> Option<usize>,
        into: &mut [Tests],
    ) {
        for &(number, record) in &self.records {
            for &id in shown(record) {
                if let Some(tests) = at(id).and_then(|at| into.get_mut(at)) {
                    tests.add(number);
                }
            }
        }
    }
}
