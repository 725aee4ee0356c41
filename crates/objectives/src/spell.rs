//! Facts in words: names of variables, methods and contexts.
//!
//! Knows nothing of objectives or JSON. Invariants: two facts with equal meaning are spelled alike in whatever table they are;
//! two with different meanings are not. Nothing is kept but the names of methods: texts are made when they are asked for, as
//! those of all definitions with their contexts take many times the memory of the facts.

use crate::schema::{DefinitionText, KindText, StepText, UseText};
use dynaflow_model::facts::{
    Context, ContextId, Definition, DefinitionId, DefinitionKind, FactTable, MethodId, Pair, Place, PlaceId,
    Recording, Step, Use, UseId, VariableId,
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

/// Most steps of a variable that a sentence names.
const SPOKEN: usize = 3;

/// A pair as a sentence about the calls on its root: `prime() sets Outer.next.primed (Middle line 14); open() must see it (line 9)`.
pub fn sentence(facts: &FactTable, pair: &Pair) -> String {
    let root = simple(root(facts, pair.variable));
    let (definition, usage) = (facts.definitions.get(pair.definition), facts.uses.get(pair.usage));
    let sets = match definition.map(|d| d.kind) {
        Some(DefinitionKind::Nested) => "replaces what holds",
        _ if steps(facts, pair.variable).last() == Some(&Step::Element) => "changes",
        _ => "sets",
    };
    let writer = definition.map_or_else(String::new, |d| outermost(facts, d.context, d.place));
    let reader = usage.map_or_else(String::new, |u| outermost(facts, u.context, u.place));
    let at = |place: Option<PlaceId>| place.map_or_else(String::new, |place| line_of(facts, place, root));
    let written = at(definition.map(|d| d.place));
    let read = at(usage.map(|u| u.place));
    format!("{writer} {sets} {root}.{}{written}; {reader} must see it{read}", spoken(facts, pair.variable))
}

/// `next.[].primed`, a long one without its middle.
fn spoken(facts: &FactTable, variable: VariableId) -> String {
    let all: Vec<&str> = steps(facts, variable).map(|step| facts.step(step).name).collect();
    match all.as_slice() {
        [first, .., before, last] if all.len() > SPOKEN => format!("{first}...{before}.{last}"),
        _ => all.join("."),
    }
}

/// The call on the root below which a place was reached: `probe()`, `new Outer()`.
fn outermost(facts: &FactTable, context: ContextId, place: PlaceId) -> String {
    let method = frames(facts, context).flatten().next();
    let (class, signature) = match method {
        Some(method) => method_parts(facts, method),
        None => {
            let (class, signature, _) = place_parts(facts, place);
            (class, signature)
        }
    };
    match signature.split('(').next().unwrap_or_default() {
        "<init>" => format!("new {}()", simple(class)),
        "<clinit>" => format!("the initialiser of {}", simple(class)),
        name => format!("{name}()"),
    }
}

/// ` (line 12)`, with the class if it is not that of the root.
fn line_of(facts: &FactTable, place: PlaceId, root: &str) -> String {
    match place_parts(facts, place) {
        (_, _, Some(place)) if place.line == 0 => String::new(),
        (class, _, Some(place)) if simple(class) == root => format!(" (line {})", place.line),
        (class, _, Some(place)) => format!(" ({} line {})", simple(class), place.line),
        _ => String::new(),
    }
}

/// The last part of a binary name; of a class without a name, `Outer$1`, what the compiler calls it.
pub fn simple(class: &str) -> &str {
    let last = class.rsplit('.').next().unwrap_or(class);
    let named = last.rsplit('$').next().unwrap_or(last);
    let is_named = !named.starts_with(|first: char| first.is_ascii_digit());
    if is_named { named } else { last }
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
