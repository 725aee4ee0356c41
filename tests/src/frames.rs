//! The words of a frame, changed as it runs: what [`MethodUpdates`] mean, executed slowly over what a frame did.
//!
//! It knows blocks and instructions, not what a bit stands for; a twin of woven code, to hold that against, and the way from what
//! a frame did to its bits in tests of what bits stand for. Invariant: it follows the words of
//! `dynaflow_instrument::updates`, one by one.

use dynaflow_instrument::blocks::Blocks;
use dynaflow_instrument::updates::{Change, MethodUpdates};

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
    let mut live = vec![0; usize::from(updates.words)];
    let mut covered = vec![0; usize::from(updates.words)];
    for bits in &updates.entry {
        live[usize::from(bits.word)] |= bits.bits;
    }
    for (insn, outcome) in ran {
        let number = blocks.block_of(*insn).expect("an instruction belongs to a block");
        let (block, update) = (&blocks.all()[number as usize], &updates.blocks[number as usize]);
        let is_last = *insn == block.last as usize;
        let is_athrow = block.ending == dynaflow_instrument::blocks::Ending::Throws && is_last;
        let thrown = matches!(outcome, Outcome::Caught(_) | Outcome::Left { thrown: true });
        if thrown && !is_athrow {
            let in_force = update.partial.iter().rev().find(|(from, _)| *from as usize <= *insn);
            change(in_force.map_or(&[], |(_, changes)| changes), &mut live, &mut covered);
        } else if is_last {
            change(&update.whole, &mut live, &mut covered);
        }
        if let (Outcome::Next(next), true) = (outcome, is_last) {
            let to = blocks.block_of(*next);
            for edge in updates.edges.iter().filter(|edge| edge.from == number && Some(edge.to) == to) {
                covered[usize::from(edge.word)] |= live[usize::from(edge.word)] & edge.uses | edge.runs;
            }
        }
    }
    covered
}

fn change(changes: &[Change], live: &mut [u64], covered: &mut [u64]) {
    for change in changes {
        let word = usize::from(change.word);
        covered[word] |= live[word] & change.uses | change.runs;
        live[word] = live[word] & !change.kills | change.gens;
    }
}
