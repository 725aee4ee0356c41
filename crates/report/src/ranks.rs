//! The places of variables, definitions and uses in the order of their texts.
//!
//! Knows nothing of what tests showed. Invariant: the order depends on texts alone, not on ids.

use dynaflow_model::facts::{
    ContextId, DefinitionId, FactTable, Interner, MethodId, PlaceId, Step, UseId, VariableId,
};
use dynaflow_model::ids::DenseId;

/// An order of the entries of a table.
#[derive(Debug)]
pub struct Order<I> {
    ranks: Vec<u32>,
    /// The ids in order.
    pub by_rank: Vec<I>,
}

impl<I: DenseId> Order<I> {
    fn new<T, K: Ord>(table: &Interner<T, I>, key: impl Fn(&T) -> K) -> Self
    where
        T: std::hash::Hash + Eq,
    {
        let mut keyed: Vec<(K, I)> = table.iter().map(|(id, value)| (key(value), id)).collect();
        keyed.sort_by(|a, b| a.0.cmp(&b.0));
        let mut ranks = vec![0; keyed.len()];
        for (rank, (_, id)) in (0..).zip(&keyed) {
            if let Some(slot) = ranks.get_mut(id.index()) {
                *slot = rank;
            }
        }
        Self { ranks, by_rank: keyed.into_iter().map(|(_, id)| id).collect() }
    }

    /// The rank of an entry; an id of another table gives that of the first.
    pub fn of(&self, id: I) -> u32 {
        self.ranks.get(id.index()).copied().unwrap_or_default()
    }
}

/// The orders of a table of facts.
#[derive(Debug)]
pub struct Ranks {
    /// By root and steps.
    pub variables: Order<VariableId>,
    /// By class, method, line, offset, kind and context.
    pub definitions: Order<DefinitionId>,
    /// The same without a kind.
    pub uses: Order<UseId>,
}

impl Ranks {
    /// Sorts; texts are compared for methods and variables alone.
    pub fn of(facts: &FactTable) -> Self {
        let methods: Order<MethodId> =
            Order::new(&facts.methods, |method| (facts.text(method.class), facts.text(method.signature)));
        let place = |id: PlaceId| {
            facts.places.get(id).map(|place| (methods.of(place.method), place.line, place.offset))
        };
        let context = |id: ContextId| {
            let rank = |method: &MethodId| methods.of(*method);
            facts.contexts.get(id).map(|context| {
                let [head, tail] =
                    [&context.head, &context.tail].map(|part| part.iter().map(rank).collect::<Vec<_>>());
                (head, context.cut, tail)
            })
        };
        let step = |step: &Step| {
            let name = facts.step(step);
            (name.class, name.name)
        };
        Self {
            variables: Order::new(&facts.variables, |variable| {
                (facts.text(variable.root), variable.steps.iter().map(step).collect::<Vec<_>>())
            }),
            definitions: Order::new(&facts.definitions, |d| (place(d.place), d.kind, context(d.context))),
            uses: Order::new(&facts.uses, |usage| (place(usage.place), context(usage.context))),
        }
    }
}
