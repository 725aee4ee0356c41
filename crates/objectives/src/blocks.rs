//! Facts per basic block in words, for the `pairs` document.
//!
//! Knows nothing of pairs. Invariants: as in the rest of the document, fields are declared in alphabetical order and lists are
//! sorted. Blocks share most of what reaches them, so they refer to variables, definitions and uses by their positions in
//! [`BlockTables`]; written out each time, they would make documents ten times as large.

use crate::document::{DefinitionText, StepText, UseText};
use crate::spell::Speller;
use dynaflow_model::facts::{BlockId, DefinitionId, Recording, UseId, VariableId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A basic block that was entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Positions in [`BlockTables::definitions`].
    pub definitions: Vec<u32>,
    /// Position in [`BlockTables::variables`].
    pub variable: u32,
}

/// The uses of one variable that are reachable from a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReachableText {
    /// Positions in [`BlockTables::uses`].
    pub uses: Vec<u32>,
    /// Position in [`BlockTables::variables`].
    pub variable: u32,
}

/// What blocks refer to, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockTables {
    /// Definitions.
    pub definitions: Vec<Arc<DefinitionText>>,
    /// Uses.
    pub uses: Vec<Arc<UseText>>,
    /// State variables.
    pub variables: Vec<VariableText>,
}

/// A state variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariableText {
    /// Binary name of the root class.
    pub root: String,
    /// The steps with their declaring classes.
    pub steps: Vec<StepText>,
    /// The steps in short.
    pub variable: String,
}

/// The blocks that have facts about roots that are wanted or belong to a class that is, and what they refer to; none when no
/// facts per basic block were recorded. Near-linear in the facts.
pub(crate) fn blocks(
    recording: &Recording,
    speller: &Speller<'_>,
    roots: impl Fn(&str) -> bool,
) -> Option<(Vec<BlockText>, BlockTables)> {
    let facts = &recording.facts;
    if facts.blocks.is_empty() {
        return None;
    }
    let wants = |variable: VariableId| roots(speller.root(variable));
    let reaching: Vec<_> = facts.reaching.iter().map(|(_, f)| f).filter(|f| wants(f.variable)).collect();
    let reachable: Vec<_> = facts.reachable.iter().map(|(_, f)| f).filter(|f| wants(f.variable)).collect();
    let variables = reaching.iter().map(|f| f.variable).chain(reachable.iter().map(|f| f.variable));
    let variables = Numbered::new(variables, |id| variable(speller, id));
    let definitions: Numbered<DefinitionId, _> =
        Numbered::new(reaching.iter().map(|f| f.definition), |id| speller.definition(id));
    let uses: Numbered<UseId, _> = Numbered::new(reachable.iter().map(|f| f.usage), |id| speller.usage(id));
    let mut defined = Lists::default();
    for fact in reaching {
        defined.add(fact.block, variables.at(fact.variable), definitions.at(fact.definition));
    }
    let mut used = Lists::default();
    for fact in reachable {
        used.add(fact.block, variables.at(fact.variable), uses.at(fact.usage));
    }
    let mut all: Vec<BlockText> = vec![];
    for (id, block) in facts.blocks.iter() {
        let (class, method, offset, line) = speller.place(block.place);
        let (reaching, reachable) = (defined.take(id), used.take(id));
        if roots(class) || !reaching.is_empty() || !reachable.is_empty() {
            let reaching = reaching.into_iter();
            let reachable = reachable.into_iter();
            all.push(BlockText {
                block: block.number,
                class: class.to_owned(),
                line,
                method: method.to_owned(),
                offset,
                reachable_uses: reachable
                    .map(|(variable, uses)| ReachableText { uses: uses.into_iter().collect(), variable })
                    .collect(),
                reaching: reaching
                    .map(|(variable, list)| ReachingText {
                        definitions: list.into_iter().collect(),
                        variable,
                    })
                    .collect(),
            });
        }
    }
    all.sort_by(|a, b| (&a.class, &a.method, a.block).cmp(&(&b.class, &b.method, b.block)));
    let tables = BlockTables { definitions: definitions.texts, uses: uses.texts, variables: variables.texts };
    Some((all, tables))
}

fn variable(speller: &Speller<'_>, id: VariableId) -> VariableText {
    VariableText {
        root: speller.root(id).to_owned(),
        steps: speller.steps(id),
        variable: speller.variable(id),
    }
}

/// Sorted texts, and where that of each id is.
struct Numbered<I, T> {
    texts: Vec<T>,
    positions: BTreeMap<I, u32>,
}

impl<I: Ord + Copy, T: Ord> Numbered<I, T> {
    fn new(ids: impl Iterator<Item = I>, text: impl Fn(I) -> T) -> Self {
        let ids: BTreeSet<I> = ids.collect();
        let mut all: Vec<(T, I)> = ids.into_iter().map(|id| (text(id), id)).collect();
        all.sort();
        let positions = all.iter().zip(0..).map(|((_, id), at)| (*id, at)).collect();
        Self { texts: all.into_iter().map(|(text, _)| text).collect(), positions }
    }

    fn at(&self, id: I) -> u32 {
        self.positions.get(&id).copied().unwrap_or_default()
    }
}

/// By block and variable, positions of definitions or uses.
#[derive(Default)]
struct Lists(BTreeMap<BlockId, BTreeMap<u32, BTreeSet<u32>>>);

impl Lists {
    fn add(&mut self, block: BlockId, variable: u32, what: u32) {
        self.0.entry(block).or_default().entry(variable).or_default().insert(what);
    }

    fn take(&mut self, block: BlockId) -> BTreeMap<u32, BTreeSet<u32>> {
        self.0.remove(&block).unwrap_or_default()
    }
}
