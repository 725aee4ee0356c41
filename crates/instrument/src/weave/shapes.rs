//! What is inserted for each kind of site: a part before the instruction and a part behind it. It knows the stack of the
//! one instruction, not the method around it.
//!
//! Invariant: before the instruction its operands lie on top of the stack as they did; behind it, its result. What a
//! shape keeps in between it keeps below the operands or in fresh local variables.

use super::carved::{argument, origin_after, origin_before, returned};
use super::emit::Emitter;
use super::spot::{
    Spot, argument_slots, constructs_this, has_receiver, number_argument, reference_argument, stored,
};
use crate::bulk::Bulk;
use crate::restore::Restore;
use dynaflow_classfile::Opcode;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_containers::arguments;
use dynaflow_containers::contents::inherited;
use dynaflow_containers::effects::{self, Code, Effect};
use dynaflow_containers::functions::{self, When};
use dynaflow_model::descriptor::parameters;
use dynaflow_model::recorder::Call;
use dynaflow_model::sites::{Access, Base, Origin, SiteKind, ValueKind};

/// Of the shapes that look at the arguments of one call, the last one copies them for all.
pub(crate) fn share(spots: &mut [Spot<'_, '_>]) {
    let looks = |spot: &Spot<'_, '_>| {
        matches!(
            spot.kind,
            SiteKind::Argument { .. } | SiteKind::Contents { .. } | SiteKind::Inherited { .. }
        ) && !constructs_this(spot)
            || matches!(spot.kind, SiteKind::Argument { .. })
    };
    let Some(last) = spots.iter().rev().find(|spot| looks(spot)).map(|spot| (spot.site, spot.fresh)) else {
        return;
    };
    for spot in spots.iter_mut().filter(|spot| looks(spot)) {
        spot.spills = spot.site == last.0;
        spot.fresh = last.1;
    }
}

/// The bulk operation whose elements the site stands for.
fn bulk(spot: &Spot<'_, '_>) -> Option<Bulk> {
    let is_element = matches!(spot.kind, SiteKind::Element { .. });
    spot.member.filter(|_| is_element).and_then(|member| Bulk::of(spot.insn.opcode, &member))
}

/// Of the sites of a bulk operation the first one has the shape.
fn is_first(spot: &Spot<'_, '_>, bulk: Bulk) -> bool {
    bulk.sites().first() == Some(spot.kind)
}

/// Number of fresh local variables a shape uses.
pub(crate) fn locals(spot: &Spot<'_, '_>) -> u16 {
    match spot.kind {
        SiteKind::Element { .. } if bulk(spot).is_some() => argument_slots(spot) + 2,
        SiteKind::Element { access: Access::Write, .. } => 2,
        SiteKind::Contents { .. } if constructs_this(spot) => 0,
        SiteKind::Contents { .. } | SiteKind::Inherited { .. } | SiteKind::Argument { .. } => {
            argument_slots(spot) + 3
        }
        SiteKind::Call { .. } => argument_slots(spot) + 1,
        SiteKind::Clone { .. } | SiteKind::Restore => 1,
        SiteKind::Origin { origin: Origin::ArrayStore } => 4,
        _ => 0,
    }
}

/// Writes the part before the instruction.
pub(crate) fn before(spot: &Spot<'_, '_>, out: &mut Emitter<'_, '_>) {
    if let Some(bulk) = bulk(spot) {
        if is_first(spot, bulk) {
            spill(spot, false, out);
        }
        return;
    }
    match spot.kind {
        SiteKind::Block { .. } | SiteKind::SuperCall { .. } => report(spot, out),
        SiteKind::Exit { exceptional: false } => {
            report(spot, out);
            if let Some(enter) = spot.test {
                out.int(0).site(enter, Call::TestEnd);
            }
        }
        SiteKind::Field { access: Access::Read, base: Base::Stack, .. } => {
            out.op(Opcode::Dup);
        }
        SiteKind::Field { access: Access::Write, base, value, .. } => field_write(spot, *base, *value, out),
        SiteKind::Static { access: Access::Write, value, .. } => static_write(spot, *value, out),
        SiteKind::Element { access: Access::Read, .. } => {
            out.op(Opcode::Dup2);
        }
        SiteKind::Element { access: Access::Write, .. } => {
            let kind = stored(spot.insn.opcode);
            out.store(kind, spot.fresh).op(Opcode::Dup2).load(kind, spot.fresh);
        }
        SiteKind::Contents { .. } if constructs_this(spot) => {}
        SiteKind::Argument { .. } if binds(spot) => {
            out.op(Opcode::Dup).store(Kind::Reference, spot.fresh);
        }
        SiteKind::Argument { .. } if !spot.spills => {}
        SiteKind::Contents { .. } | SiteKind::Inherited { .. } | SiteKind::Argument { .. } => {
            spill(spot, false, out);
            hand_on(spot, out);
            look_before(spot, out);
        }
        SiteKind::Call { .. } => spill(spot, true, out),
        SiteKind::Clone { .. } => {
            out.op(Opcode::Dup).store(Kind::Reference, spot.fresh);
        }
        SiteKind::Restore => {
            report_by(Call::Restoring, spot, out.op(Opcode::Dup));
            out.store(Kind::Reference, spot.fresh);
        }
        SiteKind::Branch { .. } | SiteKind::Switch => branch(spot, out),
        SiteKind::Origin { origin } => origin_before(spot, origin, out),
        _ => {}
    }
}

