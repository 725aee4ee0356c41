//! Objectives as the search wants them: with the facts that show where definition and use were seen.
//!
//! Knows nothing of how they are attacked. Invariant: a goal stays the same goal, by the key of its pair, from one inference to the next.

use crate::commands::augment::facts::known::Covered;
use crate::commands::augment::facts::roots::Roots;
use dynaflow_model::facts::{
    DefinitionId, EntryId, ExitId, FactTable, MethodId, Pair, Recording, UseId, VariableId,
};
use dynaflow_model::pair_key::{HalfKey, PairKey};
use dynaflow_objectives::{definition_key, infer, pair_key, use_key};
use dynaflow_search::Goal;
use std::collections::{BTreeMap, BTreeSet};

/// The open objectives of an iteration.
#[derive(Debug)]
pub struct Goals {
    open: BTreeMap<PairKey, Goal>,
    /// Those that nothing executes.
    infeasible: BTreeSet<PairKey>,
}

type ExitsOf = BTreeMap<(VariableId, DefinitionId), (Vec<ExitId>, BTreeSet<MethodId>)>;
type EntriesOf = BTreeMap<(VariableId, UseId), (Vec<EntryId>, BTreeSet<MethodId>)>;

/// The halves of goals, each of which many have.
#[derive(Default)]
struct Halves {
    definitions: BTreeMap<(VariableId, DefinitionId), HalfKey>,
    uses: BTreeMap<(VariableId, UseId), HalfKey>,
}

impl Halves {
    fn of(&mut self, recording: &Recording, pair: &Pair) -> (HalfKey, HalfKey) {
        let (facts, builds) = (&recording.facts, &recording.classes);
        let (definition, usage) = ((pair.variable, pair.definition), (pair.variable, pair.usage));
        let key = || definition_key(facts, builds, definition);
        let definition = *self.definitions.entry(definition).or_insert_with(key);
        (definition, *self.uses.entry(usage).or_insert_with(|| use_key(facts, builds, usage)))
    }
}

impl Goals {
    /// The objectives of the roots. `is_infeasible` says of which it is known that nothing executes them.
    pub fn infer(
        recording: &Recording,
        roots: &Roots,
        mut is_infeasible: impl FnMut(&FactTable, &Pair) -> bool,
    ) -> Self {
        let facts = &recording.facts;
        let pairs = infer(recording, |root| roots.select(root));
        let (infeasible, pairs): (Vec<Pair>, Vec<Pair>) =
            pairs.into_iter().partition(|pair| is_infeasible(facts, pair));
        let infeasible = infeasible.iter().map(|pair| pair_key(facts, &recording.classes, pair)).collect();
        let (exits, entries) = (exits_of(facts), entries_of(facts));
        let mut halves = Halves::default();
        let goal = |pair: &Pair| {
            let key = pair_key(facts, &recording.classes, pair);
            (key, goal(facts, (key, halves.of(recording, pair)), pair, &exits, &entries))
        };
        Self { open: pairs.iter().map(goal).collect(), infeasible }
    }

    /// How many are worth an attempt.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// The keys of the open ones, and of those that nothing executes.
    pub fn keys(&self) -> impl Iterator<Item = PairKey> {
        self.open.keys().copied().chain(self.infeasible())
    }

    /// The keys of those that nothing executes.
    pub fn infeasible(&self) -> impl Iterator<Item = PairKey> {
        self.infeasible.iter().copied()
    }

    /// The objective of this pair, if it is worth an attempt.
    pub fn get(&self, key: PairKey) -> Option<&Goal> {
        self.open.get(&key)
    }

    /// Whether the pair is an objective that is worth an attempt.
    pub fn contains(&self, key: PairKey) -> bool {
        self.open.contains_key(&key)
    }

    /// Those that are worth an attempt.
    pub fn open(&self) -> impl Iterator<Item = Goal> {
        self.open.values().cloned()
    }

    /// Drops what is covered now.
    pub fn drop_covered(&mut self, covered: &Covered) {
        self.open.retain(|key, _| !covered.contains(*key));
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

fn goal(
    facts: &FactTable,
    (pair_key, halves): (PairKey, (HalfKey, HalfKey)),
    pair: &Pair,
    exits: &ExitsOf,
    entries: &EntriesOf,
) -> Goal {
    let (exits, definition_methods) =
        exits.get(&(pair.variable, pair.definition)).cloned().unwrap_or_default();
    let (entries, use_methods) = entries.get(&(pair.variable, pair.usage)).cloned().unwrap_or_default();
    let root = facts.variables.get(pair.variable).map_or("", |v| facts.text(v.root)).to_owned();
    let names = |methods: BTreeSet<MethodId>| {
        let signatures = methods.into_iter().filter_map(|m| facts.methods.get(m));
        signatures.map(|m| facts.text(m.signature).to_owned()).collect()
    };
    let definition = facts.definitions.get(pair.definition).map(|definition| definition.place);
    let usage = facts.uses.get(pair.usage).map(|usage| usage.place);
    Goal {
        pair: pair_key,
        root,
        sites: (definition, usage),
        halves,
        definition_methods: names(definition_methods),
        use_methods: names(use_methods),
        exits,
        entries,
    }
}
