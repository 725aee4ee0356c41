//! Which methods get a plain copy of their code, which runs in place of the woven one when an invocation is left out: those that only
//! read and call nothing that could record anything, so that there is nothing to report of such an invocation but that it was left out.
//!
//! Knows nothing of when invocations are left out, nor how a copy is woven. Invariant: whatever the copy does, it neither writes what others may
//! read nor runs code of the program.

use crate::planned::MethodPlan;
use crate::silent;
use dynaflow_bytecode::Body;
use dynaflow_classfile::frames::Frames;
use dynaflow_classfile::{ClassFile, Insn, MemberIndex, Opcode, Operand};
use dynaflow_model::muting::{self, CHANGES_FRAMES};
use dynaflow_model::sites::{Access, ClassSites, SiteKind};

/// Longest code that is copied, in bytes: what is copied is compiled twice.
const LONGEST: usize = 200;

/// Whether a method gets a plain copy.
pub(crate) fn may_be_copied(class: &ClassFile<'_>, method: &MethodPlan<'_>, sites: &ClassSites) -> bool {
    let body = &method.body;
    body.code.bytes.len() <= LONGEST
        && body.code.exceptions.is_empty()
        && !method.constructor
        && begins_one(method, sites)
        && only_reads(method, sites)
        && body.insns.iter().all(|insn| may_be_moved(class, insn))
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

/// Whether an instruction does nothing that could be recorded, or is one of the reads that are, and may stand at another place of the code.
fn may_be_moved(class: &ClassFile<'_>, insn: &Insn) -> bool {
    match insn.opcode {
        Opcode::Getfield => true,
        opcode if silent::reads_element(opcode) => true,
        Opcode::Getstatic => {
            let field = insn.constant().and_then(|index| class.pool.member(MemberIndex(index)).ok());
            field.is_some_and(|field| class.name().is_ok_and(|name| name.0 == field.owner.0))
        }
        // Operands of switches are aligned, those of the copy would stand elsewhere.
        Opcode::Tableswitch | Opcode::Lookupswitch => false,
        // Nothing jumps to the prologue, and the copy stands in it.
        _ => silent::is_silent(class, insn) && insn.operand != Operand::Target(0),
    }
}

/// Whether there is a stack map frame at the first instruction, which the copy needs one of its own at.
fn begins_with_frame(class: &ClassFile<'_>, body: &Body<'_>) -> bool {
    let tables = body.code.attributes.iter().filter(|attribute| class.is_named(attribute, "StackMapTable"));
    let mut frames = tables.filter_map(|table| Frames::new(&table.data, table.offset).ok()).flatten();
    frames.any(|frame| frame.is_ok_and(|frame| frame.offset == 0))
}
