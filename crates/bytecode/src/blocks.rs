//! The basic blocks of a method, enumerated in one place for the weaver and for every static analysis.
//!
//! It knows instructions and the exception table; nothing of variables, of sites, or of an exit node. A block begins at the
//! first instruction, at a jump's target, behind a jump, return or throw, and at a handler; neither a call nor the border
//! of a `try` begins one. Subroutines (`jsr`) are entered at their call and left, at `ret`, to behind each of their calls.
//! Invariant: blocks partition the instructions in bytecode order, so that the number of a block depends on the bytes
//! alone, whatever edges a user then asks for.

use crate::body::Body;
use dynaflow_classfile::{Error, Insn, Opcode, Operand};
use std::ops::Range;

/// Bound that only hostile code meets: pairs of an instruction with a handler, of a block with a subroutine it belongs to, of a
/// `ret` with what it leads to.
const MAX_WORK: usize = 50_000_000;

/// How a block is left, exceptions of its instructions apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Into the next block.
    Falls,
    /// By a jump, a switch, or into a subroutine or out of it.
    Jumps,
    /// By a conditional branch or a switch: the last instruction consumes what decides.
    Decides,
    /// The method returns.
    Returns,
    /// By `athrow`.
    Throws,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index of its first instruction.
    pub first: u32,
    /// Index of its last instruction.
    pub last: u32,
    /// Offset of its first instruction.
    pub start: u32,
    /// Offset behind its last instruction.
    pub end: u32,
    /// How it is left.
    pub ending: Ending,
    successors: Range<u32>,
    covering: Range<u32>,
}

impl Block {
    /// Indices of its instructions.
    pub fn insns(&self) -> Range<usize> {
        self.first as usize..self.last as usize + 1
    }
}

/// The blocks of a method with their control flow. Blocks are named by their position, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    blocks: Vec<Block>,
    successors: Vec<u32>,
    covering: Vec<u32>,
    handlers: Vec<u32>,
    block_of: Vec<u32>,
}

impl Blocks {
    /// Enumerates the blocks of a method. Linear in instructions and in pairs of blocks with handlers that cover them.
    ///
    /// # Errors
    /// When execution could run past the last instruction, or the handlers of (hostile) code are too many to follow.
    pub fn of(body: &Body<'_>) -> Result<Self, Error> {
        let mut found = Self::partition(body);
        found.cover(body)?;
        found.jump(body)?;
        found.leave_subroutines(body)?;
        Ok(found)
    }

    /// The blocks in bytecode order.
    pub fn all(&self) -> &[Block] {
        &self.blocks
    }

    /// The block an instruction belongs to, by the instruction's index.
    pub fn block_of(&self, insn: usize) -> Option<u32> {
        self.block_of.get(insn).copied()
    }

