//! Decoding instructions one after the other. It knows one instruction at a time, not control flow.
//!
//! Invariant: every decoded instruction lies within the code, and so does every branch target (though a target may
//! still be no instruction's start).

use crate::Error;
use crate::opcode::{Format, Opcode};
use crate::reader::Reader;

/// Operands, decoded. Branch targets are absolute offsets into the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// None, or those of a switch, see [`Insn::switch`].
    None,
    /// A number to push.
    Immediate(i32),
    /// A local variable, explicit or part of the opcode.
    Local(u16),
    /// `iinc`: local variable and increment.
    Increment(u16, i16),
    /// A constant pool index.
    Constant(u16),
    /// Where the branch goes.
    Target(u32),
    /// `newarray`: code of the element type.
    ArrayType(u8),
    /// `multianewarray`: class and dimensions.
    MultiArray(u16, u8),
}

/// An instruction with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insn {
    /// Offset of its first byte.
    pub pc: u32,
    /// Offset behind its last byte.
    pub end: u32,
    /// Its opcode; after `wide` that of the modified instruction.
    pub opcode: Opcode,
    /// Its operands.
    pub operand: Operand,
}

/// The operands of a switch.
#[derive(Clone, Copy, Debug)]
pub struct Switch<'a> {
    /// Where it goes for other keys.
    pub default: u32,
    pc: u32,
    low: Option<i32>,
    pairs: &'a [u8],
}

impl<'a> Switch<'a> {
    /// Keys and targets in order.
    pub fn cases(&self) -> impl Iterator<Item = (i32, u32)> + use<'a> {
        let (pc, low) = (self.pc, self.low);
        let stride = if low.is_some() { 4 } else { 8 };
        self.pairs.chunks_exact(stride).zip(0i32..).map(move |(chunk, index)| {
            let (key, jump) = match (low, chunk) {
                (Some(low), jump) => (low.wrapping_add(index), jump),
                (None, chunk) => {
                    let (key, jump) = chunk.split_at(4);
                    (int(key), jump)
                }
            };
            (key, pc.wrapping_add_signed(int(jump)))
        })
    }

    /// The smallest key of a `tableswitch`; none for a `lookupswitch`.
    pub fn low(&self) -> Option<i32> {
        self.low
    }
}

fn int(bytes: &[u8]) -> i32 {
    bytes.first_chunk::<4>().map_or(0, |bytes| i32::from_be_bytes(*bytes))
}

impl Insn {
    /// Length in bytes.
    pub fn len(&self) -> u32 {
        self.end - self.pc
    }

    /// Never: every instruction has an opcode.
    pub fn is_empty(&self) -> bool {
        self.end == self.pc
    }

    /// Its constant pool index, where it has one.
    pub fn constant(&self) -> Option<u16> {
        match self.operand {
            Operand::Constant(index) | Operand::MultiArray(index, _) => Some(index),
            _ => None,
        }
    }

    /// Its local variable, where it has one.
    pub fn local(&self) -> Option<u16> {
        match self.operand {
            Operand::Local(index) | Operand::Increment(index, _) => Some(index),
            _ => None,
        }
    }

    /// Its operands when it is a switch, read from the code it was decoded from.
    pub fn switch<'a>(&self, code: &'a [u8]) -> Option<Switch<'a>> {
        let table = match self.opcode {
            Opcode::Tableswitch => true,
            Opcode::Lookupswitch => false,
            _ => return None,
        };
        let body = code.get(aligned(self.pc)..self.end as usize)?;
        let (default, rest) = body.split_at_checked(4)?;
        let low = table.then(|| int(rest));
        let pairs = rest.get(if table { 8 } else { 4 }..)?;
        Some(Switch { default: self.pc.wrapping_add_signed(int(default)), pc: self.pc, low, pairs })
    }
}

/// Where the operands of a switch at `pc` begin: behind the padding.
fn aligned(pc: u32) -> usize {
    (pc as usize / 4 + 1) * 4
}

