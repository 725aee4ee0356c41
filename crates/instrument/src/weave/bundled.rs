//! What is inserted for a bundle of sites: each instruction's operands are copied into local variables of ours, and one call at the last
//! site records them. It knows the stack of one instruction and which operands are wanted, not why.
//!
//! Invariant: the operands of every instruction lie on the stack as they did.

use super::emit::Emitter;
use super::spot::stored;
use crate::bundles::{Bundle, Kept, Source, is_element};
use dynaflow_classfile::Opcode;
use dynaflow_classfile::descriptor::Kind;
use dynaflow_model::layout;
use dynaflow_model::recorder::{Call, Parameter};
use dynaflow_model::sites::Operands;

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
    let (objects, numbers) = (bundle.objects.len(), bundle.numbers.len());
    if let Some(call) = layout::bundle(objects, numbers, bundle.accesses_first, stores(bundle)) {
        push_all(call, bundle.objects.iter(), bundle.numbers.iter(), fresh, out);
        out.site(site, call);
    }
}

/// Records one step alone.
pub(crate) fn record_step(bundle: &Bundle, step: Operands, fresh: u16, site: u32, out: &mut Emitter<'_, '_>) {
    let objects = step.object.into_iter().chain(step.value);
    let objects = objects.filter_map(|at| bundle.objects.get(usize::from(at)));
    let numbers = step.number.and_then(|at| bundle.numbers.get(usize::from(at)));
    let call = layout::access(step);
    push_all(call, objects, numbers.into_iter(), fresh, out);
    out.site(site, call);
}

/// Pushes what a call gets but for the site, in the order of its parameters.
fn push_all<'b>(
    call: Call,
    mut objects: impl Iterator<Item = &'b Source>,
    mut numbers: impl Iterator<Item = &'b u16>,
    fresh: u16,
    out: &mut Emitter<'_, '_>,
) {
    for parameter in call.method().parameters {
        match parameter {
            Parameter::Object => objects.next().into_iter().for_each(|source| push(*source, fresh, out)),
            Parameter::Int => {
                if let Some(local) = numbers.next() {
                    out.load(Kind::Int, fresh + local);
                }
            }
            _ => {}
        }
    }
}

fn push(object: Source, fresh: u16, out: &mut Emitter<'_, '_>) {
    match object {
        Source::This => out.load(Kind::Reference, 0),
        Source::Kept(local) => out.load(Kind::Reference, fresh + local).kept(fresh + local),
    };
}

/// Whether every element access of the bundle stores a reference: should the array be seen for the first time, the recorder need not list
/// what these elements held.
fn stores(bundle: &Bundle) -> bool {
    bundle.steps.iter().all(|step| step.number.is_none() || step.value.is_some())
}