    /// The blocks that normal control flow leads to, in ascending order and each once. None behind a return or a throw.
    pub fn successors(&self, block: u32) -> &[u32] {
        let range = self.blocks.get(block as usize).map(|block| block.successors.clone()).unwrap_or_default();
        self.successors.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// The entries of the exception table (their positions, in the order the JVM tries them) that cover an instruction of
    /// the block that can throw.
    pub fn covering(&self, block: u32) -> &[u32] {
        let range = self.blocks.get(block as usize).map(|block| block.covering.clone()).unwrap_or_default();
        self.covering.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// The block at which the handler of an entry of the exception table begins.
    pub fn handler(&self, entry: u32) -> Option<u32> {
        self.handlers.get(entry as usize).copied()
    }

    /// Cuts the instructions into blocks, still without control flow.
    fn partition(body: &Body<'_>) -> Self {
        let leaders = leaders(body);
        let mut found = Self::default();
        for (index, insn) in body.insns.iter().enumerate() {
            if leaders.get(index) == Some(&true) {
                found.blocks.push(Block {
                    first: index as u32,
                    last: index as u32,
                    start: insn.pc,
                    end: insn.end,
                    ending: Ending::Falls,
                    successors: 0..0,
                    covering: 0..0,
                });
            }
            found.block_of.push((found.blocks.len() as u32).saturating_sub(1));
            if let Some(block) = found.blocks.last_mut() {
                (block.last, block.end, block.ending) = (index as u32, insn.end, ending(insn));
            }
        }
        found
    }

    /// Finds the handlers that cover each block.
    fn cover(&mut self, body: &Body<'_>) -> Result<(), Error> {
        let mut by_block: Vec<(u32, u32)> = Vec::new();
        let mut work = 0;
        for (entry, range) in body.code.exceptions.iter().enumerate() {
            let handler = body.insn_at(u32::from(range.handler)).and_then(|insn| self.block_of(insn));
            self.handlers.push(handler.unwrap_or_default());
            let (Some(from), Some(to)) = (body.index(range.start.into()), body.index(range.end.into()))
            else {
                continue;
            };
            work += to.saturating_sub(from);
            if work > MAX_WORK {
                return Err(too_large(body));
            }
            let throwing =
                (from..to).filter(|index| body.insns.get(*index).is_some_and(|i| may_throw(i.opcode)));
            for block in throwing.filter_map(|index| self.block_of(index)) {
                if by_block.last() != Some(&(block, entry as u32)) {
                    by_block.push((block, entry as u32));
                }
            }
        }
        by_block.sort_unstable();
        let mut rest = by_block.iter().peekable();
        for (index, block) in self.blocks.iter_mut().enumerate() {
            let start = self.covering.len() as u32;
            while let Some((_, entry)) = rest.next_if(|(covered, _)| *covered as usize == index) {
                self.covering.push(*entry);
            }
            block.covering = start..self.covering.len() as u32;
        }
        Ok(())
    }

    /// Finds where the last instruction of each block leads to, `ret` apart.
    fn jump(&mut self, body: &Body<'_>) -> Result<(), Error> {
        let mut targets = Vec::new();
        for index in 0..self.blocks.len() {
            let last = self.blocks.get(index).map(|block| block.last as usize).unwrap_or_default();
            let Some(insn) = body.insns.get(last) else { continue };
            targets.clear();
            body.each_target(insn, |pc| targets.extend(body.insn_at(pc).and_then(|at| self.block_of(at))));
            if !insn.opcode.ends_block() && !insn.opcode.is_jsr() {
                targets.push(self.block_of(last + 1).ok_or_else(|| {
                    Error::new(body.code.offset + insn.pc as usize, "execution runs past the end of the code")
                })?);
            }
            self.lead(index, &mut targets);
        }
        Ok(())
    }

    /// Says where a block leads to.
    fn lead(&mut self, block: usize, targets: &mut Vec<u32>) {
        targets.sort_unstable();
        targets.dedup();
        let start = self.successors.len() as u32;
        self.successors.extend_from_slice(targets);
        if let Some(block) = self.blocks.get_mut(block) {
            block.successors = start..self.successors.len() as u32;
        }
    }

    /// Finds where every `ret` leads to: to behind each call of the subroutines it can end.
    fn leave_subroutines(&mut self, body: &Body<'_>) -> Result<(), Error> {
        let mut calls: Vec<(u32, u32)> = Vec::new();
        for index in 0..self.blocks.len() as u32 {
            if self.last(body, index).is_some_and(Opcode::is_jsr) {
                calls.extend(self.successors(index).first().map(|entry| (*entry, index + 1)));
            }
        }
        calls.sort_unstable();
        let mut work = 0;
        // Pairs of a block that ends with `ret` and one it leads to.
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for group in calls.chunk_by(|a, b| a.0 == b.0) {
            let Some((entry, _)) = group.first() else { continue };
            let mut reached = self.subroutine(body, *entry);
            work += reached.len();
            reached.retain(|block| self.last(body, *block) == Some(Opcode::Ret));
            work += reached.len() * group.len();
            if work > MAX_WORK {
                return Err(too_large(body));
            }
            let behind = group.iter().map(|(_, behind)| *behind);
            let behind = behind.filter(|behind| (*behind as usize) < self.blocks.len());
            edges.extend(reached.iter().flat_map(|block| behind.clone().map(|to| (*block, to))));
        }
        edges.sort_unstable();
        for group in edges.chunk_by(|a, b| a.0 == b.0) {
            let Some((block, _)) = group.first() else { continue };
            self.lead(*block as usize, &mut group.iter().map(|(_, to)| *to).collect());
        }
        Ok(())
    }

    /// The last opcode of a block.
    fn last(&self, body: &Body<'_>, block: u32) -> Option<Opcode> {
        let block = self.blocks.get(block as usize)?;
        body.insns.get(block.last as usize).map(|insn| insn.opcode)
    }

    /// The blocks of a subroutine: those reached from its entry, by exceptions too, without going into the subroutines
    /// it calls.
    fn subroutine(&self, body: &Body<'_>, entry: u32) -> Vec<u32> {
        let mut seen = vec![false; self.blocks.len()];
        let mut reached = vec![entry];
        let mut next = 0;
        if let Some(seen) = seen.get_mut(entry as usize) {
            *seen = true;
        }
        while let Some(block) = reached.get(next).copied() {
            next += 1;
            let behind = block + 1;
            let onward = match self.last(body, block) {
                Some(opcode) if opcode.is_jsr() => std::slice::from_ref(&behind),
                _ => self.successors(block),
            };
            let handlers = self.covering(block).iter().filter_map(|entry| self.handler(*entry));
            for target in onward.iter().copied().chain(handlers) {
                if let Some(seen @ false) = seen.get_mut(target as usize) {
                    *seen = true;
                    reached.push(target);
                }
            }
        }
        reached
    }
}

fn too_large(body: &Body<'_>) -> Error {
    Error::new(body.code.offset, "the code has too many handlers and subroutines to be followed")
}

/// By instruction: whether a block begins there.
fn leaders(body: &Body<'_>) -> Vec<bool> {
    let mut leaders = vec![false; body.insns.len()];
    let mut mark = |index: usize| {
        if let Some(leader) = leaders.get_mut(index) {
            *leader = true;
        }
    };
    mark(0);
    for entry in &body.code.exceptions {
        body.insn_at(u32::from(entry.handler)).into_iter().for_each(&mut mark);
    }
    for (index, insn) in body.insns.iter().enumerate() {
        body.each_target(insn, |target| body.insn_at(target).into_iter().for_each(&mut mark));
        if ending(insn) != Ending::Falls {
            mark(index + 1);
        }
    }
    leaders
}

fn ending(insn: &Insn) -> Ending {
    match insn.opcode {
        Opcode::Athrow => Ending::Throws,
        Opcode::Tableswitch | Opcode::Lookupswitch => Ending::Decides,
        opcode if opcode.is_conditional() => Ending::Decides,
        opcode if opcode.is_return() => Ending::Returns,
        Opcode::Ret => Ending::Jumps,
        _ if matches!(insn.operand, Operand::Target(_)) => Ending::Jumps,
        _ => Ending::Falls,
    }
}

/// Whether an instruction can throw, errors of the JVM itself (no memory, no stack) counted for those that allocate, call or
/// resolve alone.
pub fn may_throw(opcode: Opcode) -> bool {
    use Opcode as O;
    let divides = matches!(opcode, O::Idiv | O::Ldiv | O::Irem | O::Lrem);
    let elements = (O::Iaload..=O::Saload).contains(&opcode) || (O::Iastore..=O::Sastore).contains(&opcode);
    let resolves = (O::Getstatic..=O::Monitorexit).contains(&opcode) || opcode == O::Multianewarray;
    divides || elements || resolves || matches!(opcode, O::Ldc | O::LdcW | O::Ldc2W)
}
