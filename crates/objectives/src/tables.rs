//! The variables, definitions, uses, contexts and methods that a document refers to, each in the order of its text.
//!
//! Knows nothing of pairs. Invariant: of two entries of a table the one whose text comes first has the smaller position, so that
//! positions compare as texts do and no text has to be kept for comparing.

use crate::spell::{Speller, frames};
use dynaflow_model::facts::{ContextId, DefinitionId, DefinitionKind, MethodId, PlaceId, UseId, VariableId};
use dynaflow_model::ids::DenseId;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// What was mentioned so far.
#[derive(Debug, Default)]
pub struct Mentioned {
    /// State variables.
    pub variables: BTreeSet<VariableId>,
    /// Definitions.
    pub definitions: BTreeSet<DefinitionId>,
    /// Uses.
    pub uses: BTreeSet<UseId>,
    /// Methods, besides those of definitions and uses.
    pub methods: BTreeSet<MethodId>,
}

impl Mentioned {
    /// Notes a fact about a variable.
    pub fn add(&mut self, variable: VariableId, definition: Option<DefinitionId>, usage: Option<UseId>) {
        self.variables.insert(variable);
        self.definitions.extend(definition);
        self.uses.extend(usage);
    }
}

/// The tables.
#[derive(Debug)]
pub struct Tables {
    /// By class and signature.
    pub methods: Ranked<MethodId>,
    /// By their frames.
    pub contexts: Ranked<ContextId>,
    /// By root, short name and steps.
    pub variables: Ranked<VariableId>,
    /// By class, context, kind, line, method and offset.
    pub definitions: Ranked<DefinitionId>,
    /// As definitions.
    pub uses: Ranked<UseId>,
}

impl Tables {
    /// Sorts what was mentioned, and the methods and contexts that it mentions.
    pub fn new(speller: &Speller<'_>, mentioned: Mentioned) -> Self {
        let facts = speller.facts();
        let Mentioned { variables, definitions, uses, mut methods } = mentioned;
        let definition = |id| facts.definitions.get(id).map(|d| (d.place, d.context));
        let usage = |id| facts.uses.get(id).map(|u| (u.place, u.context));
        let sites = definitions.iter().filter_map(|&id| definition(id));
        let sites: Vec<(PlaceId, ContextId)> = sites.chain(uses.iter().filter_map(|&id| usage(id))).collect();
        methods.extend(sites.iter().filter_map(|(place, _)| Some(facts.places.get(*place)?.method)));
        let contexts: BTreeSet<ContextId> = sites.into_iter().map(|(_, context)| context).collect();
        for &context in &contexts {
            methods.extend(frames(facts, context).flatten());
        }
        let contexts = Ranked::new(contexts, |a, b| speller.context(a).cmp(speller.context(b)));
        let kind = |id| facts.definitions.get(id).map(|d| d.kind);
        let definitions = Ranked::new(definitions, |a, b| {
            site(speller, &contexts, definition(a), kind(a)).cmp(&site(
                speller,
                &contexts,
                definition(b),
                kind(b),
            ))
        });
        let uses = Ranked::new(uses, |a, b| {
            site(speller, &contexts, usage(a), None).cmp(&site(speller, &contexts, usage(b), None))
        });
        Self {
            methods: Ranked::new(methods, |a, b| speller.method(a).cmp(&speller.method(b))),
            variables: Ranked::new(variables, |a, b| by_name(speller, a, b)),
            contexts,
            definitions,
            uses,
        }
    }
}

fn site(
    speller: &Speller<'_>,
    contexts: &Ranked<ContextId>,
    site: Option<(PlaceId, ContextId)>,
    kind: Option<DefinitionKind>,
) -> impl Ord {
    site.map(|(place, context)| {
        let (class, method, offset, line) = speller.place(place);
        (class, contexts.at(context), kind, line, method, offset)
    })
}

fn by_name(speller: &Speller<'_>, a: VariableId, b: VariableId) -> Ordering {
    let names = || (speller.root(a), speller.variable(a)).cmp(&(speller.root(b), speller.variable(b)));
    names().then_with(|| speller.step_names(a).cmp(speller.step_names(b)))
}

/// Ids in an order, and where in it each is.
#[derive(Debug)]
pub struct Ranked<I> {
    order: Vec<I>,
    at: Vec<u32>,
}

impl<I: DenseId + Ord> Ranked<I> {
    fn new(ids: BTreeSet<I>, order: impl Fn(I, I) -> Ordering) -> Self {
        let mut at = vec![0; ids.last().map_or(0, |id| id.index() + 1)];
        let mut ids: Vec<I> = ids.into_iter().collect();
        ids.sort_by(|&a, &b| order(a, b));
        for (id, position) in ids.iter().zip(0..) {
            if let Some(slot) = at.get_mut(id.index()) {
                *slot = position;
            }
        }
        Self { order: ids, at }
    }

    /// The position of an id that was mentioned.
    pub fn at(&self, id: I) -> u32 {
        self.at.get(id.index()).copied().unwrap_or_default()
    }

    /// The id at a position.
    pub fn get(&self, position: u32) -> Option<I> {
        self.order.get(position as usize).copied()
    }

    /// All ids in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = I> + '_ {
        self.order.iter().copied()
    }
}
