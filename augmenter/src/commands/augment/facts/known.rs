//! Which pairs are covered already, by their keys: candidates, seeds and generated tests each have tables of their own.
//!
//! Knows nothing of tests. Invariant: what counts as covered does not depend on the table it was seen in, as all runs of an augmentation
//! see the same builds of the classes.

use super::roots::Roots;
use dynaflow_model::facts::{FactTable, PairId, Recording};
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sites::ClassHash;
use dynaflow_objectives::pair_key;
use std::collections::BTreeMap;

/// The keys of one growing table, each computed once; pairs whose root no pattern selects have none.
#[derive(Debug)]
pub struct Keys {
    roots: Roots,
    keys: Vec<Option<PairKey>>,
}

impl Keys {
    /// For a table of which nothing was seen yet.
    pub fn new(roots: &Roots) -> Self {
        Self { roots: roots.clone(), keys: vec![] }
    }

    /// Those of a whole recording.
    pub fn of(recording: &Recording, roots: &Roots) -> Self {
        let mut keys = Self::new(roots);
        keys.update(&recording.facts, &recording.classes);
        keys
    }

    /// Takes in what the table got since the last call. `builds`: those of the classes that the table mentions.
    pub fn update(&mut self, facts: &FactTable, builds: &BTreeMap<String, ClassHash>) {
        for pair in facts.pairs.since(self.keys.len()) {
            let root = facts.variables.get(pair.variable).map_or("", |v| facts.text(v.root));
            let wanted = self.roots.select(root);
            self.keys.push(wanted.then(|| pair_key(facts, builds, pair)));
        }
    }

    /// All keys, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = PairKey> {
        self.keys.iter().copied().flatten()
    }

    /// The key of a pair of the table.
    pub fn get(&self, id: PairId) -> Option<PairKey> {
        self.keys.get(id.index()).copied().flatten()
    }
}

/// The covered pairs and the iteration that covered each.
#[derive(Clone, Debug, Default)]
pub struct Covered {
    by: BTreeMap<PairKey, u32>,
}

impl Covered {
    /// Whether the pair is covered.
    pub fn contains(&self, key: PairKey) -> bool {
        self.by.contains_key(&key)
    }

    /// Notes that an iteration covers the pair; gives whether it is the first.
    pub fn add(&mut self, key: PairKey, iteration: u32) -> bool {
        let mut first = false;
        self.by.entry(key).or_insert_with(|| {
            first = true;
            iteration
        });
        first
    }

    /// The iteration that covered the pair first.
    pub fn iteration(&self, key: PairKey) -> Option<u32> {
        self.by.get(&key).copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.by.len()
    }
}
