//! The line that says which pair a test was written for. Knows nothing of Java. Invariant: one line, whatever the facts are.

use super::accept::Kept;
use super::known::{PairKey, key};
use dynaflow_model::facts::{FactTable, Pair, PlaceId, VariableId};
use std::collections::BTreeMap;

/// Names the pair: an objective if the test covers one, else the first new pair in the order of its text.
pub fn comment(kept: &Kept, inferred: &BTreeMap<PairKey, u32>) -> String {
    let facts = &kept.facts.facts;
    let new = facts
        .pairs
        .iter()
        .map(|(_, pair)| (key(facts, pair), pair))
        .filter(|(key, _)| kept.new.contains(key));
    let best = new.map(|(key, pair)| (!inferred.contains_key(&key), text(facts, pair))).min();
    best.map(|(_, text)| text).unwrap_or_default()
}

fn text(facts: &FactTable, pair: &Pair) -> String {
    let place = |id: Option<PlaceId>| {
        let place = id.and_then(|id| facts.places.get(id))?;
        let method = facts.methods.get(place.method)?;
        let name = facts.text(method.signature).split('(').next().unwrap_or_default();
        let class = facts.text(method.class);
        let line = if place.line == 0 { String::new() } else { format!(":{}", place.line) };
        Some(format!("{class}.{name}{line}"))
    };
    let definition = place(facts.definitions.get(pair.definition).map(|d| d.place)).unwrap_or_default();
    let usage = place(facts.uses.get(pair.usage).map(|u| u.place)).unwrap_or_default();
    format!("{}: defined in {definition}, used in {usage}", variable(facts, pair.variable))
}

fn variable(facts: &FactTable, id: VariableId) -> String {
    let Some(variable) = facts.variables.get(id) else { return String::new() };
    let mut text = facts.text(variable.root).to_owned();
    for step in &variable.steps {
        text.push('.');
        text.push_str(facts.step(step).name);
    }
    text
}
