//! Which pairs are within what the compiler wrote for records, where `new Point(1, 2)` sets a component and `x()` gives it, or within what is marked as generated.
//!
//! In: pairs, class files. Out: whether nothing of a pair is the program's. Knows nothing of tests. Invariant: a pair whose definition or use the program wrote is
//! the program's.

use dynaflow_flowgraph::dua::ClassSource;
use dynaflow_flowgraph::made;
use dynaflow_model::facts::{PairId, PlaceId, Recording};
use dynaflow_model::pair_key::PairKey;
use dynaflow_objectives::{SiteKey, place_parts};
use std::collections::{BTreeMap, BTreeSet};

/// What the compiler and tools wrote, by class, as far as it was asked for.
pub struct Written<'a> {
    classes: &'a dyn ClassSource,
    known: BTreeMap<String, BTreeSet<String>>,
}

impl<'a> Written<'a> {
    /// Nothing yet, of these classes.
    pub fn of(classes: &'a dyn ClassSource) -> Self {
        Self { classes, known: BTreeMap::new() }
    }

    /// The sites of those of the pairs whose definition and use the program did not write, which hold without any test.
    pub fn sites(&mut self, recording: &Recording, pairs: &[(PairId, (PairKey, SiteKey))]) -> Vec<SiteKey> {
        let has = |(id, _): &&(PairId, _)| self.has(recording, *id);
        pairs.iter().filter(has).map(|(_, (_, site))| *site).collect()
    }

    fn has(&mut self, recording: &Recording, id: PairId) -> bool {
        let facts = &recording.facts;
        let Some(pair) = facts.pairs.get(id) else { return false };
        let definition = facts.definitions.get(pair.definition).map(|definition| definition.place);
        let usage = facts.uses.get(pair.usage).map(|usage| usage.place);
        [definition, usage].into_iter().all(|place| place.is_some_and(|place| self.is_at(recording, place)))
    }

    fn is_at(&mut self, recording: &Recording, place: PlaceId) -> bool {
        let (class, method, _) = place_parts(&recording.facts, place);
        if !self.known.contains_key(class) {
            let bytes = self.classes.class(class.replace('.', "/").as_bytes());
            let made = bytes.and_then(|bytes| made::of_tools(&bytes).ok()).unwrap_or_default();
            self.known.insert(class.to_owned(), made);
        }
        self.known.get(class).is_some_and(|made| made.contains(method))
    }
}
