//! Which methods get a copy of their code, which runs in place of the woven one when an invocation is left out. A *plain* copy is the code as it
//! is, for methods that only read and call nothing that could record anything: there is nothing to report of such an invocation but that it was left
//! out. A *quiet* copy still reports what the method writes and calls, with its objects, since nothing is known of frames below an invocation that is left out.
//!
//! Knows nothing of when invocations are left out, nor how a copy is woven. Invariants: a plain copy neither writes what others may
//! read nor runs code of the program; a quiet one reports whatever the woven code would report and the recorder would not drop.

use crate::planned::{Copy, MethodPlan};
use crate::silent;
use dynaflow_bytecode::Body;
use dynaflow_classfile::frames::Frames;
use dynaflow_classfile::{ClassFile, Insn, MemberIndex, Opcode};
use dynaflow_model::muting::{self, CHANGES_FRAMES};
use dynaflow_model::sites::{Access, Base, Bundle, ClassSites, SiteKind};

/// Longest code that is copied plainly, in bytes: what is copied is compiled twice.
const LONGEST_PLAIN: usize = 200;
/// Longest code of which there is a quiet copy.
const LONGEST_QUIET: usize = 1000;

/// Which copy a method gets, if any; a quiet one only if accesses may be bundled. The bundles that it needs are added to the class.
pub(crate) fn copy(
    class: &ClassFile<'_>,
    method: &MethodPlan<'_>,
    sites: &mut ClassSites,
    bundled: bool,
) -> Option<Copy> {
    if !begins_one(method, sites) || begins_with_frame(class, &method.body) {
        None
    } else if !method.constructor && is_plain(class, method, sites) {
        Some(Copy::Plain)
    } else if bundled && may_be_quiet(method, sites) {
        let first = sites.bundles.len();
        let writes = method.sites.clone().filter_map(|site| on_this(site, sites));
        let writes: Vec<Bundle> = writes.collect();
        sites.bundles.extend(writes);
        Some(Copy::Quiet(first))
    } else {
        None
    }
}

/// The index, among the ids of the class, of the event that records the entry of a method.
pub(crate) fn entry(method: &MethodPlan<'_>, sites: &ClassSites) -> usize {
    let bundle = method.bundles.first().filter(|bundle| bundle.sites.start == method.sites.start);
    bundle.map_or(method.sites.start, |bundle| sites.sites.len() + bundle.number)
}

/// Whether a quiet copy reports a site at an instruction: not what the recorder drops of any invocation that is left out.
pub(crate) fn is_reported(kind: &SiteKind, opcode: Opcode) -> bool {
    match kind {
        SiteKind::Enter { .. }
        | SiteKind::Exit { .. }
        | SiteKind::SuperCall { .. }
        | SiteKind::Bind
        | SiteKind::Field { access: Access::Read, .. }
        | SiteKind::Static { access: Access::Read, .. } => false,
        // A call that reads many elements has its shape at this site, with what it writes.
        SiteKind::Element { access: Access::Read, .. } => !silent::reads_element(opcode),
        _ => true,
    }
}

/// A write into a field of `this` as a write into one of an object on the stack, which its call passes; none for other sites.
pub(crate) fn passing_this(kind: &SiteKind) -> Option<SiteKind> {
    match kind {
        SiteKind::Field { access: Access::Write, base: Base::This, field, value } => {
            let (access, base, field) = (Access::Write, Base::Stack, field.clone());
            Some(SiteKind::Field { access, base, field, value: *value })
        }
        _ => None,
    }
}

/// What reports a write into a field of `this` with its object; none for other sites.
fn on_this(site: usize, sites: &ClassSites) -> Option<Bundle> {
    let step = passing_this(&sites.sites.get(site)?.kind)?.operands();
    let objects = if step.value.is_some() { 2 } else { 1 };
    Some(Bundle { first: site as u32, steps: vec![step], objects, numbers: 0 })
}

/// Whether its first site is the entry of an invocation of the program.
fn begins_one(method: &MethodPlan<'_>, sites: &ClassSites) -> bool {
    muting::marks(sites, method.sites.start) == CHANGES_FRAMES
}

fn is_plain(class: &ClassFile<'_>, method: &MethodPlan<'_>, sites: &ClassSites) -> bool {
    let body = &method.body;
    body.code.bytes.len() <= LONGEST_PLAIN
        && body.code.exceptions.is_empty()
        && only_reads(method, sites)
        && body.insns.iter().all(|insn| runs_nothing(class, insn))
}

/// Whether a quiet copy is worth its length: a class is initialised once.
fn may_be_quiet(method: &MethodPlan<'_>, sites: &ClassSites) -> bool {
    let body = &method.body;
    let declared = sites.methods.get(method.index);
    body.code.bytes.len() <= LONGEST_QUIET
        && declared.is_some_and(|declared| declared.name != "<clinit>")
        && !body.insns.iter().any(|insn| matches!(insn.opcode, Opcode::Jsr | Opcode::JsrW | Opcode::Ret))
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
fn runs_nothing(class: &ClassFile<'_>, insn: &Insn) -> bool {
    match insn.opcode {
        Opcode::Getfield => true,
        opcode if silent::reads_element(opcode) => true,
        Opcode::Getstatic => {
            let field = insn.constant().and_then(|index| class.pool.member(MemberIndex(index)).ok());
            field.is_some_and(|field| class.name().is_ok_and(|name| name.0 == field.owner.0))
        }
        _ => silent::is_silent(class, insn),
    }
}

/// Whether there is a stack map frame at the first instruction, which the copy needs one of its own at.
fn begins_with_frame(class: &ClassFile<'_>, body: &Body<'_>) -> bool {
    let tables = body.code.attributes.iter().filter(|attribute| class.is_named(attribute, "StackMapTable"));
    let mut frames = tables.filter_map(|table| Frames::new(&table.data, table.offset).ok()).flatten();
    frames.any(|frame| frame.is_ok_and(|frame| frame.offset == 0))
}
