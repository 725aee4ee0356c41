//! The calls that report definitions and uses, and what lies on the stack for them.
//!
//! It knows which calls report what, not what follows from it. Invariant: a call leaves stack and local variables as they were, but for the one that holds the invocation.

use super::points::Points;
use dynaflow_classfile::{Error, Opcode};
use dynaflow_rewrite::{Coder, StaticMethod};

/// Internal name of the class that follows definitions. Every class loader must find it.
pub const FLOW_CLASS: &str = "io/dynaflow/fitness/Flow";

const fn method(name: &'static str, descriptor: &'static str) -> StaticMethod {
    StaticMethod { owner: FLOW_CLASS, name, descriptor, interface: false }
}

/// How a method with pairs begins.
pub(crate) struct Start<'n> {
    /// Its table.
    pub text: &'n [u8],
    /// The number of its first goal, and that of the first one of its class.
    pub numbers: (u32, u32),
    /// The local variable that holds the invocation.
    pub local: u16,
    /// Whether it is called on an object that may be used from the start.
    pub has_object: bool,
}

/// The start of a method.
pub(crate) fn start<'n>(coder: &mut Coder<'_, 'n, '_>, start: &Start<'n>) -> Result<(), Error> {
    let object = if start.has_object { Opcode::Aload0 } else { Opcode::AconstNull };
    coder.assembly.bytes(&[object.byte()]);
    coder.text(start.text)?;
    coder.int(start.numbers.0.cast_signed())?;
    coder.int(start.numbers.1.cast_signed())?;
    let descriptor = "(Ljava/lang/Object;Ljava/lang/String;II)Lio/dynaflow/fitness/Flow;";
    coder.call(&method("enter", descriptor))?;
    local(coder, Opcode::Astore, start.local);
    Ok(())
}

/// What is reported before an instruction.
pub(crate) fn before(
    coder: &mut Coder<'_, '_, '_>,
    points: &Points,
    held: u16,
    index: usize,
) -> Result<(), Error> {
    if let Some(block) = points.arrives.get(&index) {
        numbered(coder, held, *block, "arrives")?;
    }
    if let Some(point) = points.before.get(&index) {
        numbered(coder, held, *point, "at")?;
    }
    if let Some(block) = points.decides.get(&index) {
        numbered(coder, held, *block, "decides")?;
    }
    Ok(())
}

/// What is reported behind an instruction.
pub(crate) fn after(
    coder: &mut Coder<'_, '_, '_>,
    points: &Points,
    held: u16,
    index: usize,
) -> Result<(), Error> {
    points.after.get(&index).map_or(Ok(()), |point| numbered(coder, held, *point, "at"))
}

/// A constructor has called another one: its object may be used.
pub(crate) fn constructed(coder: &mut Coder<'_, '_, '_>, held: u16) -> Result<(), Error> {
    local(coder, Opcode::Aload, held);
    coder.assembly.bytes(&[Opcode::Aload0.byte()]);
    coder.call(&method("constructed", "(Lio/dynaflow/fitness/Flow;Ljava/lang/Object;)V"))
}

/// A field is about to be written by an instruction that is not followed.
pub(crate) fn other(
    coder: &mut Coder<'_, '_, '_>,
    opcode: Opcode,
    key: u32,
    is_wide: bool,
) -> Result<(), Error> {
    let mut plain =
        |opcodes: &[Opcode]| opcodes.iter().for_each(|opcode| coder.assembly.bytes(&[opcode.byte()]));
    if opcode == Opcode::Putstatic {
        coder.int(key.cast_signed())?;
        return coder.call(&method("otherStatic", "(I)V"));
    }
    if is_wide {
        plain(&[Opcode::Dup2X1, Opcode::Pop2, Opcode::Dup]);
    } else {
        plain(&[Opcode::Dup2, Opcode::Pop]);
    }
    coder.int(key.cast_signed())?;
    coder.call(&method("other", "(Ljava/lang/Object;I)V"))?;
    if is_wide {
        coder.assembly.bytes(&[Opcode::DupX2.byte(), Opcode::Pop.byte()]);
    }
    Ok(())
}

/// A call that takes the invocation and a number.
fn numbered(coder: &mut Coder<'_, '_, '_>, held: u16, number: u32, name: &'static str) -> Result<(), Error> {
    local(coder, Opcode::Aload, held);
    coder.int(number.cast_signed())?;
    coder.call(&method(name, "(Lio/dynaflow/fitness/Flow;I)V"))
}

fn local(coder: &mut Coder<'_, '_, '_>, opcode: Opcode, slot: u16) {
    match u8::try_from(slot) {
        Ok(slot) => coder.assembly.bytes(&[opcode.byte(), slot]),
        Err(_) => {
            coder.assembly.bytes(&[Opcode::Wide.byte()]);
            coder.with_index(opcode, slot);
        }
    }
}
