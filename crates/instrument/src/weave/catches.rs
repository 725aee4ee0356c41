//! Handlers of the program that may catch the overflow of the stack: exceptions take a detour to them that reports the exception
//! to the recorder first. It knows which handlers those are and how the detour goes on, not what the recorder does.
//!
//! A stack that overflowed is nearly full, so that reporting may overflow it again; then the handler gets its exception as if
//! nothing had been reported. Invariants: every exception that reaches the handler takes the detour, so that jumps alone lead to the
//! handler (C1 does not compile a method with a handler that both jumps and exceptions reach); the detour lies behind the method's own
//! code, so that no handler of the method guards it.

use super::emit::Emitter;
use super::failure::Failure;
use super::splice::Layout;
use crate::flow::Fact;
use dynaflow_bytecode::Body;
use dynaflow_classfile::descriptor::Kind;
use dynaflow_classfile::frames::FRAMES_SINCE;
use dynaflow_classfile::{ClassFile, ExceptionEntry, Opcode};
use dynaflow_model::recorder::Call;
use std::ops::Range;

/// What catches a `StackOverflowError`.
const CAUGHT: [&[u8]; 4] = [
    b"java/lang/StackOverflowError",
    b"java/lang/VirtualMachineError",
    b"java/lang/Error",
    b"java/lang/Throwable",
];

/// The detour to a handler; all but the handler's instruction are offsets in the epilogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Catch {
    /// The handler's first instruction.
    pub insn: u32,
    /// Where exceptions come in.
    pub start: u32,
    /// Where they are reported.
    reporting: Range<u32>,
    /// Where it goes on when the report failed.
    pub missed: u32,
    /// Where both ways come together, the exception in the first local variable behind the method's own.
    pub on: u32,
    /// The jump to the handler.
    jump: u32,
}

/// The first instructions of the handlers that get a detour, in their order.
pub(crate) fn handlers(class: &ClassFile<'_>, body: &Body<'_>, facts: &[Fact]) -> Vec<u32> {
    let is_subroutine = |opcode| matches!(opcode, Opcode::Jsr | Opcode::JsrW);
    if body.insns.iter().any(|insn| is_subroutine(insn.opcode)) {
        return Vec::new();
    }
    let inferred = class.major <= FRAMES_SINCE;
    let catches = |entry: &&ExceptionEntry| {
        let name = entry.catch_type.map(|index| class.pool.class_name(index));
        name.is_none_or(|name| name.is_ok_and(|name| CAUGHT.contains(&name.0)))
    };
    // A verifier that infers types allows no jump back with an object that is not constructed.
    let can_jump = |insn: &u32| {
        let fact = facts.get(*insn as usize).copied().unwrap_or_default();
        fact.is(Fact::REACHED) && !(inferred && fact.is(Fact::UNINIT))
    };
    let first = |entry: &ExceptionEntry| body.insn_at(u32::from(entry.handler)).map(|index| index as u32);
    let mut handlers: Vec<u32> =
        body.code.exceptions.iter().filter(catches).filter_map(first).filter(can_jump).collect();
    handlers.sort_unstable();
    handlers.dedup();
    handlers
}

/// Writes the detour to a handler at the end of `epilogue`; `site` is one of the method, `local` a free local variable. Gives the detour
/// and how much stack it takes.
pub(crate) fn write<'a>(
    class: &mut ClassFile<'a>,
    indices: &mut super::emit::Indices<Call>,
    epilogue: &mut Vec<u8>,
    insn: u32,
    (site, local): (u32, u16),
) -> Result<(Catch, i32), Failure> {
    let inferred = class.major <= FRAMES_SINCE;
    let start = epilogue.len() as u32;
    let mut out = Emitter::new(&mut class.pool, indices, epilogue);
    out.store(Kind::Reference, local);
    let from = out.position() as u32;
    out.load(Kind::Reference, local).site(site, Call::Caught);
    let missed = out.jump(Opcode::Goto);
    let reported = missed as u32;
    let failed = out.position() as u32;
    out.op(Opcode::Pop).land(missed);
    let on = out.position() as u32;
    out.load(Kind::Reference, local).forget(inferred);
    let jump = out.position() as u32;
    let stack = out.finish()? + 1;
    epilogue.push(Opcode::GotoW.byte());
    epilogue.extend([0; 4]);
    Ok((Catch { insn, start, reporting: from..reported, missed: failed, on, jump }, stack))
}

impl Catch {
    /// The entry that keeps what the report throws from the program, given where the epilogue begins.
    pub fn guard(&self, epilogue: u32) -> ExceptionEntry {
        let [start, end, handler] =
            [self.reporting.start, self.reporting.end, self.missed].map(|at| (epilogue + at) as u16);
        ExceptionEntry { start, end, handler, catch_type: None }
    }
}

/// Lets the jumps go to their handlers.
pub(crate) fn lead_on(catches: &[Catch], layout: &Layout, code: &mut [u8]) {
    for caught in catches {
        let from = layout.epilogue() + caught.jump;
        let far = layout.start_of(caught.insn as usize).cast_signed() - from.cast_signed();
        let place = from as usize + 1;
        if let Some(place) = code.get_mut(place..place + 4) {
            place.copy_from_slice(&far.to_be_bytes());
        }
    }
}
