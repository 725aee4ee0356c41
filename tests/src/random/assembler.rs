//! Bytes of one method: instructions, labels, frames, handlers. It knows encodings, not what makes sense.
//!
//! Invariant: every label that is used is placed once, with a frame of its own.

use super::types::{State, T, listed};
use dynaflow_classfile::frames::{VerificationType, write_type};
use dynaflow_classfile::pool::{ClassIndex, NameAndTypeIndex};
use dynaflow_classfile::{Constant, ConstantPool, ExceptionEntry, Opcode};
use std::collections::BTreeMap;

/// A place to jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// A jump that waits for its label: where its offset stands, what it is relative to, how wide it is.
#[derive(Clone, Copy, Debug)]
struct Fixup {
    at: usize,
    base: usize,
    label: Label,
    wide: bool,
}

/// A method in the making.
pub struct Assembler<'p> {
    pub pool: &'p mut ConstantPool<'static>,
    pub code: Vec<u8>,
    labels: Vec<Option<usize>>,
    fixups: Vec<Fixup>,
    frames: BTreeMap<usize, State>,
    pub handlers: Vec<ExceptionEntry>,
    handler_labels: Vec<Label>,
}

impl<'p> Assembler<'p> {
    pub fn new(pool: &'p mut ConstantPool<'static>) -> Self {
        Self {
            pool,
            code: Vec::new(),
            labels: Vec::new(),
            fixups: Vec::new(),
            frames: BTreeMap::new(),
            handlers: Vec::new(),
            handler_labels: Vec::new(),
        }
    }

    pub fn here(&self) -> usize {
        self.code.len()
    }

    pub fn op(&mut self, opcode: Opcode) {
        self.code.push(opcode.byte());
    }

    pub fn op1(&mut self, opcode: Opcode, operand: u8) {
        self.code.extend([opcode.byte(), operand]);
    }

