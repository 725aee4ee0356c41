//! The `Code` attribute. It knows its layout; instructions are decoded in [`crate::insn`].
//!
//! Invariant: writing an unchanged value gives the bytes it was read from.

use crate::Error;
use crate::class::{Attribute, read_attributes, write_attributes};
use crate::pool::ClassIndex;
use crate::reader::Reader;

/// The largest code a method may have is one byte less than this.
pub const CODE_LIMIT: usize = 65_536;

/// Code of a method.
#[derive(Clone, Debug)]
pub struct Code<'a> {
    /// Operand stack slots.
    pub max_stack: u16,
    /// Local variable slots.
    pub max_locals: u16,
    /// The instructions.
    pub bytes: &'a [u8],
    /// Where the instructions lie in the file, for messages.
    pub offset: usize,
    /// Exception handlers, in the order the JVM tries them.
    pub exceptions: Vec<ExceptionEntry>,
    /// Attributes of the code.
    pub attributes: Vec<Attribute<'a>>,
}

/// One exception handler. Offsets are into the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionEntry {
    /// First covered offset.
    pub start: u16,
    /// First offset no more covered.
    pub end: u16,
    /// Where the handler begins.
    pub handler: u16,
    /// The class caught; none for all.
    pub catch_type: Option<ClassIndex>,
}

impl ExceptionEntry {
    /// Whether the entry covers an offset.
    pub fn covers(&self, pc: u32) -> bool {
        u32::from(self.start) <= pc && pc < u32::from(self.end)
    }
}

impl<'a> Code<'a> {
    /// Reads the content of a `Code` attribute that lies at `base` in the file.
    ///
    /// # Errors
    /// When the bytes end too early, are left over, or there is no instruction.
    pub fn parse(data: &'a [u8], base: usize) -> Result<Self, Error> {
        let mut reader = Reader::new(data, base);
        let (max_stack, max_locals) = (reader.u2()?, reader.u2()?);
        let length = reader.u4()? as usize;
        let offset = reader.offset();
        if length == 0 || length >= CODE_LIMIT {
            return Err(reader.error("the code of a method is empty or longer than 65535 bytes"));
        }
        let bytes = reader.bytes(length)?;
        let count = usize::from(reader.u2()?);
        let mut exceptions = Vec::with_capacity(count.min(reader.remaining() / 8));
        for _ in 0..count {
            let (start, end, handler) = (reader.u2()?, reader.u2()?, reader.u2()?);
            let catch_type = Some(ClassIndex(reader.u2()?)).filter(|index| index.0 != 0);
            exceptions.push(ExceptionEntry { start, end, handler, catch_type });
        }
        let attributes = read_attributes(&mut reader)?;
        reader.end()?;
        Ok(Self { max_stack, max_locals, bytes, offset, exceptions, attributes })
    }

    /// Writes the content of the attribute.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.max_stack.to_be_bytes());
        out.extend(self.max_locals.to_be_bytes());
        out.extend(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
        out.extend_from_slice(self.bytes);
        out.extend(u16::try_from(self.exceptions.len()).unwrap_or(u16::MAX).to_be_bytes());
        for entry in &self.exceptions {
            for value in [entry.start, entry.end, entry.handler, entry.catch_type.map_or(0, |index| index.0)]
            {
                out.extend(value.to_be_bytes());
            }
        }
        write_attributes(&self.attributes, out);
    }
}
