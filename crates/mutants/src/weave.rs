//! The code of one method with its mutants: guards that choose between original and mutants, one mutant alone, or probes.
//!
//! A guard stands at the mutated instruction: it compares the number of the active mutant with those that stand there and goes
//! on to the original instruction or to what replaces it. It knows changes and types, not operators. Invariant: while no
//! mutant of the method is active, the method does what the original does.

use crate::assembly::{Assembly, Written};
use crate::change::{Change, Op, falls_through};
use crate::names::Names;
use crate::switch::{PROBE, SWITCH_CLASS, SWITCH_FIELD};
use crate::types::{Slot, State, Types};
use dynaflow_bytecode::Body;
use dynaflow_classfile::annotations::{self, CodePosition};
use dynaflow_classfile::frames::{FrameWriter, VerificationType};
use dynaflow_classfile::pool::NameAndTypeIndex;
use dynaflow_classfile::tables::{self, Line, Variable};
use dynaflow_classfile::{Attribute, ClassFile, Code, Constant, ConstantPool, Error, ExceptionEntry, Opcode};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What of the mutants is woven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The changes in place of the instructions; one for an instruction.
    Alone,
    /// All changes, behind guards.
    Guarded,
    /// None: only the report that a mutated instruction is reached, under the first number that stands there.
    Probed,
}

/// The changes of a method by instruction, with their numbers.
pub(crate) type Edits<'m> = BTreeMap<usize, Vec<(i32, &'m Change)>>;

/// Why a method is not woven.
#[derive(Debug)]
pub(crate) enum Failure {
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

/// Stack slots that guards and changes need beyond the method's own.
const STACK: u16 = 8;

/// Bound that only hostile code meets: slots in all frames of a method.
const MAX_LISTED: usize = 4_000_000;

/// The instructions whose types weaving asks for.
pub(crate) fn wanted<'m>(count: usize, changes: impl Iterator<Item = (usize, &'m Change)>) -> Vec<bool> {
    let mut wanted = vec![false; count];
    let mut want = |index: usize| {
        if let Some(place) = wanted.get_mut(index) {
            *place = true;
        }
    };
    for (insn, change) in changes {
        want(insn);
        want(insn + 1);
        goals(change).for_each(&mut want);
    }
    wanted
}

fn goals(change: &Change) -> impl Iterator<Item = usize> {
    change.iter().filter_map(|op| match op {
        Op::Jump(_, goal) => Some(*goal),
        _ => None,
    })
}

/// Weaves one method; the new content of its `Code` attribute.
///
/// # Errors
/// Why the method or the class is declined.
pub(crate) fn code<'n>(
    pool: &mut ConstantPool<'n>,
    body: &Body<'n>,
    types: Option<&Types>,
    edits: &Edits<'_>,
    mode: Mode,
    names: &'n Names,
) -> Result<Vec<u8>, Failure> {
    let (joined, frames, written) = {
        let mut weaver = Weaver { pool, assembly: Assembly::new(body), frames: Vec::new(), mode };
        let joined = joined(body, types, edits, mode);
        for index in 0..body.insns.len() {
            weaver.assembly.land(index);
            if joined.get(index).copied().unwrap_or(false) {
                weaver.frames.push((index, index));
            }
            match edits.get(&index) {
                Some(changes) => weaver.edited(body, index, changes)?,
                None => weaver.assembly.insn(index),
            }
        }
        weaver.assembly.land(body.insns.len());
        let written = weaver.assembly.write()?;
        (joined, weaver.frames, written)
    };
    let table = match types {
        Some(types) if joined.iter().any(|joined| *joined) || !frames.is_empty() => {
            Some(stack_map(pool, body, types, &frames, &written, names)?)
        }
        _ => None,
    };
    finish(pool, body, &written, table)
}

/// The instructions at whose start a frame stands: where the method has one, and where changes join it.
fn joined(body: &Body<'_>, types: Option<&Types>, edits: &Edits<'_>, mode: Mode) -> Vec<bool> {
    let mut joined = types.map_or_else(|| vec![false; body.insns.len()], |types| types.framed.clone());
    if mode == Mode::Probed || types.is_none() {
        return joined;
    }
    let mut join = |index: usize| {
        if let Some(place) = joined.get_mut(index) {
            *place = true;
        }
    };
    for (insn, changes) in edits {
        for (_, change) in changes {
            goals(change).for_each(&mut join);
            // Alone, what no longer is fallen into needs a frame; guarded, what the change jumps to.
            if falls_through(change) == (mode == Mode::Guarded) {
                join(insn + 1);
            }
        }
    }
    joined
}

struct Weaver<'w, 'n, 'b> {
    pool: &'w mut ConstantPool<'n>,
    assembly: Assembly<'b, 'n>,
    /// Where frames stand, in order: label, and the instruction whose types they have.
    frames: Vec<(usize, usize)>,
    mode: Mode,
}

