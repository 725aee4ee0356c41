//! Facts in words: names of variables, methods and contexts.
//!
//! Knows nothing of objectives or JSON. Invariants: two facts with equal meaning are spelled alike in whatever table they are;
//! two with different meanings are not. Nothing is kept but the names of methods: texts are made when they are asked for, as
//! those of all definitions with their contexts take many times the memory of the facts.

use crate::schema::{DefinitionText, KindText, StepText, UseText};
use dynaflow_model::facts::{
    Context, ContextId, Definition, DefinitionId, FactTable, MethodId, Pair, Place, PlaceId, Recording, Step,
    Use, UseId, VariableId,
};
use std::sync::Arc;

/// Stands in a context where frames were left out.
pub const CUT: &str = "...";

/// Spells the facts of one recording.
#[derive(Debug)]
pub struct Speller<'a> {
    /// What is spelled.
    pub recording: &'a Recording,
    /// By method, its frame in a context: `a.Outer.probe()Z`.
    frames: Vec<String>,
}

impl<'a> Speller<'a> {
    /// Linear in the methods.
    pub fn new(recording: &'a Recording) -> Self {
        let facts = &recording.facts;
        let frame = |(id, _): (MethodId, _)| {
            let (class, signature) = method_parts(facts, id);
            format!("{class}.{signature}")
        };
        Self { recording, frames: facts.methods.iter().map(frame).collect() }
    }

    /// The facts.
    pub fn facts(&self) -> &'a FactTable {
        &self.recording.facts
    }

    /// The binary name of the variable's root class.
    pub fn root(&self, variable: VariableId) -> &'a str {
        root(self.facts(), variable)
    }

    /// `next.[].primed`.
    pub fn variable(&self, variable: VariableId) -> String {
        short(self.facts(), variable)
    }

    /// The steps with their declaring classes: `a.Outer.next`, or `[]`.
    pub fn step_names(&self, variable: VariableId) -> impl Iterator<Item = String> + use<'a> {
        let facts = self.facts();
        steps(facts, variable).map(|step| facts.step(step).to_string())
    }

    /// The same as texts of the document.
    pub fn steps(&self, variable: VariableId) -> Vec<StepText> {
        self.step_names(variable).map(|field| StepText { field }).collect()
    }

    /// Binary name of a method's class, and its name with descriptor.
    pub fn method(&self, method: MethodId) -> (&'a str, &'a str) {
        method_parts(self.facts(), method)
    }

    /// A place: binary name of its class, name and descriptor of its method, offset, line.
    pub fn place(&self, place: PlaceId) -> (&'a str, &'a str, u32, u32) {
        let (class, method, place) = place_parts(self.facts(), place);
        (class, method, place.map_or(0, |p| p.offset), place.map_or(0, |p| p.line))
    }

    /// The frames as `a.Outer.probe()Z`, outermost first.
    pub fn context(&self, context: ContextId) -> impl Iterator<Item = &str> {
        frames(self.facts(), context).map(|frame| match frame {
            Some(method) => self.frames.get(method.index()).map_or("", String::as_str),
            None => CUT,
        })
    }

    /// A definition.
    pub fn definition(&self, id: DefinitionId) -> Arc<DefinitionText> {
        let Some(&Definition { place, kind, context }) = self.facts().definitions.get(id) else {
            return Arc::default();
        };
        let (class, method, offset, line) = self.place(place);
        Arc::new(DefinitionText {
            class: class.to_owned(),
            context: self.context(context).map(str::to_owned).collect(),
            kind: KindText::from(kind),
            line,
            method: method.to_owned(),
            offset,
        })
    }

    /// A use.
    pub fn usage(&self, id: UseId) -> Arc<UseText> {
        let Some(&Use { place, context }) = self.facts().uses.get(id) else { return Arc::default() };
        let (class, method, offset, line) = self.place(place);
        Arc::new(UseText {
            class: class.to_owned(),
            context: self.context(context).map(str::to_owned).collect(),
            line,
            method: method.to_owned(),
            offset,
        })
    }
}

/// A pair on one line, without contexts: `a.Outer.next.primed: defined in a.Middle.probe:14, used in a.Middle.open:9`.
pub fn one_line(facts: &FactTable, pair: &Pair) -> String {
    let place = |id: Option<PlaceId>| {
        let Some((class, method, Some(place))) = id.map(|id| place_parts(facts, id)) else {
            return String::new();
        };
        let line = if place.line == 0 { String::new() } else { format!(":{}", place.line) };
        format!("{class}.{}{line}", method.split('(').next().unwrap_or_default())
    };
    let (root, variable) = (root(facts, pair.variable), short(facts, pair.variable));
    let definition = place(facts.definitions.get(pair.definition).map(|d| d.place));
    let usage = place(facts.uses.get(pair.usage).map(|u| u.place));
    format!("{root}.{variable}: defined in {definition}, used in {usage}")
}

/// `next.[].primed`.
fn short(facts: &FactTable, variable: VariableId) -> String {
    steps(facts, variable).map(|step| facts.step(step).name).collect::<Vec<_>>().join(".")
}

/// The methods of a context, outermost first; none where frames were left out.
pub fn frames(facts: &FactTable, context: ContextId) -> impl Iterator<Item = Option<MethodId>> {
    const NONE: &[MethodId] = &[];
    let (head, cut, tail) = match facts.contexts.get(context) {
        Some(Context { head, cut, tail }) => (&**head, *cut, &**tail),
        None => (NONE, false, NONE),
    };
    let head = head.iter().copied().map(Some);
    head.chain(cut.then_some(None)).chain(tail.iter().copied().map(Some))
}

/// The binary name of a variable's root class.
pub fn root(facts: &FactTable, variable: VariableId) -> &str {
    facts.variables.get(variable).map_or("", |v| facts.text(v.root))
}

/// The steps of a variable.
pub fn steps(facts: &FactTable, variable: VariableId) -> impl Iterator<Item = &Step> {
    facts.variables.get(variable).into_iter().flat_map(|v| v.steps.iter())
}

/// Binary name of a place's class, name and descriptor of its method, and the place.
pub fn place_parts(facts: &FactTable, place: PlaceId) -> (&str, &str, Option<&Place>) {
    let place = facts.places.get(place);
    let (class, method) = place.map_or(("", ""), |p| method_parts(facts, p.method));
    (class, method, place)
}

/// Binary name of a method's class, and its name with descriptor.
pub fn method_parts(facts: &FactTable, method: MethodId) -> (&str, &str) {
    facts.methods.get(method).map_or(("", ""), |m| (facts.text(m.class), facts.text(m.signature)))
}
