//! The tables of a method's code moved to its new offsets. It knows the attributes that hold offsets, and no others.
//!
//! Invariant: the order of attributes and of their entries is kept; attributes it does not know are kept as they are.

use super::catches::Catch;
use super::failure::Failure;
use super::inserted::Inserted;
use super::splice::Layout;
use dynaflow_bytecode::Body;
use dynaflow_classfile::annotations::{self, CodePosition};
use dynaflow_classfile::class::access;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::frames::{Frame, FrameWriter, Frames, Shape, VerificationType};
use dynaflow_classfile::tables::{self, Line, Variable};
use dynaflow_classfile::{Attribute, ClassFile, Error, Utf8Index};
use std::borrow::Cow;

/// Bound that only hostile code meets: local variables in all frames of a method that get new ones.
const MAX_LISTED: usize = 8_000_000;

/// A frame to add behind all others: where, and its locals; its stack is one exception.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewFrame<'l> {
    /// Offset in the new code.
    pub offset: u32,
    /// The first local variables.
    pub locals: &'l [VerificationType],
}

/// Where what was in a code is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<'p, 'a> {
    /// What was there.
    pub body: &'p Body<'a>,
    /// Where it was moved to.
    pub layout: &'p Layout,
    /// Where the copy of it lies.
    pub copy: Option<&'p Layout>,
}

impl Places<'_, '_> {
    /// A line, and the same in the copy.
    fn lines(self, line: Line) -> impl Iterator<Item = Line> {
        let Self { body, layout, copy } = self;
        let copy = copy.map(|copy| match line.start {
            0 => copy.length as u16,
            start => copy.start(body, u32::from(start)) as u16,
        });
        let starts = std::iter::once(begin(layout, body, line.start)).chain(copy);
        starts.map(move |start| Line { start, line: line.line })
    }

    /// A variable, and the same in the copy, unless it is there from the beginning of the method to an end behind the copy.
    fn variables(self, variable: Variable) -> impl Iterator<Item = Variable> {
        let moved = |layout| {
            let (start, length) = range(layout, self.body, variable.start, variable.length);
            Variable { start, length, ..variable }
        };
        let copy = self.copy.filter(|_| variable.start > 0);
        std::iter::once(moved(self.layout)).chain(copy.map(moved))
    }
}

/// Moves one attribute of a code; none when it holds no offsets.
pub(crate) fn moved(
    class: &ClassFile<'_>,
    attribute: &Attribute<'_>,
    places: Places<'_, '_>,
) -> Result<Option<Vec<u8>>, Error> {
    let Places { body, layout, .. } = places;
    let (data, base) = (&*attribute.data, attribute.offset);
    Ok(match class.pool.utf8(attribute.name)?.0 {
        b"LineNumberTable" => {
            let mut out = Vec::with_capacity(data.len());
            tables::write_lines(tables::lines(data, base)?.flat_map(|line| places.lines(line)), &mut out);
            Some(out)
        }
        b"LocalVariableTable" | b"LocalVariableTypeTable" => {
            let mut out = Vec::with_capacity(data.len());
            let moved = tables::variables(data, base)?.flat_map(|variable| places.variables(variable));
            tables::write_variables(moved, &mut out);
            Some(out)
        }
        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
            Some(type_annotations(data, base, body, layout)?)
        }
        _ => None,
    })
}

/// Lines and variables that begin with the method still do: the prologue belongs to them.
fn begin(layout: &Layout, body: &Body<'_>, pc: u16) -> u16 {
    if pc == 0 { 0 } else { layout.start(body, u32::from(pc)) as u16 }
}

fn range(layout: &Layout, body: &Body<'_>, start: u16, length: u16) -> (u16, u16) {
    let end = layout.start(body, u32::from(start) + u32::from(length)).min(layout.epilogue());
    let start = begin(layout, body, start);
    (start, (end as u16).saturating_sub(start))
}

