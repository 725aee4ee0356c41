//! The tables of a method's code moved to its new offsets. It knows the attributes that hold offsets, and no others.
//!
//! Invariant: the order of attributes and of their entries is kept; attributes it does not know are kept as they are.

use super::splice::Layout;
use crate::method::Body;
use dynaflow_classfile::annotations::{self, CodePosition};
use dynaflow_classfile::frames::{FrameWriter, Frames, VerificationType};
use dynaflow_classfile::tables::{self, Line, Variable};
use dynaflow_classfile::{Attribute, ClassFile, Error};
use std::borrow::Cow;

/// A frame to add behind all others: where, and its locals; its stack is one exception.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewFrame {
    /// Offset in the new code.
    pub offset: u32,
    /// Whether `this` is not constructed there.
    pub raw: bool,
}

/// Moves one attribute of a code; none when it holds no offsets.
pub(crate) fn moved(
    class: &ClassFile<'_>,
    attribute: &Attribute<'_>,
    body: &Body<'_>,
    layout: &Layout,
) -> Result<Option<Vec<u8>>, Error> {
    let (data, base) = (&*attribute.data, attribute.offset);
    Ok(match class.pool.utf8(attribute.name)?.0 {
        b"LineNumberTable" => {
            let mut out = Vec::with_capacity(data.len());
            let moved = tables::lines(data, base)?
                .map(|line| Line { start: begin(layout, body, line.start), line: line.line });
            tables::write_lines(moved, &mut out);
            Some(out)
        }
        b"LocalVariableTable" | b"LocalVariableTypeTable" => {
            let mut out = Vec::with_capacity(data.len());
            let moved = tables::variables(data, base)?.map(|variable| {
                let (start, length) = range(layout, body, variable.start, variable.length);
                Variable { start, length, ..variable }
            });
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

/// Moves the frames of a `StackMapTable` (none when the code has no such attribute) and adds new ones at the end.
pub(crate) fn frames(
    old: Option<&Attribute<'_>>,
    body: &Body<'_>,
    layout: &Layout,
    added: &[NewFrame],
    throwable: VerificationType,
) -> Result<Vec<u8>, Error> {
    let mut writer = FrameWriter::with_capacity(old.map_or(0, |old| old.data.len()) + 64);
    if let Some(old) = old {
        for frame in Frames::new(&old.data, old.offset)? {
            let frame = frame?;
            if body.insn_at(frame.offset).is_none() {
                return Err(Error::new(old.offset, "a stack map frame is at no instruction"));
            }
            let place = |pc: u16| layout.place_of(body, u32::from(pc)) as u16;
            writer.copy(layout.start(body, frame.offset), &frame, place)?;
        }
    }
    for frame in added {
        let locals: &[VerificationType] =
            if frame.raw { &[VerificationType::UninitializedThis] } else { &[] };
        writer.full(frame.offset, locals, &[throwable])?;
    }
    Ok(writer.finish())
}

/// A copy of an attribute with other content.
pub(crate) fn with_data<'a>(attribute: &Attribute<'a>, data: Vec<u8>) -> Attribute<'a> {
    Attribute { name: attribute.name, data: Cow::Owned(data), offset: 0 }
}
