//! A class in which a method does something to what it returns. Knows nothing of why.
//!
//! Invariant: the instructions stand before each return of an `int` and nowhere else.

use crate::{Assembly, Failure, Names, Types, attribute, replace, types};
use dynaflow_bytecode::{Body, code_of};
use dynaflow_classfile::frames::FRAMES_SINCE;
use dynaflow_classfile::{ClassFile, ConstantPool, Opcode};

/// The class with these instructions before each return of a method, by name and descriptor, that returns an `int`. They find that on the stack, have to leave an `int` there, and take no operands. Linear in the
/// size of the class.
///
/// # Errors
/// When the bytes are no class file, or it has no code of such a method, or none that can be written anew.
pub fn before_returns(
    bytes: &[u8],
    (name, descriptor): (&str, &str),
    added: &[Opcode],
) -> Result<Vec<u8>, Failure> {
    let class = ClassFile::parse(bytes)?;
    let is = |index, wanted: &str| class.pool.utf8(index).is_ok_and(|text| text.0 == wanted.as_bytes());
    let number = class.methods.iter().position(|of| is(of.name, name) && is(of.descriptor, descriptor));
    let found = number.and_then(|number| Some((number, class.methods.get(number)?)));
    let (number, member) = found.ok_or("there is no such method")?;
    let (place, code) = code_of(&class, member)?.ok_or("the method has no code")?;
    let body = Body::new(code)?;
    let mut names = Names::default();
    let wanted = vec![false; body.insns.len()];
    // Without frames the verifier infers types.
    let types = (class.major >= FRAMES_SINCE)
        .then(|| types::of(&class, member, &body, &wanted, &mut names))
        .transpose()?;
    let mut target = class.clone();
    let data = code_with(&mut target.pool, &body, types.as_ref(), added, &names)?;
    replace(&mut target, number, place, data);
    Ok(target.write())
}

fn code_with<'n>(
    pool: &mut ConstantPool<'n>,
    body: &Body<'_>,
    types: Option<&Types>,
    added: &[Opcode],
    names: &'n Names,
) -> Result<Vec<u8>, Failure> {
    let added: Vec<u8> = added.iter().map(|opcode| opcode.byte()).collect();
    let mut assembly = Assembly::new(body);
    let mut frames = vec![];
    for (index, insn) in body.insns.iter().enumerate() {
        assembly.land(index);
        if types.is_some_and(|types| types.framed.get(index).copied().unwrap_or(false)) {
            frames.push((index, index));
        }
        if insn.opcode == Opcode::Ireturn {
            assembly.bytes(&added);
        }
        assembly.insn(index);
    }
    assembly.land(body.insns.len());
    let written = assembly.write()?;
    attribute(pool, body, types, &frames, &written, names)
}
