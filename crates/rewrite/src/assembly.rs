//! A method's code written anew with labels: pieces in, bytes and offsets out. It knows instructions and offsets, not mutants.
//!
//! Label `n` is the start of the method's instruction `n`, the label behind the last one the end of the code; further ones are
//! made by [`Assembly::label`]. Invariant: every jump goes to its label, and jumps that get too long are widened or refused.

use dynaflow_bytecode::Body;
use dynaflow_classfile::code::CODE_LIMIT;
use dynaflow_classfile::{Opcode, Operand};

/// A piece of code.
#[derive(Clone, Debug)]
enum Piece {
    /// A label lies here.
    Label(usize),
    /// Bytes as they are.
    Bytes(Vec<u8>),
    /// A jump to a label.
    Jump(Opcode, usize),
    /// An instruction of the method that is neither jump nor switch, or a switch, by index.
    Insn(usize),
    /// A `lookupswitch`: keys in increasing order with their labels, and the label for others.
    Lookup(Vec<(i32, usize)>, usize),
}

/// Why code cannot be written.
pub type Reason = &'static str;

const TOO_LONG: Reason = "its code would be longer than the 65535 bytes the JVM allows";
const TOO_FAR: Reason = "a conditional branch would go farther than 32767 bytes";

/// Code in the making.
pub struct Assembly<'b, 'a> {
    body: &'b Body<'a>,
    pieces: Vec<Piece>,
    labels: usize,
}

/// Where everything came to lie.
pub struct Written {
    /// The code.
    pub bytes: Vec<u8>,
    /// By label.
    offsets: Vec<u32>,
}

impl Written {
    /// Where a label lies.
    pub fn offset(&self, label: usize) -> u32 {
        self.offsets.get(label).copied().unwrap_or_default()
    }

    /// Where the instruction at an old offset begins now, what stands before it included. Offsets within an instruction count as its
    /// start; debug tables of some compilers have such.
    pub fn moved(&self, body: &Body<'_>, pc: u32) -> u32 {
        let index = body.index(pc).unwrap_or_else(|| body.insns.partition_point(|insn| insn.end <= pc));
        self.offset(index)
    }
}

impl<'b, 'a> Assembly<'b, 'a> {
    /// Nothing yet.
    pub fn new(body: &'b Body<'a>) -> Self {
        Self { body, pieces: Vec::new(), labels: body.insns.len() + 1 }
    }

