//! The identity of a pair, computed from what it is in whatever table. Knows nothing of documents or of search.
//!
//! Invariant: the hashed text never changes its form: its hash is the `id` in documents that users keep.

use crate::spell::{CUT, frames, method_parts, place_parts, root, steps};
use dynaflow_model::facts::{
    ContextId, DefinitionId, DefinitionKind, FactTable, Pair, PlaceId, UseId, VariableId,
};
use dynaflow_model::pair_key::{HalfKey, PairKey};
use dynaflow_model::sites::ClassHash;
use std::collections::BTreeMap;

/// The key of a pair: the first half of the BLAKE3 hash of its canonical text: root, steps, definition and use with their contexts, and
/// the builds of the two classes that contain definition and use, as an offset means something in one build only. The same on every
/// machine and in every run for the same class bytes. `builds`: those of the recording that `facts` belongs to. Linear in the lengths of
/// variable and contexts.
pub fn pair_key(facts: &FactTable, builds: &BTreeMap<String, ClassHash>, pair: &Pair) -> PairKey {
    let mut text = Text { facts, builds, hasher: blake3::Hasher::new() };
    text.variable("pair", pair.variable);
    text.definition(pair.definition);
    text.usage(pair.usage);
    PairKey(text.key())
}

/// The key of a definition of a variable, whatever uses it: equal for equal definitions in whatever table, as [`pair_key`] is of pairs.
pub fn definition_key(
    facts: &FactTable,
    builds: &BTreeMap<String, ClassHash>,
    (variable, definition): (VariableId, DefinitionId),
) -> HalfKey {
    half_key((facts, builds), ("definition", variable), |text| text.definition(definition))
}

/// The key of a use of a variable, whatever it was defined by: equal for equal uses in whatever table, as [`pair_key`] is of pairs.
pub fn use_key(
    facts: &FactTable,
    builds: &BTreeMap<String, ClassHash>,
    (variable, usage): (VariableId, UseId),
) -> HalfKey {
    half_key((facts, builds), ("use", variable), |text| text.usage(usage))
}

fn half_key(
    (facts, builds): (&FactTable, &BTreeMap<String, ClassHash>),
    (what, variable): (&str, VariableId),
    half: impl FnOnce(&mut Text),
) -> HalfKey {
    let mut text = Text { facts, builds, hasher: blake3::Hasher::new() };
    text.variable(what, variable);
    half(&mut text);
    HalfKey(text.key())
}

/// What a pair is without its root, the path from there, and contexts: the last step of its variable, and the places of definition and use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteKey([u8; 16]);

/// The site of a pair. It means something for one build of the classes only. Linear in the lengths of names.
pub fn site_key(facts: &FactTable, pair: &Pair) -> SiteKey {
    let mut hasher = blake3::Hasher::new();
    let mut add = |parts: &[&str]| {
        for part in parts {
            hasher.update(part.as_bytes());
        }
    };
    if let Some(step) = steps(facts, pair.variable).last() {
        let step = facts.step(step);
        add(&[step.class.unwrap_or_default(), ".", step.name, "\n"]);
    }
    let places = [
        facts.definitions.get(pair.definition).map(|definition| definition.place),
        facts.uses.get(pair.usage).map(|usage| usage.place),
    ];
    for place in places.into_iter().flatten() {
        let (class, method, place) = place_parts(facts, place);
        add(&[class, "#", method, "@", &place.map_or(0, |p| p.offset).to_string(), "\n"]);
    }
    let mut key = [0; 16];
    hasher.finalize_xof().fill(&mut key);
    SiteKey(key)
}

/// The canonical text of a pair, hashed as it is spelled.
struct Text<'a> {
    facts: &'a FactTable,
    builds: &'a BTreeMap<String, ClassHash>,
    hasher: blake3::Hasher,
}

impl Text<'_> {
    fn add(&mut self, parts: &[&str]) {
        for part in parts {
            self.hasher.update(part.as_bytes());
        }
    }

    fn key(self) -> [u8; 16] {
        let mut key = [0; 16];
        self.hasher.finalize_xof().fill(&mut key);
        key
    }

    fn variable(&mut self, what: &str, variable: VariableId) {
        let facts = self.facts;
        self.add(&["dynaflow-", what, " 1\n", "root ", root(facts, variable), "\n"]);
        for step in steps(facts, variable) {
            let step = facts.step(step);
            match step.class {
                Some(class) => self.add(&["step ", class, ".", step.name, "\n"]),
                None => self.add(&["step ", step.name, "\n"]),
            }
        }
    }

    fn definition(&mut self, definition: DefinitionId) {
        if let Some(definition) = self.facts.definitions.get(definition) {
            self.add(&match definition.kind {
                DefinitionKind::Direct => ["definition direct "],
                DefinitionKind::Nested => ["definition nested "],
            });
            self.site(definition.place, definition.context);
        }
    }

    fn usage(&mut self, usage: UseId) {
        if let Some(usage) = self.facts.uses.get(usage) {
            self.add(&["use "]);
            self.site(usage.place, usage.context);
        }
    }

    fn site(&mut self, place: PlaceId, context: ContextId) {
        let (class, method, place) = place_parts(self.facts, place);
        let offset = place.map_or(0, |p| p.offset).to_string();
        let build = self.builds.get(class).map_or_else(|| "unknown".to_owned(), ToString::to_string);
        self.add(&[class, "#", method, "@", &offset, "\nbuild ", &build, "\n"]);
        for method in frames(self.facts, context) {
            match method {
                Some(method) => {
                    let (class, signature) = method_parts(self.facts, method);
                    self.add(&["frame ", class, ".", signature, "\n"]);
                }
                None => self.add(&["frame ", CUT, "\n"]),
            }
        }
    }
}
