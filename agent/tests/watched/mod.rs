//! Facts of a run by what they are and not by their numbers: as the agent recorded them, and as an interpreter finds them in what a
//! debugger wrote down (`java/debugger/FieldLog.java`).
//!
//! It knows neither how the program was run nor which facts can be compared. Invariant: the two ways share no code but [`Fact`].

mod interpreter;

pub use interpreter::{Reading, read};

use dynaflow_model::facts::{ContextId, MethodId, PlaceId, Recording, Step, VariableId};
use std::collections::BTreeSet;

/// A covered pair, a definition at an exit or a use at an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// Which of the three; for the latter two with their method, and for exits how it ended.
    pub what: String,
    /// The class of the variable's root.
    pub root: String,
    /// The variable's steps: `Class.field`, or `[]`.
    pub steps: Vec<String>,
    /// Definition and use, each as place and context.
    pub rest: String,
}

/// What the agent recorded.
pub fn recorded(recording: &Recording) -> BTreeSet<Fact> {
    let facts = &recording.facts;
    let method = |id: MethodId| {
        let method = facts.methods.get(id).unwrap();
        format!("{}.{}", facts.text(method.class), facts.text(method.signature))
    };
    let context = |id: ContextId| {
        let context = facts.contexts.get(id).unwrap();
        assert!(!context.cut, "the longest contexts are recorded whole");
        let methods: Vec<_> = context.head.iter().map(|id| method(*id)).collect();
        format!("[{}]", methods.join(", "))
    };
    let place = |id: PlaceId| {
        let place = facts.places.get(id).unwrap();
        format!("{}@{}", method(place.method), place.offset)
    };
    let definition = |id| {
        let definition = facts.definitions.get(id).unwrap();
        format!("{:?} {} {}", definition.kind, place(definition.place), context(definition.context))
    };
    let usage = |id| {
        let usage = facts.uses.get(id).unwrap();
        format!("{} {}", place(usage.place), context(usage.context))
    };
    let fact = |what: String, variable: VariableId, rest: String| {
        let variable = facts.variables.get(variable).unwrap();
        let steps = variable.steps.iter().map(|step| match step {
            Step::Field { class, name } => format!("{}.{}", facts.text(*class), facts.text(*name)),
            Step::Element => "[]".to_owned(),
        });
        Fact { what, root: facts.text(variable.root).to_owned(), steps: steps.collect(), rest }
    };
    let pairs = facts.pairs.iter().map(|(_, pair)| {
        let rest = format!("{} -> {}", definition(pair.definition), usage(pair.usage));
        fact("pair".to_owned(), pair.variable, rest)
    });
    let exits = facts.exits.iter().map(|(_, exit)| {
        let what = format!("exit {:?} {}", exit.exit, method(exit.method));
        fact(what, exit.variable, definition(exit.definition))
    });
    let entries = facts.entries.iter().map(|(_, entry)| {
        fact(format!("entry {}", method(entry.method)), entry.variable, usage(entry.usage))
    });
    pairs.chain(exits).chain(entries).collect()
}
