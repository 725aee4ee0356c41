//! The `Code` attribute around code that was written anew: stack map frames, handlers and debug tables moved to where instructions came to lie.
//!
//! It knows labels and types, not why the code was written anew. Invariant: a frame has the types that the verifier had there before.

use crate::assembly::Written;
use crate::names::Names;
use crate::types::{Slot, State, Types};
use dynaflow_bytecode::Body;
use dynaflow_classfile::annotations::{self, CodePosition};
use dynaflow_classfile::frames::{FrameWriter, VerificationType};
use dynaflow_classfile::tables::{self, Line, Variable};
use dynaflow_classfile::{Attribute, ClassFile, Code, ConstantPool, Error, ExceptionEntry};
use std::borrow::Cow;

/// Stack slots that what is woven in may need beyond the method's own.
const STACK: u16 = 8;

/// Bound that only hostile code meets: slots in all frames of a method.
const MAX_LISTED: usize = 4_000_000;

/// Why a method is not woven.
#[derive(Debug)]
pub enum Failure {
    /// Something about the method.
    Method(&'static str),
    /// The class file has no room left, or is none.
    Class(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Class(error)
    }
}

impl From<&'static str> for Failure {
    fn from(reason: &'static str) -> Self {
        Self::Method(reason)
    }
}

/// The new content of a `Code` attribute. `types` are there when the class has frames; `frames` says where they stand, in order: label, and
/// the instruction whose types they have.
///
/// # Errors
/// Why the method or the class is declined.
pub fn attribute<'n>(
    pool: &mut ConstantPool<'n>,
    body: &Body<'_>,
    types: Option<&Types>,
    frames: &[(usize, usize)],
    written: &Written,
    names: &'n Names,
) -> Result<Vec<u8>, Failure> {
    let table = match types {
        Some(types) if !frames.is_empty() => Some(stack_map(pool, body, types, frames, written, names)?),
        _ => None,
    };
    finish(pool, body, written, table)
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Method(reason) => f.write_str(reason),
            Self::Class(error) => error.fmt(f),
        }
    }
}

/// The `StackMapTable` of the new code. Every frame lists everything.
fn stack_map<'n>(
    pool: &mut ConstantPool<'n>,
    body: &Body<'_>,
    types: &Types,
    frames: &[(usize, usize)],
    written: &Written,
    names: &'n Names,
) -> Result<Vec<u8>, Failure> {
    let mut writer = FrameWriter::with_capacity(frames.len() * 16);
    let mut listed = 0;
    let mut last = None;
    for (label, insn) in frames {
        let offset = written.offset(*label);
        let Some(state) = types.states.get(*insn).and_then(Option::as_ref) else {
            return Err(Failure::Method("it has code that nothing leads to"));
        };
        // A change of no instructions leaves two labels at one place.
        if last == Some(offset) {
            continue;
        }
        last = Some(offset);
        let (locals, stack) = verified(pool, body, state, written, names)?;
        listed += locals.len() + stack.len();
        if listed > MAX_LISTED {
            return Err(Failure::Method("its stack map frames would list too many local variables"));
        }
        writer.full(offset, &locals, &stack)?;
    }
    Ok(writer.finish())
}

/// A state as a frame lists it.
fn verified<'n>(
    pool: &mut ConstantPool<'n>,
    body: &Body<'_>,
    state: &State,
    written: &Written,
    names: &'n Names,
) -> Result<(Vec<VerificationType>, Vec<VerificationType>), Error> {
    let mut lists = [Vec::new(), Vec::new()];
    for (slots, list) in [&state.locals, &state.stack].into_iter().zip(&mut lists) {
        let mut at = 0;
        while let Some(slot) = slots.get(at) {
            let whole = slots.get(at + 1) == Some(&Slot::High);
            let kind = match slot {
                Slot::Int => VerificationType::Integer,
                Slot::Float => VerificationType::Float,
                Slot::Long if whole => VerificationType::Long,
                Slot::Double if whole => VerificationType::Double,
                Slot::Null => VerificationType::Null,
                Slot::RawThis => VerificationType::UninitializedThis,
                Slot::Raw(pc) => VerificationType::Uninitialized(written.moved(body, u32::from(*pc)) as u16),
                Slot::Object(name) => VerificationType::Object(pool.append_class(names.name(*name))?),
                Slot::Top | Slot::High | Slot::Long | Slot::Double => VerificationType::Top,
            };
            at += if matches!(kind, VerificationType::Long | VerificationType::Double) { 2 } else { 1 };
            list.push(kind);
        }
    }
    let [mut locals, stack] = lists;
    while locals.last() == Some(&VerificationType::Top) {
        locals.pop();
    }
    Ok((locals, stack))
}

