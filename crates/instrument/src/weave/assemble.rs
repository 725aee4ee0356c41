//! A `Code` attribute put together from a method and what is inserted into it: code, exception table, frames and the other
//! tables. It knows nothing of what the insertions do.
//!
//! Invariant: the method's own exception entries come first; attributes keep their order.

use super::attributes::{self, Locals, NewFrame, Places};
use super::catches;
use super::failure::{Failure, too_large};
use super::handlers::Handler;
use super::inserted::Inserted;
use super::splice::Layout;
use dynaflow_bytecode::Body;
use dynaflow_classfile::frames::{FRAMES_SINCE, VerificationType};
use dynaflow_classfile::{Attribute, ClassFile, Code, Error, ExceptionEntry};
use std::borrow::Cow;

/// Why a method is declined that the JVM would interpret for ever.
pub(super) const TOO_LONG_TO_COMPILE: &str = "its code would be longer than the JVM compiles";

/// The new content of the method's `Code` attribute, of at most `limit` bytes of code, and where everything lies in it.
pub(crate) fn code<'a>(
    class: &mut ClassFile<'a>,
    method: usize,
    body: &Body<'a>,
    inserted: &Inserted,
    handlers: &[Handler],
    limit: usize,
) -> Result<(Vec<u8>, Layout), Failure> {
    let layout = Layout::new(body, &inserted.edits).map_err(|reason| Failure::Method(reason.to_owned()))?;
    if layout.length as usize > limit {
        return Err(Failure::Method(TOO_LONG_TO_COMPILE.to_owned()));
    }
    let mut bytes = layout.write(body, &inserted.edits);
    catches::lead_on(&inserted.catches, &layout, &mut bytes);
    let added: Vec<NewFrame<'_>> = inserted
        .handlers
        .iter()
        .zip(handlers)
        .map(|(start, handler)| NewFrame { offset: layout.epilogue() + *start, locals: &handler.locals })
        .collect();
    let code = &body.code;
    let mut out = Vec::with_capacity(bytes.len() + 256);
    Code {
        max_stack: grown(code.max_stack, inserted.stack)?.max(inserted.handler_stack),
        max_locals: grown(code.max_locals, i32::from(inserted.locals))?,
        bytes: &bytes,
        offset: 0,
        exceptions: exceptions(body, &layout, inserted, handlers, &added)?,
        attributes: moved(class, method, body, &layout, inserted, &added)?,
    }
    .write(&mut out);
    Ok((out, layout))
}

fn grown(old: u16, more: i32) -> Result<u16, Failure> {
    u16::try_from(i32::from(old) + more).map_err(|_| too_large())
}

/// The exception table: the method's own entries first, so that its handlers still see exceptions first.
fn exceptions(
    body: &Body<'_>,
    layout: &Layout,
    inserted: &Inserted,
    handlers: &[Handler],
    frames: &[NewFrame<'_>],
) -> Result<Vec<ExceptionEntry>, Failure> {
    let moved = |pc: u16| layout.start(body, u32::from(pc)) as u16;
    let handler = |pc: u16| {
        let at = body.insn_at(u32::from(pc));
        let caught = inserted.catches.iter().find(|caught| Some(caught.insn as usize) == at);
        caught.map_or_else(|| moved(pc), |caught| (layout.epilogue() + caught.start) as u16)
    };
    let mut entries: Vec<ExceptionEntry> = Vec::with_capacity(body.code.exceptions.len() + handlers.len());
    entries.extend(body.code.exceptions.iter().map(|entry| ExceptionEntry {
        start: moved(entry.start),
        end: moved(entry.end),
        handler: handler(entry.handler),
        catch_type: entry.catch_type,
    }));
    if let Some(copy) = &inserted.copy {
        let moved = |pc: u16| copy.start(body, u32::from(pc)) as u16;
        entries.extend(body.code.exceptions.iter().map(|entry| ExceptionEntry {
            start: moved(entry.start),
            end: moved(entry.end),
            handler: moved(entry.handler),
            catch_type: entry.catch_type,
        }));
    }
    for (handler, frame) in handlers.iter().zip(frames) {
        entries.extend(handler.covered.iter().map(|run| {
            let (start, end) = if handler.alone {
                (layout.place(run.start), layout.end(body, run.end.saturating_sub(1)))
            } else {
                (layout.start_of(run.start), layout.start_of(run.end))
            };
            let (start, end) = (start as u16, end as u16);
            ExceptionEntry { start, end, handler: frame.offset as u16, catch_type: None }
        }));
    }
    entries.extend(inserted.catches.iter().map(|caught| caught.guard(layout.epilogue())));
    if entries.len() > usize::from(u16::MAX) {
        return Err(Failure::Method("it would have more than 65535 exception handlers".to_owned()));
    }
    Ok(entries)
}

/// The attributes of the code, moved.
fn moved<'a>(
    class: &mut ClassFile<'a>,
    method: usize,
    body: &Body<'a>,
    layout: &Layout,
    inserted: &Inserted,
    added: &[NewFrame<'_>],
) -> Result<Vec<Attribute<'a>>, Failure> {
    let old = &body.code.attributes;
    let is_frames = |attribute: &Attribute<'_>| class.is_named(attribute, "StackMapTable");
    let place = old.iter().position(is_frames);
    if old.iter().filter(|attribute| is_frames(attribute)).count() > 1 {
        return Err(Failure::Method("its code has more than one table of stack map frames".to_owned()));
    }
    let added = if class.major >= FRAMES_SINCE { added } else { &[] };
    let mut attributes = Vec::with_capacity(old.len() + 1);
    let not_understood = |error: Error| Failure::Method(error.to_string());
    for (index, attribute) in old.iter().enumerate() {
        if Some(index) == place {
            attributes.push(attribute.clone());
            continue;
        }
        let places = Places { body, layout, copy: inserted.copy.as_ref() };
        let data = attributes::moved(class, attribute, places).map_err(not_understood)?;
        attributes.push(match data {
            Some(data) => attributes::with_data(attribute, data),
            None => attribute.clone(),
        });
    }
    let has_new = !added.is_empty() || inserted.copy.is_some() && class.major >= FRAMES_SINCE;
    if place.is_some() || has_new {
        let throwable = VerificationType::Object(class.pool.append_class(b"java/lang/Throwable")?);
        let frames = place.and_then(|place| old.get(place));
        let locals = Locals::of(class, method, body, inserted)?;
        let data =
            attributes::frames(frames, body, layout, added, throwable, locals).map_err(not_understood)?;
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