    pub fn op2(&mut self, opcode: Opcode, operand: u16) {
        self.op(opcode);
        self.code.extend(operand.to_be_bytes());
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Jumps come here, with this state. A place has one frame only: a second label gets a `nop` between.
    pub fn place(&mut self, label: Label, state: &State) {
        if self.frames.contains_key(&self.here()) {
            self.op(Opcode::Nop);
        }
        self.labels[label.0] = Some(self.here());
        self.frames.insert(self.here(), state.clone());
    }

    pub fn branch(&mut self, opcode: Opcode, label: Label) {
        let base = self.here();
        self.op(opcode);
        let wide = matches!(opcode, Opcode::GotoW);
        self.offset(base, label, wide);
    }

    fn offset(&mut self, base: usize, label: Label, wide: bool) {
        self.fixups.push(Fixup { at: self.here(), base, label, wide });
        self.code.extend(std::iter::repeat_n(0, if wide { 4 } else { 2 }));
    }

    /// A `tableswitch` from `low` on, or a `lookupswitch` with the keys `low`, `low + 7`, ...
    pub fn switch(&mut self, table: bool, low: i32, default: Label, cases: &[Label]) {
        let base = self.here();
        self.op(if table { Opcode::Tableswitch } else { Opcode::Lookupswitch });
        while !self.here().is_multiple_of(4) {
            self.code.push(0);
        }
        self.offset(base, default, true);
        let count = cases.len() as i32;
        if table {
            self.code.extend(low.to_be_bytes());
            self.code.extend((low + count - 1).to_be_bytes());
        } else {
            self.code.extend(count.to_be_bytes());
        }
        for (index, case) in cases.iter().enumerate() {
            if !table {
                self.code.extend((low + 7 * index as i32).to_be_bytes());
            }
            self.offset(base, *case, true);
        }
    }

    /// Exceptions between two offsets go to a label.
    pub fn handler(&mut self, start: usize, end: usize, label: Label, catch_type: Option<&'static str>) {
        let catch_type = catch_type.map(|name| self.class(name));
        self.handlers.push(ExceptionEntry { start: start as u16, end: end as u16, handler: 0, catch_type });
        self.handler_labels.push(label);
    }

    pub fn class(&mut self, name: &'static str) -> ClassIndex {
        self.pool.append_class(name.as_bytes()).unwrap()
    }

    fn name_and_type(&mut self, name: &'static str, descriptor: String) -> NameAndTypeIndex {
        let name = self.pool.append_utf8(name.as_bytes()).unwrap();
        let descriptor = self.pool.append_utf8(descriptor.leak().as_bytes()).unwrap();
        NameAndTypeIndex(self.pool.append(Constant::NameAndType(name, descriptor)).unwrap())
    }

    pub fn field(&mut self, opcode: Opcode, owner: &'static str, name: &'static str, descriptor: String) {
        let (owner, rest) = (self.class(owner), self.name_and_type(name, descriptor));
        let index = self.pool.append(Constant::Field(owner, rest)).unwrap();
        self.op2(opcode, index);
    }

    pub fn call(
        &mut self,
        opcode: Opcode,
        owner: &'static str,
        name: &'static str,
        descriptor: &str,
        slots: u8,
    ) {
        let (owner, rest) = (self.class(owner), self.name_and_type(name, descriptor.to_owned()));
        let interface = opcode == Opcode::Invokeinterface;
        let constant =
            if interface { Constant::InterfaceMethod(owner, rest) } else { Constant::Method(owner, rest) };
        let index = self.pool.append(constant).unwrap();
        self.op2(opcode, index);
        if interface {
            self.code.extend([slots, 0]);
        }
    }

    /// Fills in all jumps and handlers.
    pub fn finish(&mut self) {
        for fixup in &self.fixups {
            let target = self.labels[fixup.label.0].expect("a label that is used is placed");
            let jump = target as i32 - fixup.base as i32;
            if fixup.wide {
                self.code[fixup.at..fixup.at + 4].copy_from_slice(&jump.to_be_bytes());
            } else {
                let jump = i16::try_from(jump).expect("methods are shorter than what a jump reaches");
                self.code[fixup.at..fixup.at + 2].copy_from_slice(&jump.to_be_bytes());
            }
        }
        for (entry, label) in self.handlers.iter_mut().zip(&self.handler_labels) {
            entry.handler = self.labels[label.0].expect("a handler is placed") as u16;
        }
    }

    /// The content of the `StackMapTable`: each frame in the shortest form, or in full where `full` says so.
    pub fn frames(&mut self, first: &State, mut full: impl FnMut() -> bool) -> Vec<u8> {
        let frames = std::mem::take(&mut self.frames);
        let mut out = (frames.len() as u16).to_be_bytes().to_vec();
        let mut before = listed(&first.locals);
        let mut previous = None;
        for (offset, state) in frames {
            let delta = match previous {
                None => offset,
                Some(previous) => offset - previous - 1,
            } as u16;
            previous = Some(offset);
            let locals = listed(&state.locals);
            out.extend(self.frame(delta, &before, &locals, &state.stack, full()));
            before = locals;
        }
        out
    }

    /// One frame, whose locals differ from those of the frame before it.
    fn frame(&mut self, delta: u16, before: &[T], locals: &[T], stack: &[T], full: bool) -> Vec<u8> {
        let common = before.iter().zip(locals).take_while(|(a, b)| a == b).count();
        let (gone, new) = (before.len() - common, locals.len() - common);
        let head = |kind: u8| {
            let [high, low] = delta.to_be_bytes();
            vec![kind, high, low]
        };
        let (mut out, listed) = match (stack, gone, new) {
            ([], 0, 0) if !full && delta < 64 => (vec![delta as u8], &[][..]),
            ([], 0, 0) if !full => (head(251), &[][..]),
            ([_], 0, 0) if !full && delta < 64 => (vec![64 + delta as u8], stack),
            ([_], 0, 0) if !full => (head(247), stack),
            ([], 1..=3, 0) if !full => (head(251 - gone as u8), &[][..]),
            ([], 0, 1..=3) if !full => (head(251 + new as u8), &locals[common..]),
            _ => return self.full_frame(head(255), [locals, stack]),
        };
        listed.iter().for_each(|kind| write_type(self.listed(*kind), &mut out));
        out
    }

    fn full_frame(&mut self, mut out: Vec<u8>, lists: [&[T]; 2]) -> Vec<u8> {
        for types in lists {
            out.extend((types.len() as u16).to_be_bytes());
            types.iter().for_each(|kind| write_type(self.listed(*kind), &mut out));
        }
        out
    }

    fn listed(&mut self, kind: T) -> VerificationType {
        match kind {
            T::Top | T::Half => VerificationType::Top,
            T::Int => VerificationType::Integer,
            T::Float => VerificationType::Float,
            T::Long => VerificationType::Long,
            T::Double => VerificationType::Double,
            T::Object(name) => VerificationType::Object(self.class(name)),
            T::Raw(at) => VerificationType::Uninitialized(at),
            T::RawThis => VerificationType::UninitializedThis,
        }
    }
}
