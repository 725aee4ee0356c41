//! Which bytes make a method tell what it does: insertions for its sites, a prologue, handlers for exceptions that leave
//! it, spliced in with all tables moved along. It knows the sites it is given; where sites are it does not decide.
//!
//! Invariant: inserted code neither branches nor touches a local variable of the method, and every path on which the
//! original method would have thrown, returned or looped does the same.

mod attributes;
mod emit;
pub mod recorder;
mod shapes;
mod splice;

use crate::flow::Fact;
use crate::method::Body;
use crate::plan::MethodPlan;
use crate::sites::NO_SPOT;
use crate::stores;
use attributes::NewFrame;
use dynaflow_classfile::class::access;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::frames::VerificationType;
use dynaflow_classfile::{
    Attribute, ClassFile, ClassIndex, Code, Error, ExceptionEntry, Member, MemberIndex, Opcode,
};
use dynaflow_model::sites::{ClassSites, ReceiverKind, SiteKind, TestRole};
use emit::{Emitter, RecorderIndices};
use recorder::Call;
use shapes::Spot;
use splice::{Edits, Insertion, Layout};
use std::borrow::Cow;
use std::ops::Range;

/// Class files from this version on carry stack map frames.
const FRAMES_SINCE: u16 = 50;

/// Stack slots of prologue and handlers: the exception, a flag and a site.
const HANDLER_STACK: u16 = 3;

/// Why something was not woven.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The method stays as it was.
    Method(String),
    /// The class stays as it was.
    Class(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Class(error)
    }
}

/// Weaves the methods of one class.
pub(crate) struct Weaver {
    base: u32,
    major: u16,
    indices: RecorderIndices,
}

/// A handler to add: the instructions it covers and whether `this` is not constructed there.
struct Handler {
    covered: Vec<Range<usize>>,
    raw: bool,
}

impl Weaver {
    /// A weaver for a class whose first site has the id `base`.
    pub fn new(base: u32, major: u16) -> Self {
        Self { base, major, indices: RecorderIndices::new() }
    }

    /// The new content of the method's `Code` attribute.
    pub fn method<'a>(
        &mut self,
        class: &mut ClassFile<'a>,
        method: &MethodPlan<'a>,
        sites: &ClassSites,
    ) -> Result<Vec<u8>, Failure> {
        let handlers = self.handlers(class, method);
        let draft = Draft::new(class, &mut self.indices, method, sites, self.base).write(handlers.len())?;
        let layout =
            Layout::new(&method.body, &draft.edits).map_err(|reason| Failure::Method(reason.to_owned()))?;
        let bytes = layout.write(&method.body, &draft.edits);
        let added: Vec<NewFrame> = draft
            .handlers
            .iter()
            .zip(&handlers)
            .map(|(start, handler)| NewFrame { offset: layout.epilogue() + *start, raw: handler.raw })
            .collect();
        let code = &method.body.code;
        let mut out = Vec::with_capacity(bytes.len() + 256);
        Code {
            max_stack: grown(code.max_stack, draft.stack)?.max(HANDLER_STACK),
            max_locals: grown(code.max_locals, i32::from(draft.locals))?,
            bytes: &bytes,
            offset: 0,
            exceptions: exceptions(method, &layout, &handlers, &added),
            attributes: self.attributes(class, method, &layout, &added)?,
        }
        .write(&mut out);
        Ok(out)
    }

    /// The handlers a method gets. Where the verifier may infer types, each covers only what can have one handler there.
    fn handlers(&self, class: &ClassFile<'_>, method: &MethodPlan<'_>) -> Vec<Handler> {
        let handlers = handlers(method);
        if self.major > FRAMES_SINCE {
            return handlers;
        }
        let parameters = class.methods.get(method.index).map_or(0, |member| parameter_slots(class, member));
        let split = |handler: Handler| {
            let groups = stores::split(&method.body, parameters, handler.covered);
            groups.into_iter().map(move |covered| Handler { covered, raw: handler.raw })
        };
        handlers.into_iter().flat_map(split).collect()
    }

    /// The attributes of the code, moved.
    fn attributes<'a>(
        &self,
        class: &mut ClassFile<'a>,
        method: &MethodPlan<'a>,
        layout: &Layout,
        added: &[NewFrame],
    ) -> Result<Vec<Attribute<'a>>, Failure> {
        let old = &method.body.code.attributes;
        let is_frames = |attribute: &Attribute<'_>| class.is_named(attribute, "StackMapTable");
        let place = old.iter().position(is_frames);
        if old.iter().filter(|attribute| is_frames(attribute)).count() > 1 {
            return Err(Failure::Method("its code has more than one table of stack map frames".to_owned()));
        }
        let added = if self.major >= FRAMES_SINCE { added } else { &[] };
        let mut attributes = Vec::with_capacity(old.len() + 1);
        let not_understood = |error: Error| Failure::Method(error.to_string());
        for (index, attribute) in old.iter().enumerate() {
            if Some(index) == place {
                attributes.push(attribute.clone());
                continue;
            }
            let data = attributes::moved(class, attribute, &method.body, layout).map_err(not_understood)?;
            attributes.push(match data {
                Some(data) => attributes::with_data(attribute, data),
                None => attribute.clone(),
            });
        }
        if place.is_some() || !added.is_empty() {
            let throwable = VerificationType::Object(class.pool.append_class(b"java/lang/Throwable")?);
            let frames = place.and_then(|place| old.get(place));
            let data =
                attributes::frames(frames, &method.body, layout, added, throwable).map_err(not_understood)?;
            match place.and_then(|place| attributes.get_mut(place)) {
                Some(attribute) => attribute.data = Cow::Owned(data),
                None => attributes.push(Attribute {
                    name: class.pool.append_utf8(b"StackMapTable")?,
                    data: Cow::Owned(data),
                    offset: 0,
                }),
            }
        }
        Ok(attributes)
    }
}