/// Writes the part behind the instruction.
pub(crate) fn after(spot: &Spot<'_, '_>, out: &mut Emitter<'_, '_>) {
    if let Some(bulk) = bulk(spot) {
        if is_first(spot, bulk) {
            record_bulk(spot, bulk, out);
        }
        return;
    }
    match spot.kind {
        SiteKind::Bind => report(spot, out.load(Kind::Reference, 0)),
        SiteKind::Field { access: Access::Read, base: Base::Stack, .. } => {
            if is_wide(spot) {
                out.op(Opcode::Dup2X1).op(Opcode::Pop2);
            } else {
                out.op(Opcode::Swap);
            }
            report(spot, out);
        }
        SiteKind::Field { access: Access::Read, .. } | SiteKind::Static { access: Access::Read, .. } => {
            report(spot, out);
        }
        SiteKind::Element { access: Access::Read, .. } => {
            let wide = matches!(spot.insn.opcode, Opcode::Laload | Opcode::Daload);
            let (below, pop) =
                if wide { (Opcode::Dup2X2, Opcode::Pop2) } else { (Opcode::DupX2, Opcode::Pop) };
            report(spot, out.op(below).op(pop));
        }
        SiteKind::Element { value: ValueKind::Leaf, .. } => report(spot, out),
        SiteKind::Element { .. } => report(spot, out.load(Kind::Reference, spot.fresh)),
        SiteKind::Argument { access, .. } if binds(spot) => {
            let reads = u32::from(*access == Access::ReadWrite);
            out.op(Opcode::Dup).load(Kind::Reference, spot.fresh).int(reads).call(Call::Bound);
        }
        SiteKind::Argument { access, position, .. } => match applied(spot, *position) {
            Some(when) => record_function(spot, *access, *position, when, out),
            None => record_argument(spot, *position, out),
        },
        SiteKind::Contents { .. } if constructs_this(spot) => {
            report_by(Call::On, spot, out.load(Kind::Reference, 0));
        }
        SiteKind::Contents { access, .. } => contents(spot, *access, Call::Contents, out),
        SiteKind::Inherited { callee, .. } => {
            contents(spot, inherited_access(&callee.name), Call::Inherited, out);
        }
        SiteKind::Clone { .. } => {
            report(spot, out.op(Opcode::Dup).load(Kind::Reference, spot.fresh).op(Opcode::Swap));
        }
        SiteKind::Restore => restored(spot, out),
        SiteKind::Call { kind, .. } => returned(spot, *kind, out),
        SiteKind::Origin { origin } => origin_after(spot, origin, out),
        _ => {}
    }
}

/// Records what a call that reads objects from a stream made.
fn restored(spot: &Spot<'_, '_>, out: &mut Emitter<'_, '_>) {
    let Some(restore) = spot.member.as_ref().and_then(Restore::named) else { return };
    if restore == Restore::Unshared {
        out.op(Opcode::Dup).load(Kind::Reference, spot.fresh).op(Opcode::Swap);
    } else {
        out.load(Kind::Reference, spot.fresh).op(Opcode::AconstNull);
    }
    report(spot, out.int(u32::from(restore == Restore::Current)));
}

/// Reports the site by the usual method of its kind, with what is on the stack.
fn report(spot: &Spot<'_, '_>, out: &mut Emitter<'_, '_>) {
    if let Some(call) = spot.kind.calls().first() {
        out.site(spot.site, *call);
    }
}

