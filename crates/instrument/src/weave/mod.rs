//! The bytes that make a method report what it does: insertions for its sites, a prologue, handlers for exceptions that leave
//! it, spliced in with all tables moved along. It knows the sites it is given and decides nothing about them.
//! [`coverage`] weaves words of bits that a frame keeps by the same means, and [`hooked`] calls at entry and return of methods of the JDK.
//!
//! Invariant: inserted code touches no local variable of the method, and every path on which the original method would have
//! thrown, returned or looped does the same.

mod assemble;
mod attributes;
mod bundled;
mod called;
mod carved;
mod catches;
pub mod coverage;
mod emit;
mod failure;
mod handlers;
pub(crate) mod hooked;
mod inserted;
mod marked;
mod shapes;
mod splice;
mod spot;

use crate::bundles::Bundle;
use crate::copies;
use crate::flow::Fact;
use crate::plan::Plan;
use crate::planned::{Copy, MethodPlan, NO_SPOT};
use catches::Catch;
use dynaflow_bytecode::Body;
use dynaflow_classfile::code::CODE_LIMIT;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::frames::FRAMES_SINCE;
use dynaflow_classfile::{ClassFile, ClassIndex, MemberIndex, Opcode};
use dynaflow_model::layout;
use dynaflow_model::muting;
use dynaflow_model::recorder::Call;
use dynaflow_model::sites::{ClassSites, Declined, Operands, SiteKind, TestRole};
use emit::{Emitter, Indices};
use failure::{Failure, too_large};
use inserted::Inserted;
use splice::{Edits, Insertion, Layout};
use spot::Spot;
use std::borrow::Cow;
use std::ops::Range;

/// The longest code that the JVM compiles.
const COMPILED: usize = 8000;

/// Stack slots of prologue and handlers: the exception, a flag and a site.
const HANDLER_STACK: u16 = 3;

/// Result of weaving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Woven {
    /// The class file; the original bytes when nothing was woven.
    pub bytes: Vec<u8>,
    /// Methods left as they were.
    pub declined: Vec<Declined>,
    /// By method: where the calls are now that [`ClassSites::calls`] names.
    pub calls: Vec<WovenCalls>,
}

/// The calls of a woven method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WovenCalls {
    /// Index of the method in the class.
    pub method: usize,
    /// Length of its code.
    pub length: u32,
    /// Index of its first call in [`ClassSites::calls`].
    pub first: usize,
    /// Where the calls are, in their order.
    pub offsets: Vec<u32>,
}

impl Plan<'_> {
    /// Writes the woven class; the site with index `i` announces itself as `base_site + i`.
    ///
    /// # Errors
    /// When the class as a whole cannot hold what is woven in (its constant pool is full): it is to be left as it is.
    pub fn weave(&self, base_site: u32) -> Result<Woven, Declined> {
        let mut declined = self.declined.clone();
        let mut class = self.class.clone();
        let mut weaver = Weaver::new(base_site);
        let (mut changed, mut calls) = (false, Vec::new());
        for method in &self.methods {
            match weaver.method(&mut class, method, &self.sites) {
                Ok((data, found)) => {
                    calls.push(found);
                    let attribute = class.methods.get_mut(method.index);
                    let attribute = attribute.and_then(|member| member.attributes.get_mut(method.attribute));
                    if let Some(attribute) = attribute {
                        attribute.data = Cow::Owned(data);
                        changed = true;
                    }
                }
                Err(Failure::Method(reason)) => declined.push(self.declined_method(method.index, reason)),
                Err(Failure::Class(error)) => {
                    let reason = format!("what is woven in does not fit into its class file: {error}");
                    return Err(Declined { class: self.sites.name.clone(), reason });
                }
            }
        }
        let bytes = if changed { class.write() } else { self.bytes.to_vec() };
        Ok(Woven { bytes, declined, calls })
    }
}

/// Weaves the methods of one class.
struct Weaver {
    base: u32,
    indices: Indices<Call>,
}

impl Weaver {
    /// A weaver for a class whose first site has the id `base`.
    pub fn new(base: u32) -> Self {
        Self { base, indices: Indices::new() }
    }

