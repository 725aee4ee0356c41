//! The members of a record that the compiler writes where the program does not.
//!
//! In: a class and one of its methods. Out: whether it does what the compiler would have written, and nothing else; of a constructor that does more, which
//! assignments the compiler would have written. Knows nothing of lines. Invariant: a member that checks, copies or changes anything is the program's, and so is the
//! assignment of what a constructor changed.

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
    if !is_record(class)? || method.access & access::STATIC != 0 {
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

/// The indices of the instructions by which a constructor of a record assigns a parameter to its component at its end, where nothing is assigned to the parameter
/// before: after the statements of a compact constructor the compiler writes these. Empty for every other method.
/// Linear in the code of the method.
///
/// # Errors
/// When the code cannot be read.
pub fn assigned_of_record(class: &ClassFile<'_>, method: &Member<'_>) -> Result<Vec<usize>, Error> {
    if !is_record(class)? || class.pool.utf8(method.name)?.to_str() != "<init>" {
        return Ok(vec![]);
    }
    let Some(body) = Body::of_method(class, method)? else { return Ok(vec![]) };
    let count = components(class).count();
    let Some(first) = body.insns.len().checked_sub(3 * count + 1) else { return Ok(vec![]) };
    let end = body.insns.get(first..).unwrap_or_default();
    let Some(assigned) = assigned(class, end) else { return Ok(vec![]) };
    let is_changed = |parameter: u16| {
        let writes = |insn: &&Insn| insn.opcode.is_store() || insn.opcode == Opcode::Iinc;
        body.insns.iter().filter(writes).any(|insn| insn.local() == Some(parameter))
    };
    let places = (first + 2..).step_by(3);
    Ok(assigned
        .into_iter()
        .zip(places)
        .filter(|(parameter, _)| !is_changed(*parameter))
        .map(|(_, at)| at)
        .collect())
}

fn is_record(class: &ClassFile<'_>) -> Result<bool, Error> {
    Ok(class.super_name()?.is_some_and(|name| name.to_string() == "java/lang/Record"))
}

/// The names of the components.
fn components<'c>(class: &'c ClassFile<'_>) -> impl Iterator<Item = Option<String>> + 'c {
    let fields = class.fields.iter().filter(|field| field.access & access::STATIC == 0);
    fields.map(|field| class.pool.utf8(field.name).map(|name| name.to_string()).ok())
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
    let [this, made, rest @ ..] = body.insns.as_slice() else { return false };
    is_load(this) && made.opcode == Opcode::Invokespecial && assigned(class, rest).is_some()
}

/// The parameters that are assigned to the components in their order, where these instructions do that, return, and do nothing else.
fn assigned(class: &ClassFile<'_>, insns: &[Insn]) -> Option<Vec<u16>> {
    let (back, insns) = insns.split_last()?;
    let assignment = |insns: &[Insn]| match insns {
        [this, parameter, write] if is_load(this) && write.opcode == Opcode::Putfield => {
            Some((local(parameter)?, field(class, write)?))
        }
        _ => None,
    };
    let assigned = insns.chunks(3).map(assignment).collect::<Option<Vec<_>>>()?;
    let (parameters, fields): (Vec<u16>, Vec<String>) = assigned.into_iter().unzip();
    let is_each = parameters.is_sorted() && components(class).eq(fields.into_iter().map(Some));
    (back.opcode == Opcode::Return && is_each).then_some(parameters)
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
