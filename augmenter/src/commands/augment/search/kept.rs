//! A test of the growing suite, what it is the first to cover, and its facts among those of the suite.
//!
//! Knows nothing of how tests are found. Invariant: the facts of a kept test go to no other test, of whatever class.

use crate::commands::augment::facts::known::Keys;
use anyhow::Result;
use dynaflow_model::facts::{PairId, Recording, TestRecord, Witness, WitnessFact};
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::Sequence;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A test of the growing suite.
#[derive(Clone, Debug)]
pub struct Kept {
    /// What it is called in the suite; what was made shorter is called like what it was made of.
    pub name: String,
    /// What it does.
    pub sequence: Sequence,
    /// The iteration that kept it.
    pub iteration: u32,
    /// The pairs of the targets that it covered in a worker.
    pub pairs: BTreeSet<PairKey>,
    /// Those that nothing before it covered.
    pub new: Vec<NewPair>,
    /// The mutants that it was made shorter for: it has to notice these, whatever others notice.
    pub noticing: BTreeSet<u32>,
    /// Whether its last statement is there for what it gives, so that the test says something.
    pub closes: bool,
    /// Whether an exception ended it when the search kept it.
    pub throws: bool,
}

impl Kept {
    /// A test that no iteration kept for a new pair.
    pub fn beside(name: String, sequence: Sequence, pairs: BTreeSet<PairKey>) -> Self {
        Self {
            name,
            sequence,
            iteration: 0,
            pairs,
            new: vec![],
            noticing: BTreeSet::new(),
            closes: false,
            throws: false,
        }
    }

    /// Whether no iteration kept it.
    pub fn is_beside(&self) -> bool {
        self.iteration == 0
    }
}

/// A pair that a test is the first to cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewPair {
    /// What names it everywhere.
    pub key: PairKey,
    /// Its id in the table of the suite.
    pub id: PairId,
    /// Where the use was seen, and the statement whose result is the root; where the sequence holds the root.
    pub seen: Option<(u32, Option<u32>)>,
}

/// What the names of kept tests begin with: no method of a class is called so.
const KEPT: &str = "kept ";

/// What a kept test is called in the suite until the generated test has a name: no other test of any class is called that.
pub(super) fn name_of_kept(class: &str, number: usize) -> String {
    format!("{KEPT}{class} {number}")
}

/// Whether a test of the suite was kept by the search, by its name; the others are seeds.
pub fn is_kept(name: &str) -> bool {
    name.starts_with(KEPT)
}

/// Adds the facts of one test to the suite, under a name that no other test has; gives the places of its records there.
pub(super) fn take_in(suite: &mut Recording, mut facts: Recording, name: &str) -> Result<Range<usize>> {
    facts.tests.iter_mut().for_each(|record| name.clone_into(&mut record.name));
    let before = suite.tests.len();
    dynaflow_trace::append(suite, &facts)?;
    Ok(before..suite.tests.len())
}

/// Where records of the suite, of whose pairs these are the keys, showed what is new.
pub(super) fn new_pairs(records: &[TestRecord], keys: &Keys, new: &BTreeSet<PairKey>) -> Vec<NewPair> {
    let mut found = vec![];
    for record in records {
        let seen = |witness: &Witness| match witness.fact {
            WitnessFact::Pair(id) => Some((id, (witness.statement, witness.root))),
            WitnessFact::Exit(_) | WitnessFact::Entry(_) => None,
        };
        let seen: BTreeMap<PairId, _> = record.witnesses.iter().rev().filter_map(seen).collect();
        let of_new = |&id: &PairId| Some((id, keys.get(id).filter(|key| new.contains(key))?));
        let pairs = record.pairs.iter().filter_map(of_new);
        found.extend(pairs.map(|(id, key)| NewPair { key, id, seen: seen.get(&id).copied() }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::facts::TestEnd;

    /// The facts of one candidate, seen during this statement.
    fn facts(statement: u32) -> Recording {
        let record = TestRecord {
            name: "candidate 7".to_owned(),
            end: TestEnd::Returned,
            pairs: vec![],
            exits: vec![],
            entries: vec![],
            carved: None,
            witnesses: vec![Witness { fact: WitnessFact::Pair(PairId(0)), statement, root: None }],
        };
        Recording { tests: vec![record], ..Recording::default() }
    }

    #[test]
    fn facts_of_a_kept_test_go_to_no_other_test_of_whatever_class() {
        let mut suite = Recording::default();
        let mut seen_in = |class: &str, number: usize, statement: u32| {
            let places = take_in(&mut suite, facts(statement), &name_of_kept(class, number)).unwrap();
            let own = &suite.tests[places];
            let witnesses = own.iter().flat_map(|record| &record.witnesses);
            witnesses.map(|witness| witness.statement).collect::<Vec<_>>()
        };
        assert_eq!(seen_in("a.Door", 0, 1), [1]);
        assert_eq!(seen_in("a.Window", 0, 2), [2], "the first kept test of another class");
        assert_eq!(seen_in("a.Door", 1, 3), [3]);
        assert_eq!(suite.tests.len(), 3);
    }
}