fn type_annotations(data: &[u8], base: usize, body: &Body<'_>, layout: &Layout) -> Result<Vec<u8>, Error> {
    let mut out = data.to_vec();
    let read =
        |at: usize| data.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |b| u16::from_be_bytes(*b));
    let mut write = |at: usize, value: u16| {
        if let Some(place) = out.get_mut(at..at + 2) {
            place.copy_from_slice(&value.to_be_bytes());
        }
    };
    for position in annotations::code_positions(data, base)? {
        match position {
            CodePosition::Offset(at) => write(at, layout.place_of(body, u32::from(read(at))) as u16),
            CodePosition::Range(at) => {
                let (start, length) = range(layout, body, read(at), read(at + 2));
                write(at, start);
                write(at + 2, length);
            }
        }
    }
    Ok(out)
}

/// Moves the frames of a `StackMapTable` (none when the code has no such attribute), with the locals that are new, and adds new
/// ones at the end.
pub(crate) fn frames(
    old: Option<&Attribute<'_>>,
    body: &Body<'_>,
    layout: &Layout,
    added: &[NewFrame<'_>],
    throwable: VerificationType,
    mut locals: Locals<'_>,
) -> Result<Vec<u8>, Error> {
    let mut writer = FrameWriter::with_capacity(old.map_or(0, |old| old.data.len()) + 64);
    let (mut is_first, mut listed) = (true, 0);
    if let Some(copy) = locals.copy {
        for frame in old.map(|old| Frames::new(&old.data, old.offset)).transpose()?.into_iter().flatten() {
            let frame = frame?;
            let place = |pc: u16| copy.place_of(body, u32::from(pc)) as u16;
            writer.copy(copy.start(body, frame.offset), &frame, place)?;
        }
        writer.full(copy.length, &locals.own, &[])?;
    }
    if let Some(old) = old {
        for frame in Frames::new(&old.data, old.offset)? {
            let frame = frame?;
            let Some(insn) = body.insn_at(frame.offset) else {
                return Err(Error::new(old.offset, "a stack map frame is at no instruction"));
            };
            let place = |pc: u16| layout.place_of(body, u32::from(pc)) as u16;
            let offset = layout.start(body, frame.offset);
            let same = matches!(frame.shape, Shape::Same | Shape::SameOneStack);
            locals.follow(&frame, place);
            locals.meet(insn, &frame, place);
            if locals.kept.is_empty() || same && !is_first {
                writer.copy(offset, &frame, place)?;
            } else {
                let stack: Vec<_> = frame.stack.iter().map(|kind| moved_type(kind, place)).collect();
                let all = locals.wider(&locals.own)?;
                listed += all.len();
                listed_fit(listed, old.offset)?;
                writer.full(offset, &all, &stack)?;
            }
            is_first = false;
            for (_, behind) in locals.joins.iter().filter(|(at, _)| *at as usize == insn) {
                let stack = frame.stack.iter().next().map(|kind| moved_type(kind, place));
                writer.same(offset + behind, stack)?;
            }
        }
    }
    for frame in added {
        writer.full(frame.offset, &locals.wider(frame.locals)?, &[throwable])?;
    }
    for (caught, found, exception) in &locals.met {
        let begin = layout.epilogue();
        writer.full(begin + caught.start, found, &[*exception])?;
        let kept = locals.padded(found, &[*exception])?;
        listed += found.len() + kept.len();
        listed_fit(listed, 0)?;
        writer.full(begin + caught.missed, &kept, &[throwable])?;
        writer.same(begin + caught.on, None)?;
    }
    Ok(writer.finish())
}

fn listed_fit(listed: usize, offset: usize) -> Result<(), Error> {
    if listed > MAX_LISTED {
        return Err(Error::new(offset, "its stack map frames would list too many local variables"));
    }
    Ok(())
}

fn moved_type(kind: VerificationType, place: impl Fn(u16) -> u16) -> VerificationType {
    match kind {
        VerificationType::Uninitialized(old) => VerificationType::Uninitialized(place(old)),
        other => other,
    }
}

/// What frames say of locals: the method's own, as far as they are known at the present frame, and new ones behind them.
pub(crate) struct Locals<'i> {
    own: Vec<VerificationType>,
    max: u16,
    kept: &'i [VerificationType],
    joins: &'i [(u32, u32)],
    catches: &'i [Catch],
    copy: Option<&'i Layout>,
    /// The handlers with detours met so far: what they find in the locals, and which exception.
    met: Vec<(&'i Catch, Vec<VerificationType>, VerificationType)>,
}

impl<'i> Locals<'i> {
    /// Those at the beginning of a method.
    pub fn of<'a>(
        class: &mut ClassFile<'a>,
        method: usize,
        body: &Body<'_>,
        inserted: &'i Inserted,
    ) -> Result<Self, Failure> {
        let (kept, joins, max) = (&*inserted.kept, &*inserted.joins, body.code.max_locals);
        let catches = &*inserted.catches;
        let own = match class.methods.get(method) {
            Some(member) if !kept.is_empty() || !catches.is_empty() || inserted.copy.is_some() => {
                let (access, name, descriptor) = (member.access, member.name, member.descriptor);
                parameters(class, access, name, descriptor)?
            }
            _ => Vec::new(),
        };
        Ok(Self { own, max, kept, joins, catches, copy: inserted.copy.as_ref(), met: Vec::new() })
    }

    /// Goes on to the next frame, if anybody will ask for its locals.
    fn follow(&mut self, frame: &Frame<'_>, place: impl Fn(u16) -> u16) {
        if self.kept.is_empty() && self.catches.is_empty() {
            return;
        }
        match frame.shape {
            Shape::Same | Shape::SameOneStack => {}
            Shape::Chop(count) => self.own.truncate(self.own.len().saturating_sub(usize::from(count))),
            Shape::Append(_) => self.own.extend(frame.locals.iter().map(|kind| moved_type(kind, &place))),
            Shape::Full => self.own = frame.locals.iter().map(|kind| moved_type(kind, &place)).collect(),
        }
    }

    /// Remembers the present frame, if it is that of a handler with a detour.
    fn meet(&mut self, insn: usize, frame: &Frame<'_>, place: impl Fn(u16) -> u16) {
        let caught = self.catches.iter().find(|caught| caught.insn as usize == insn);
        if let (Some(caught), Some(exception)) = (caught, frame.stack.iter().next()) {
            self.met.push((caught, self.own.clone(), moved_type(exception, place)));
        }
    }

    /// The list of locals that begins with `own`.
    fn wider(&self, own: &[VerificationType]) -> Result<Vec<VerificationType>, Error> {
        if self.kept.is_empty() { Ok(own.to_vec()) } else { self.padded(own, self.kept) }
    }

    /// The list of locals that begins with `own` and has others behind those of the method.
    fn padded(
        &self,
        own: &[VerificationType],
        others: &[VerificationType],
    ) -> Result<Vec<VerificationType>, Error> {
        let slots: usize = own.iter().map(|kind| slots(*kind)).sum();
        let free = usize::from(self.max).checked_sub(slots);
        let free = free.ok_or(Error::new(0, "a stack map frame has more locals than the method"))?;
        let mut all = own.to_vec();
        all.extend(std::iter::repeat_n(VerificationType::Top, free));
        all.extend_from_slice(others);
        Ok(all)
    }
}

