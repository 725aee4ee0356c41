//! Splicing bytes into code: insertions in, new code and the maps from old to new offsets out. It knows instructions and
//! offsets, not why something is inserted.
//!
//! Two maps per instruction: where jumps to it go (to what is inserted before it) and where it lies itself. Jumps to the
//! first instruction skip the prologue. Invariant: both maps strictly increase; every branch in the new code goes where
//! the old one went.

use crate::method::Body;
use dynaflow_classfile::{Insn, Opcode, Operand};
use std::ops::Range;

/// What is inserted around one instruction: ranges into [`Edits::bytes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Insertion {
    /// Index of the instruction.
    pub insn: u32,
    /// Bytes before it.
    pub before: Range<usize>,
    /// Bytes behind it.
    pub after: Range<usize>,
}

/// What is to be inserted into a method.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    /// Runs once, at the start of the method.
    pub prologue: Vec<u8>,
    /// Bytes of the insertions.
    pub bytes: Vec<u8>,
    /// In the order of the instructions, at most one for each.
    pub inserts: Vec<Insertion>,
    /// Added at the end, after the last instruction.
    pub epilogue: Vec<u8>,
}

/// Where everything lies in the new code.
#[derive(Debug)]
pub(crate) struct Layout {
    /// By instruction: where jumps to it go. One more entry: the end of the last instruction's insertions.
    starts: Vec<u32>,
    /// By instruction: where it lies itself.
    places: Vec<u32>,
    /// By instruction: whether it takes its wide form. Empty while none does.
    wide: Vec<bool>,
    /// Length of the new code.
    pub length: u32,
}

/// Why a method cannot be spliced.
pub(crate) const TOO_LONG: &str = "its code would be longer than the 65535 bytes the JVM allows";
pub(crate) const TOO_FAR: &str = "a conditional branch would go farther than 32767 bytes";

