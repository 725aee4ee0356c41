//! What a mutant does: the instructions that take the place of one. It knows opcodes, not where they come to lie.
//!
//! Invariant: a change that goes on behind the instruction leaves stack and local variables typed as the instruction does.

use dynaflow_classfile::Opcode;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_rewrite::StaticMethod;

/// An instruction of a change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// The instruction in whose place the change stands.
    Original,
    /// One without operands.
    Plain(Opcode),
    /// One with a local variable.
    Local(Opcode, u16),
    /// `iinc`.
    Increment(u16, i16),
    /// Pushes an `int`.
    Int(i16),
    /// Pushes the empty text.
    EmptyText,
    /// A jump to the start of an instruction, by index.
    Jump(Opcode, usize),
    /// The call of a static method.
    Call(StaticMethod),
    /// Another instruction of the method, by index, that jumps nowhere.
    Insn(usize),
}

/// The instructions in place of one.
pub(crate) type Change = Vec<Op>;

/// Whether execution goes on behind the instruction that a change replaces.
pub(crate) fn falls_through(change: &Change) -> bool {
    match change.last() {
        Some(Op::Plain(opcode) | Op::Jump(opcode, _)) => !opcode.ends_block(),
        _ => true,
    }
}

/// Takes a value off the stack.
pub(crate) fn pop(kind: Kind) -> Op {
    Op::Plain(if kind.slots() == 2 { Opcode::Pop2 } else { Opcode::Pop })
}

/// Takes the operands of a call off the stack, its receiver too.
pub(crate) fn without_operands(opcode: Opcode, descriptor: &[u8]) -> Change {
    let arguments: Vec<Op> = descriptor::parameters(descriptor).map(pop).collect();
    let receiver = (opcode != Opcode::Invokestatic).then_some(Op::Plain(Opcode::Pop));
    arguments.into_iter().rev().chain(receiver).collect()
}
