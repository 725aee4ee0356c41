//! What is known when tests are observed: the facts, what was learnt from them, and the variables that a test is about.
//!
//! Knows nothing of workers. Invariant: a variable is named once for a test, those of objectives first.

use super::arguments::Arguments;
use super::inspectors::Inspectors;
use super::reads::{self, Reads};
use super::scene::{Knowledge, Wanted};
use crate::commands::augment::facts::sites;
use crate::commands::augment::search::kept::{self, Kept, NewPair};
use crate::library::Library;
use dynaflow_flowgraph::dua::{Elements, Purity};
use dynaflow_model::facts::{PairId, Recording};
use dynaflow_model::pair_key::PairKey;
use dynaflow_objectives::{pair_key, sentence};
use dynaflow_search::Types;
use std::collections::{BTreeMap, BTreeSet};

/// Most variables of new pairs of a test that are sought.
const WANTED: usize = 12;

/// What is known when the tests of a class are observed.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The facts of the seeds and of the kept tests.
    pub suite: &'a Recording,
    /// What was an objective at some time.
    pub inferred: &'a BTreeMap<PairKey, u32>,
    /// What tests may use.
    pub types: &'a Types,
    /// The classes of the program.
    pub program: &'a BTreeSet<String>,
    /// The classes whose code says what methods change.
    pub library: &'a Library,
    /// Whether tests are written for every pair: an assertion that executes one more saves a test then.
    pub every_pair: bool,
}

/// What was learnt from what was recorded.
#[derive(Debug)]
pub struct Learnt {
    reads: Reads,
    arguments: Arguments,
}

impl Learnt {
    pub fn of(known: Known) -> Self {
        let seeds = known.suite.tests.iter().filter(|test| !kept::is_kept(&test.name));
        let carved = seeds.filter_map(|test| test.carved.as_ref());
        let arguments = Arguments::of(carved.map(|carved| &carved.sequence));
        Self { reads: Reads::of(&known.suite.facts), arguments }
    }

    pub fn with<'a>(&'a self, known: Known<'a>) -> Knowledge<'a> {
        Knowledge {
            types: known.types,
            reads: &self.reads,
            inspectors: Inspectors::new(known.types, &self.reads, Purity::new(known.library).leaving_fills()),
            arguments: &self.arguments,
            elements: Elements::new(known.library),
        }
    }
}

/// By test, the lines of the definitions and uses of the pairs that it covers, with their classes.
pub fn lines(tests: &[Kept], known: Known) -> Vec<BTreeSet<(String, u32)>> {
    let Recording { facts, classes, tests: records, .. } = known.suite;
    let mut recorded: BTreeMap<&str, BTreeSet<PairId>> =
        tests.iter().map(|test| (test.name.as_str(), BTreeSet::new())).collect();
    for record in records {
        if let Some(ids) = recorded.get_mut(record.name.as_str()) {
            ids.extend(&record.pairs);
        }
    }
    let of = |test: &Kept| {
        let covers = |id: &&PairId| {
            let pair = facts.pairs.get(**id);
            pair.is_some_and(|pair| test.pairs.contains(&pair_key(facts, classes, pair)))
        };
        let ids = recorded.get(test.name.as_str()).into_iter().flatten().filter(covers);
        ids.filter_map(|id| sites::lines(known.suite, *id)).flatten().collect()
    };
    tests.iter().map(of).collect()
}

/// The variables of the pairs that the test is the first to cover: of objectives first, in the order of their texts.
pub fn wanted(test: &Kept, known: Known) -> Vec<Wanted> {
    wanted_pairs(test, known).into_iter().map(|(_, wanted)| wanted).collect()
}

/// The same, each with the first of its pairs.
pub fn wanted_pairs(test: &Kept, known: Known) -> Vec<(NewPair, Wanted)> {
    let facts = &known.suite.facts;
    let text = |new: &NewPair| facts.pairs.get(new.id).map(|pair| sentence(facts, pair));
    let mut new: Vec<&NewPair> = test.new.iter().collect();
    new.sort_by_cached_key(|new| (!known.inferred.contains_key(&new.key), text(new)));
    let mut all: Vec<(NewPair, Wanted)> = vec![];
    for new in new {
        let variable = facts.pairs.get(new.id).and_then(|pair| reads::variable(facts, pair.variable));
        let Some((root, chain)) = variable else { continue };
        let one = Wanted { root: root.to_owned(), chain, seen: new.seen };
        let is_there =
            |(_, other): &(NewPair, Wanted)| (&other.root, &other.chain) == (&one.root, &one.chain);
        if !all.iter().any(is_there) {
            all.push((*new, one));
        }
    }
    all.truncate(WANTED);
    all
}
