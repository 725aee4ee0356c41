//! Class files: bytes in; a class file with typed indices, bytes, or readable text out.
//!
//! It knows the format of every version from 45 on, and nothing of instrumentation. Whatever it need not understand
//! stays raw. Invariants: writing an unchanged [`ClassFile`] gives the bytes it was read from; the constant pool only
//! grows, so an index read from the file stays valid; no input makes it panic or allocate more than a small multiple of
//! the input's length.
//!
//! The next case goes: a new instruction into [`opcode`], a new attribute into [`tables`] (and [`mod@print`] when a reader of
//! golden files wants to see it), a new constant into [`pool`].

pub mod annotations;
pub mod class;
pub mod code;
pub mod descriptor;
mod error;
pub mod frames;
pub mod insn;
pub mod mutf8;
pub mod opcode;
pub mod pool;
pub mod print;
pub mod reader;
pub mod smap;
pub mod tables;

pub use class::{Attribute, ClassFile, Member};
pub use code::{Code, ExceptionEntry};
pub use error::Error;
pub use insn::{Insn, Operand};
pub use mutf8::Mutf8;
pub use opcode::Opcode;
pub use pool::{ClassIndex, Constant, ConstantPool, MemberIndex, NameAndTypeIndex, Utf8Index};