/// Reports the site by a certain method of those for its kind.
fn report_by(call: Call, spot: &Spot<'_, '_>, out: &mut Emitter<'_, '_>) {
    debug_assert!(spot.kind.calls().contains(&call), "{call:?} reports no {:?}", spot.kind);
    out.site(spot.site, call);
}

/// Has the recorder look at entries of a map that a call may hand to code that is not woven: those of the container called, and of arguments.
fn hand_on(spot: &Spot<'_, '_>, out: &mut Emitter<'_, '_>) {
    let Some(member) = spot.member else { return };
    if effects::hands_on(member.owner.0, member.name.0) {
        out.load(Kind::Reference, spot.fresh).call(Call::Entries);
    }
    let (owner, name, descriptor) = (member.owner.0, member.name.0, member.descriptor.0);
    let is_static = spot.insn.opcode == Opcode::Invokestatic;
    let passed = match spot.kind {
        SiteKind::Inherited { .. } => arguments::inherited(name, descriptor),
        _ => arguments::arguments(owner, name, descriptor, is_static),
    };
    let parameters = std::str::from_utf8(descriptor).map(parameters).unwrap_or_default();
    for (position, access) in passed {
        let position = usize::from(position);
        let may = access == Access::Read
            && parameters.get(position).is_some_and(|one| arguments::may_hold_entries(one));
        if let (true, Some(local)) = (may, reference_argument(spot, &member, position)) {
            out.load(Kind::Reference, local).call(Call::Entries);
        }
    }
}

/// Whether the instruction binds a method reference to a container.
fn binds(spot: &Spot<'_, '_>) -> bool {
    spot.insn.opcode == Opcode::Invokedynamic
}

/// When the call applies the function at a position, or what is bound to functions of its stream; none for a container.
fn applied(spot: &Spot<'_, '_>, position: u8) -> Option<When> {
    if position == functions::RESULT {
        return Some(When::AtTheEnd);
    }
    let member = spot.member?;
    let is_static = spot.insn.opcode == Opcode::Invokestatic;
    let all = functions::applied(member.owner.0, member.name.0, member.descriptor.0, is_static);
    all.into_iter().find(|(at, _)| *at == position).map(|(_, when)| when)
}

/// Records what functions did to the containers they are bound to; one call at the site of the read covers the write behind it as well.
fn record_function(spot: &Spot<'_, '_>, access: Access, position: u8, when: When, out: &mut Emitter<'_, '_>) {
    let Some(member) = spot.member.filter(|_| access == Access::Read) else { return };
    let call = match (position, when) {
        (functions::RESULT, _) => {
            let collects = member.name.0 == b"collect" && member.descriptor.0.ends_with(b";");
            out.op(if collects { Opcode::Dup } else { Opcode::AconstNull });
            Call::Ended
        }
        (functions::RECEIVER, _) => {
            out.load(Kind::Reference, spot.fresh);
            Call::Applied
        }
        (position, when) => {
            let Some(local) = reference_argument(spot, &member, usize::from(position)) else { return };
            out.load(Kind::Reference, local);
            if when == When::AtTheEnd {
                out.call(Call::Deferred);
                return;
            }
            Call::Applied
        }
    };
    if has_receiver(spot) {
        out.load(Kind::Reference, spot.fresh);
    } else {
        out.op(Opcode::AconstNull);
    }
    report_by(call, spot, out);
}

/// Records that a call accessed the contents of one of its arguments.
fn record_argument(spot: &Spot<'_, '_>, position: u8, out: &mut Emitter<'_, '_>) {
    let local = spot.member.and_then(|member| reference_argument(spot, &member, usize::from(position)));
    let Some(local) = local else { return };
    out.load(Kind::Reference, local);
    if has_receiver(spot) {
        out.load(Kind::Reference, spot.fresh);
    } else {
        out.op(Opcode::AconstNull);
    }
    report(spot, out);
}

/// The effect of a call that accesses contents, if it has any on what they hold.
fn effect(spot: &Spot<'_, '_>, access: Access) -> Option<Effect> {
    let member = spot.member?;
    effects::effect(member.owner.0, member.name.0, member.descriptor.0, access, spot.cast_to_entry)
}

/// Where what is looked up before a call is kept, if anything is.
fn left(spot: &Spot<'_, '_>, effect: Effect) -> Option<u16> {
    let looks = matches!(spot.kind, SiteKind::Contents { .. } | SiteKind::Inherited { .. })
        && spot.member.is_some_and(|member| effect.looks_before(member.owner.0));
    looks.then(|| spot.fresh + 2 + argument_slots(spot))
}