/// The insertions of one method in the making.
struct Draft<'d, 'a> {
    class: &'d mut ClassFile<'a>,
    indices: &'d mut RecorderIndices,
    method: &'d MethodPlan<'a>,
    sites: &'d ClassSites,
    base: u32,
    /// Site id of the entry, when the method may be a test.
    test: Option<u32>,
    edits: Edits,
    /// By handler: where it begins in the epilogue.
    handlers: Vec<u32>,
    /// Stack slots needed beyond the method's own.
    stack: i32,
    /// Local variables needed beyond the method's own.
    locals: u16,
}

impl<'d, 'a> Draft<'d, 'a> {
    fn new(
        class: &'d mut ClassFile<'a>,
        indices: &'d mut RecorderIndices,
        method: &'d MethodPlan<'a>,
        sites: &'d ClassSites,
        base: u32,
    ) -> Self {
        let (test, edits) = (None, Edits::default());
        Self { class, indices, method, sites, base, test, edits, handlers: Vec::new(), stack: 0, locals: 0 }
    }

    fn write(mut self, handlers: usize) -> Result<Self, Failure> {
        self.prologue()?;
        self.inserts()?;
        self.epilogue(handlers)?;
        Ok(self)
    }

    /// The wire id of a site of the class.
    fn id(&self, index: usize) -> u32 {
        self.base.saturating_add(index as u32)
    }

