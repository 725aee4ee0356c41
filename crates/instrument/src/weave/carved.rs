//! Shapes of what is recorded of test classes to carve their test cases: arguments, results and other origins of values.
//!
//! Knows nothing of accesses. Invariant: after what is inserted the operand stack is what it was before.

use super::emit::Emitter;
use super::spot::{Spot, stored};
use crate::flow::Fact;
use dynaflow_classfile::Opcode;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_model::layout::ValueBefore;
use dynaflow_model::recorder::Call;
use dynaflow_model::sites::{CallKind, Origin};

/// The recorder's method for an argument of a kind.
pub(super) fn argument(kind: Kind) -> Call {
    match kind {
        Kind::Int | Kind::Void => Call::ArgumentInt,
        Kind::Long => Call::ArgumentLong,
        Kind::Float => Call::ArgumentFloat,
        Kind::Double => Call::ArgumentDouble,
        Kind::Reference => Call::ArgumentObject,
    }
}

/// Records what a call returned.
pub(super) fn returned(spot: &Spot<'_, '_>, kind: CallKind, out: &mut Emitter<'_, '_>) {
    let result =
        spot.member.and_then(|member| descriptor::method(member.descriptor.0)).map(|(_, result)| result);
    let result = match (kind, result) {
        (CallKind::Constructor, _) if spot.fact.is(Fact::COPY_BELOW) => Kind::Reference,
        (CallKind::Constructor, _) | (_, None) => Kind::Void,
        (_, Some(result)) => result,
    };
    match result.slots() {
        0 => {}
        1 => {
            out.op(Opcode::Dup);
        }
        _ => {
            out.op(Opcode::Dup2);
        }
    }
    out.site(
        spot.site,
        match result {
            Kind::Void => Call::ReturnedVoid,
            Kind::Int => Call::ReturnedInt,
            Kind::Long => Call::ReturnedLong,
            Kind::Float => Call::ReturnedFloat,
            Kind::Double => Call::ReturnedDouble,
            Kind::Reference => Call::ReturnedObject,
        },
    );
}

/// Writes what goes before another origin of a reference.
pub(super) fn origin_before(spot: &Spot<'_, '_>, origin: &Origin, out: &mut Emitter<'_, '_>) {
    match origin {
        Origin::InstanceField(_) => {
            out.op(Opcode::Dup).site(spot.site, Call::Call);
        }
        Origin::NewArray(_) => {
            out.op(Opcode::Dup).call(Call::ArgumentInt);
        }
        Origin::ArrayStore => {
            let kind = stored(spot.insn.opcode);
            let (array, index, value) = (spot.fresh, spot.fresh + 1, spot.fresh + 2);
            out.store(kind, value).op(Opcode::Dup2).store(Kind::Int, index).store(Kind::Reference, array);
            out.load(kind, value);
        }
        Origin::StaticField(_) | Origin::Opaque(_) => {}
    }
}

/// Writes what goes behind another origin of a reference.
pub(super) fn origin_after(spot: &Spot<'_, '_>, origin: &Origin, out: &mut Emitter<'_, '_>) {
    match origin {
        Origin::InstanceField(_) => {}
        Origin::ArrayStore => {
            spot.kind.values().before.iter().for_each(|value| value_before(spot, *value, out));
            out.load(Kind::Reference, spot.fresh).site(spot.site, Call::Call);
        }
        Origin::StaticField(_) | Origin::NewArray(_) | Origin::Opaque(_) => {
            out.op(Opcode::AconstNull).site(spot.site, Call::Call);
        }
    }
    if spot.kind.values().result {
        out.op(Opcode::Dup).site(spot.site, Call::ReturnedObject);
    }
}

/// Writes what sends a value of a store into an array, which lies in local variables.
fn value_before(spot: &Spot<'_, '_>, value: ValueBefore, out: &mut Emitter<'_, '_>) {
    match value {
        ValueBefore::Index => {
            out.load(Kind::Int, spot.fresh + 1).call(Call::ArgumentInt);
        }
        ValueBefore::Stored => {
            let kind = stored(spot.insn.opcode);
            out.load(kind, spot.fresh + 2).call(argument(kind));
        }
        ValueBefore::Arguments | ValueBefore::Length => {}
    }
}
