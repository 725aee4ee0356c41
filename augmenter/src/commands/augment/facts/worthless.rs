//! Which pairs are within what the compiler wrote for records, where `new Point(1, 2)` sets a component and `x()` gives it, or within what is marked as generated;
//! which are used in such an `equals`, `hashCode` or `toString`, whoever defines what they read; and which are used by a call that changes a container and whose answer
//! is dropped, as `names.add(name);`.
//!
//! In: pairs, class files. Out: whether a pair earns no test. Knows nothing of tests. Invariant: a pair whose definition or use the program wrote is the program's, but
//! for these three methods, as what they give is the tool's doing, and for such calls, as the program looks at nothing there: what the container holds in the end is another
//! definition, and has uses of its own.

use dynaflow_flowgraph::dua::ClassSource;
use dynaflow_flowgraph::made::{self, OfTools};
use dynaflow_model::facts::{PairId, PlaceId, Recording};
use dynaflow_model::pair_key::PairKey;
use dynaflow_objectives::{SiteKey, place_parts};
use std::collections::BTreeMap;

/// The sites that earn no test, as far as it was asked for them.
pub struct Worthless<'a> {
    classes: &'a dyn ClassSource,
    known: BTreeMap<String, OfTools>,
    /// By place, whether nobody looks at what is used there.
    unseen: BTreeMap<PlaceId, bool>,
}

impl<'a> Worthless<'a> {
    /// Nothing yet, of these classes.
    pub fn of(classes: &'a dyn ClassSource) -> Self {
        Self { classes, known: BTreeMap::new(), unseen: BTreeMap::new() }
    }

    /// The sites of those of the pairs that earn no test.
    pub fn of_pairs(
        &mut self,
        recording: &Recording,
        pairs: &[(PairId, (PairKey, SiteKey))],
    ) -> Vec<SiteKey> {
        let has = |(id, _): &&(PairId, _)| self.has(recording, *id);
        pairs.iter().filter(has).map(|(_, (_, site))| *site).collect()
    }

    fn has(&mut self, recording: &Recording, id: PairId) -> bool {
        let facts = &recording.facts;
        let Some(pair) = facts.pairs.get(id) else { return false };
        let definition = facts.definitions.get(pair.definition).map(|definition| definition.place);
        let usage = facts.uses.get(pair.usage).map(|usage| usage.place);
        let (Some(definition), Some(usage)) = (definition, usage) else { return false };
        self.is(recording, usage, |tools, method, _| tools.has_of_object(method))
            || [definition, usage].into_iter().all(|place| self.is(recording, place, OfTools::has))
            || self.is_unseen(recording, usage)
    }

    fn is_unseen(&mut self, recording: &Recording, usage: PlaceId) -> bool {
        let classes = self.classes;
        let look = || {
            let (class, method, place) = place_parts(&recording.facts, usage);
            let bytes = classes.class(class.replace('.', "/").as_bytes())?;
            made::drops_answer(&bytes, method, place?.offset).ok()
        };
        *self.unseen.entry(usage).or_insert_with(|| look().unwrap_or(false))
    }

    fn is(
        &mut self,
        recording: &Recording,
        place: PlaceId,
        holds: impl Fn(&OfTools, &str, u32) -> bool,
    ) -> bool {
        let (class, method, place) = place_parts(&recording.facts, place);
        if !self.known.contains_key(class) {
            let bytes = self.classes.class(class.replace('.', "/").as_bytes());
            let made = bytes.and_then(|bytes| OfTools::read(&bytes).ok()).unwrap_or_default();
            self.known.insert(class.to_owned(), made);
        }
        let known = self.known.get(class).zip(place);
        known.is_some_and(|(tools, place)| holds(tools, method, place.offset))
    }
}
