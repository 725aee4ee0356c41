//! A document as a recording again, so that whatever is made of traces can be made of documents too.
//!
//! Knows nothing of files. Invariant: the recording has the pairs, facts, tests, builds and limits of the document, and its own document says the same. Not in
//! it, as documents do not say it: which test showed a defs@exit or uses@entry fact, and where events were left out; facts per basic block are not taken.

use crate::schema::{
    BoundsText, DefinitionText, ExitText, KindText, PairsDocument, Status, StepText, UseText,
};
use crate::spell::CUT;
use dynaflow_model::facts::{
    BoundsHit, Context, ContextId, DefAtExit, Definition, DefinitionId, DefinitionKind, Exit, FactTable,
    Method, MethodId, Pair, PairId, Place, PlaceId, Recording, Step, TestEnd, TestRecord, ThinnedAt, Use,
    UseAtEntry, UseId, Variable, VariableId,
};
use dynaflow_model::sites::{ClassHash, Declined};
use std::collections::BTreeMap;

/// Why a document is no recording.
#[derive(Debug, thiserror::Error)]
pub enum RecallError {
    /// A frame that is neither a method nor a cut.
    #[error("`{0}` is no frame of a context; expected a class, a dot, and a method with its descriptor")]
    Frame(String),
    /// A build that is no hash.
    #[error("`{build}` is no build of {class}; expected 32 digits in hex")]
    Build {
        /// The class.
        class: String,
        /// What is given as its build.
        build: String,
    },
}

/// The recording that a document is made of, as far as it says. Near-linear in the document.
///
/// # Errors
/// When a frame or a build is not understood.
pub fn recall(document: &PairsDocument) -> Result<Recording, RecallError> {
    let mut recording = Recording::default();
    let facts = &mut recording.facts;
    let mut tests: BTreeMap<&str, Vec<PairId>> = BTreeMap::new();
    for pair in document.pairs.iter().filter(|pair| pair.status == Status::Covered) {
        let variable = variable(facts, &pair.root, &pair.steps);
        let (definition, usage) = (definition(facts, &pair.definition)?, usage(facts, &pair.usage)?);
        let id = facts.pairs.intern(Pair { variable, definition, usage });
        pair.tests.iter().for_each(|test| tests.entry(test).or_default().push(id));
    }
    for fact in &document.defs_at_exit {
        let variable = variable(facts, &fact.root, &fact.steps);
        let exit = match fact.exit {
            ExitText::Normal => Exit::Normal,
            ExitText::Exception => Exit::Exception,
        };
        let (method, definition) =
            (method(facts, &fact.class, &fact.method), definition(facts, &fact.definition)?);
        facts.exits.intern(DefAtExit { variable, method, exit, definition });
    }
    for fact in &document.uses_at_entry {
        let variable = variable(facts, &fact.root, &fact.steps);
        let (method, usage) = (method(facts, &fact.class, &fact.method), usage(facts, &fact.usage)?);
        facts.entries.intern(UseAtEntry { variable, method, usage });
    }
    recording.tests = tests.into_iter().map(|(name, pairs)| test(name, pairs)).collect();
    limits(document, &mut recording)?;
    Ok(recording)
}

fn test(name: &str, mut pairs: Vec<PairId>) -> TestRecord {
    pairs.sort_unstable();
    TestRecord {
        name: name.to_owned(),
        end: TestEnd::Returned,
        pairs,
        exits: vec![],
        entries: vec![],
        carved: None,
        witnesses: vec![],
    }
}

/// What was recorded at all, and what of it was left out.
fn limits(document: &PairsDocument, recording: &mut Recording) -> Result<(), RecallError> {
    for build in &document.classes {
        let wrong = || RecallError::Build { class: build.class.clone(), build: build.build.clone() };
        recording.classes.insert(build.class.clone(), hash(&build.build).ok_or_else(wrong)?);
    }
    let declined = document.declined_classes.iter();
    recording.declined =
        declined.map(|d| Declined { class: d.class.clone(), reason: d.reason.clone() }).collect();
    recording.notes.clone_from(&document.notes);
    let BoundsText { context, depth, memory, paths, thinned, unknown } = document.bounds_hit;
    recording.bounds = BoundsHit { depth, context, paths, memory, unknown };
    if thinned > 0 {
        let nowhere = ThinnedAt { class: String::new(), method: String::new(), line: 0 };
        recording.thinned.insert(nowhere, thinned);
    }
    Ok(())
}

fn hash(hex: &str) -> Option<ClassHash> {
    let mut bytes = [0; 16];
    if hex.len() != 2 * bytes.len() || !hex.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(ClassHash(bytes))
}

fn variable(facts: &mut FactTable, root: &str, steps: &[StepText]) -> VariableId {
    let mut step = |step: &StepText| match step.field.rsplit_once('.') {
        Some((class, name)) => Step::Field { class: facts.sym(class), name: facts.sym(name) },
        None => Step::Element,
    };
    let steps = steps.iter().map(&mut step).collect();
    let root = facts.sym(root);
    facts.variables.intern(Variable { root, steps })
}

fn method(facts: &mut FactTable, class: &str, signature: &str) -> MethodId {
    let (class, signature) = (facts.sym(class), facts.sym(signature));
    facts.methods.intern(Method { class, signature })
}

/// `a.Outer.probe()Z`: the last dot before the descriptor ends the class.
fn frame(facts: &mut FactTable, text: &str) -> Result<MethodId, RecallError> {
    let before = text.split('(').next().unwrap_or_default();
    let dot = before.rfind('.').ok_or_else(|| RecallError::Frame(text.to_owned()))?;
    let (class, signature) = text.split_at(dot);
    Ok(method(facts, class, signature.get(1..).unwrap_or_default()))
}

fn context(facts: &mut FactTable, frames: &[String]) -> Result<ContextId, RecallError> {
    let cut = frames.iter().position(|frame| frame == CUT);
    let (head, tail) = frames.split_at(cut.unwrap_or(frames.len()));
    let mut all = |frames: &[String]| frames.iter().map(|text| frame(facts, text)).collect::<Result<_, _>>();
    let (head, tail) = (all(head)?, all(tail.get(1..).unwrap_or_default())?);
    Ok(facts.contexts.intern(Context { head, tail, cut: cut.is_some() }))
}

fn place(facts: &mut FactTable, (class, signature): (&str, &str), offset: u32, line: u32) -> PlaceId {
    let method = method(facts, class, signature);
    facts.places.intern(Place { method, offset, line })
}

fn definition(facts: &mut FactTable, text: &DefinitionText) -> Result<DefinitionId, RecallError> {
    let place = place(facts, (&text.class, &text.method), text.offset, text.line);
    let kind = match text.kind {
        KindText::Direct => DefinitionKind::Direct,
        KindText::Nested => DefinitionKind::Nested,
    };
    let context = context(facts, &text.context)?;
    Ok(facts.definitions.intern(Definition { place, kind, context }))
}

fn usage(facts: &mut FactTable, text: &UseText) -> Result<UseId, RecallError> {
    let place = place(facts, (&text.class, &text.method), text.offset, text.line);
    let context = context(facts, &text.context)?;
    Ok(facts.uses.intern(Use { place, context }))
}
