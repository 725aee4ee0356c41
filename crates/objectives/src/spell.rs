//! Facts in words: names of variables, methods and contexts, and the stable id of a pair.
//!
//! Knows nothing of objectives or JSON. Invariant: two facts with equal meaning are spelled alike in whatever table they are;
//! two with different meanings are not.

use crate::document::{DefinitionText, KindText, StepText, UseText};
use dynaflow_model::facts::{
    ContextId, Definition, DefinitionId, DefinitionKind, FactTable, MethodId, Pair, Place, PlaceId,
    Recording, Step, Use, UseId, VariableId,
};
use std::sync::Arc;

/// Stands in a context where frames were left out.
const CUT: &str = "...";
/// Hex digits of a pair's id: 128 bits.
const ID_DIGITS: usize = 32;

/// The stable id of a pair: 32 hex digits of the BLAKE3 hash of its canonical text: root, steps, definition and use with their
/// contexts, and the builds of the two classes that contain definition and use, as an offset means something in one
/// build only. The same on every machine and in every run for the same class bytes.
///
/// For many pairs of one recording, take the ids of a [`crate::PairsDocument`]; they are the same.
pub fn pair_id(recording: &Recording, pair: &Pair) -> String {
    id_of(
        &variable_key(&recording.facts, pair.variable),
        &definition_key(recording, pair.definition),
        &use_key(recording, pair.usage),
    )
}

fn id_of(variable: &str, definition: &str, usage: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in ["dynaflow-pair 1\n", variable, definition, usage] {
        hasher.update(part.as_bytes());
    }
    let mut id = hasher.finalize().to_hex().to_string();
    id.truncate(ID_DIGITS);
    id
}

/// Spells the facts of one recording; everything that many pairs share is spelled once.
pub struct Speller<'a> {
    facts: &'a FactTable,
    definitions: Vec<(Arc<DefinitionText>, String)>,
    uses: Vec<(Arc<UseText>, String)>,
    variables: Vec<(String, String)>,
}

impl<'a> Speller<'a> {
    /// Spells definitions, uses and variables of the recording. Linear in its tables.
    pub fn new(recording: &'a Recording) -> Self {
        let facts = &recording.facts;
        let definitions = facts.definitions.iter();
        let uses = facts.uses.iter();
        let variables = facts.variables.iter();
        Self {
            facts,
            definitions: definitions
                .map(|(id, d)| (Arc::new(definition_text(facts, d)), definition_key(recording, id)))
                .collect(),
            uses: uses.map(|(id, u)| (Arc::new(use_text(facts, u)), use_key(recording, id))).collect(),
            variables: variables.map(|(id, _)| (dotted(facts, id), variable_key(facts, id))).collect(),
        }
    }

    /// The binary name of the variable's root class.
    pub fn root(&self, variable: VariableId) -> &'a str {
        self.facts.variables.get(variable).map_or("", |v| self.facts.text(v.root))
    }

    /// `next.[].primed`.
    pub fn variable(&self, variable: VariableId) -> String {
        self.variables.get(variable.index()).map(|(name, _)| name.clone()).unwrap_or_default()
    }

    /// The steps with their declaring classes.
    pub fn steps(&self, variable: VariableId) -> Vec<StepText> {
        steps(self.facts, variable).map(|step| StepText { field: step_name(self.facts, step) }).collect()
    }

    /// Binary name of a method's class, and its name with descriptor.
    pub fn method(&self, method: MethodId) -> (String, String) {
        let (class, signature) = method_parts(self.facts, method);
        (class.to_owned(), signature.to_owned())
    }

    /// A place: binary name of its class, name and descriptor of its method, offset, line.
    pub fn place(&self, place: PlaceId) -> (&'a str, &'a str, u32, u32) {
        let (class, method, place) = place_parts(self.facts, place);
        (class, method, place.map_or(0, |p| p.offset), place.map_or(0, |p| p.line))
    }

    /// A definition, shared by all that mention it.
    pub fn definition(&self, id: DefinitionId) -> Arc<DefinitionText> {
        self.definitions.get(id.index()).map(|(text, _)| Arc::clone(text)).unwrap_or_default()
    }

    /// A use, shared by all that mention it.
    pub fn usage(&self, id: UseId) -> Arc<UseText> {
        self.uses.get(id.index()).map(|(text, _)| Arc::clone(text)).unwrap_or_default()
    }

    /// As [`pair_id`].
    pub fn pair_id(&self, pair: &Pair) -> String {
        id_of(
            self.variables.get(pair.variable.index()).map_or("", |(_, key)| key),
            self.definitions.get(pair.definition.index()).map_or("", |(_, key)| key),
            self.uses.get(pair.usage.index()).map_or("", |(_, key)| key),
        )
    }
}

