//! The members of a record that the compiler writes where the program does not.
//!
//! In: a class and one of its methods. Out: whether it does what the compiler would have written, and nothing else. Knows nothing of lines. Invariant: a
//! member that checks, copies or changes anything is the program's.

use crate::body::Body;
use dynaflow_classfile::class::access;
use dynaflow_classfile::{ClassFile, Constant, Error, Insn, Member, Opcode, Operand};

/// Whether a method is a record's `toString`, `hashCode` or `equals` made of its components, the accessor of one, or a constructor that only
/// assigns them.
/// Linear in the code of the method.
///
/// # Errors
/// When the code cannot be read.
pub fn is_of_record(class: &ClassFile<'_>, method: &Member<'_>) -> Result<bool, Error> {
    let parent = class.super_name()?.map(|name| name.to_string());
    if parent.as_deref() != Some("java/lang/Record") || method.access & access::STATIC != 0 {
        return Ok(false);
    }
    let Some(body) = Body::of_method(class, method)? else { return Ok(false) };
    let (name, descriptor) =
        (class.pool.utf8(method.name)?.to_str(), class.pool.utf8(method.descriptor)?.to_str());
    Ok(match (&*name, &*descriptor) {
        ("toString", "()Ljava/lang/String;") | ("hashCode", "()I") => is_of_components(&body, 1),
        ("equals", "(Ljava/lang/Object;)Z") => is_of_components(&body, 2),
        ("<init>", _) => only_assigns(class, &body),
        _ => descriptor.starts_with("()") && gives(class, &body, &name),
    })
}

/// Whether it passes its object and arguments, so many in all, to what the JDK makes of the components, and returns what that gives.
fn is_of_components(body: &Body<'_>, passed: usize) -> bool {
    let (loads, rest) = body.insns.split_at(passed.min(body.insns.len()));
    loads.iter().all(is_load)
        && matches!(rest, [made, back] if made.opcode == Opcode::Invokedynamic && back.opcode.is_return())
}

/// Whether it returns the field of this name.
fn gives(class: &ClassFile<'_>, body: &Body<'_>, name: &str) -> bool {
    matches!(body.insns.as_slice(), [this, read, back]
        if is_load(this)
            && read.opcode == Opcode::Getfield
            && field(class, read).as_deref() == Some(name)
            && back.opcode.is_return())
}

/// Whether it assigns its parameters to the components, each to its own, and does nothing else.
fn only_assigns(class: &ClassFile<'_>, body: &Body<'_>) -> bool {
    let [this, made, assigned @ .., back] = body.insns.as_slice() else { return false };
    let assignment = |insns: &[Insn]| match insns {
        [this, parameter, write] if is_load(this) && write.opcode == Opcode::Putfield => {
            Some((local(parameter)?, field(class, write)?))
        }
        _ => None,
    };
    let Some(assigned) = assigned.chunks(3).map(assignment).collect::<Option<Vec<_>>>() else { return false };
    let components = class.fields.iter().filter(|field| field.access & access::STATIC == 0);
    let components = components.map(|field| class.pool.utf8(field.name).map(|name| name.to_string()).ok());
    is_load(this)
        && made.opcode == Opcode::Invokespecial
        && assigned.is_sorted_by_key(|(parameter, _)| *parameter)
        && components.eq(assigned.into_iter().map(|(_, field)| Some(field)))
        && back.opcode == Opcode::Return
}

/// The name of the field that it reads or writes.
fn field(class: &ClassFile<'_>, insn: &Insn) -> Option<String> {
    let Constant::Field(_, rest) = class.pool.get(insn.constant()?)? else { return None };
    let Constant::NameAndType(name, _) = class.pool.get(rest.0)? else { return None };
    Some(class.pool.utf8(name).ok()?.to_string())
}

fn is_load(insn: &Insn) -> bool {
    local(insn).is_some()
}

/// The local variable that it loads.
fn local(insn: &Insn) -> Option<u16> {
    match insn.operand {
        Operand::Local(local) if !insn.opcode.is_store() && insn.opcode != Opcode::Ret => Some(local),
        _ => None,
    }
}
