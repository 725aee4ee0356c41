//! Method references that are bound to a container: the method and the access, read off the bootstrap method's arguments.
//!
//! It knows constants, not what becomes of the function. Invariant: what is not a reference to a method of a container of the JDK
//! that may change it, bound to its receiver alone, is none.

use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::reader::Reader;
use dynaflow_classfile::{ClassFile, Constant, Insn, MemberIndex};
use dynaflow_containers::contents;
use dynaflow_model::sites::Access;

/// Method handles that invoke a method on an object.
const ON_OBJECT: [u8; 2] = [5, 9];

/// The method of a container that an `invokedynamic` binds to a receiver, and what it does to the container; none when it does not,
/// or only reads.
pub(crate) fn bound<'a>(class: &ClassFile<'a>, insn: &Insn) -> Option<(MemberText<'a>, Access)> {
    let Some(Constant::InvokeDynamic(bootstrap, rest)) = class.pool.get(insn.constant()?) else {
        return None;
    };
    let (_, descriptor) = class.pool.name_and_type(rest).ok()?;
    let captured = std::str::from_utf8(descriptor.0).map(dynaflow_model::descriptor::parameters).ok()?;
    if captured.len() != 1 {
        return None;
    }
    let Some(Constant::MethodHandle(kind, member)) = class.pool.get(second_argument(class, bootstrap)?)
    else {
        return None;
    };
    let member = class.pool.member(MemberIndex(member.0)).ok().filter(|_| ON_OBJECT.contains(&kind))?;
    let access = contents::access(member.owner.0, member.name.0, false)?;
    (access != Access::Read).then_some((member, access))
}

/// The second argument of a bootstrap method: what a lambda's function calls.
fn second_argument(class: &ClassFile<'_>, bootstrap: u16) -> Option<u16> {
    let attribute = class.attribute(&class.attributes, "BootstrapMethods")?;
    let mut reader = Reader::new(&attribute.data, attribute.offset);
    let count = reader.u2().ok()?;
    if bootstrap >= count {
        return None;
    }
    for _ in 0..bootstrap {
        reader.u2().ok()?;
        let arguments = usize::from(reader.u2().ok()?);
        reader.bytes(arguments * 2).ok()?;
    }
    reader.u2().ok()?;
    let arguments = reader.u2().ok().filter(|arguments| *arguments >= 2)?;
    reader.bytes(2).ok()?;
    Some(arguments).and_then(|_| reader.u2().ok())
}