impl Layout {
    /// Places every instruction, widening `goto` and `jsr` until nothing changes.
    pub fn new(body: &Body<'_>, edits: &Edits) -> Result<Self, &'static str> {
        let count = body.insns.len();
        let mut layout =
            Self { starts: vec![0; count + 1], places: vec![0; count], wide: Vec::new(), length: 0 };
        loop {
            layout.place(body, edits);
            if layout.length as usize >= dynaflow_classfile::code::CODE_LIMIT {
                return Err(TOO_LONG);
            }
            if layout.length <= i16::MAX as u32 || !layout.widen(body)? {
                return Ok(layout);
            }
        }
    }

    fn place(&mut self, body: &Body<'_>, edits: &Edits) {
        let mut at = edits.prologue.len();
        let mut inserts = edits.inserts.iter().peekable();
        for (index, insn) in body.insns.iter().enumerate() {
            let insert = inserts.next_if(|insert| insert.insn as usize == index);
            let (before, after) = insert.map_or((0, 0), |insert| (insert.before.len(), insert.after.len()));
            let place = at + before;
            if let (Some(start), Some(slot)) = (self.starts.get_mut(index), self.places.get_mut(index)) {
                (*start, *slot) = (at as u32, place as u32);
            }
            at = place + self.length_at(index, insn, place) + after;
        }
        if let Some(end) = self.starts.last_mut() {
            *end = at as u32;
        }
        self.length = (at + edits.epilogue.len()) as u32;
    }

    fn length_at(&self, index: usize, insn: &Insn, place: usize) -> usize {
        match insn.opcode {
            Opcode::Tableswitch | Opcode::Lookupswitch => {
                insn.len() as usize + padding(place) - padding(insn.pc as usize)
            }
            _ if self.is_wide(index) => 5,
            _ => insn.len() as usize,
        }
    }

    fn is_wide(&self, index: usize) -> bool {
        self.wide.get(index).copied().unwrap_or(false)
    }

    /// Widens the jumps that no more fit. Whether there were any.
    fn widen(&mut self, body: &Body<'_>) -> Result<bool, &'static str> {
        self.wide.resize(body.insns.len(), false);
        let mut changed = false;
        for (index, insn) in body.insns.iter().enumerate() {
            let Operand::Target(target) = insn.operand else { continue };
            let short = !matches!(insn.opcode, Opcode::GotoW | Opcode::JsrW) && !self.is_wide(index);
            if short && i16::try_from(self.jump(body, index, target)).is_err() {
                if !matches!(insn.opcode, Opcode::Goto | Opcode::Jsr) {
                    return Err(TOO_FAR);
                }
                if let Some(wide) = self.wide.get_mut(index) {
                    *wide = true;
                }
                changed = true;
            }
        }
        Ok(changed)
    }

    fn jump(&self, body: &Body<'_>, index: usize, target: u32) -> i32 {
        let from = self.places.get(index).copied().unwrap_or_default();
        self.start(body, target).cast_signed() - from.cast_signed()
    }

    /// Where jumps, frames, handlers and ranges at an old offset go. Offsets within an instruction count as its start.
    pub fn start(&self, body: &Body<'_>, pc: u32) -> u32 {
        self.starts.get(nearest(body, pc)).copied().unwrap_or(self.length)
    }

    /// Where the instruction at an old offset lies itself.
    pub fn place_of(&self, body: &Body<'_>, pc: u32) -> u32 {
        self.places.get(nearest(body, pc)).copied().unwrap_or(self.length)
    }

    /// Where the instruction with an index is jumped to; for the number of instructions, the end of the last one.
    pub fn start_of(&self, index: usize) -> u32 {
        self.starts.get(index).copied().unwrap_or(self.length)
    }

    /// Where the epilogue begins.
    pub fn epilogue(&self) -> u32 {
        self.starts.last().copied().unwrap_or_default()
    }

    /// Writes the new code.
    pub fn write(&self, body: &Body<'_>, edits: &Edits) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.length as usize);
        out.extend_from_slice(&edits.prologue);
        let mut inserts = edits.inserts.iter().peekable();
        for (index, insn) in body.insns.iter().enumerate() {
            let insert = inserts.next_if(|insert| insert.insn as usize == index);
            let bytes = |range: &Range<usize>| edits.bytes.get(range.clone()).unwrap_or_default();
            out.extend_from_slice(insert.map_or(&[], |insert| bytes(&insert.before)));
            self.write_insn(body, index, insn, &mut out);
            out.extend_from_slice(insert.map_or(&[], |insert| bytes(&insert.after)));
        }
        out.extend_from_slice(&edits.epilogue);
        out
    }

    fn write_insn(&self, body: &Body<'_>, index: usize, insn: &Insn, out: &mut Vec<u8>) {
        let old = body.code.bytes.get(insn.pc as usize..insn.end as usize).unwrap_or_default();
        match insn.operand {
            Operand::Target(target) => {
                let jump = self.jump(body, index, target);
                let opcode = match insn.opcode {
                    Opcode::Goto if self.is_wide(index) => Opcode::GotoW,
                    Opcode::Jsr if self.is_wide(index) => Opcode::JsrW,
                    opcode => opcode,
                };
                out.push(opcode.byte());
                if matches!(opcode, Opcode::GotoW | Opcode::JsrW) {
                    out.extend(jump.to_be_bytes());
                } else {
                    out.extend((jump as i16).to_be_bytes());
                }
            }
            _ if matches!(insn.opcode, Opcode::Tableswitch | Opcode::Lookupswitch) => {
                self.write_switch(body, index, insn, out);
            }
            _ => out.extend_from_slice(old),
        }
    }

    fn write_switch(&self, body: &Body<'_>, index: usize, insn: &Insn, out: &mut Vec<u8>) {
        let Some(switch) = insn.switch(body.code.bytes) else { return };
        let place = self.places.get(index).copied().unwrap_or_default() as usize;
        out.push(insn.opcode.byte());
        out.extend(std::iter::repeat_n(0, padding(place)));
        out.extend(self.jump(body, index, switch.default).to_be_bytes());
        let count = switch.cases().count() as i32;
        match switch.low() {
            Some(low) => {
                out.extend(low.to_be_bytes());
                out.extend(low.wrapping_add(count - 1).to_be_bytes());
            }
            None => out.extend(count.to_be_bytes()),
        }
        for (key, target) in switch.cases() {
            if switch.low().is_none() {
                out.extend(key.to_be_bytes());
            }
            out.extend(self.jump(body, index, target).to_be_bytes());
        }
    }
}

/// Bytes between the opcode of a switch at `pc` and its operands.
fn padding(pc: usize) -> usize {
    3 - pc % 4
}

/// Index of the instruction that an offset belongs to; debug tables of some compilers point into instructions.
fn nearest(body: &Body<'_>, pc: u32) -> usize {
    body.index(pc).unwrap_or_else(|| body.insns.partition_point(|insn| insn.end <= pc))
}
