//! What is inserted for a bundle of sites: each instruction's operands are copied into local variables of ours, and one call at the last
//! site records them. It knows the stack of one instruction and which operands are wanted, not why.
//!
//! Invariant: the operands of every instruction lie on the stack as they did.

use super::emit::Emitter;
use super::recorder::Call;
use super::spot::stored;
use crate::bundles::{Bundle, Kept, Source, is_element};
use dynaflow_classfile::Opcode;
use dynaflow_classfile::descriptor::Kind;
use dynaflow_model::sites::Step;

/// Number of local variables a bundle takes: what it keeps, and room for a value that lies above.
pub(crate) fn locals(bundle: &Bundle) -> u16 {
    bundle.locals + 2
}

/// Copies operands of an access to where `kept` says, in local variables from the first of `locals` on; `spare` is free.
pub(crate) fn keep(
    opcode: Opcode,
    field: Option<Kind>,
    kept: Kept,
    (fresh, spare): (u16, u16),
    out: &mut Emitter<'_, '_>,
) {
    let above = match opcode {
        Opcode::Putfield => field,
        opcode if (Opcode::Iastore..=Opcode::Sastore).contains(&opcode) => Some(stored(opcode)),
        _ => None,
    };
    if let Some(value) = kept.value {
        out.op(Opcode::Dup).keep(Kind::Reference, fresh + value);
    }
    let copies = kept.object.is_some() || kept.number.is_some();
    let above = above.filter(|_| copies);
    if let Some(kind) = above {
        out.store(kind, spare);
    }
    match (kept.object, kept.number) {
        (Some(object), Some(number)) => {
            out.op(Opcode::Dup2).keep(Kind::Int, fresh + number).keep(Kind::Reference, fresh + object);
        }
        (Some(object), None) if is_element(opcode) => {
            out.op(Opcode::Dup2).op(Opcode::Pop).keep(Kind::Reference, fresh + object);
        }
        (Some(object), None) => {
            out.op(Opcode::Dup).keep(Kind::Reference, fresh + object);
        }
        (None, Some(number)) => {
            out.op(Opcode::Dup).keep(Kind::Int, fresh + number);
        }
        (None, None) => {}
    }
    if let Some(kind) = above {
        out.load(kind, spare);
    }
}

/// Records the bundle. The caller then empties the local variables it kept.
pub(crate) fn record(bundle: &Bundle, fresh: u16, site: u32, out: &mut Emitter<'_, '_>) {
    let (first, others) = match bundle.objects.split_first() {
        Some((first, others)) => (Some(first), others),
        None => (None, &[][..]),
    };
    if let Some(first) = first {
        push(*first, fresh, out);
    }
    for number in &bundle.numbers {
        out.load(Kind::Int, fresh + number);
    }
    for other in others {
        push(*other, fresh, out);
    }
    out.site(site, call(bundle));
}

/// Records one step alone.
pub(crate) fn record_step(bundle: &Bundle, step: Step, fresh: u16, site: u32, out: &mut Emitter<'_, '_>) {
    let object = |at: Option<u8>| at.and_then(|at| bundle.objects.get(usize::from(at)));
    if let Some(source) = object(step.object) {
        push(*source, fresh, out);
    }
    if let Some(local) = step.number.and_then(|at| bundle.numbers.get(usize::from(at))) {
        out.load(Kind::Int, fresh + local);
    }
    if let Some(source) = object(step.value) {
        push(*source, fresh, out);
    }
    let call = match (step.object, step.number, step.value) {
        (None, _, None) => Call::At,
        (None, _, Some(_)) => Call::Value,
        (Some(_), None, None) => Call::On,
        (Some(_), None, Some(_)) => Call::Put,
        (Some(_), Some(_), None) => Call::Element,
        (Some(_), Some(_), Some(_)) => Call::ElementPut,
    };
    out.site(site, call);
}

fn push(object: Source, fresh: u16, out: &mut Emitter<'_, '_>) {
    match object {
        Source::This => out.load(Kind::Reference, 0),
        Source::Kept(local) => out.load(Kind::Reference, fresh + local).kept(fresh + local),
    };
}

fn call(bundle: &Bundle) -> Call {
    match (bundle.objects.len(), bundle.numbers.len()) {
        (0, _) => Call::At,
        (1, 0) if bundle.accesses_first => Call::On,
        (1, 0) => Call::Value,
        (2, 0) => Call::Put,
        (3, 0) => Call::Objects,
        (_, 0) => Call::FourObjects,
        (1, 1) => Call::Element,
        (2, 1) if stores(bundle) => Call::ElementPut,
        (2, 1) => Call::ElementUse,
        (_, 1) if stores(bundle) => Call::ObjectsNumber,
        (_, 1) => Call::ObjectsNumberUse,
        (1, _) => Call::Numbers,
        (2, _) if stores(bundle) => Call::ObjectNumbers,
        (2, _) => Call::ObjectNumbersUse,
        (..) if stores(bundle) => Call::ObjectsNumbers,
        (..) => Call::ObjectsNumbersUse,
    }
}

/// Whether every element access of the bundle stores a reference: should the array be seen for the first time, the recorder need not list
/// what these elements held.
fn stores(bundle: &Bundle) -> bool {
    bundle.steps.iter().all(|step| step.number.is_none() || step.value.is_some())
}
