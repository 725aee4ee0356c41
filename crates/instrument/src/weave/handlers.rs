//! Handlers for exceptions that leave a method: which instructions each covers. It knows what the JVM allows, not what the
//! handlers do.
//!
//! Invariant: every reached instruction but the invocation of a constructor on `this` is covered by one handler.

use super::FRAMES_SINCE;
use crate::flow::Fact;
use crate::method::Body;
use crate::stores;
use dynaflow_classfile::class::access;
use dynaflow_classfile::{ClassFile, Member, descriptor};
use std::ops::Range;

/// A handler to add: the instructions it covers and whether `this` is not constructed there.
pub(crate) struct Handler {
    pub covered: Vec<Range<usize>>,
    pub raw: bool,
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
        groups.into_iter().map(move |covered| Handler { covered, raw: handler.raw })
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
        return vec![Handler { covered: std::iter::once(0..body.insns.len()).collect(), raw: false }];
    }
    let covered = |raw: bool| {
        let wanted =
            |fact: &Fact| fact.is(Fact::REACHED) && !fact.is(Fact::INIT_THIS) && fact.is(Fact::UNINIT) == raw;
        runs(facts.iter().map(wanted))
    };
    [true, false]
        .into_iter()
        .map(|raw| Handler { covered: covered(raw), raw })
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