/// The `Code` attribute around the new code: handlers and tables moved.
fn finish<'n>(
    pool: &mut ConstantPool<'n>,
    body: &Body<'_>,
    written: &Written,
    table: Option<Vec<u8>>,
) -> Result<Vec<u8>, Failure> {
    let at = |pc: u16| written.moved(body, u32::from(pc)) as u16;
    let exceptions = body.code.exceptions.iter().map(|entry| ExceptionEntry {
        start: at(entry.start),
        end: at(entry.end),
        handler: at(entry.handler),
        catch_type: entry.catch_type,
    });
    let mut attributes = Vec::new();
    for attribute in &body.code.attributes {
        let name = pool.utf8(attribute.name)?.0;
        if name == b"StackMapTable" {
            continue;
        }
        let data = moved(name, attribute, body, written)?.map_or(Cow::Borrowed(&*attribute.data), Cow::Owned);
        attributes.push(Attribute { name: attribute.name, data, offset: 0 });
    }
    if let Some(table) = table {
        let name = pool.append_utf8(b"StackMapTable")?;
        attributes.push(Attribute { name, data: Cow::Owned(table), offset: 0 });
    }
    let max_stack = body.code.max_stack.checked_add(STACK);
    let code = Code {
        max_stack: max_stack.ok_or("it needs more stack than the JVM allows")?,
        max_locals: body.code.max_locals,
        bytes: &written.bytes,
        offset: 0,
        exceptions: exceptions.collect(),
        attributes,
    };
    let mut out = Vec::with_capacity(written.bytes.len() + 256);
    code.write(&mut out);
    Ok(out)
}

/// A table of the code with its offsets moved; none when it holds none.
fn moved(
    name: &[u8],
    attribute: &Attribute<'_>,
    body: &Body<'_>,
    written: &Written,
) -> Result<Option<Vec<u8>>, Error> {
    let (data, base) = (&*attribute.data, attribute.offset);
    let at = |pc: u16| written.moved(body, u32::from(pc)) as u16;
    let range = |start: u16, length: u16| {
        let end = written.moved(body, u32::from(start) + u32::from(length)) as u16;
        (at(start), end.saturating_sub(at(start)))
    };
    let mut out = Vec::with_capacity(data.len());
    match name {
        b"LineNumberTable" => {
            let lines = tables::lines(data, base)?;
            tables::write_lines(lines.map(|line| Line { start: at(line.start), ..line }), &mut out);
        }
        b"LocalVariableTable" | b"LocalVariableTypeTable" => {
            let variables = tables::variables(data, base)?.map(|variable| {
                let (start, length) = range(variable.start, variable.length);
                Variable { start, length, ..variable }
            });
            tables::write_variables(variables, &mut out);
        }
        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
            out.extend_from_slice(data);
            for position in annotations::code_positions(data, base)? {
                let (place, values) = match position {
                    CodePosition::Offset(place) => (place, vec![at(half(data, place))]),
                    CodePosition::Range(place) => {
                        let (start, length) = range(half(data, place), half(data, place + 2));
                        (place, vec![start, length])
                    }
                };
                for (index, value) in values.into_iter().enumerate() {
                    let place = place + 2 * index;
                    if let Some(bytes) = out.get_mut(place..place + 2) {
                        bytes.copy_from_slice(&value.to_be_bytes());
                    }
                }
            }
        }
        _ => return Ok(None),
    }
    Ok(Some(out))
}

fn half(data: &[u8], at: usize) -> u16 {
    data.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u16::from_be_bytes(*bytes))
}

/// Puts new content into the `Code` attribute of a method.
pub fn replace(class: &mut ClassFile<'_>, method: usize, attribute: usize, data: Vec<u8>) {
    let place = class.methods.get_mut(method).and_then(|method| method.attributes.get_mut(attribute));
    if let Some(place) = place {
        place.data = Cow::Owned(data);
    }
}