impl Weaver<'_, '_, '_> {
    fn edited(&mut self, body: &Body<'_>, index: usize, changes: &[(i32, &Change)]) -> Result<(), Failure> {
        match (self.mode, changes) {
            (Mode::Alone, [(_, change), ..]) => self.change(index, change)?,
            (Mode::Guarded, [(number, change)]) => self.guarded(body, index, *number, change)?,
            (Mode::Guarded, _) => self.chosen(body, index, changes)?,
            (Mode::Probed, [(number, _), ..]) => {
                self.int(*number)?;
                let method = self.pool.append_method(
                    SWITCH_CLASS.as_bytes(),
                    PROBE.0.as_bytes(),
                    PROBE.1.as_bytes(),
                )?;
                self.with_index(Opcode::Invokestatic, method.0);
                self.assembly.insn(index);
            }
            _ => self.assembly.insn(index),
        }
        Ok(())
    }

    /// One mutant at an instruction.
    fn guarded(
        &mut self,
        body: &Body<'_>,
        index: usize,
        number: i32,
        change: &Change,
    ) -> Result<(), Failure> {
        let original = self.assembly.label();
        self.active()?;
        self.int(number)?;
        self.assembly.jump(Opcode::IfIcmpne, original);
        self.change(index, change)?;
        if falls_through(change) {
            self.assembly.jump(Opcode::Goto, index + 1);
        }
        self.original(body, index, original);
        Ok(())
    }

    /// Several mutants at an instruction.
    fn chosen(&mut self, body: &Body<'_>, index: usize, changes: &[(i32, &Change)]) -> Result<(), Failure> {
        let original = self.assembly.label();
        let cases: Vec<(i32, usize)> =
            changes.iter().map(|(number, _)| (*number, self.assembly.label())).collect();
        self.active()?;
        self.assembly.lookup(cases.clone(), original);
        for ((_, label), (_, change)) in cases.iter().zip(changes) {
            self.assembly.land(*label);
            self.frames.push((*label, index));
            self.change(index, change)?;
            if falls_through(change) {
                self.assembly.jump(Opcode::Goto, index + 1);
            }
        }
        self.original(body, index, original);
        Ok(())
    }

    fn original(&mut self, _body: &Body<'_>, index: usize, label: usize) {
        self.assembly.land(label);
        self.frames.push((label, index));
        self.assembly.insn(index);
    }

    /// Pushes the number of the active mutant.
    fn active(&mut self) -> Result<(), Failure> {
        let owner = self.pool.append_class(SWITCH_CLASS.as_bytes())?;
        let name = self.pool.append_utf8(SWITCH_FIELD.as_bytes())?;
        let descriptor = self.pool.append_utf8(b"I")?;
        let rest = NameAndTypeIndex(self.pool.append(Constant::NameAndType(name, descriptor))?);
        let field = self.pool.append(Constant::Field(owner, rest))?;
        self.with_index(Opcode::Getstatic, field);
        Ok(())
    }

    fn with_index(&mut self, opcode: Opcode, index: u16) {
        let [high, low] = index.to_be_bytes();
        self.assembly.bytes(&[opcode.byte(), high, low]);
    }

    fn int(&mut self, value: i32) -> Result<(), Failure> {
        match (i8::try_from(value), i16::try_from(value)) {
            (Ok(small @ -1..=5), _) => {
                self.assembly.bytes(&[Opcode::Iconst0.byte().wrapping_add_signed(small)]);
            }
            (Ok(small), _) => self.assembly.bytes(&[Opcode::Bipush.byte(), small.cast_unsigned()]),
            (_, Ok(short)) => self.with_index(Opcode::Sipush, short.cast_unsigned()),
            _ => {
                let index = self.pool.append(Constant::Integer(value))?;
                self.with_index(Opcode::LdcW, index);
            }
        }
        Ok(())
    }

    fn change(&mut self, index: usize, change: &Change) -> Result<(), Failure> {
        for op in change {
            match op {
                Op::Original => self.assembly.insn(index),
                Op::Plain(opcode) => self.assembly.bytes(&[opcode.byte()]),
                Op::Local(opcode, local) => match u8::try_from(*local) {
                    Ok(local) => self.assembly.bytes(&[opcode.byte(), local]),
                    Err(_) => {
                        self.assembly.bytes(&[Opcode::Wide.byte()]);
                        self.with_index(*opcode, *local);
                    }
                },
                Op::Increment(local, by) => self.increment(*local, *by),
                Op::Int(value) => self.int(i32::from(*value))?,
                Op::EmptyText => {
                    let text = self.pool.append_utf8(b"")?;
                    let text = self.pool.append(Constant::String(text))?;
                    self.with_index(Opcode::LdcW, text);
                }
                Op::Jump(opcode, goal) => self.assembly.jump(*opcode, *goal),
                Op::Call(call) => {
                    let owner = self.pool.append_class(call.owner.as_bytes())?;
                    let name = self.pool.append_utf8(call.name.as_bytes())?;
                    let descriptor = self.pool.append_utf8(call.descriptor.as_bytes())?;
                    let rest = NameAndTypeIndex(self.pool.append(Constant::NameAndType(name, descriptor))?);
                    let method = self.pool.append(if call.interface {
                        Constant::InterfaceMethod(owner, rest)
                    } else {
                        Constant::Method(owner, rest)
                    })?;
                    self.with_index(Opcode::Invokestatic, method);
                }
            }
        }
        Ok(())
    }

    fn increment(&mut self, local: u16, by: i16) {
        match (u8::try_from(local), i8::try_from(by)) {
            (Ok(local), Ok(by)) => {
                self.assembly.bytes(&[Opcode::Iinc.byte(), local, by.cast_unsigned()]);
            }
            _ => {
                self.assembly.bytes(&[Opcode::Wide.byte()]);
                self.with_index(Opcode::Iinc, local);
                self.assembly.bytes(&by.to_be_bytes());
            }
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
pub(crate) fn replace(class: &mut ClassFile<'_>, method: usize, attribute: usize, data: Vec<u8>) {
    let place = class.methods.get_mut(method).and_then(|method| method.attributes.get_mut(attribute));
    if let Some(place) = place {
        place.data = Cow::Owned(data);
    }
}
