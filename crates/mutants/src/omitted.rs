//! The operators of data flow: mutants that leave out a definition of state, as somebody does who forgets to reset a field, to
//! take an element out of a list, or to copy an array. It knows single instructions; what is left out of them is in `filter`.
//!
//! PIT has the like among its experimental operators (`MEMBER_VARIABLE`, `NAKED_RECEIVER`, `ARGUMENT_PROPAGATION`) and in
//! `NON_VOID_METHOD_CALLS`, for many more calls. Invariant: such a mutant changes which definitions reach which uses, and computes
//! nothing else than the original otherwise.

use crate::change::{self, Change, Op};
use crate::context::Context;
use crate::found::Found;
use crate::operator::Operator;
use dynaflow_classfile::Opcode;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::pool::MemberText;

/// The mutants of one instruction.
pub(crate) fn of(context: &Context<'_, '_>, index: usize, out: &mut Vec<Found>) {
    let mut add = |operator, (description, change): (String, Change)| {
        out.push(Found { operator, insn: index, description, change, copies: Vec::new() });
    };
    if let Some(found) = definition(context, index) {
        add(Operator::OmittedDefinition, found);
    }
    if let Some(found) = call(context, index) {
        add(Operator::OmittedCall, found);
    }
    if let Some(found) = copy(context, index) {
        add(Operator::OmittedCopy, found);
    }
}

/// The assignment of a field, removed: its operands are popped.
fn definition(context: &Context<'_, '_>, index: usize) -> Option<(String, Change)> {
    let opcode = context.opcode(index)?;
    let is_static = opcode == Opcode::Putstatic;
    let member = context.member(index).filter(|_| is_static || opcode == Opcode::Putfield)?;
    let compiled = [&b"this$"[..], b"val$", b"$"].iter().any(|start| member.name.0.starts_with(start));
    if compiled || context.name == "<init>" && is_default(context, index) {
        return None;
    }
    let value = change::pop(descriptor::field(member.descriptor.0)?);
    let object = (!is_static).then_some(Op::Plain(Opcode::Pop));
    let text = format!("removed assignment to {}::{}", member.owner, member.name);
    Some((text, std::iter::once(value).chain(object).collect()))
}

/// Whether the value that an instruction takes is the one that each field of a new object has.
fn is_default(context: &Context<'_, '_>, index: usize) -> bool {
    use Opcode as O;
    let zero = context.before(index);
    let zeros = [O::AconstNull, O::Iconst0, O::Lconst0, O::Fconst0, O::Dconst0];
    zero.is_some_and(|zero| zeros.contains(&zero)) && !context.is_target(index)
}

/// A call whose result the next instruction drops, removed: its operands are popped, and a default stands for the result.
fn call(context: &Context<'_, '_>, index: usize) -> Option<(String, Change)> {
    let member = context.called(index)?;
    let (_, result) = descriptor::method(member.descriptor.0).filter(|(_, result)| *result != Kind::Void)?;
    let drops = if result.slots() == 2 { Opcode::Pop2 } else { Opcode::Pop };
    if context.opcode(index + 1) != Some(drops) || context.is_target(index + 1) || checks_for_null(&member) {
        return None;
    }
    let mut change = change::without_operands(context.opcode(index)?, member.descriptor.0);
    change.push(Op::Plain(default(result)));
    Some((format!("removed call to {}::{}", member.owner, member.name), change))
}

/// Whether a call defines nothing, as those by which compilers check for null.
fn checks_for_null(member: &MemberText<'_>) -> bool {
    member.owner.0 == b"java/util/Objects" || member.name.0 == b"getClass"
}

/// Pushes the value that a field has before it is assigned.
fn default(kind: Kind) -> Opcode {
    match kind {
        Kind::Reference => Opcode::AconstNull,
        Kind::Long => Opcode::Lconst0,
        Kind::Float => Opcode::Fconst0,
        Kind::Double => Opcode::Dconst0,
        _ => Opcode::Iconst0,
    }
}

