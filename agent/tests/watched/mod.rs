//! Facts of a run by what they are and not by their numbers: as the agent recorded them, and as an interpreter finds them in what a
//! debugger wrote down (`java/debugger/FieldLog.java`).
//!
//! It knows neither how the program was run nor which facts can be compared. Invariant: the two ways share no code but [`Fact`].

mod interpreter;

pub use interpreter::{Reading, read};

use dynaflow_model::facts::{
    ContextId, DefinitionId, EntryId, ExitId, FactTable, MethodId, PairId, PlaceId, Recording, UseId,
    VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A covered pair, a definition at an exit or a use at an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// Which of the three; for the latter two with their method, and for exits how it ended.
    pub what: String,
    /// The class of the variable's root.
    pub root: String,
    /// The variable's steps: `Class.field`, or `[]`.
    pub steps: Vec<String>,
    /// What a pair or an exit has.
    pub definition: Option<Access>,
    /// What a pair or an entry has.
    pub usage: Option<Access>,
}

/// A definition or a use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    /// How the variable is defined; nothing for a use.
    pub kind: String,
    /// Method and offset.
    pub place: String,
    /// The methods of the context.
    pub context: String,
}

/// What the agent recorded, by test.
pub fn recorded(recording: &Recording) -> BTreeMap<String, BTreeSet<Fact>> {
    let mut found: BTreeMap<String, BTreeSet<Fact>> = BTreeMap::new();
    for test in &recording.tests {
        let facts = found.entry(test.name.clone()).or_default();
        facts.extend(test.pairs.iter().map(|id| pair(&recording.facts, *id)));
        facts.extend(test.exits.iter().map(|id| exit(&recording.facts, *id)));
        facts.extend(test.entries.iter().map(|id| entry(&recording.facts, *id)));
    }
    found
}

fn pair(facts: &FactTable, id: PairId) -> Fact {
    let pair = facts.pairs.get(id).unwrap();
    let (definition, usage) = (definition(facts, pair.definition), usage(facts, pair.usage));
    fact(facts, "pair".to_owned(), pair.variable, Some(definition), Some(usage))
}

fn exit(facts: &FactTable, id: ExitId) -> Fact {
    let exit = facts.exits.get(id).unwrap();
    let what = format!("exit {:?} {}", exit.exit, method(facts, exit.method));
    fact(facts, what, exit.variable, Some(definition(facts, exit.definition)), None)
}

fn entry(facts: &FactTable, id: EntryId) -> Fact {
    let entry = facts.entries.get(id).unwrap();
    let what = format!("entry {}", method(facts, entry.method));
    fact(facts, what, entry.variable, None, Some(usage(facts, entry.usage)))
}

fn fact(
    facts: &FactTable,
    what: String,
    variable: VariableId,
    definition: Option<Access>,
    usage: Option<Access>,
) -> Fact {
    let variable = facts.variables.get(variable).unwrap();
    let steps = variable.steps.iter().map(|step| facts.step(step).to_string());
    Fact { what, root: facts.text(variable.root).to_owned(), steps: steps.collect(), definition, usage }
}

fn definition(facts: &FactTable, id: DefinitionId) -> Access {
    let definition = facts.definitions.get(id).unwrap();
    let (place, context) = (place(facts, definition.place), context(facts, definition.context));
    Access { kind: format!("{:?}", definition.kind), place, context }
}

fn usage(facts: &FactTable, id: UseId) -> Access {
    let usage = facts.uses.get(id).unwrap();
    let (place, context) = (place(facts, usage.place), context(facts, usage.context));
    Access { kind: String::new(), place, context }
}

fn place(facts: &FactTable, id: PlaceId) -> String {
    let place = facts.places.get(id).unwrap();
    format!("{}@{}", method(facts, place.method), place.offset)
}

fn context(facts: &FactTable, id: ContextId) -> String {
    let context = facts.contexts.get(id).unwrap();
    assert!(!context.cut, "the longest contexts are recorded whole");
    let methods: Vec<_> = context.head.iter().map(|id| method(facts, *id)).collect();
    format!("[{}]", methods.join(", "))
}

fn method(facts: &FactTable, id: MethodId) -> String {
    let method = facts.methods.get(id).unwrap();
    format!("{}.{}", facts.text(method.class), facts.text(method.signature))
}
