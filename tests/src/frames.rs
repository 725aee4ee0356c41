//! What a frame did, instruction by instruction, and which bits that covers. It knows blocks and instructions, not what a bit
//! stands for. Invariant: what a frame of words does at which moment is said by [`Frame`], nothing of it here.

use crate::updates::Frame;
use dynaflow_bytecode::blocks::{Blocks, Ending};
use dynaflow_bytecode::updates::MethodUpdates;

/// What became of an instruction that a frame ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The frame went on at this instruction, by a jump or by falling through.
    Next(usize),
    /// It threw, and the frame went on at this instruction, a handler.
    Caught(usize),
    /// It threw, or returned, and the frame ended.
    Left {
        /// Whether by an exception.
        thrown: bool,
    },
}

/// The bits a frame covers that ran these instructions (by index) with these outcomes, by word.
pub fn covered(updates: &MethodUpdates, blocks: &Blocks, ran: &[(usize, Outcome)]) -> Vec<u64> {
    let mut frame = Frame::new(updates);
    for (insn, outcome) in ran {
        let number = blocks.block_of(*insn).expect("an instruction belongs to a block");
        let block = &blocks.all()[number as usize];
        let is_last = *insn == block.last as usize;
        let is_athrow = is_last && block.ending == Ending::Throws;
        let thrown = matches!(outcome, Outcome::Caught(_) | Outcome::Left { thrown: true });
        if thrown && !is_athrow {
            frame.throws(number, *insn as u32);
        } else if is_last {
            frame.whole(number);
        }
        if let (Outcome::Next(next), true) = (outcome, is_last) {
            frame.edge(number, blocks.block_of(*next).expect("an instruction belongs to a block"));
        }
    }
    frame.covered
}