    /// Writes the entry. The stack is empty there, so its need competes with the method's own instead of adding to it.
    fn prologue(&mut self) -> Result<(), Failure> {
        let site = self.id(self.method.sites.start);
        let instance = matches!(
            self.sites.sites.get(self.method.sites.start).map(|site| &site.kind),
            Some(SiteKind::Enter { receiver: ReceiverKind::Instance })
        );
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
            out.load(Kind::Reference, 0).site(site, Call::On);
        } else {
            out.site(site, Call::At);
        }
        out.finish()?;
        Ok(())
    }

    /// Writes what goes around the instructions.
    fn inserts(&mut self) -> Result<(), Failure> {
        let sites = self.method.sites.clone();
        let spots = &self.method.spots;
        let mut at = 0;
        while let Some(spot) = spots.get(at) {
            let count = spots.iter().skip(at).take_while(|other| *other == spot).count();
            if *spot != NO_SPOT {
                self.around(*spot, sites.start + at..sites.start + at + count)?;
            }
            at += count;
        }
        Ok(())
    }

    /// Writes what goes around one instruction: the sites of `range`.
    fn around(&mut self, index: u32, range: Range<usize>) -> Result<(), Failure> {
        let body = &self.method.body;
        let Some(insn) = body.insns.get(index as usize) else { return Ok(()) };
        let fact = self.method.facts.get(index as usize).copied().unwrap_or_default();
        let member = insn.constant().and_then(|index| self.class.pool.member(MemberIndex(index)).ok());
        let mut fresh = body.code.max_locals;
        let cast_to_entry = self.casts_to_entry(index + 1, body);
        let own = member.is_some_and(|member| self.class.name().is_ok_and(|name| name.0 == member.owner.0));
        let mut spots = Vec::with_capacity(range.len());
        for site in range {
            let Some(kind) = self.sites.sites.get(site).map(|site| &site.kind) else { continue };
            let (site, test) = (self.id(site), self.test);
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

    /// Whether an instruction casts to a map's entry.
    fn casts_to_entry(&self, index: u32, body: &Body<'_>) -> bool {
        let insn = body.insns.get(index as usize).filter(|insn| insn.opcode == Opcode::Checkcast);
        let class = insn.and_then(|insn| insn.constant()).map(ClassIndex);
        class.is_some_and(|class| {
            self.class.pool.class_name(class).is_ok_and(|name| name.0 == b"java/util/Map$Entry")
        })
    }

    /// Writes the handlers' code.
    fn epilogue(&mut self, handlers: usize) -> Result<(), Failure> {
        let site = self.id(self.method.sites.end.saturating_sub(1));
        for _ in 0..handlers {
            self.handlers.push(self.edits.epilogue.len() as u32);
            let mut out = Emitter::new(&mut self.class.pool, self.indices, &mut self.edits.epilogue);
            out.site(site, Call::At);
            if let Some(enter) = self.test {
                out.int(1).site(enter, Call::TestEnd);
            }
            out.op(Opcode::Athrow);
            out.finish()?;
        }
        Ok(())
    }
}

fn too_large() -> Failure {
    Failure::Method("it needs more stack or local variables than the JVM allows".to_owned())
}

fn grown(old: u16, more: i32) -> Result<u16, Failure> {
    u16::try_from(i32::from(old) + more).map_err(|_| too_large())
}

/// Local variable slots that a method's receiver and parameters take.
fn parameter_slots(class: &ClassFile<'_>, member: &Member<'_>) -> u16 {
    let descriptor = class.pool.utf8(member.descriptor).ok();
    let slots = descriptor.and_then(|text| descriptor::method(text.0)).map_or(0, |(slots, _)| slots);
    slots + u16::from(member.access & access::STATIC == 0)
}

/// The handlers a method gets. A constructor gets one for the code before `this` is constructed and one for the code
/// after it; the invocation of the other constructor itself can have none, the JVM forbids it.
fn handlers(method: &MethodPlan<'_>) -> Vec<Handler> {
    let count = method.body.insns.len();
    if !method.constructor {
        return vec![Handler { covered: std::iter::once(0..count).collect(), raw: false }];
    }
    let covered = |raw: bool| {
        let wanted =
            |fact: &Fact| fact.is(Fact::REACHED) && !fact.is(Fact::INIT_THIS) && fact.is(Fact::UNINIT) == raw;
        runs(method.facts.iter().map(wanted))
    };
    [true, false]
        .into_iter()
        .map(|raw| Handler { covered: covered(raw), raw })
        .filter(|handler| !handler.covered.is_empty())
        .collect()
}

/// The maximal runs of `true`, as index ranges.
fn runs(wanted: impl Iterator<Item = bool>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (index, _) in wanted.enumerate().filter(|(_, wanted)| *wanted) {
        match runs.last_mut() {
            Some(run) if run.end == index => run.end += 1,
            _ => runs.push(index..index + 1),
        }
    }
    runs
}

/// The exception table: the method's own entries first, so that its handlers still see exceptions first.
fn exceptions(
    method: &MethodPlan<'_>,
    layout: &Layout,
    handlers: &[Handler],
    frames: &[NewFrame],
) -> Vec<ExceptionEntry> {
    let body = &method.body;
    let moved = |pc: u16| layout.start(body, u32::from(pc)) as u16;
    let mut entries: Vec<ExceptionEntry> = Vec::with_capacity(body.code.exceptions.len() + handlers.len());
    entries.extend(body.code.exceptions.iter().map(|entry| ExceptionEntry {
        start: moved(entry.start),
        end: moved(entry.end),
        handler: moved(entry.handler),
        catch_type: entry.catch_type,
    }));
    for (handler, frame) in handlers.iter().zip(frames) {
        entries.extend(handler.covered.iter().map(|run| ExceptionEntry {
            start: layout.start_of(run.start) as u16,
            end: layout.start_of(run.end) as u16,
            handler: frame.offset as u16,
            catch_type: None,
        }));
    }
    entries
}
