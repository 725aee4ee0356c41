//! Objectives as the search wants them: with the facts that show where definition and use were seen.
//!
//! Knows nothing of how they are attacked. Invariant: a goal's number is its place in the list of objectives at inference, so
//! the same facts give the same numbers.

use super::known::{Covered, PairKey, key};
use dynaflow_model::facts::{
    DefinitionId, EntryId, ExitId, FactTable, MethodId, Pair, Recording, UseId, VariableId,
};
use dynaflow_model::pattern::Pattern;
use dynaflow_objectives::infer;
use dynaflow_search::{Goal, GoalId};
use std::collections::{BTreeMap, BTreeSet};

/// The open objectives of an iteration.
#[derive(Debug)]
pub struct Goals {
    open: BTreeMap<GoalId, (PairKey, Goal)>,
    left: BTreeSet<PairKey>,
}

type ExitsOf = BTreeMap<(VariableId, DefinitionId), (Vec<ExitId>, BTreeSet<MethodId>)>;
type EntriesOf = BTreeMap<(VariableId, UseId), (Vec<EntryId>, BTreeSet<MethodId>)>;

impl Goals {
    /// The objectives of the roots.
    pub fn infer(recording: &Recording, roots: &[Pattern]) -> Self {
        let facts = &recording.facts;
        let pairs = infer(recording, |root| roots.iter().any(|pattern| pattern.matches(root)));
        let (exits, entries) = (exits_of(facts), entries_of(facts));
        let open = (0u32..).zip(&pairs).map(|(n, pair)| {
            let id = GoalId(n);
            (id, (key(facts, pair), goal(facts, id, pair, &exits, &entries)))
        });
        let open: BTreeMap<GoalId, (PairKey, Goal)> = open.collect();
        let left = open.values().map(|(key, _)| *key).collect();
        Self { open, left }
    }

    /// How many are open.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// The keys of the open ones.
    pub fn keys(&self) -> impl Iterator<Item = PairKey> {
        self.open.values().map(|(key, _)| *key)
    }

    /// Whether the pair is an open objective.
    pub fn contains(&self, key: PairKey) -> bool {
        self.left.contains(&key)
    }

    /// The open ones.
    pub fn open(&self) -> impl Iterator<Item = Goal> {
        self.open.values().map(|(_, goal)| goal.clone())
    }

    /// Drops what is covered now.
    pub fn drop_covered(&mut self, covered: &Covered) {
        self.open.retain(|_, (key, _)| !covered.contains(*key));
        self.left.retain(|key| !covered.contains(*key));
    }
}

fn exits_of(facts: &FactTable) -> ExitsOf {
    let mut exits = ExitsOf::new();
    for (id, fact) in facts.exits.iter() {
        let (ids, methods) = exits.entry((fact.variable, fact.definition)).or_default();
        ids.push(id);
        methods.insert(fact.method);
    }
    exits
}

fn entries_of(facts: &FactTable) -> EntriesOf {
    let mut entries = EntriesOf::new();
    for (id, fact) in facts.entries.iter() {
        let (ids, methods) = entries.entry((fact.variable, fact.usage)).or_default();
        ids.push(id);
        methods.insert(fact.method);
    }
    entries
}

fn goal(facts: &FactTable, id: GoalId, pair: &Pair, exits: &ExitsOf, entries: &EntriesOf) -> Goal {
    let (exits, definition_methods) =
        exits.get(&(pair.variable, pair.definition)).cloned().unwrap_or_default();
    let (entries, use_methods) = entries.get(&(pair.variable, pair.usage)).cloned().unwrap_or_default();
    let root = facts.variables.get(pair.variable).map_or("", |v| facts.text(v.root)).to_owned();
    let names = |methods: BTreeSet<MethodId>| {
        let signatures = methods.into_iter().filter_map(|m| facts.methods.get(m));
        signatures.map(|m| facts.text(m.signature).to_owned()).collect()
    };
    Goal {
        id,
        root,
        definition_methods: names(definition_methods),
        use_methods: names(use_methods),
        exits,
        entries,
    }
}