    /// The new content of the method's `Code` attribute, and where its calls are in there.
    pub fn method<'a>(
        &mut self,
        class: &mut ClassFile<'a>,
        method: &MethodPlan<'a>,
        sites: &ClassSites,
    ) -> Result<(Vec<u8>, WovenCalls), Failure> {
        let caught = catches::handlers(class, &method.body, &method.facts);
        let mut result = self.method_with(class, method, sites, &caught, method.copy.is_some());
        if method.copy.is_some() && matches!(result, Err(Failure::Method(_))) {
            result = self.method_with(class, method, sites, &caught, false);
        }
        // Without detours what follows an overflow of the stack is less exact, but the method is recorded.
        if !caught.is_empty() && matches!(result, Err(Failure::Method(_))) {
            result = self.method_with(class, method, sites, &[], false);
        }
        result
    }

    /// The same, with the handlers of the method that get a detour, and with its copy if it is to have one.
    fn method_with<'a>(
        &mut self,
        class: &mut ClassFile<'a>,
        method: &MethodPlan<'a>,
        sites: &ClassSites,
        caught: &[u32],
        copies: bool,
    ) -> Result<(Vec<u8>, WovenCalls), Failure> {
        let mut others = handlers::of(class, method.index, &method.body, &method.facts, method.constructor);
        handlers::begin_at(&mut others, entered(method));
        let mut handlers = handlers::of_endings(class, &method.body, &method.bundles)?;
        let mut draft = Draft::new(class, &mut self.indices, method, sites, self.base);
        draft.copies = copies;
        let draft = draft.write(others.len(), caught)?;
        handlers.extend(others);
        let inserted = Inserted {
            edits: draft.edits,
            handlers: draft.handlers,
            stack: draft.stack,
            handler_stack: draft.handler_stack,
            locals: draft.locals,
            catches: draft.catches,
            copy: draft.copy,
            ..Inserted::default()
        };
        let limit = if copies { COMPILED } else { CODE_LIMIT };
        let (data, layout) = assemble::code(class, method.index, &method.body, &inserted, &handlers, limit)?;
        let calls = sites.calls.get(method.calls.clone()).unwrap_or_default();
        let offsets = calls.iter().map(|call| layout.place_of(&method.body, call.offset)).collect();
        let (length, first) = (layout.length, method.calls.start);
        Ok((data, WovenCalls { method: method.index, length, first, offsets }))
    }
}

/// The insertions of one method in the making.
struct Draft<'d, 'a> {
    class: &'d mut ClassFile<'a>,
    indices: &'d mut Indices<Call>,
    method: &'d MethodPlan<'a>,
    sites: &'d ClassSites,
    base: u32,
    /// Whether the copy that the method may have is written.
    copies: bool,
    /// Site id of the entry, when the method may be a test.
    test: Option<u32>,
    edits: Edits,
    /// By handler of ours: where it begins in the epilogue.
    handlers: Vec<u32>,
    /// Stack slots needed beyond the method's own.
    stack: i32,
    /// Stack slots of the prologue and of the handlers.
    handler_stack: u16,
    /// Local variables needed beyond the method's own.
    locals: u16,
    /// The detours to handlers of the method.
    catches: Vec<Catch>,
    /// Where the copy of the code lies.
    copy: Option<Layout>,
}

impl<'d, 'a> Draft<'d, 'a> {
    fn new(
        class: &'d mut ClassFile<'a>,
        indices: &'d mut Indices<Call>,
        method: &'d MethodPlan<'a>,
        sites: &'d ClassSites,
        base: u32,
    ) -> Self {
        let (test, edits) = (None, Edits::default());
        let (handlers, handler_stack) = (Vec::new(), HANDLER_STACK);
        Self {
            class,
            indices,
            method,
            sites,
            base,
            copies: false,
            test,
            edits,
            handlers,
            stack: 0,
            handler_stack,
            locals: 0,
            catches: Vec::new(),
            copy: None,
        }
    }

    fn write(mut self, handlers: usize, caught: &[u32]) -> Result<Self, Failure> {
        self.copy()?;
        self.prologue()?;
        self.inserts()?;
        self.marks()?;
        self.epilogue(handlers)?;
        caught.iter().try_for_each(|insn| self.caught(*insn))?;
        Ok(self)
    }

    /// The id of a site of the class in words.
    fn id(&self, index: usize) -> u32 {
        self.base.saturating_add(index as u32)
    }

