//! Which pairs are covered already, across tables: candidates, seeds and generated tests each have ids of their own.
//!
//! Knows nothing of tests. Invariant: two pairs have the same key when, and only when, variable, definition and use are spelled
//! alike; all runs of an augmentation see the same builds of the classes.

use dynaflow_model::facts::{ContextId, FactTable, MethodId, Pair, PairId, PlaceId};
use dynaflow_model::pattern::Pattern;
use std::collections::BTreeMap;

/// A pair in the same words whatever table it is in: the first half of a BLAKE3 hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairKey([u8; 16]);

/// The key of a pair. Linear in the lengths of its variable and contexts.
pub fn key(facts: &FactTable, pair: &Pair) -> PairKey {
    let mut text = Text { facts, hasher: blake3::Hasher::new() };
    text.pair(pair);
    let mut key = [0; 16];
    text.hasher.finalize_xof().fill(&mut key);
    PairKey(key)
}

struct Text<'a> {
    facts: &'a FactTable,
    hasher: blake3::Hasher,
}

impl Text<'_> {
    fn pair(&mut self, pair: &Pair) -> Option<()> {
        let facts = self.facts;
        let variable = facts.variables.get(pair.variable)?;
        self.text(facts.text(variable.root));
        for step in &variable.steps {
            let step = facts.step(step);
            step.class.into_iter().for_each(|class| self.text(class));
            self.text(step.name);
        }
        let definition = facts.definitions.get(pair.definition)?;
        self.number(definition.kind as u32);
        self.place(definition.place);
        self.context(definition.context);
        let usage = facts.uses.get(pair.usage)?;
        self.place(usage.place);
        self.context(usage.context);
        Some(())
    }

    fn place(&mut self, id: PlaceId) {
        if let Some(place) = self.facts.places.get(id) {
            self.method(place.method);
            self.number(place.offset);
        }
    }

    fn context(&mut self, id: ContextId) {
        if let Some(context) = self.facts.contexts.get(id) {
            context.head.iter().for_each(|&m| self.method(m));
            self.number(u32::from(context.cut));
            context.tail.iter().for_each(|&m| self.method(m));
            self.number(u32::MAX);
        }
    }

    fn method(&mut self, id: MethodId) {
        if let Some(method) = self.facts.methods.get(id) {
            self.text(self.facts.text(method.class));
            self.text(self.facts.text(method.signature));
        }
    }

    /// The length keeps neighbouring texts apart.
    fn text(&mut self, text: &str) {
        self.number(u32::try_from(text.len()).unwrap_or(u32::MAX));
        self.hasher.update(text.as_bytes());
    }

    fn number(&mut self, n: u32) {
        self.hasher.update(&n.to_le_bytes());
    }
}

/// The keys of one growing table, each computed once; pairs whose root no pattern selects have none.
#[derive(Debug)]
pub struct Keys {
    roots: Vec<Pattern>,
    keys: Vec<Option<PairKey>>,
}

impl Keys {
    /// For a table of which nothing was seen yet.
    pub fn new(roots: &[Pattern]) -> Self {
        Self { roots: roots.to_vec(), keys: vec![] }
    }

    /// Takes in what the table got since the last call.
    pub fn update(&mut self, facts: &FactTable) {
        for pair in facts.pairs.since(self.keys.len()) {
            let root = facts.variables.get(pair.variable).map_or("", |v| facts.text(v.root));
            let wanted = self.roots.iter().any(|pattern| pattern.matches(root));
            self.keys.push(wanted.then(|| key(facts, pair)));
        }
    }

    /// The key of a pair of the table.
    pub fn get(&self, id: PairId) -> Option<PairKey> {
        self.keys.get(id.index()).copied().flatten()
    }
}

/// The covered pairs and the iteration that covered each.
#[derive(Debug, Default)]
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
