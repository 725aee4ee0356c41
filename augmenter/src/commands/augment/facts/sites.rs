//! Pairs with their sites: what they are without roots and contexts.
//!
//! Knows nothing of tests. Invariant: a pair whose root no pattern selects has none.

use super::roots::Roots;
use dynaflow_model::facts::{Pair, PairId, Recording};
use dynaflow_model::pair_key::PairKey;
use dynaflow_objectives::{SiteKey, pair_key, place_parts, site_key};
use std::collections::{BTreeMap, BTreeSet};

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

/// By class, the lines of definitions and uses of all pairs whose root is selected.
pub fn all_lines(recording: &Recording, roots: &Roots) -> BTreeMap<String, BTreeSet<u32>> {
    let facts = &recording.facts;
    let is_wanted = |pair: &Pair| {
        let variable = facts.variables.get(pair.variable);
        variable.is_some_and(|variable| roots.select(facts.text(variable.root)))
    };
    let mut by_class: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for (id, _) in facts.pairs.iter().filter(|(_, pair)| is_wanted(pair)) {
        for (class, line) in lines(recording, id).into_iter().flatten() {
            by_class.entry(class).or_default().insert(line);
        }
    }
    by_class
}

/// The key of a pair whose root is selected, with the name of that root.
pub fn rooted(recording: &Recording, roots: &Roots, id: PairId) -> Option<(PairKey, String)> {
    let (facts, builds) = (&recording.facts, &recording.classes);
    let pair = facts.pairs.get(id)?;
    let root = facts.text(facts.variables.get(pair.variable)?.root);
    let is_wanted = roots.select(root);
    is_wanted.then(|| (pair_key(facts, builds, pair), root.to_owned()))
}