/// An iterator over the instructions of a code array. After an error it ends.
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    code: &'a [u8],
    reader: Reader<'a>,
}

impl<'a> Instructions<'a> {
    /// Instructions of `code`, which lies at `base` in the file.
    pub fn new(code: &'a [u8], base: usize) -> Self {
        Self { code, reader: Reader::new(code, base) }
    }

    fn target(&self, pc: u32, jump: i32) -> Result<Operand, Error> {
        Ok(Operand::Target(self.inside(pc, jump)?))
    }

    fn inside(&self, pc: u32, jump: i32) -> Result<u32, Error> {
        let target = i64::from(pc) + i64::from(jump);
        u32::try_from(target)
            .ok()
            .filter(|target| (*target as usize) < self.code.len())
            .ok_or_else(|| self.reader.error("a branch leaves the code"))
    }

    fn opcode(&mut self) -> Result<Opcode, Error> {
        let at = self.reader.offset();
        Opcode::from_byte(self.reader.u1()?).ok_or(Error::new(at, "a byte is no opcode"))
    }

    fn decode(&mut self) -> Result<Insn, Error> {
        let pc = self.reader.position() as u32;
        let mut opcode = self.opcode()?;
        let format = opcode.info().format;
        let operand = if format == Format::Wide {
            opcode = self.opcode()?;
            self.wide(opcode)?
        } else {
            self.operand(pc, format)?
        };
        Ok(Insn { pc, end: self.reader.position() as u32, opcode, operand })
    }

    fn operand(&mut self, pc: u32, format: Format) -> Result<Operand, Error> {
        let reader = &mut self.reader;
        Ok(match format {
            Format::None => Operand::None,
            Format::Byte => Operand::Immediate(i32::from(reader.u1()?.cast_signed())),
            Format::Short => Operand::Immediate(i32::from(reader.u2()?.cast_signed())),
            Format::Constant1 => Operand::Constant(u16::from(reader.u1()?)),
            Format::Constant2 => Operand::Constant(reader.u2()?),
            Format::Local => Operand::Local(u16::from(reader.u1()?)),
            Format::Implied(local) => Operand::Local(u16::from(local)),
            Format::Increment => {
                Operand::Increment(u16::from(reader.u1()?), i16::from(reader.u1()?.cast_signed()))
            }
            Format::Branch2 => {
                let jump = i32::from(reader.u2()?.cast_signed());
                self.target(pc, jump)?
            }
            Format::Branch4 => {
                let jump = reader.i4()?;
                self.target(pc, jump)?
            }
            Format::TableSwitch | Format::LookupSwitch => self.skip_switch(pc, format)?,
            Format::Interface | Format::Dynamic => {
                let index = reader.u2()?;
                reader.u2()?;
                Operand::Constant(index)
            }
            Format::ArrayType => Operand::ArrayType(reader.u1()?),
            Format::MultiArray => Operand::MultiArray(reader.u2()?, reader.u1()?),
            Format::Wide => return Err(reader.error("wide modifies wide")),
        })
    }

    fn wide(&mut self, opcode: Opcode) -> Result<Operand, Error> {
        match opcode.info().format {
            Format::Local => Ok(Operand::Local(self.reader.u2()?)),
            Format::Increment => Ok(Operand::Increment(self.reader.u2()?, self.reader.u2()?.cast_signed())),
            _ => Err(self.reader.error("wide modifies an instruction that has no wide form")),
        }
    }

