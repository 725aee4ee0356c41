//! Which methods get a plain copy of their code, which runs in place of the woven one when an invocation is left out: those that only
//! read and call nothing that could record anything, so that there is nothing to report of such an invocation but that it was left out.
//!
//! Knows nothing of when invocations are left out, nor how a copy is woven. Invariant: whatever the copy does, it neither writes what others may
//! read nor runs code of the program.

use crate::planned::MethodPlan;
use dynaflow_bytecode::Body;
use dynaflow_classfile::frames::Frames;
use dynaflow_classfile::{ClassFile, Constant, Insn, MemberIndex, Opcode, Operand, descriptor};
use dynaflow_model::muting::{self, CHANGES_FRAMES};
use dynaflow_model::sites::{Access, ClassSites, SiteKind};

/// Longest code that is copied, in bytes: what is copied is compiled twice.
const LONGEST: usize = 200;
/// Classes of the JDK whose methods on numbers and strings alone do nothing but compute.
const COMPUTING: [&[u8]; 11] = [
    b"java/lang/String",
    b"java/lang/Math",
    b"java/lang/StrictMath",
    b"java/lang/Character",
    b"java/lang/Boolean",
    b"java/lang/Byte",
    b"java/lang/Short",
    b"java/lang/Integer",
    b"java/lang/Long",
    b"java/lang/Float",
    b"java/lang/Double",
];

/// Whether a method gets a plain copy.
pub(crate) fn may_be_copied(class: &ClassFile<'_>, method: &MethodPlan<'_>, sites: &ClassSites) -> bool {
    let body = &method.body;
    body.code.bytes.len() <= LONGEST
        && body.code.exceptions.is_empty()
        && !method.constructor
        && begins_one(method, sites)
        && only_reads(method, sites)
        && body.insns.iter().all(|insn| is_plain(class, insn))
        && !begins_with_frame(class, body)
}

/// The index, among the ids of the class, of the event that records the entry of a method.
pub(crate) fn entry(method: &MethodPlan<'_>, sites: &ClassSites) -> usize {
    let bundle = method.bundles.first().filter(|bundle| bundle.sites.start == method.sites.start);
    bundle.map_or(method.sites.start, |bundle| sites.sites.len() + bundle.number)
}

/// Whether its first site is the entry of an invocation of the program.
fn begins_one(method: &MethodPlan<'_>, sites: &ClassSites) -> bool {
    muting::marks(sites, method.sites.start) == CHANGES_FRAMES
}

fn only_reads(method: &MethodPlan<'_>, sites: &ClassSites) -> bool {
    let of_method = sites.sites.get(method.sites.clone()).unwrap_or_default();
    of_method.iter().all(|site| match &site.kind {
        SiteKind::Enter { .. } | SiteKind::Exit { .. } | SiteKind::Block { .. } => true,
        SiteKind::Field { access, .. } | SiteKind::Element { access, .. } => *access == Access::Read,
        // Any other class might be initialised by that.
        SiteKind::Static { access, field, .. } => *access == Access::Read && field.owner == sites.name,
        _ => false,
    })
}

/// Whether an instruction does nothing that could be recorded, or is one of the reads that are.
fn is_plain(class: &ClassFile<'_>, insn: &Insn) -> bool {
    match insn.opcode {
        Opcode::Getstatic => {
            let field = insn.constant().and_then(|index| class.pool.member(MemberIndex(index)).ok());
            field.is_some_and(|field| class.name().is_ok_and(|name| name.0 == field.owner.0))
        }
        Opcode::Invokestatic | Opcode::Invokevirtual => computes(class, insn),
        Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W => is_number_or_string(class, insn),
        // Operands of switches are aligned, those of the copy would stand elsewhere.
        Opcode::Tableswitch
        | Opcode::Lookupswitch
        | Opcode::Invokespecial
        | Opcode::Invokeinterface
        | Opcode::Invokedynamic
        | Opcode::New
        | Opcode::Newarray
        | Opcode::Anewarray
        | Opcode::Multianewarray
        | Opcode::Putfield
        | Opcode::Putstatic
        | Opcode::Iastore
        | Opcode::Lastore
        | Opcode::Fastore
        | Opcode::Dastore
        | Opcode::Aastore
        | Opcode::Bastore
        | Opcode::Castore
        | Opcode::Sastore
        | Opcode::Monitorenter
        | Opcode::Monitorexit
        | Opcode::Athrow
        | Opcode::Jsr
        | Opcode::JsrW
        | Opcode::Ret => false,
        // Nothing jumps to the prologue, and the copy stands in it.
        _ => insn.operand != Operand::Target(0),
    }
}

/// Whether a call computes something of numbers and strings.
fn computes(class: &ClassFile<'_>, insn: &Insn) -> bool {
    let Some(called) = insn.constant().and_then(|index| class.pool.member(MemberIndex(index)).ok()) else {
        return false;
    };
    let is_value = |text: &[u8]| text.len() == 1 || text == b"Ljava/lang/String;";
    COMPUTING.contains(&called.owner.0)
        && descriptor::parameter_types(called.descriptor.0).into_iter().all(|(_, text)| is_value(text))
}

fn is_number_or_string(class: &ClassFile<'_>, insn: &Insn) -> bool {
    let constant = insn.constant().and_then(|index| class.pool.get(index));
    matches!(
        constant,
        Some(
            Constant::Integer(_)
                | Constant::Long(_)
                | Constant::Float(_)
                | Constant::Double(_)
                | Constant::String(_)
        )
    )
}

/// Whether there is a stack map frame at the first instruction, which the copy needs one of its own at.
fn begins_with_frame(class: &ClassFile<'_>, body: &Body<'_>) -> bool {
    let tables = body.code.attributes.iter().filter(|attribute| class.is_named(attribute, "StackMapTable"));
    let mut frames = tables.filter_map(|table| Frames::new(&table.data, table.offset).ok()).flatten();
    frames.any(|frame| frame.is_ok_and(|frame| frame.offset == 0))
}