/// A copy, or a view that cannot be changed: what it is made of is left on the stack.
fn copy(context: &Context<'_, '_>, index: usize) -> Option<(String, Change)> {
    let Some(member) = context.called(index) else { return copy_by_constructor(context, index) };
    if context.opcode(index) != Some(Opcode::Invokestatic) {
        let clones = member.name.0 == b"clone" && gives_its_object(&member);
        let of_array = member.owner.0.starts_with(b"[");
        let text = || match of_array {
            true => "replaced clone of an array with the array".to_owned(),
            false => format!("replaced call to {}::clone with its object", member.owner),
        };
        return clones.then(|| (text(), vec![Op::Plain(Opcode::Nop)]));
    }
    let text = || format!("replaced call to {}::{} with its argument", member.owner, member.name);
    let mut change: Change = descriptor::parameters(member.descriptor.0).skip(1).map(change::pop).collect();
    change.reverse();
    change.push(Op::Plain(Opcode::Nop));
    copies(&member).then(|| (text(), change))
}

/// `new ArrayList<>(names)` where an interface is wanted: nobody asks whether the argument is of the class that is made.
fn copy_by_constructor(context: &Context<'_, '_>, index: usize) -> Option<(String, Change)> {
    let member = context.member(index)?;
    let takes_container =
        [&b"(Ljava/util/Collection;)V"[..], b"(Ljava/util/Map;)V"].contains(&member.descriptor.0);
    let is_of_jdk = member.owner.0.starts_with(b"java/util/") && member.name.0 == b"<init>";
    let next = index + 1;
    if !takes_container || !is_of_jdk || is_of_this(context, &member) || !wants_interface(context, next) {
        return None;
    }
    // Below the argument lie the new object twice.
    let mut change = vec![
        Op::Plain(Opcode::DupX2),
        Op::Plain(Opcode::Pop),
        Op::Plain(Opcode::Pop),
        Op::Plain(Opcode::Pop),
    ];
    if context.opcode(next) == Some(Opcode::Areturn) {
        change.push(Op::Plain(Opcode::Areturn));
    } else {
        change.extend([Op::Insn(next), Op::Jump(Opcode::Goto, next + 1)]);
    }
    Some((format!("replaced new {} with its argument", member.owner), change))
}

/// Whether a constructor may be the one that this one begins with.
fn is_of_this(context: &Context<'_, '_>, member: &MemberText<'_>) -> bool {
    let superclass = context.class.super_name().ok().flatten();
    let own = context.class.name().ok();
    context.name == "<init>" && [superclass, own].iter().flatten().any(|name| name.0 == member.owner.0)
}

/// Whether an instruction returns, stores or passes on what is on top of the stack as an interface of a container.
fn wants_interface(context: &Context<'_, '_>, index: usize) -> bool {
    let wanted = match context.opcode(index) {
        _ if context.is_target(index) => None,
        Some(Opcode::Areturn) => Some(context.result().as_bytes()),
        Some(Opcode::Putfield | Opcode::Putstatic) => context.member(index).map(|field| field.descriptor.0),
        Some(Opcode::Invokestatic) => {
            let called = context.member(index);
            called
                .and_then(|called| descriptor::parameter_types(called.descriptor.0).last())
                .map(|(_, text)| text)
        }
        _ => None,
    };
    let interfaces = ["Collection", "List", "Set", "Map", "SortedSet", "SortedMap", "Queue", "Deque"];
    let is_one = |name: &&str| Some(format!("Ljava/util/{name};").as_bytes()) == wanted;
    interfaces.iter().any(is_one) || wanted == Some(b"Ljava/lang/Iterable;")
}

/// Whether a call without arguments gives an object of its owner's type, or any.
fn gives_its_object(member: &MemberText<'_>) -> bool {
    let result = member.descriptor.0.strip_prefix(b"()");
    let own = || [b"L", member.owner.0, b";"].concat();
    result.is_some_and(|result| result == b"Ljava/lang/Object;" || result == own())
}

/// Whether a static method gives a copy of its first argument, by its name and types, or a view of it that cannot be changed.
fn copies(member: &MemberText<'_>) -> bool {
    let (owner, name) = (member.owner.0, member.name.0);
    let first = descriptor::parameter_types(member.descriptor.0).next();
    let is_alike = || {
        first.is_some_and(|(_, first)| {
            member.descriptor.0.strip_suffix(first).is_some_and(|rest| rest.ends_with(b")"))
        })
    };
    match owner {
        b"java/util/Collections" => name.starts_with(b"unmodifiable"),
        b"java/util/List" | b"java/util/Set" | b"java/util/Map" => name == b"copyOf",
        _ => (name == b"clone" || name.starts_with(b"copy")) && is_alike(),
    }
}
