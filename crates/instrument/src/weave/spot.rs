//! A site to weave, and what its instruction says: receiver, arguments and where they are kept.
//!
//! Knows no shapes. Invariant: of a call whose arguments are kept, the first fresh local variable is the receiver's and the others follow in
//! their order.

use crate::flow::Fact;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::{Insn, Opcode};
use dynaflow_model::sites::SiteKind;

/// A site to weave, with what its shape must know.
#[derive(Clone, Copy)]
pub(crate) struct Spot<'s, 'a> {
    /// What happens there.
    pub kind: &'s SiteKind,
    /// Its id in words.
    pub site: u32,
    /// Its instruction.
    pub insn: &'s Insn,
    /// What is known of the instruction.
    pub fact: Fact,
    /// The field or method the instruction names.
    pub member: Option<MemberText<'a>>,
    /// For a return of a test method: the site of the method's entry.
    pub test: Option<u32>,
    /// Whether the next instruction casts the result to a map's entry.
    pub cast_to_entry: bool,
    /// Whether the field the instruction names is one of the class that is woven, by the name of its class.
    pub own: bool,
    /// The first local variable the shape may use.
    pub fresh: u16,
    /// Whether the shape copies the arguments of the call; otherwise another one of the same call does, from the same
    /// local variable on.
    pub spills: bool,
}

/// Whether the instruction invokes another constructor on `this`.
pub(super) fn constructs_this(spot: &Spot<'_, '_>) -> bool {
    spot.fact.is(Fact::INIT_THIS)
}

/// Local variable slots of the call's arguments.
pub(super) fn argument_slots(spot: &Spot<'_, '_>) -> u16 {
    spot.member.and_then(|member| descriptor::method(member.descriptor.0)).map_or(0, |(slots, _)| slots)
}

/// Whether the instruction has a receiver that may be passed on.
pub(super) fn has_receiver(spot: &Spot<'_, '_>) -> bool {
    spot.insn.opcode != Opcode::Invokestatic && !spot.fact.is(Fact::INIT_NEW) && !constructs_this(spot)
}

/// The local variable that `spill` left the first number in.
pub(super) fn number_argument(spot: &Spot<'_, '_>, member: &MemberText<'_>) -> Option<u16> {
    let mut local = spot.fresh + 1;
    for kind in descriptor::parameters(member.descriptor.0) {
        if kind == Kind::Int {
            return Some(local);
        }
        local += u16::from(kind.slots());
    }
    None
}

/// The local variable that `spill` left a reference argument in.
pub(super) fn reference_argument(
    spot: &Spot<'_, '_>,
    member: &MemberText<'_>,
    position: usize,
) -> Option<u16> {
    let mut local = spot.fresh + 1;
    for (at, kind) in descriptor::parameters(member.descriptor.0).enumerate() {
        if at == position {
            return (kind == Kind::Reference).then_some(local);
        }
        local += u16::from(kind.slots());
    }
    None
}

/// The kind of value an array store instruction stores.
pub(super) fn stored(opcode: Opcode) -> Kind {
    match opcode {
        Opcode::Lastore => Kind::Long,
        Opcode::Fastore => Kind::Float,
        Opcode::Dastore => Kind::Double,
        Opcode::Aastore => Kind::Reference,
        _ => Kind::Int,
    }
}