    fn skip_switch(&mut self, pc: u32, format: Format) -> Result<Operand, Error> {
        self.reader.bytes(aligned(pc).saturating_sub(self.reader.position()))?;
        let default = self.reader.i4()?;
        self.inside(pc, default)?;
        let (count, stride) = if format == Format::TableSwitch {
            let (low, high) = (i64::from(self.reader.i4()?), i64::from(self.reader.i4()?));
            (high - low + 1, 4)
        } else {
            (i64::from(self.reader.i4()?), 8)
        };
        let count = usize::try_from(count).map_err(|_| self.reader.error("a switch has a negative size"))?;
        if count > self.reader.remaining() / stride {
            return Err(self.reader.error("a switch is longer than the code"));
        }
        let pairs = self.reader.bytes(count * stride)?;
        for chunk in pairs.chunks_exact(stride) {
            self.inside(pc, int(chunk.get(stride - 4..).unwrap_or_default()))?;
        }
        Ok(Operand::None)
    }
}

impl Iterator for Instructions<'_> {
    type Item = Result<Insn, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.reader.remaining() == 0 {
            return None;
        }
        let insn = self.decode();
        if insn.is_err() {
            self.reader = Reader::new(&[], self.reader.offset());
        }
        Some(insn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(code: &[u8]) -> Result<Vec<Insn>, Error> {
        Instructions::new(code, 0).collect()
    }

    #[test]
    fn operands_are_decoded_in_short_and_wide_forms() {
        let code =
            [0x10, 0xFF, 0x15, 200, 0xC4, 0x15, 1, 0, 0xC4, 0x84, 1, 0, 0xFF, 0xFE, 0x84, 3, 0xFF, 0x2B];
        let operands: Vec<Operand> = all(&code).unwrap().iter().map(|i| i.operand).collect();
        assert_eq!(
            operands,
            [
                Operand::Immediate(-1),
                Operand::Local(200),
                Operand::Local(256),
                Operand::Increment(256, -2),
                Operand::Increment(3, -1),
                Operand::Local(1),
            ]
        );
    }

    #[test]
    fn switches_give_keys_and_absolute_targets_behind_their_padding() {
        let mut table = vec![0x03, 0xAA, 0, 0]; // iconst_0, tableswitch at 1, padding to 4
        for value in [23i32, 5, 6, 23, 23] {
            table.extend(value.to_be_bytes());
        }
        table.push(0xB1); // return at 24
        let insns = all(&table).unwrap();
        let switch = insns[1].switch(&table).unwrap();
        assert_eq!((switch.default, switch.low()), (24, Some(5)));
        assert_eq!(switch.cases().collect::<Vec<_>>(), [(5, 24), (6, 24)]);

        let mut lookup = vec![0xAB, 0, 0, 0];
        for value in [20i32, 1, -7, 20] {
            lookup.extend(value.to_be_bytes());
        }
        lookup.push(0xB1);
        let insns = all(&lookup).unwrap();
        assert_eq!(insns[0].switch(&lookup).unwrap().cases().collect::<Vec<_>>(), [(-7, 20)]);
    }

    #[test]
    fn code_that_is_no_code_is_an_error_and_ends_the_iteration() {
        for bad in [
            &[0xA7u8, 0x7F, 0xFF][..],                            // jumps out
            &[0xCA],                                              // reserved opcode
            &[0xC4, 0x00],                                        // wide nop
            &[0xC4, 0xC4],                                        // wide wide
            &[0x12],                                              // cut short
            &[0xAB, 0, 0, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF], // huge switch
            &[0xAB, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], // negative switch
        ] {
            let mut iterator = Instructions::new(bad, 0);
            assert!(iterator.next().unwrap().is_err(), "{bad:?}");
            assert!(iterator.next().is_none());
        }
    }

    #[test]
    fn random_bytes_never_panic_and_instructions_tile_the_code() {
        arbtest::arbtest(|u| {
            let code: Vec<u8> = u.arbitrary()?;
            let mut at = 0;
            for insn in Instructions::new(&code, 0).map_while(Result::ok) {
                assert_eq!(insn.pc, at);
                at = insn.end;
                if let Some(switch) = insn.switch(&code) {
                    assert!(switch.cases().all(|(_, target)| (target as usize) < code.len()));
                }
            }
            Ok(())
        });
    }
}