/// The access of a call on a class of the program by the name of a container's method.
fn inherited_access(name: &str) -> Access {
    if inherited(name.as_bytes()) == Some(true) { Access::ReadWrite } else { Access::Read }
}

/// Looks up, before a call, what it takes out of a container, and whatever else its result does not show.
fn look_before(spot: &Spot<'_, '_>, out: &mut Emitter<'_, '_>) {
    let (access, call) = match spot.kind {
        SiteKind::Contents { access, .. } => (*access, Call::Leaving),
        SiteKind::Inherited { callee, .. } => (inherited_access(&callee.name), Call::InheritedLeaving),
        _ => return,
    };
    let Some((member, effect)) = spot.member.zip(effect(spot, access)) else { return };
    let Some(left) = left(spot, effect) else { return };
    out.load(Kind::Reference, spot.fresh);
    match reference_argument(spot, &member, 0) {
        Some(local) => out.load(Kind::Reference, local),
        None => out.op(Opcode::AconstNull),
    };
    match number_argument(spot, &member) {
        Some(local) => out.load(Kind::Int, local),
        None => out.int(0),
    };
    out.int(effect.code as u32).call(call).store(Kind::Reference, left);
}

/// Records what a call did to contents, and which objects they hold now.
fn contents(spot: &Spot<'_, '_>, access: Access, call: Call, out: &mut Emitter<'_, '_>) {
    let Some((member, effect)) = spot.member.zip(effect(spot, access)) else {
        let call = if call == Call::Inherited { Call::InheritedRead } else { Call::On };
        report_by(call, spot, out.load(Kind::Reference, spot.fresh));
        return;
    };
    let result = spot.fresh + 1 + argument_slots(spot);
    let returns = descriptor::method(member.descriptor.0).map_or(Kind::Void, |(_, result)| result);
    let keeps = matches!(returns, Kind::Reference | Kind::Int);
    if keeps {
        out.op(Opcode::Dup).store(returns, result);
    }
    out.load(Kind::Reference, spot.fresh);
    for position in [effect.a, effect.b] {
        match position.and_then(|position| reference_argument(spot, &member, position)) {
            Some(local) => out.load(Kind::Reference, local),
            None => out.op(Opcode::AconstNull),
        };
    }
    let left = left(spot, effect);
    match returns {
        Kind::Reference => out.load(Kind::Reference, result),
        _ => out.op(Opcode::AconstNull),
    };
    if let Some(left) = left {
        out.load(Kind::Reference, left);
    }
    match returns {
        Kind::Reference => match descriptor::parameters(member.descriptor.0).next() {
            Some(Kind::Int) if effect.code == Code::Set => out.load(Kind::Int, spot.fresh + 1),
            _ => out.int(1),
        },
        Kind::Int => out.load(Kind::Int, result),
        _ => out.int(1),
    };
    let call = match (left, call) {
        (None, call) => call,
        (Some(_), Call::Inherited) => Call::InheritedLeft,
        (Some(_), _) => Call::ContentsLeft,
    };
    report_by(call, spot, out.int(effect.code as u32));
}

/// Whether the field the instruction names takes two slots.
fn is_wide(spot: &Spot<'_, '_>) -> bool {
    spot.member.and_then(|member| descriptor::field(member.descriptor.0)).is_some_and(|k| k.slots() == 2)
}

/// Records a write of an instance field before it happens: a read is recorded after it happened, so that the read of a volatile field never
/// appears ahead of the write it saw.
fn field_write(spot: &Spot<'_, '_>, base: Base, value: ValueKind, out: &mut Emitter<'_, '_>) {
    match (base, value) {
        (Base::This, ValueKind::Leaf) => &mut *out,
        (Base::This, ValueKind::Reference) => out.op(Opcode::Dup),
        (Base::Stack, ValueKind::Reference) => out.op(Opcode::Dup2),
        (Base::Stack, ValueKind::Leaf) if is_wide(spot) => {
            out.op(Opcode::Dup2X1).op(Opcode::Pop2).op(Opcode::DupX2)
        }
        (Base::Stack, ValueKind::Leaf) => out.op(Opcode::Dup2).op(Opcode::Pop),
    };
    report(spot, out);
}

/// Records a write of a static field before it happens, as [`field_write`]. A read of the field comes first, which throws what the write
/// would throw and initialises the field's class.
fn static_write(spot: &Spot<'_, '_>, value: ValueKind, out: &mut Emitter<'_, '_>) {
    if let (false, Some(field)) = (spot.own, spot.insn.constant()) {
        out.read_static(field, is_wide(spot));
    }
    if value == ValueKind::Reference {
        out.op(Opcode::Dup);
    }
    report(spot, out);
}