fn slots(kind: VerificationType) -> usize {
    if matches!(kind, VerificationType::Long | VerificationType::Double) { 2 } else { 1 }
}

/// What the locals hold when a method begins.
fn parameters<'a>(
    class: &mut ClassFile<'a>,
    access: u16,
    name: Utf8Index,
    descriptor: Utf8Index,
) -> Result<Vec<VerificationType>, Error> {
    let mut locals = Vec::new();
    if access & access::STATIC == 0 {
        let raw = class.super_class.is_some() && class.pool.utf8(name)?.0 == b"<init>";
        locals.push(if raw {
            VerificationType::UninitializedThis
        } else {
            VerificationType::Object(class.this_class)
        });
    }
    let text = class.pool.utf8(descriptor)?.0;
    for (kind, text) in descriptor::parameter_types(text) {
        locals.push(match kind {
            Kind::Int | Kind::Void => VerificationType::Integer,
            Kind::Long => VerificationType::Long,
            Kind::Float => VerificationType::Float,
            Kind::Double => VerificationType::Double,
            Kind::Reference => {
                let name = text.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";")).unwrap_or(text);
                VerificationType::Object(class.pool.append_class(name)?)
            }
        });
    }
    Ok(locals)
}

/// A copy of an attribute with other content.
pub(crate) fn with_data<'a>(attribute: &Attribute<'a>, data: Vec<u8>) -> Attribute<'a> {
    Attribute { name: attribute.name, data: Cow::Owned(data), offset: 0 }
}