    /// What woven code says of a site or bundle of the class when it reports it.
    fn mark(&self, index: usize) -> u32 {
        let marks = muting::marks(self.sites, index);
        let asks = self.copy.is_some() && self.method.copy == Some(Copy::Plain);
        let is_asked = asks && marks != 0 && index == copies::entry(self.method, self.sites);
        self.id(index) | marks | if is_asked { muting::ASKED } else { 0 }
    }

    /// Writes the copy of the code, which runs when the recorder leaves the invocation out.
    fn copy(&mut self) -> Result<(), Failure> {
        let Some(copy) = self.method.copy.filter(|_| self.copies) else { return Ok(()) };
        let site = self.id(copies::entry(self.method, self.sites));
        let mut out = Emitter::new(&mut self.class.pool, self.indices, &mut self.edits.prologue);
        match copy {
            Copy::Plain => out.site(site, Call::LeavesOut),
            Copy::Quiet(_) => out.call(Call::Quiet),
        };
        let recorded = out.jump(Opcode::Ifeq);
        out.finish()?;
        if let Copy::Quiet(first) = copy {
            self.quietly(first)?;
            self.marks()?;
        }
        // With what comes before the copy, so that it knows where it lies.
        let edits = std::mem::take(&mut self.edits);
        let layout =
            Layout::new(&self.method.body, &edits).map_err(|reason| Failure::Method(reason.to_owned()))?;
        if layout.length as usize > COMPILED {
            return Err(Failure::Method(assemble::TOO_LONG_TO_COMPILE.to_owned()));
        }
        self.edits.prologue = layout.write(&self.method.body, &edits);
        let mut out = Emitter::new(&mut self.class.pool, self.indices, &mut self.edits.prologue);
        out.land(recorded);
        out.finish()?;
        self.copy = Some(layout);
        Ok(())
    }

    /// Writes what a quiet copy reports; the bundles from `first` on report what is written into fields of `this`.
    fn quietly(&mut self, first: usize) -> Result<(), Failure> {
        let (method, sites) = (self.method, self.sites);
        let mut on_this = (sites.sites.len() + first)..;
        for (spot, here) in by_instruction(method) {
            let reported = here.filter_map(|site| {
                let kind = &sites.sites.get(site)?.kind;
                let insn = method.body.insns.get(spot as usize)?;
                if !copies::is_reported(kind, insn.opcode) {
                    return None;
                }
                let passed = copies::passing_this(kind);
                let id = if passed.is_some() { on_this.next()? } else { site };
                // What is not constructed yet cannot be passed, and nobody could have given it a number.
                let fact = method.facts.get(spot as usize).copied().unwrap_or_default();
                if passed.is_some() && fact.is(Fact::UNINIT) {
                    return None;
                }
                Some((passed.map_or(Cow::Borrowed(kind), Cow::Owned), id))
            });
            let reported: Vec<_> = reported.collect();
            if !reported.is_empty() {
                self.around(spot, &reported)?;
            }
        }
        Ok(())
    }

    /// Writes the entry, unless a bundle records it. The stack is empty there, so its need competes with the method's own instead of adding to it.
    fn prologue(&mut self) -> Result<(), Failure> {
        if entered(self.method) > 0 {
            return Ok(());
        }
        let site = self.id(self.method.sites.start);
        let marked = self.mark(self.method.sites.start);
        let entry = self.sites.sites.get(self.method.sites.start).map(|site| site.kind.operands());
        let entry = entry.unwrap_or_default();
        let instance = entry.object.is_some();
        let role = self.sites.methods.get(self.method.index).map(|method| method.role).unwrap_or_default();
        self.test = matches!(role, TestRole::Test | TestRole::MaybeTest).then_some(site);
        let mut out = Emitter::new(&mut self.class.pool, self.indices, &mut self.edits.prologue);
        if self.test.is_some() {
            if instance {
                out.load(Kind::Reference, 0);
            } else {
                out.op(Opcode::AconstNull);
            }
            out.site(site, Call::Test);
        }
        if instance {
            out.load(Kind::Reference, 0);
        }
        out.site(marked, layout::access(entry));
        out.finish()?;
        Ok(())
    }

    /// Writes what goes around the instructions.
    fn inserts(&mut self) -> Result<(), Failure> {
        let (method, sites) = (self.method, self.sites);
        for (spot, here) in by_instruction(method) {
            match method.bundles.iter().find(|bundle| bundle.sites.contains(&here.start)) {
                Some(bundle) => self.bundled(spot, here.start, bundle)?,
                None => {
                    let kinds = sites.sites.get(here.clone()).unwrap_or_default().iter();
                    let kinds: Vec<_> = kinds.map(|site| Cow::Borrowed(&site.kind)).zip(here).collect();
                    self.around(spot, &kinds)?;
                }
            }
        }
        Ok(())
    }

