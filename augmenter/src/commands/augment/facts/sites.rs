//! Pairs with their sites: what they are without roots and contexts.
//!
//! Knows nothing of tests. Invariant: a pair whose root no pattern selects has none.

use super::roots::Roots;
use dynaflow_model::facts::{PairId, Recording};
use dynaflow_model::pair_key::PairKey;
use dynaflow_objectives::{SiteKey, pair_key, place_parts, site_key};

/// The key of a pair whose root is selected, with that of its site.
pub fn sited(recording: &Recording, roots: &Roots, id: PairId) -> Option<(PairKey, SiteKey)> {
    let (key, _) = rooted(recording, roots, id)?;
    Some((key, site_key(&recording.facts, recording.facts.pairs.get(id)?)))
}

/// The classes and lines of a pair's definition and use.
pub fn lines(recording: &Recording, id: PairId) -> Option<[(String, u32); 2]> {
    let facts = &recording.facts;
    let pair = facts.pairs.get(id)?;
    let line = |place| {
        let (class, _, place) = place_parts(facts, place);
        Some((class.to_owned(), place?.line))
    };
    Some([line(facts.definitions.get(pair.definition)?.place)?, line(facts.uses.get(pair.usage)?.place)?])
}

/// The key of a pair whose root is selected, with the name of that root.
pub fn rooted(recording: &Recording, roots: &Roots, id: PairId) -> Option<(PairKey, String)> {
    let (facts, builds) = (&recording.facts, &recording.classes);
    let pair = facts.pairs.get(id)?;
    let root = facts.text(facts.variables.get(pair.variable)?.root);
    let is_wanted = roots.select(root);
    is_wanted.then(|| (pair_key(facts, builds, pair), root.to_owned()))
}
