//! Whether a write fills a field that was `null`, as methods do that make something when it is first asked for. It knows the instructions around the write,
//! not what is written.
//!
//! Invariant: whenever the write runs, the guard before it has seen `null` in the same field of `this`.

use dynaflow_bytecode::Body;
use dynaflow_classfile::{Insn, Opcode, Operand};

/// Whether an instruction writes a field of `this` behind the question whether it is `null`, and nothing leads there but the answer that it is.
pub(super) fn is_fill(body: &Body<'_>, write: usize) -> bool {
    let field = |insn: &Insn, opcode: Opcode| match insn.operand {
        Operand::Constant(constant) if insn.opcode == opcode => Some(constant),
        _ => None,
    };
    let Some(filled) = body.insns.get(write).and_then(|insn| field(insn, Opcode::Putfield)) else {
        return false;
    };
    let asks = |guard: &usize| {
        let before = body.insns.get(..*guard).unwrap_or_default();
        let read = match before {
            [.., read, store, load] if is_kept(store, load) => Some((before.len() - 3, read)),
            [.., read] => Some((before.len() - 1, read)),
            _ => None,
        };
        read.is_some_and(|(place, read)| {
            field(read, Opcode::Getfield) == Some(filled)
                && place.checked_sub(1).is_some_and(|place| is_this(body, place))
        })
    };
    let guards = (0..write).rev().take_while(|place| is_straight(body, *place, write));
    let guards =
        guards.filter(|place| body.insns.get(*place).is_some_and(|insn| insn.opcode == Opcode::Ifnonnull));
    guards.filter(asks).any(|guard| leads_behind(body, guard, write))
}

/// Whether what was read is kept in a local variable and asked there.
fn is_kept(store: &Insn, load: &Insn) -> bool {
    let is_store =
        (Opcode::Astore == store.opcode) || (Opcode::Astore0..=Opcode::Astore3).contains(&store.opcode);
    let is_load = (Opcode::Aload == load.opcode) || (Opcode::Aload0..=Opcode::Aload3).contains(&load.opcode);
    is_store && is_load && store.local().is_some() && store.local() == load.local()
}

fn is_this(body: &Body<'_>, place: usize) -> bool {
    body.insns.get(place).is_some_and(|insn| insn.opcode == Opcode::Aload0)
}

/// Whether execution can come from behind an instruction to the write, and to what lies between from nowhere else.
fn is_straight(body: &Body<'_>, from: usize, write: usize) -> bool {
    let next = from + 1;
    let leaves = body.insns.get(next..write).unwrap_or_default().iter().any(|insn| insn.opcode.ends_block());
    let mut is_entered = false;
    for insn in &body.insns {
        body.each_target(insn, |pc| {
            is_entered |= body.insn_at(pc).is_some_and(|target| (next..=write).contains(&target));
        });
    }
    let handlers = body.code.exceptions.iter().filter_map(|entry| body.insn_at(u32::from(entry.handler)));
    let is_handled = handlers.into_iter().any(|handler| (next..=write).contains(&handler));
    !leaves && !is_entered && !is_handled
}

/// Whether a guard jumps behind the write.
fn leads_behind(body: &Body<'_>, guard: usize, write: usize) -> bool {
    let target = body.insns.get(guard).map(|insn| insn.operand);
    matches!(target, Some(Operand::Target(pc)) if body.insn_at(pc).is_some_and(|target| target > write))
}
