//! What is known per basic block, for the `pairs` document.
//!
//! Knows nothing of pairs. Invariant: blocks come by class, method and number, their facts by variable.

use crate::spell::Speller;
use crate::tables::{Mentioned, Tables};
use dynaflow_model::facts::{BlockId, ReachableUse, ReachingDefinition, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// By variable, definitions or uses: all by their positions in the tables.
pub type Lists = BTreeMap<u32, BTreeSet<u32>>;

/// A basic block that was entered.
#[derive(Debug)]
pub struct BlockFacts {
    /// The block.
    pub block: BlockId,
    /// By variable, the definitions that reached when it was entered.
    pub reaching: Lists,
    /// By variable, the uses it was entered before, with no definition in between.
    pub reachable: Lists,
}

/// The blocks that have facts about roots that are wanted or belong to a class that is, and those facts.
#[derive(Debug)]
pub struct Blocks {
    order: Vec<BlockId>,
    reaching: Vec<ReachingDefinition>,
    reachable: Vec<ReachableUse>,
}

impl Blocks {
    /// None when no facts per basic block were recorded. Near-linear in the facts.
    pub fn of(speller: &Speller<'_>, roots: impl Fn(&str) -> bool) -> Option<Self> {
        let facts = speller.facts();
        if facts.blocks.is_empty() {
            return None;
        }
        let wants = |variable: VariableId| roots(speller.root(variable));
        let reaching: Vec<_> = facts.reaching.iter().map(|(_, f)| *f).filter(|f| wants(f.variable)).collect();
        let reachable: Vec<_> =
            facts.reachable.iter().map(|(_, f)| *f).filter(|f| wants(f.variable)).collect();
        let known: BTreeSet<BlockId> =
            reaching.iter().map(|f| f.block).chain(reachable.iter().map(|f| f.block)).collect();
        let place =
            |id: BlockId| facts.blocks.get(id).map(|block| (speller.place(block.place), block.number));
        let class = |id: BlockId| place(id).map_or("", |((class, ..), _)| class);
        let ids = facts.blocks.iter().map(|(id, _)| id);
        let mut order: Vec<BlockId> = ids.filter(|&id| known.contains(&id) || roots(class(id))).collect();
        order
            .sort_by_cached_key(|&id| place(id).map(|((class, method, ..), number)| (class, method, number)));
        Some(Self { order, reaching, reachable })
    }

    /// Notes what the facts mention.
    pub fn mention(&self, speller: &Speller<'_>, mentioned: &mut Mentioned) {
        let facts = speller.facts();
        for fact in &self.reaching {
            mentioned.add(fact.variable, Some(fact.definition), None);
        }
        for fact in &self.reachable {
            mentioned.add(fact.variable, None, Some(fact.usage));
        }
        let blocks = self.order.iter().filter_map(|id| facts.blocks.get(*id));
        mentioned.methods.extend(blocks.filter_map(|block| Some(facts.places.get(block.place)?.method)));
    }

    /// The blocks with their facts, by positions.
    pub fn placed(&self, tables: &Tables) -> Vec<BlockFacts> {
        let mut defined: BTreeMap<BlockId, Lists> = BTreeMap::new();
        for fact in &self.reaching {
            let lists = defined.entry(fact.block).or_default();
            let list = lists.entry(tables.variables.at(fact.variable)).or_default();
            list.insert(tables.definitions.at(fact.definition));
        }
        let mut used: BTreeMap<BlockId, Lists> = BTreeMap::new();
        for fact in &self.reachable {
            let lists = used.entry(fact.block).or_default();
            lists.entry(tables.variables.at(fact.variable)).or_default().insert(tables.uses.at(fact.usage));
        }
        let mut take = |id: &BlockId| BlockFacts {
            block: *id,
            reaching: defined.remove(id).unwrap_or_default(),
            reachable: used.remove(id).unwrap_or_default(),
        };
        self.order.iter().map(&mut take).collect()
    }
}