/// Records the elements a bulk operation read and wrote. The recorder knows the length where the JDK goes to the end of an array.
fn record_bulk(spot: &Spot<'_, '_>, bulk: Bulk, out: &mut Emitter<'_, '_>) {
    const TO_THE_END: u32 = i32::MAX as u32;
    let first = spot.fresh + 1;
    let (array, result) = (first, first + argument_slots(spot));
    match bulk {
        Bulk::Arraycopy => {
            out.load(Kind::Reference, array).load(Kind::Int, first + 1).load(Kind::Reference, first + 2);
            report_by(Call::Copied, spot, out.load(Kind::Int, first + 3).load(Kind::Int, first + 4));
        }
        Bulk::Clone | Bulk::CopyOf | Bulk::CopyOfRange => {
            out.op(Opcode::Dup).store(Kind::Reference, result);
            out.load(Kind::Reference, if bulk == Bulk::Clone { spot.fresh } else { array });
            if bulk == Bulk::CopyOfRange {
                out.load(Kind::Int, first + 1);
            } else {
                out.int(0);
            }
            report_by(Call::Copied, spot, out.load(Kind::Reference, result).int(0).int(TO_THE_END));
        }
        Bulk::Fill | Bulk::SetAll => {
            report_by(Call::Filled, spot, out.load(Kind::Reference, array).int(0).int(TO_THE_END));
        }
        Bulk::Sort => {
            out.load(Kind::Reference, array).int(0).load(Kind::Reference, array).int(0);
            report_by(Call::Copied, spot, out.int(TO_THE_END));
        }
        Bulk::SortRange => {
            out.load(Kind::Reference, array).load(Kind::Int, first + 1);
            out.load(Kind::Reference, array).load(Kind::Int, first + 1);
            out.load(Kind::Int, first + 2).load(Kind::Int, first + 1).op(Opcode::Isub);
            report_by(Call::Copied, spot, out);
        }
        Bulk::FillRange => {
            out.load(Kind::Reference, array).load(Kind::Int, first + 1).load(Kind::Int, first + 2);
            report_by(Call::Filled, spot, out);
        }
    }
}

fn branch(spot: &Spot<'_, '_>, out: &mut Emitter<'_, '_>) {
    let (copy, call) = match spot.insn.opcode {
        Opcode::Tableswitch | Opcode::Lookupswitch => (Opcode::Dup, Call::Select),
        Opcode::Ifnull | Opcode::Ifnonnull => (Opcode::Dup, Call::BranchObject),
        Opcode::IfAcmpeq | Opcode::IfAcmpne => (Opcode::Dup2, Call::BranchObjects),
        opcode if opcode.info().pops == 2 => (Opcode::Dup2, Call::BranchInts),
        _ => (Opcode::Dup, Call::BranchInt),
    };
    report_by(call, spot, out.op(copy));
}

/// Copies arguments and receiver into fresh local variables, and records them when `carve` is set. The receiver itself stays on
/// the stack: should it be null, the JVM's message says where it came from, and that must not become a local of ours.
/// The first fresh local is the receiver's; for a static call it gets the first argument.
fn spill(spot: &Spot<'_, '_>, carve: bool, out: &mut Emitter<'_, '_>) {
    let Some(member) = spot.member else { return };
    let kinds: Vec<Kind> = descriptor::parameters(member.descriptor.0).collect();
    let mut local = spot.fresh + 1 + argument_slots(spot);
    let mut places = Vec::with_capacity(kinds.len());
    for kind in kinds.iter().rev() {
        local -= u16::from(kind.slots());
        places.push((*kind, local));
        out.store(*kind, local);
    }
    places.reverse();
    if has_receiver(spot) {
        out.op(Opcode::Dup).store(Kind::Reference, spot.fresh);
    } else if let (false, Some((Kind::Reference, first))) = (carve, places.first()) {
        out.load(Kind::Reference, *first).store(Kind::Reference, spot.fresh);
    }
    if carve {
        for (kind, local) in &places {
            out.load(*kind, *local).call(argument(*kind));
        }
        if has_receiver(spot) {
            out.load(Kind::Reference, spot.fresh);
        } else {
            out.op(Opcode::AconstNull);
        }
        report(spot, out);
    }
    for (kind, local) in &places {
        out.load(*kind, *local);
    }
}
