//! New instructions of a method in the making, with the constants they name. It knows instructions, not what they are for.
//!
//! Invariant: constants are added behind those that are there.

use crate::assembly::Assembly;
use dynaflow_classfile::pool::NameAndTypeIndex;
use dynaflow_classfile::{Constant, ConstantPool, Error, Opcode};

/// A static method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StaticMethod {
    /// Internal name of its class.
    pub owner: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// Whether its class is an interface.
    pub interface: bool,
}

/// Code in the making and the constant pool of its class.
pub struct Coder<'w, 'n, 'b> {
    /// The constants.
    pub pool: &'w mut ConstantPool<'n>,
    /// The code.
    pub assembly: Assembly<'b, 'n>,
}

impl<'n> Coder<'_, 'n, '_> {
    /// An instruction with the index of a constant, or of a local variable.
    pub fn with_index(&mut self, opcode: Opcode, index: u16) {
        let [high, low] = index.to_be_bytes();
        self.assembly.bytes(&[opcode.byte(), high, low]);
    }

    /// Pushes an `int`.
    ///
    /// # Errors
    /// When the constant pool is full.
    pub fn int(&mut self, value: i32) -> Result<(), Error> {
        match (i8::try_from(value), i16::try_from(value)) {
            (Ok(small @ -1..=5), _) => {
                self.assembly.bytes(&[Opcode::Iconst0.byte().wrapping_add_signed(small)]);
            }
            (Ok(small), _) => self.assembly.bytes(&[Opcode::Bipush.byte(), small.cast_unsigned()]),
            (_, Ok(short)) => self.with_index(Opcode::Sipush, short.cast_unsigned()),
            _ => {
                let index = self.pool.append(Constant::Integer(value))?;
                self.with_index(Opcode::LdcW, index);
            }
        }
        Ok(())
    }

    /// Pushes a text, given in the encoding of class files.
    ///
    /// # Errors
    /// When the constant pool is full.
    pub fn text(&mut self, text: &'n [u8]) -> Result<(), Error> {
        let text = self.pool.append_utf8(text)?;
        let text = self.pool.append(Constant::String(text))?;
        self.with_index(Opcode::LdcW, text);
        Ok(())
    }

    /// Reads a static field.
    ///
    /// # Errors
    /// When the constant pool is full.
    pub fn static_field(
        &mut self,
        owner: &'static str,
        name: &'static str,
        descriptor: &'static str,
    ) -> Result<(), Error> {
        let owner = self.pool.append_class(owner.as_bytes())?;
        let name = self.pool.append_utf8(name.as_bytes())?;
        let descriptor = self.pool.append_utf8(descriptor.as_bytes())?;
        let rest = NameAndTypeIndex(self.pool.append(Constant::NameAndType(name, descriptor))?);
        let field = self.pool.append(Constant::Field(owner, rest))?;
        self.with_index(Opcode::Getstatic, field);
        Ok(())
    }

    /// Calls a static method.
    ///
    /// # Errors
    /// When the constant pool is full.
    pub fn call(&mut self, method: &StaticMethod) -> Result<(), Error> {
        let owner = self.pool.append_class(method.owner.as_bytes())?;
        let name = self.pool.append_utf8(method.name.as_bytes())?;
        let descriptor = self.pool.append_utf8(method.descriptor.as_bytes())?;
        let rest = NameAndTypeIndex(self.pool.append(Constant::NameAndType(name, descriptor))?);
        let method = self.pool.append(if method.interface {
            Constant::InterfaceMethod(owner, rest)
        } else {
            Constant::Method(owner, rest)
        })?;
        self.with_index(Opcode::Invokestatic, method);
        Ok(())
    }
}
