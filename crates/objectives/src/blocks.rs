//! Facts per basic block in words, for the `pairs` document.
//!
//! Knows nothing of pairs. Invariant: as in the rest of the document, fields are declared in alphabetical order and lists are
//! sorted.

use crate::document::{DefinitionText, StepText, UseText, sorted};
use crate::spell::Speller;
use dynaflow_model::facts::{BlockId, Recording, VariableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A basic block that was entered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockText {
    /// Its number in its method, from 1 in bytecode order.
    pub block: u32,
    /// The class that declares the method.
    pub class: String,
    /// The line it begins on, 0 when unknown.
    pub line: u32,
    /// The method.
    pub method: String,
    /// The bytecode offset it begins at.
    pub offset: u32,
    /// Uses it was entered before, with no definition in between.
    pub reachable_uses: Vec<ReachableText>,
    /// Definitions that reached when it was entered.
    pub reaching: Vec<ReachingText>,
}

/// The definitions of one variable that reached a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReachingText {
    /// The definitions.
    pub definitions: Vec<Arc<DefinitionText>>,
    /// Binary name of the root class.
    pub root: String,
    /// The steps of the variable with their declaring classes.
    pub steps: Vec<StepText>,
    /// The steps in short.
    pub variable: String,
}

/// The uses of one variable that are reachable from a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReachableText {
    /// Binary name of the root class.
    pub root: String,
    /// The steps of the variable with their declaring classes.
    pub steps: Vec<StepText>,
    /// The uses.
    pub uses: Vec<Arc<UseText>>,
    /// The steps in short.
    pub variable: String,
}

/// Lists of facts by variable.
type ByVariable<T> = BTreeMap<VariableId, Vec<Arc<T>>>;

/// The blocks that have facts about roots that are wanted or belong to a class that is; none when no facts per basic block were
/// recorded. Near-linear in what it gives.
pub(crate) fn blocks(
    recording: &Recording,
    speller: &Speller<'_>,
    roots: impl Fn(&str) -> bool,
) -> Option<Vec<BlockText>> {
    let facts = &recording.facts;
    if facts.blocks.is_empty() {
        return None;
    }
    let wants = |variable: VariableId| roots(speller.root(variable));
    let mut reaching: BTreeMap<BlockId, ByVariable<DefinitionText>> = BTreeMap::new();
    for (_, fact) in facts.reaching.iter().filter(|(_, fact)| wants(fact.variable)) {
        let variables = reaching.entry(fact.block).or_default();
        variables.entry(fact.variable).or_default().push(speller.definition(fact.definition));
    }
    let mut reachable: BTreeMap<BlockId, ByVariable<UseText>> = BTreeMap::new();
    for (_, fact) in facts.reachable.iter().filter(|(_, fact)| wants(fact.variable)) {
        let variables = reachable.entry(fact.block).or_default();
        variables.entry(fact.variable).or_default().push(speller.usage(fact.usage));
    }
    let mut all: Vec<BlockText> = vec![];
    for (id, block) in facts.blocks.iter() {
        let (class, method, offset, line) = speller.place(block.place);
        let reaching = reaching.remove(&id).unwrap_or_default();
        let reachable = reachable.remove(&id).unwrap_or_default();
        if !roots(class) && reaching.is_empty() && reachable.is_empty() {
            continue;
        }
        all.push(BlockText {
            block: block.number,
            class: class.to_owned(),
            line,
            method: method.to_owned(),
            offset,
            reachable_uses: sorted(
                reachable.into_iter().map(|(v, uses)| uses_of(speller, v, uses)).collect(),
            ),
            reaching: sorted(
                reaching.into_iter().map(|(v, list)| definitions_of(speller, v, list)).collect(),
            ),
        });
    }
    all.sort_by(|a, b| (&a.class, &a.method, a.block).cmp(&(&b.class, &b.method, b.block)));
    Some(all)
}

fn definitions_of(
    speller: &Speller<'_>,
    variable: VariableId,
    definitions: Vec<Arc<DefinitionText>>,
) -> ReachingText {
    ReachingText {
        definitions: sorted(definitions),
        root: speller.root(variable).to_owned(),
        steps: speller.steps(variable),
        variable: speller.variable(variable),
    }
}

fn uses_of(speller: &Speller<'_>, variable: VariableId, uses: Vec<Arc<UseText>>) -> ReachableText {
    ReachableText {
        root: speller.root(variable).to_owned(),
        steps: speller.steps(variable),
        uses: sorted(uses),
        variable: speller.variable(variable),
    }
}
