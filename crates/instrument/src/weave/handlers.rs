//! Handlers for exceptions that leave a method: which instructions each covers. It knows what the JVM allows, not what the
//! handlers do.
//!
//! Invariant: every reached instruction but the invocation of a constructor on `this` is covered by one handler; those at which
//! an exception may end a bundle by one more, which comes first.

use crate::bundles::{Bundle, Ending, Source};
use crate::flow::Fact;
use crate::stores;
use dynaflow_bytecode::Body;
use dynaflow_classfile::class::access;
use dynaflow_classfile::frames::{FRAMES_SINCE, VerificationType};
use dynaflow_classfile::{ClassFile, Error, Member, descriptor};
use dynaflow_model::sites::Operands;
use std::ops::Range;

/// A handler to add.
pub(crate) struct Handler {
    /// The instructions it covers.
    pub covered: Vec<Range<usize>>,
    /// Whether what is inserted around them is not covered.
    pub alone: bool,
    /// What its frame says of the first local variables; of all others it says nothing.
    pub locals: Vec<VerificationType>,
}

/// The handlers for the places at which bundles may end early.
pub(crate) fn of_endings(
    class: &mut ClassFile<'_>,
    body: &Body<'_>,
    bundles: &[Bundle],
) -> Result<Vec<Handler>, Error> {
    let mut handlers = Vec::new();
    for bundle in bundles.iter().filter(|bundle| !bundle.endings.is_empty()) {
        let object = VerificationType::Object(class.pool.append_class(b"java/lang/Object")?);
        for ending in &bundle.endings {
            let at = ending.insn as usize;
            handlers.push(Handler {
                covered: std::iter::once(at..at + 1).collect(),
                alone: true,
                locals: found(bundle, *ending, body.code.max_locals, object),
            });
        }
    }
    Ok(handlers)
}

/// What the handler of a bundle finds in the local variables: `this`, if it records an access to it, and those of ours behind the method's own.
fn found(bundle: &Bundle, ending: Ending, own: u16, object: VerificationType) -> Vec<VerificationType> {
    let mut locals = vec![VerificationType::Top; usize::from(own)];
    let uses_this = |step: &Operands| {
        let objects = step.object.into_iter().chain(step.value);
        objects.into_iter().any(|at| bundle.objects.get(usize::from(at)) == Some(&Source::This))
    };
    if bundle.steps.iter().take(ending.steps).any(uses_this) {
        locals.iter_mut().take(1).for_each(|local| *local = object);
    }
    let kept = (0..ending.locals).map(|local| match bundle.numbers.contains(&local) {
        true => VerificationType::Integer,
        false => object,
    });
    locals.extend(kept);
    locals
}

/// The handlers a method gets. Where the verifier may infer types, each covers only what can have one handler there.
pub(crate) fn of(
    class: &ClassFile<'_>,
    index: usize,
    body: &Body<'_>,
    facts: &[Fact],
    constructor: bool,
) -> Vec<Handler> {
    let handlers = handlers(body, facts, constructor);
    if class.major > FRAMES_SINCE {
        return handlers;
    }
    let parameters = class.methods.get(index).map_or(0, |member| parameter_slots(class, member));
    let split = |handler: Handler| {
        let groups = stores::split(body, parameters, handler.covered);
        groups.into_iter().map(move |covered| Handler {
            covered,
            alone: false,
            locals: handler.locals.clone(),
        })
    };
    handlers.into_iter().flat_map(split).collect()
}

/// Leaves out the instructions before one, and handlers that cover nothing then.
pub(crate) fn begin_at(handlers: &mut Vec<Handler>, first: usize) {
    for handler in handlers.iter_mut() {
        for run in &mut handler.covered {
            run.start = run.start.max(first);
        }
        handler.covered.retain(|run| run.start < run.end);
    }
    handlers.retain(|handler| !handler.covered.is_empty());
}

/// Local variable slots that a method's receiver and parameters take.
fn parameter_slots(class: &ClassFile<'_>, member: &Member<'_>) -> u16 {
    let descriptor = class.pool.utf8(member.descriptor).ok();
    let slots = descriptor.and_then(|text| descriptor::method(text.0)).map_or(0, |(slots, _)| slots);
    slots + u16::from(member.access & access::STATIC == 0)
}

/// The handlers a method gets. A constructor gets one for the code before `this` is constructed and one for the code
/// after it; the invocation of the other constructor itself can have none, the JVM forbids it.
fn handlers(body: &Body<'_>, facts: &[Fact], constructor: bool) -> Vec<Handler> {
    if !constructor {
        let covered = std::iter::once(0..body.insns.len()).collect();
        return vec![Handler { covered, alone: false, locals: Vec::new() }];
    }
    let covered = |raw: bool| {
        let wanted =
            |fact: &Fact| fact.is(Fact::REACHED) && !fact.is(Fact::INIT_THIS) && fact.is(Fact::UNINIT) == raw;
        runs(facts.iter().map(wanted))
    };
    [(true, vec![VerificationType::UninitializedThis]), (false, Vec::new())]
        .into_iter()
        .map(|(raw, locals)| Handler { covered: covered(raw), alone: false, locals })
        .filter(|handler| !handler.covered.is_empty())
        .collect()
}

/// The maximal runs of `true`, as index ranges.
fn runs(wanted: impl Iterator<Item = bool>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (index, _) in wanted.enumerate().filter(|(_, wanted)| *wanted) {
        match runs.last_mut() {
            Some(run) if run.end == index => run.end += 1,
            _ => runs.push(index..index + 1),
        }
    }
    runs
}