    /// Writes what goes around one instruction: its sites, each with its index among the ids of the class.
    fn around(&mut self, index: u32, sites: &[(Cow<'d, SiteKind>, usize)]) -> Result<(), Failure> {
        let body = &self.method.body;
        let Some(insn) = body.insns.get(index as usize) else { return Ok(()) };
        let fact = self.method.facts.get(index as usize).copied().unwrap_or_default();
        let member = insn.constant().and_then(|index| self.class.pool.member(MemberIndex(index)).ok());
        let mut fresh = body.code.max_locals;
        let cast_to_entry = self.casts_to_entry(index + 1, body);
        let own = member.is_some_and(|member| self.class.name().is_ok_and(|name| name.0 == member.owner.0));
        let mut spots = Vec::with_capacity(sites.len());
        for (kind, site) in sites {
            let (kind, site, test) = (&**kind, self.mark(*site), self.test);
            let spot = Spot { kind, site, insn, fact, member, test, cast_to_entry, own, fresh, spills: true };
            fresh = fresh.checked_add(shapes::locals(&spot)).ok_or_else(too_large)?;
            spots.push(spot);
        }
        shapes::share(&mut spots);
        let start = self.edits.bytes.len();
        let mut out = Emitter::new(&mut self.class.pool, self.indices, &mut self.edits.bytes);
        spots.iter().for_each(|spot| shapes::before(spot, &mut out));
        let middle = out.position();
        spots.iter().for_each(|spot| shapes::after(spot, &mut out));
        out.forget(self.class.major <= FRAMES_SINCE);
        let end = out.position();
        self.stack = self.stack.max(out.finish()?);
        self.locals = self.locals.max(fresh - body.code.max_locals);
        self.edits.inserts.push(Insertion { insn: index, before: start..middle, after: middle..end });
        Ok(())
    }

    /// Writes what goes around the instruction of one site of a bundle.
    fn bundled(&mut self, index: u32, site: usize, bundle: &Bundle) -> Result<(), Failure> {
        let body = &self.method.body;
        let Some(insn) = body.insns.get(index as usize) else { return Ok(()) };
        let field = insn.constant().and_then(|index| self.class.pool.member(MemberIndex(index)).ok());
        let field = field.and_then(|member| descriptor::field(member.descriptor.0));
        let fresh = body.code.max_locals;
        let count = bundled::locals(bundle);
        fresh.checked_add(count).ok_or_else(too_large)?;
        let kept = bundle.kept.get(site - bundle.sites.start).copied().unwrap_or_default();
        let id = self.mark(self.sites.sites.len() + bundle.number);
        let start = self.edits.bytes.len();
        let mut out = Emitter::new(&mut self.class.pool, self.indices, &mut self.edits.bytes);
        bundled::keep(insn.opcode, field, kept, (fresh, fresh + bundle.locals), &mut out);
        let ends = site + 1 == bundle.sites.end;
        let inferred = self.class.major <= FRAMES_SINCE;
        if ends && bundle.before {
            bundled::record(bundle, fresh, id, &mut out);
        }
        out.forget(inferred);
        let middle = out.position();
        if ends && !bundle.before {
            bundled::record(bundle, fresh, id, &mut out);
            out.forget(inferred);
        }
        let end = out.position();
        self.stack = self.stack.max(out.finish()?);
        self.locals = self.locals.max(count);
        self.edits.inserts.push(Insertion { insn: index, before: start..middle, after: middle..end });
        Ok(())
    }

    /// Writes what goes around calls below which other hands may access locations, unless they have sites of their own.
    fn marks(&mut self) -> Result<(), Failure> {
        let calls = self.sites.calls.get(self.method.calls.clone()).unwrap_or_default();
        for marked in marked::of(&self.class.pool, &self.method.body, calls) {
            let Err(at) = self.edits.inserts.binary_search_by_key(&marked.insn, |insertion| insertion.insn)
            else {
                continue;
            };
            let site = self.id(self.sites.first_call() + self.method.calls.start + marked.call);
            let site = if marked.is_field { !site } else { site };
            let start = self.edits.bytes.len();
            let mut out = Emitter::new(&mut self.class.pool, self.indices, &mut self.edits.bytes);
            out.site(site, Call::Calling);
            let middle = out.position();
            out.call(Call::Called);
            let end = out.position();
            self.stack = self.stack.max(out.finish()?);
            self.edits
                .inserts
                .insert(at, Insertion { insn: marked.insn, before: start..middle, after: middle..end });
        }
        Ok(())
    }

    /// Whether an instruction casts to a map's entry.
    fn casts_to_entry(&self, index: u32, body: &Body<'_>) -> bool {
        let insn = body.insns.get(index as usize).filter(|insn| insn.opcode == Opcode::Checkcast);
        let class = insn.and_then(|insn| insn.constant()).map(ClassIndex);
        class.is_some_and(|class| {
            self.class.pool.class_name(class).is_ok_and(|name| name.0 == b"java/util/Map$Entry")
        })
    }

    /// Writes the code of the handlers: those of bundles, which record the steps that were made, and the others.
    fn epilogue(&mut self, others: usize) -> Result<(), Failure> {
        let method = self.method;
        for bundle in &method.bundles {
            for ending in &bundle.endings {
                let steps = bundle.steps.get(..ending.steps).unwrap_or_default();
                self.handler(Some((bundle, steps)))?;
            }
        }
        (0..others).try_for_each(|_| self.handler(None))
    }

    /// Writes the detour to a handler of the method.
    fn caught(&mut self, insn: u32) -> Result<(), Failure> {
        let exit = self.id(self.method.sites.end.saturating_sub(1));
        let fresh = self.method.body.code.max_locals;
        fresh.checked_add(1).ok_or_else(too_large)?;
        let place = (exit, fresh);
        let (caught, stack) =
            catches::write(self.class, self.indices, &mut self.edits.epilogue, insn, place)?;
        self.catches.push(caught);
        self.handler_stack = self.handler_stack.max(u16::try_from(stack).unwrap_or(u16::MAX));
        self.locals = self.locals.max(1);
        Ok(())
    }

    /// Writes the code of a handler.
    fn handler(&mut self, ended: Option<(&Bundle, &[Operands])>) -> Result<(), Failure> {
        let exit = self.id(self.method.sites.end.saturating_sub(1));
        let fresh = self.method.body.code.max_locals;
        let steps = ended.map(|(bundle, steps)| {
            let sites = bundle.sites.clone().map(|site| self.mark(site));
            (bundle, sites.zip(steps).collect::<Vec<_>>())
        });
        let left = self.mark(self.method.sites.end.saturating_sub(1));
        self.handlers.push(self.edits.epilogue.len() as u32);
        let mut out = Emitter::new(&mut self.class.pool, self.indices, &mut self.edits.epilogue);
        // `Caught` ends the frames above this one, so that the steps that follow are recorded as this one's.
        out.op(Opcode::Dup).site(exit, if ended.is_some() { Call::Caught } else { Call::Threw });
        if let Some((bundle, steps)) = steps {
            for (site, step) in steps {
                bundled::record_step(bundle, *step, fresh, site, &mut out);
            }
            out.site(left, Call::At);
        }
        if let Some(enter) = self.test {
            out.int(1).site(enter, Call::TestEnd);
        }
        out.op(Opcode::Athrow);
        // The exception lies below.
        let stack = u16::try_from(out.finish()? + 1).unwrap_or(u16::MAX);
        self.handler_stack = self.handler_stack.max(stack);
        Ok(())
    }
}

/// The instructions of a method that have sites, with the sites of each.
fn by_instruction<'m>(method: &'m MethodPlan<'_>) -> impl Iterator<Item = (u32, Range<usize>)> + 'm {
    let mut at = method.sites.start;
    let groups = method.spots.chunk_by(|one, other| one == other);
    let groups = groups.map(move |group| {
        let first = at;
        at += group.len();
        (group.first().copied().unwrap_or(NO_SPOT), first..at)
    });
    groups.filter(|(spot, _)| *spot != NO_SPOT)
}

/// The index of the first instruction that finds the method's entry recorded; 0 when that comes before all of them.
fn entered(method: &MethodPlan<'_>) -> usize {
    let first = method.bundles.first().filter(|bundle| bundle.sites.start == method.sites.start);
    first.map_or(0, |bundle| bundle.insn as usize + 1)
}
