//! Facts in words: names of variables, methods and contexts, and the stable id of a pair.
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
/// Hex digits of a pair's id: 128 bits.
const ID_DIGITS: usize = 32;

/// The stable id of a pair: 32 hex digits of the BLAKE3 hash of its canonical text: root, steps, definition and use with their
/// contexts, and the builds of the two classes that contain definition and use, as an offset means something in one
/// build only. The same on every machine and in every run for the same class bytes.
pub fn pair_id(recording: &Recording, pair: &Pair) -> String {
    let mut text = IdText { recording, hasher: blake3::Hasher::new() };
    text.pair(pair);
    let mut id = text.hasher.finalize().to_hex().to_string();
    id.truncate(ID_DIGITS);
    id
}

/// The canonical text of a pair, hashed as it is spelled.
struct IdText<'a> {
    recording: &'a Recording,
    hasher: blake3::Hasher,
}

impl IdText<'_> {
    fn add(&mut self, parts: &[&str]) {
        for part in parts {
            self.hasher.update(part.as_bytes());
        }
    }

    fn pair(&mut self, pair: &Pair) {
        let facts = &self.recording.facts;
        self.add(&["dynaflow-pair 1\n", "root ", root(facts, pair.variable), "\n"]);
        for step in steps(facts, pair.variable) {
            let step = facts.step(step);
            match step.class {
                Some(class) => self.add(&["step ", class, ".", step.name, "\n"]),
                None => self.add(&["step ", step.name, "\n"]),
            }
        }
        if let Some(definition) = facts.definitions.get(pair.definition) {
            self.add(&match definition.kind {
                DefinitionKind::Direct => ["definition direct "],
                DefinitionKind::Nested => ["definition nested "],
            });
            self.site(definition.place, definition.context);
        }
        if let Some(usage) = facts.uses.get(pair.usage) {
            self.add(&["use "]);
            self.site(usage.place, usage.context);
        }
    }

    fn site(&mut self, place: PlaceId, context: ContextId) {
        let facts = &self.recording.facts;
        let (class, method, place) = place_parts(facts, place);
        let offset = place.map_or(0, |p| p.offset).to_string();
        let build = self.recording.classes.get(class).map_or_else(|| "unknown".to_owned(), |b| b.to_string());
        self.add(&[class, "#", method, "@", &offset, "\nbuild ", &build, "\n"]);
        for method in frames(facts, context) {
            match method {
                Some(method) => {
                    let (class, signature) = method_parts(facts, method);
                    self.add(&["frame ", class, ".", signature, "\n"]);
                }
                None => self.add(&["frame ", CUT, "\n"]),
            }
        }
    }
}

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
        let facts = self.facts();
        steps(facts, variable).map(|step| facts.step(step).name).collect::<Vec<_>>().join(".")
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

fn root(facts: &FactTable, variable: VariableId) -> &str {
    facts.variables.get(variable).map_or("", |v| facts.text(v.root))
}

fn steps(facts: &FactTable, variable: VariableId) -> impl Iterator<Item = &Step> {
    facts.variables.get(variable).into_iter().flat_map(|v| v.steps.iter())
}

fn place_parts(facts: &FactTable, place: PlaceId) -> (&str, &str, Option<&Place>) {
    let place = facts.places.get(place);
    let (class, method) = place.map_or(("", ""), |p| method_parts(facts, p.method));
    (class, method, place)
}

fn method_parts(facts: &FactTable, method: MethodId) -> (&str, &str) {
    facts.methods.get(method).map_or(("", ""), |m| (facts.text(m.class), facts.text(m.signature)))
}