    /// A new label, which lies nowhere yet.
    pub fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels - 1
    }

    /// Puts a label here.
    pub fn land(&mut self, label: usize) {
        self.pieces.push(Piece::Label(label));
    }

    /// Appends bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        match self.pieces.last_mut() {
            Some(Piece::Bytes(last)) => last.extend_from_slice(bytes),
            _ => self.pieces.push(Piece::Bytes(bytes.to_vec())),
        }
    }

    /// Appends a jump.
    pub fn jump(&mut self, opcode: Opcode, label: usize) {
        let opcode = match opcode {
            Opcode::GotoW => Opcode::Goto,
            Opcode::JsrW => Opcode::Jsr,
            other => other,
        };
        self.pieces.push(Piece::Jump(opcode, label));
    }

    /// Appends a switch.
    pub fn lookup(&mut self, cases: Vec<(i32, usize)>, other: usize) {
        self.pieces.push(Piece::Lookup(cases, other));
    }

    /// Appends an instruction of the method.
    pub fn insn(&mut self, index: usize) {
        let Some(insn) = self.body.insns.get(index) else { return };
        match insn.operand {
            Operand::Target(pc) => self.jump(insn.opcode, self.body.insn_at(pc).unwrap_or_default()),
            _ if is_switch(insn.opcode) => self.pieces.push(Piece::Insn(index)),
            _ => {
                self.bytes(self.body.code.bytes.get(insn.pc as usize..insn.end as usize).unwrap_or_default())
            }
        }
    }

    /// Writes the code.
    ///
    /// # Errors
    /// When it is longer than the JVM allows, or a condition jumps too far.
    pub fn write(&self) -> Result<Written, Reason> {
        let mut wide = vec![false; self.pieces.len()];
        let mut offsets = vec![0; self.labels];
        let mut places = Vec::new();
        loop {
            let length = self.lay(&wide, &mut offsets, &mut places);
            if length >= CODE_LIMIT {
                return Err(TOO_LONG);
            }
            if length <= i16::MAX as usize || !self.widen(&mut wide, &offsets, &places)? {
                break;
            }
        }
        let mut written = Written { bytes: Vec::new(), offsets };
        for (index, piece) in self.pieces.iter().enumerate() {
            self.emit(piece, wide.get(index).copied().unwrap_or(false), &mut written);
        }
        Ok(written)
    }

    /// Places labels and pieces; the length of the code.
    fn lay(&self, wide: &[bool], offsets: &mut [u32], places: &mut Vec<u32>) -> usize {
        let mut at = 0;
        places.clear();
        for (piece, wide) in self.pieces.iter().zip(wide) {
            places.push(at as u32);
            at += match piece {
                Piece::Label(label) => {
                    if let Some(offset) = offsets.get_mut(*label) {
                        *offset = at as u32;
                    }
                    0
                }
                Piece::Bytes(bytes) => bytes.len(),
                Piece::Jump(..) => {
                    if *wide {
                        5
                    } else {
                        3
                    }
                }
                Piece::Insn(index) => self
                    .body
                    .insns
                    .get(*index)
                    .map_or(0, |insn| insn.len() as usize + padding(at) - padding(insn.pc as usize)),
                Piece::Lookup(cases, _) => 1 + padding(at) + 8 + 8 * cases.len(),
            };
        }
        at
    }

    /// Widens the jumps that do not fit. Whether there were any.
    fn widen(&self, wide: &mut [bool], offsets: &[u32], places: &[u32]) -> Result<bool, Reason> {
        let mut changed = false;
        for ((piece, wide), place) in self.pieces.iter().zip(wide).zip(places) {
            let Piece::Jump(opcode, label) = piece else { continue };
            let goal = offsets.get(*label).copied().unwrap_or_default();
            if !*wide && i16::try_from(i64::from(goal) - i64::from(*place)).is_err() {
                if !matches!(opcode, Opcode::Goto | Opcode::Jsr) {
                    return Err(TOO_FAR);
                }
                *wide = true;
                changed = true;
            }
        }
        Ok(changed)
    }

    fn emit(&self, piece: &Piece, wide: bool, written: &mut Written) {
        let at = written.bytes.len();
        let far = |written: &Written, label: usize| written.offset(label).cast_signed() - at as i32;
        match piece {
            Piece::Label(_) => {}
            Piece::Bytes(bytes) => written.bytes.extend_from_slice(bytes),
            Piece::Jump(opcode, label) => {
                let jump = far(written, *label);
                let opcode = match opcode {
                    Opcode::Goto if wide => Opcode::GotoW,
                    Opcode::Jsr if wide => Opcode::JsrW,
                    other => *other,
                };
                written.bytes.push(opcode.byte());
                if wide {
                    written.bytes.extend(jump.to_be_bytes());
                } else {
                    written.bytes.extend((jump as i16).to_be_bytes());
                }
            }
            Piece::Insn(index) => self.switch(*index, written),
            Piece::Lookup(cases, other) => {
                let mut table = vec![Opcode::Lookupswitch.byte()];
                table.extend(std::iter::repeat_n(0, padding(at)));
                table.extend(far(written, *other).to_be_bytes());
                table.extend((cases.len() as i32).to_be_bytes());
                for (key, label) in cases {
                    table.extend(key.to_be_bytes());
                    table.extend(far(written, *label).to_be_bytes());
                }
                written.bytes.extend(table);
            }
        }
    }

    fn switch(&self, index: usize, written: &mut Written) {
        let Some(insn) = self.body.insns.get(index) else { return };
        let Some(switch) = insn.switch(self.body.code.bytes) else { return };
        let at = written.bytes.len();
        let far = |pc: u32| written.moved(self.body, pc).cast_signed() - at as i32;
        let mut table = vec![insn.opcode.byte()];
        table.extend(std::iter::repeat_n(0, padding(at)));
        table.extend(far(switch.default).to_be_bytes());
        let count = switch.cases().count() as i32;
        match switch.low() {
            Some(low) => {
                table.extend(low.to_be_bytes());
                table.extend(low.wrapping_add(count - 1).to_be_bytes());
            }
            None => table.extend(count.to_be_bytes()),
        }
        for (key, target) in switch.cases() {
            if switch.low().is_none() {
                table.extend(key.to_be_bytes());
            }
            table.extend(far(target).to_be_bytes());
        }
        written.bytes.extend(table);
    }
}

