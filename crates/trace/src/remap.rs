//! Brings the facts of one table into another and translates ids.
//!
//! Knows nothing of tests or files. Invariant: an id translated names an equal value in the other table.

use crate::translate::{Translated, Translator};
use dynaflow_model::facts::{
    Block, BlockId, ContextId, DefinitionId, EntryId, ExitId, FactTable, Interner, MethodId, PairId, PlaceId,
    ReachableUse, ReachingDefinition, Sym, TestRecord, UseId, VariableId,
};
use dynaflow_model::ids::DenseId;
use std::hash::Hash;

/// In which order new entries get their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they stand in the source.
    AsTheyCome,
    /// By content: into an empty table this gives ids that depend on the facts alone.
    Sorted,
}

/// Translates the ids of one table to those of another.
#[derive(Debug, Default)]
pub struct Remap {
    strings: Vec<Sym>,
    methods: Vec<MethodId>,
    contexts: Vec<ContextId>,
    variables: Vec<VariableId>,
    places: Vec<PlaceId>,
    definitions: Vec<DefinitionId>,
    uses: Vec<UseId>,
    pairs: Vec<PairId>,
    exits: Vec<ExitId>,
    entries: Vec<EntryId>,
}

impl Remap {
    /// Interns all of `from` in `into`. Linear (with a sort: near-linear) in `from`.
    pub fn unite(into: &mut FactTable, from: &FactTable, order: Order) -> Self {
        let mut map = Self::default();
        map.strings = move_over(&mut into.strings, &from.strings, order, |text| Some(text.clone()));
        map.methods = move_over(&mut into.methods, &from.methods, order, |m| m.translated(&mut map));
        map.contexts = move_over(&mut into.contexts, &from.contexts, order, |c| c.translated(&mut map));
        map.variables = move_over(&mut into.variables, &from.variables, order, |v| v.translated(&mut map));
        map.places = move_over(&mut into.places, &from.places, order, |p| p.translated(&mut map));
        map.definitions =
            move_over(&mut into.definitions, &from.definitions, order, |d| d.translated(&mut map));
        map.uses = move_over(&mut into.uses, &from.uses, order, |u| u.translated(&mut map));
        map.pairs = move_over(&mut into.pairs, &from.pairs, order, |p| p.translated(&mut map));
        map.exits = move_over(&mut into.exits, &from.exits, order, |e| e.translated(&mut map));
        map.entries = move_over(&mut into.entries, &from.entries, order, |e| e.translated(&mut map));
        map.unite_blocks(into, from, order);
        map
    }

    /// Facts per basic block: nothing refers to them by id.
    fn unite_blocks(&mut self, into: &mut FactTable, from: &FactTable, order: Order) {
        let blocks: Vec<BlockId> = move_over(&mut into.blocks, &from.blocks, order, |b| {
            Some(Block { place: translate(&self.places, b.place), ..*b })
        });
        move_over(&mut into.reaching, &from.reaching, order, |r| {
            Some(ReachingDefinition {
                block: translate(&blocks, r.block),
                variable: translate(&self.variables, r.variable),
                definition: translate(&self.definitions, r.definition),
            })
        });
        move_over(&mut into.reachable, &from.reachable, order, |r| {
            Some(ReachableUse {
                block: translate(&blocks, r.block),
                variable: translate(&self.variables, r.variable),
                usage: translate(&self.uses, r.usage),
            })
        });
    }

    /// The record in terms of the other table, its facts ascending.
    pub fn record(&mut self, record: &TestRecord) -> TestRecord {
        crate::translate::record(record, self)
    }
}

/// An id that names nothing goes on naming nothing.
impl Translator for Remap {
    fn sym(&mut self, id: Sym) -> Option<Sym> {
        Some(translate(&self.strings, id))
    }

    fn method(&mut self, id: MethodId) -> Option<MethodId> {
        Some(translate(&self.methods, id))
    }

    fn context(&mut self, id: ContextId) -> Option<ContextId> {
        Some(translate(&self.contexts, id))
    }

    fn variable(&mut self, id: VariableId) -> Option<VariableId> {
        Some(translate(&self.variables, id))
    }

    fn place(&mut self, id: PlaceId) -> Option<PlaceId> {
        Some(translate(&self.places, id))
    }

    fn definition(&mut self, id: DefinitionId) -> Option<DefinitionId> {
        Some(translate(&self.definitions, id))
    }

    fn usage(&mut self, id: UseId) -> Option<UseId> {
        Some(translate(&self.uses, id))
    }

    fn pair(&mut self, id: PairId) -> Option<PairId> {
        Some(translate(&self.pairs, id))
    }

    fn exit(&mut self, id: ExitId) -> Option<ExitId> {
        Some(translate(&self.exits, id))
    }

    fn entry(&mut self, id: EntryId) -> Option<EntryId> {
        Some(translate(&self.entries, id))
    }
}

/// Interns every value of `from`, translated; gives the new id of each old one.
fn move_over<T: Hash + Eq + Ord, I: DenseId>(
    into: &mut Interner<T, I>,
    from: &Interner<T, I>,
    order: Order,
    mut translated: impl FnMut(&T) -> Option<T>,
) -> Vec<I> {
    let mut values: Vec<(T, usize)> =
        from.iter().filter_map(|(id, value)| Some((translated(value)?, id.index()))).collect();
    if order == Order::Sorted {
        values.sort_unstable();
    }
    let mut new = vec![I::from_index(usize::MAX); from.len()];
    for (value, old) in values {
        let id = into.intern(value);
        if let Some(slot) = new.get_mut(old) {
            *slot = id;
        }
    }
    new
}

/// The new id; an id that names nothing goes on naming nothing.
fn translate<I: DenseId>(map: &[I], id: I) -> I {
    map.get(id.index()).copied().unwrap_or(I::from_index(usize::MAX))
}
