//! Whether a write fills a field that was `null`, as methods do that make something when it is first asked for. It knows the instructions around the write,
//! not what is written.
//!
//! Invariant: whenever the write runs, the guard before it has seen `null` in the same field of `this`.

use dynaflow_bytecode::Body;
use dynaflow_classfile::{Insn, Opcode, Operand};

/// The writes of a method that fill fields.
pub(super) struct Fills<'b, 'a> {
    body: &'b Body<'a>,
    /// By instruction, whether a jump or an exception leads there.
    entered: Vec<bool>,
}

impl<'b, 'a> Fills<'b, 'a> {
    /// Those of a method. Linear in its instructions.
    pub fn of(body: &'b Body<'a>) -> Self {
        let mut entered = vec![false; body.insns.len()];
        let mut enter = |pc: u32| {
            if let Some(place) = body.insn_at(pc).and_then(|index| entered.get_mut(index)) {
                *place = true;
            }
        };
        body.insns.iter().for_each(|insn| body.each_target(insn, &mut enter));
        body.code.exceptions.iter().for_each(|entry| enter(u32::from(entry.handler)));
        Self { body, entered }
    }

    /// Whether an instruction writes a field of `this` behind the question whether it is `null`, and nothing leads there but the answer that it is. Linear in the
    /// instructions that always run before it.
    pub fn has(&self, write: usize) -> bool {
        let filled = self.body.insns.get(write).and_then(|insn| field(insn, Opcode::Putfield));
        let Some(filled) = filled else { return false };
        let follows = |place: &usize| {
            let is_left = self.body.insns.get(*place).is_none_or(|insn| insn.opcode.ends_block());
            !is_left && !self.entered.get(place + 1).copied().unwrap_or(true)
        };
        let before = (0..write).rev().take_while(follows);
        before.into_iter().any(|place| self.asks(place, filled) && self.leads_behind(place, write))
    }

    /// Whether an instruction goes on where a field of `this` is `null`.
    fn asks(&self, guard: usize, filled: u16) -> bool {
        if self.body.insns.get(guard).is_none_or(|insn| insn.opcode != Opcode::Ifnonnull) {
            return false;
        }
        let (this, read) = match self.body.insns.get(..guard).unwrap_or_default() {
            [.., this, read, store, load] if is_kept(store, load) => (this, read),
            [.., this, read] => (this, read),
            _ => return false,
        };
        this.opcode == Opcode::Aload0 && field(read, Opcode::Getfield) == Some(filled)
    }

    /// Whether a guard jumps behind the write.
    fn leads_behind(&self, guard: usize, write: usize) -> bool {
        let target = self.body.insns.get(guard).map(|insn| insn.operand);
        matches!(target, Some(Operand::Target(pc)) if self.body.insn_at(pc).is_some_and(|target| target > write))
    }
}

/// The field that an instruction of this kind names.
fn field(insn: &Insn, opcode: Opcode) -> Option<u16> {
    match insn.operand {
        Operand::Constant(constant) if insn.opcode == opcode => Some(constant),
        _ => None,
    }
}

/// Whether what was read is kept in a local variable and asked there.
fn is_kept(store: &Insn, load: &Insn) -> bool {
    let is_store =
        (Opcode::Astore == store.opcode) || (Opcode::Astore0..=Opcode::Astore3).contains(&store.opcode);
    let is_load = (Opcode::Aload == load.opcode) || (Opcode::Aload0..=Opcode::Aload3).contains(&load.opcode);
    is_store && is_load && store.local().is_some() && store.local() == load.local()
}
