//! Splicing bytes into code: insertions in, new code and the maps from old to new offsets out. It knows instructions and
//! offsets, not why something is inserted.
//!
//! Two maps per instruction: where jumps to it go (to what is inserted before it) and where it lies itself. Jumps to the
//! first instruction skip the prologue. Invariant: both maps strictly increase; every branch in the new code goes where
//! the old one went.

use dynaflow_bytecode::Body;
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
            layout.lay(body, edits);
            if layout.length as usize >= dynaflow_classfile::code::CODE_LIMIT {
                return Err(TOO_LONG);
            }
            if layout.length <= i16::MAX as u32 || !layout.widen(body)? {
                return Ok(layout);
            }
        }
    }

    fn lay(&mut self, body: &Body<'_>, edits: &Edits) {
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
        self.place(nearest(body, pc))
    }

    /// Where the instruction with an index is jumped to; for the number of instructions, the end of the last one.
    pub fn start_of(&self, index: usize) -> u32 {
        self.starts.get(index).copied().unwrap_or(self.length)
    }

    /// Where the instruction with an index lies itself.
    pub fn place(&self, index: usize) -> u32 {
        self.places.get(index).copied().unwrap_or(self.length)
    }

    /// Where it ends; what is inserted behind it begins there.
    pub fn end(&self, body: &Body<'_>, index: usize) -> u32 {
        let place = self.place(index);
        let length = body.insns.get(index).map_or(0, |insn| self.length_at(index, insn, place as usize));
        place + length as u32
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

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_classfile::Code;

    fn body(bytes: &[u8]) -> Body<'_> {
        let code = Code {
            max_stack: 2,
            max_locals: 2,
            bytes,
            offset: 0,
            exceptions: Vec::new(),
            attributes: Vec::new(),
        };
        Body::new(code).unwrap()
    }

    /// Edits that put `count` `nop`s before each of the instructions.
    fn before(insns: &[u32], count: usize) -> Edits {
        let insert = |insn: &u32| Insertion { insn: *insn, before: 0..count, after: 0..0 };
        Edits { bytes: vec![0; count], inserts: insns.iter().map(insert).collect(), ..Edits::default() }
    }

    fn spliced(code: &[u8], edits: &Edits) -> Vec<u8> {
        let body = body(code);
        Layout::new(&body, edits).unwrap().write(&body, edits)
    }

    /// Where the branch at `pc` goes.
    fn target(code: &[u8], pc: u32) -> u32 {
        let body = body(code);
        match body.insns[body.insn_at(pc).unwrap()].operand {
            Operand::Target(target) => target,
            other => panic!("{other:?} is no branch"),
        }
    }

    #[test]
    fn without_edits_code_stays_as_it_is() {
        let mut code = vec![0x1B, 0xAA, 0, 0]; // iload_1, tableswitch at 1
        for value in [23i32, -1, 0, 23, 23] {
            code.extend(value.to_be_bytes());
        }
        code.extend([0xB1]);
        assert_eq!(spliced(&code, &Edits::default()), code);
    }

    #[test]
    fn a_jump_to_the_first_instruction_skips_the_prologue_but_not_what_is_inserted_before_it() {
        let code = [0x00, 0xA7, 0xFF, 0xFF]; // nop; goto 0
        let edits = Edits { prologue: vec![0x00; 5], ..before(&[0], 2) };
        let new = spliced(&code, &edits);
        assert_eq!(new.len(), code.len() + 7);
        assert_eq!(target(&new, 8), 5);
    }

    #[test]
    fn what_is_inserted_behind_an_instruction_is_skipped_by_jumps_to_the_next() {
        let code = [0x1A, 0x99, 0x00, 0x04, 0x00, 0xB1]; // iload_0; ifeq 5; nop; return
        let mut edits = before(&[], 3);
        edits.inserts.push(Insertion { insn: 2, before: 0..0, after: 0..3 });
        let new = spliced(&code, &edits);
        assert_eq!(target(&new, 1), 8, "the return, behind the three bytes after the nop");
    }

    #[test]
    fn switches_are_padded_anew() {
        for shift in 0..4 {
            let mut code = vec![0x1A, 0xAB, 0, 0];
            for value in [19i32, 1, 77, 19] {
                code.extend(value.to_be_bytes());
            }
            code.extend([0xB1]);
            let new = spliced(&code, &before(&[0], shift));
            let body = body(&new);
            let switch = body.insns[shift + 1].switch(&new).unwrap();
            let end = new.len() as u32 - 1;
            assert_eq!((switch.default, switch.cases().collect::<Vec<_>>()), (end, vec![(77, end)]));
        }
    }

    #[test]
    fn a_goto_that_no_more_fits_is_widened_and_a_condition_declined() {
        // goto over 20000 nops, each of which gets another one: 40000 bytes.
        let far = |opcode: u8| {
            let mut code = vec![opcode, 0x4E, 0x23];
            code.extend(vec![0; 20_000]);
            code.push(0xB1);
            code
        };
        let all: Vec<u32> = (1..=20_000).collect();
        let new = spliced(&far(0xA7), &before(&all, 1));
        assert_eq!(new[0], Opcode::GotoW.byte());
        assert_eq!(target(&new, 0), 40_005);
        let code = far(0xC6); // ifnull
        assert_eq!(Layout::new(&body(&code), &before(&all, 1)).unwrap_err(), TOO_FAR);
        assert_eq!(Layout::new(&body(&code), &before(&all, 3)).unwrap_err(), TOO_LONG);
    }

    #[test]
    fn random_code_keeps_its_jumps() {
        arbtest::arbtest(|u| {
            // Straight code of `nop` and `goto` to random instructions, with random insertions.
            let count = u.int_in_range(1..=40u32)?;
            let mut code = Vec::new();
            let mut jumps = Vec::new();
            for _ in 0..count {
                jumps.push(u.arbitrary::<bool>()?.then(|| u.int_in_range(0..=count - 1)).transpose()?);
            }
            let starts: Vec<i32> = jumps
                .iter()
                .scan(0, |at, jump| {
                    let start = *at;
                    *at += if jump.is_some() { 3 } else { 1 };
                    Some(start)
                })
                .collect();
            for (index, jump) in jumps.iter().enumerate() {
                match jump {
                    Some(to) => {
                        code.push(0xA7);
                        code.extend(((starts[*to as usize] - starts[index]) as i16).to_be_bytes());
                    }
                    None => code.push(0),
                }
            }
            let chosen: Vec<u32> = (0..count).filter(|_| u.arbitrary().unwrap_or(false)).collect();
            let edits = before(&chosen, u.int_in_range(0..=9)?);
            let old = body(&code);
            let layout = Layout::new(&old, &edits).unwrap();
            let new = layout.write(&old, &edits);
            for (index, jump) in jumps.iter().enumerate() {
                if let Some(to) = jump {
                    let place = layout.place_of(&old, starts[index] as u32);
                    assert_eq!(target(&new, place), layout.start(&old, starts[*to as usize] as u32));
                }
            }
            Ok(())
        });
    }
}
