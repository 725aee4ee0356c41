//! Brings the facts of one table into another and translates ids.
//!
//! Knows nothing of tests or files. Invariant: an id translated names an equal value in the other table.

use dynaflow_model::facts::{
    Block, BlockId, Context, ContextId, DefAtExit, Definition, DefinitionId, EntryId, ExitId, FactTable,
    Interner, Method, MethodId, Pair, PairId, Place, PlaceId, ReachableUse, ReachingDefinition, Sym,
    TestRecord, Use, UseAtEntry, UseId, Variable, VariableId, Witness, WitnessFact,
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
        map.strings = move_over(&mut into.strings, &from.strings, order, Clone::clone);
        map.methods = move_over(&mut into.methods, &from.methods, order, |m| Method {
            class: map.sym(m.class),
            signature: map.sym(m.signature),
        });
        map.contexts = move_over(&mut into.contexts, &from.contexts, order, |c| Context {
            head: c.head.iter().map(|&m| map.method(m)).collect(),
            tail: c.tail.iter().map(|&m| map.method(m)).collect(),
            cut: c.cut,
        });
        map.variables = move_over(&mut into.variables, &from.variables, order, |v| Variable {
            root: map.sym(v.root),
            steps: v.steps.iter().map(|s| s.translate(|name| map.sym(name))).collect(),
        });
        map.places = move_over(&mut into.places, &from.places, order, |p| Place {
            method: map.method(p.method),
            ..*p
        });
        map.definitions = move_over(&mut into.definitions, &from.definitions, order, |d| Definition {
            place: translate(&map.places, d.place),
            context: translate(&map.contexts, d.context),
            ..*d
        });
        map.uses = move_over(&mut into.uses, &from.uses, order, |u| Use {
            place: translate(&map.places, u.place),
            context: translate(&map.contexts, u.context),
        });
        map.pairs = move_over(&mut into.pairs, &from.pairs, order, |p| Pair {
            variable: translate(&map.variables, p.variable),
            definition: translate(&map.definitions, p.definition),
            usage: translate(&map.uses, p.usage),
        });
        map.exits = move_over(&mut into.exits, &from.exits, order, |e| DefAtExit {
            variable: translate(&map.variables, e.variable),
            method: map.method(e.method),
            exit: e.exit,
            definition: translate(&map.definitions, e.definition),
        });
        map.entries = move_over(&mut into.entries, &from.entries, order, |e| UseAtEntry {
            variable: translate(&map.variables, e.variable),
            method: map.method(e.method),
            usage: translate(&map.uses, e.usage),
        });
        map.unite_blocks(into, from, order);
        map
    }

    /// Facts per basic block: nothing refers to them by id.
    fn unite_blocks(&self, into: &mut FactTable, from: &FactTable, order: Order) {
        let blocks: Vec<BlockId> = move_over(&mut into.blocks, &from.blocks, order, |b| Block {
            place: translate(&self.places, b.place),
            ..*b
        });
        move_over(&mut into.reaching, &from.reaching, order, |r| ReachingDefinition {
            block: translate(&blocks, r.block),
            variable: translate(&self.variables, r.variable),
            definition: translate(&self.definitions, r.definition),
        });
        move_over(&mut into.reachable, &from.reachable, order, |r| ReachableUse {
            block: translate(&blocks, r.block),
            variable: translate(&self.variables, r.variable),
            usage: translate(&self.uses, r.usage),
        });
    }

    /// The record in terms of the other table, its facts ascending.
    pub fn record(&self, record: &TestRecord) -> TestRecord {
        TestRecord {
            name: record.name.clone(),
            end: record.end,
            pairs: translate_all(&self.pairs, &record.pairs),
            exits: translate_all(&self.exits, &record.exits),
            entries: translate_all(&self.entries, &record.entries),
            carved: record.carved.clone(),
            witnesses: sorted(record.witnesses.iter().map(|w| self.witness(w)).collect()),
        }
    }

    fn witness(&self, witness: &Witness) -> Witness {
        let fact = match witness.fact {
            WitnessFact::Exit(id) => WitnessFact::Exit(translate(&self.exits, id)),
            WitnessFact::Entry(id) => WitnessFact::Entry(translate(&self.entries, id)),
            WitnessFact::Pair(id) => WitnessFact::Pair(translate(&self.pairs, id)),
        };
        Witness { fact, ..*witness }
    }

    fn sym(&self, id: Sym) -> Sym {
        translate(&self.strings, id)
    }

    fn method(&self, id: MethodId) -> MethodId {
        translate(&self.methods, id)
    }
}

/// Interns every value of `from`, translated; gives the new id of each old one.
fn move_over<T: Hash + Eq + Ord, I: DenseId>(
    into: &mut Interner<T, I>,
    from: &Interner<T, I>,
    order: Order,
    translated: impl Fn(&T) -> T,
) -> Vec<I> {
    let mut values: Vec<(T, usize)> =
        from.iter().map(|(id, value)| (translated(value), id.index())).collect();
    if order == Order::Sorted {
        values.sort_unstable();
    }
    let mut new = vec![I::from_index(usize::MAX); values.len()];
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

fn translate_all<I: DenseId + Ord>(map: &[I], ids: &[I]) -> Vec<I> {
    sorted(ids.iter().map(|&id| translate(map, id)).collect())
}

/// The values ascending, each once.
pub fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values.dedup();
    values
}