fn is_switch(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Tableswitch | Opcode::Lookupswitch)
}

/// Bytes between the opcode of a switch at `pc` and its operands.
fn padding(pc: usize) -> usize {
    3 - pc % 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_classfile::Code;

    fn body(bytes: &[u8]) -> Body<'_> {
        let (exceptions, attributes) = (Vec::new(), Vec::new());
        Body::new(Code { max_stack: 2, max_locals: 2, bytes, offset: 0, exceptions, attributes }).unwrap()
    }

    /// All instructions in order, with `count` times `nop` before each.
    fn shifted(code: &[u8], count: usize) -> Result<Vec<u8>, Reason> {
        let body = body(code);
        let mut assembly = Assembly::new(&body);
        for index in 0..body.insns.len() {
            assembly.land(index);
            assembly.bytes(&vec![0; count]);
            assembly.insn(index);
        }
        assembly.land(body.insns.len());
        assembly.write().map(|written| written.bytes)
    }

    /// Where the branch or the default of the switch at `pc` goes.
    fn target(code: &[u8], pc: u32) -> u32 {
        let body = body(code);
        let insn = &body.insns[body.insn_at(pc).unwrap()];
        let mut first = None;
        body.each_target(insn, |target| first = first.or(Some(target)));
        first.unwrap()
    }

    #[test]
    fn code_put_together_from_its_own_instructions_stays_as_it_is() {
        let mut code = vec![0x1B, 0xAA, 0, 0]; // iload_1, tableswitch at 1
        for value in [23i32, -1, 0, 23, 23] {
            code.extend(value.to_be_bytes());
        }
        code.extend([0xB1]);
        assert_eq!(shifted(&code, 0).unwrap(), code);
    }

    #[test]
    fn jumps_and_switches_go_where_they_went() {
        let new = shifted(&[0x00, 0xA7, 0xFF, 0xFF], 2).unwrap(); // nop; goto 0
        assert_eq!(target(&new, 5), 0, "to what stands before the first instruction");
        let mut code = vec![0x1A, 0xAB, 0, 0]; // iload_0, lookupswitch at 1
        for value in [19i32, 1, 77, 19] {
            code.extend(value.to_be_bytes());
        }
        code.extend([0xB1]);
        for count in 0..4 {
            let new = shifted(&code, count).unwrap();
            assert_eq!(target(&new, 2 * count as u32 + 1) as usize, new.len() - 1 - count);
        }
    }

    #[test]
    fn a_goto_that_no_longer_fits_is_widened_and_a_condition_refused() {
        let far = |opcode: Opcode| {
            let mut code = vec![opcode.byte(), 0x4E, 0x23];
            code.extend(vec![0; 20_000]);
            code.push(0xB1);
            code
        };
        let new = shifted(&far(Opcode::Goto), 1).unwrap();
        assert_eq!((new[1], target(&new, 1)), (Opcode::GotoW.byte(), 40_006));
        assert_eq!(shifted(&far(Opcode::Ifnull), 1).unwrap_err(), TOO_FAR);
        assert_eq!(shifted(&far(Opcode::Goto), 3).unwrap_err(), TOO_LONG);
    }

    #[test]
    fn a_switch_made_anew_has_its_keys_and_labels() {
        let code = [0x1A, 0x57, 0xB1]; // iload_0, pop, return
        let body = body(&code);
        let mut assembly = Assembly::new(&body);
        assembly.land(0);
        assembly.insn(0);
        assembly.lookup(vec![(7, 2), (9, 1)], 2);
        assembly.land(1);
        assembly.insn(1);
        assembly.land(2);
        assembly.insn(2);
        assembly.land(3);
        let written = assembly.write().unwrap();
        let (first, second) = (written.offset(1), written.offset(2));
        let again = super::tests::body(&written.bytes);
        let switch = again.insns[1].switch(&written.bytes).unwrap();
        assert_eq!(switch.default, second);
        assert_eq!(switch.cases().collect::<Vec<_>>(), [(7, second), (9, first)]);
    }
}