fn steps(facts: &FactTable, variable: VariableId) -> impl Iterator<Item = &Step> {
    facts.variables.get(variable).into_iter().flat_map(|v| v.steps.iter())
}

fn step_name(facts: &FactTable, step: &Step) -> String {
    match step {
        Step::Field { class, name } => format!("{}.{}", facts.text(*class), facts.text(*name)),
        Step::Element => "[]".to_owned(),
    }
}

fn dotted(facts: &FactTable, variable: VariableId) -> String {
    let short = |step: &Step| match step {
        Step::Field { name, .. } => facts.text(*name).to_owned(),
        Step::Element => "[]".to_owned(),
    };
    steps(facts, variable).map(short).collect::<Vec<_>>().join(".")
}

fn variable_key(facts: &FactTable, variable: VariableId) -> String {
    let root = facts.variables.get(variable).map_or("", |v| facts.text(v.root));
    let steps: String =
        steps(facts, variable).map(|step| format!("step {}\n", step_name(facts, step))).collect();
    format!("root {root}\n{steps}")
}

fn definition_key(recording: &Recording, id: DefinitionId) -> String {
    let Some(definition) = recording.facts.definitions.get(id) else { return String::new() };
    let kind = match definition.kind {
        DefinitionKind::Direct => "direct",
        DefinitionKind::Nested => "nested",
    };
    format!("definition {kind} {}", site_key(recording, definition.place, definition.context))
}

fn use_key(recording: &Recording, id: UseId) -> String {
    let Some(usage) = recording.facts.uses.get(id) else { return String::new() };
    format!("use {}", site_key(recording, usage.place, usage.context))
}

fn site_key(recording: &Recording, place: PlaceId, context: ContextId) -> String {
    let (class, method, place) = place_parts(&recording.facts, place);
    let build = recording.classes.get(class).map_or_else(|| "unknown".to_owned(), |hash| hash.to_string());
    let frames: String =
        context_text(&recording.facts, context).iter().map(|f| format!("frame {f}\n")).collect();
    format!("{class}#{method}@{}\nbuild {build}\n{frames}", place.map_or(0, |p| p.offset))
}

fn definition_text(facts: &FactTable, definition: &Definition) -> DefinitionText {
    let (class, method, place) = place_parts(facts, definition.place);
    DefinitionText {
        class: class.to_owned(),
        context: context_text(facts, definition.context),
        kind: KindText::from(definition.kind),
        line: place.map_or(0, |p| p.line),
        method: method.to_owned(),
        offset: place.map_or(0, |p| p.offset),
    }
}

fn use_text(facts: &FactTable, usage: &Use) -> UseText {
    let (class, method, place) = place_parts(facts, usage.place);
    UseText {
        class: class.to_owned(),
        context: context_text(facts, usage.context),
        line: place.map_or(0, |p| p.line),
        method: method.to_owned(),
        offset: place.map_or(0, |p| p.offset),
    }
}

fn place_parts(facts: &FactTable, place: PlaceId) -> (&str, &str, Option<&Place>) {
    let place = facts.places.get(place);
    let (class, method) = place.map_or(("", ""), |p| method_parts(facts, p.method));
    (class, method, place)
}

fn method_parts(facts: &FactTable, method: MethodId) -> (&str, &str) {
    facts.methods.get(method).map_or(("", ""), |m| (facts.text(m.class), facts.text(m.signature)))
}

/// The frames as `a.Outer.probe()Z`, outermost first.
fn context_text(facts: &FactTable, context: ContextId) -> Vec<String> {
    let Some(context) = facts.contexts.get(context) else { return vec![] };
    let frame = |&method: &MethodId| {
        let (class, signature) = method_parts(facts, method);
        format!("{class}.{signature}")
    };
    let mut frames: Vec<String> = context.head.iter().map(frame).collect();
    if context.cut {
        frames.push(CUT.to_owned());
    }
    frames.extend(context.tail.iter().map(frame));
    frames
}
