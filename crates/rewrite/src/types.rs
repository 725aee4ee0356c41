//! What local variables and stack hold before the instructions of a method, in the types of the JVM's verifier.
//!
//! A method with a `StackMapTable` has a frame wherever paths join; between two frames the types follow from the instructions
//! one by one. So nothing is merged here and no class is looked at. It knows instructions and descriptors, not mutants.
//! Invariant: the types given for an instruction are those the verifier has when it comes there.

use crate::names::Names;
use dynaflow_bytecode::Body;
use dynaflow_classfile::class::access;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::frames::{Frame, Frames, Shape, VerificationType};
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::{ClassFile, ClassIndex, Constant, Member, MemberIndex, Opcode, Operand};

/// The type of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Unusable.
    Top,
    /// `int` and smaller.
    Int,
    /// `float`.
    Float,
    /// The first slot of a `long`.
    Long,
    /// The first slot of a `double`.
    Double,
    /// The second slot of a `long` or `double`.
    High,
    /// The type of `null`.
    Null,
    /// `this` before its constructor.
    RawThis,
    /// What the `new` at this offset made.
    Raw(u16),
    /// An object or array, by the number of its name.
    Object(u32),
}

/// The types before one instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Of the local variables.
    pub locals: Vec<Slot>,
    /// Of the stack.
    pub stack: Vec<Slot>,
}

/// Why the types of a method are not known.
pub type Reason = &'static str;

const CONSTANT: Reason = "an instruction names a constant that is not there or of the wrong kind";
const UNDERFLOW: Reason = "its operand stack underflows";
const SUBROUTINE: Reason = "it has subroutines (`jsr`)";
const FRAME: Reason = "its stack map frames cannot be read";
const TOO_LARGE: Reason = "it is too large to analyse";

/// Bound that only hostile code meets: slots in all states that are kept.
const MAX_KEPT: usize = 2_000_000;

/// The states of a method.
#[derive(Debug)]
pub struct Types {
    /// By instruction: the state before it where it was asked for and execution can come there.
    pub states: Vec<Option<State>>,
    /// By instruction: whether the method has a frame there.
    pub framed: Vec<bool>,
}

/// The states before the instructions that `wanted` names, by index, and before those with a frame.
///
/// # Errors
/// Why the method is given up.
pub fn of(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    body: &Body<'_>,
    wanted: &[bool],
    names: &mut Names,
) -> Result<Types, Reason> {
    let mut walk = Walk { class, body, names, state: State::default(), alive: true };
    walk.begin(method)?;
    let mut listed = walk.state.locals.clone();
    while matches!(listed.last(), Some(Slot::Top)) {
        listed.pop();
    }
    let table = class.attribute(&body.code.attributes, "StackMapTable");
    let mut frames = match table {
        Some(table) => Some(Frames::new(&table.data, table.offset).map_err(|_| FRAME)?.peekable()),
        None => None,
    };
    let count = body.insns.len();
    let mut types = Types { states: vec![None; count], framed: vec![false; count] };
    let mut kept = 0;
    for (index, insn) in body.insns.iter().enumerate() {
        let next = frames.as_mut().and_then(|frames| {
            frames.next_if(|frame| frame.as_ref().map_or(true, |frame| frame.offset <= insn.pc))
        });
        let framed = next.is_some();
        if let Some(frame) = next {
            let frame = frame.ok().filter(|frame| frame.offset == insn.pc).ok_or(FRAME)?;
            walk.load(&frame, &mut listed)?;
        }
        let is_wanted = framed || wanted.get(index).copied().unwrap_or(false);
        if let (true, true, Some(place)) = (walk.alive, is_wanted, types.states.get_mut(index)) {
            kept += walk.state.locals.len() + walk.state.stack.len();
            if kept > MAX_KEPT {
                return Err(TOO_LARGE);
            }
            *place = Some(walk.state.clone());
        }
        if let Some(place) = types.framed.get_mut(index) {
            *place = framed;
        }
        if walk.alive {
            walk.step(index)?;
            walk.alive = !insn.opcode.ends_block();
        }
    }
    if frames.is_some_and(|mut frames| frames.next().is_some()) {
        return Err(FRAME);
    }
    Ok(types)
}

struct Walk<'w, 'a> {
    class: &'w ClassFile<'a>,
    body: &'w Body<'a>,
    names: &'w mut Names,
    state: State,
    alive: bool,
}

impl Walk<'_, '_> {
    /// The state in which the method begins.
    fn begin(&mut self, method: &Member<'_>) -> Result<(), Reason> {
        let pool = &self.class.pool;
        let mut locals = Vec::new();
        if method.access & access::STATIC == 0 {
            let raw = self.class.super_class.is_some()
                && pool.utf8(method.name).is_ok_and(|name| name.0 == b"<init>");
            let this = self.class.name().map_err(|_| CONSTANT)?;
            locals.push(if raw { Slot::RawThis } else { Slot::Object(self.names.number(this.0)) });
        }
        let text = pool.utf8(method.descriptor).map_err(|_| CONSTANT)?;
        for (_, own) in descriptor::parameter_types(text.0) {
            push(&mut locals, self.slot_of(own)?);
        }
        if locals.len() > usize::from(self.body.code.max_locals) {
            return Err("its parameters need more local variables than it has");
        }
        locals.resize(usize::from(self.body.code.max_locals), Slot::Top);
        self.state.locals = locals;
        Ok(())
    }

    /// The type that a field descriptor names.
    fn slot_of(&mut self, text: &[u8]) -> Result<Slot, Reason> {
        Ok(match descriptor::field(text).ok_or(CONSTANT)? {
            Kind::Int | Kind::Void => Slot::Int,
            Kind::Float => Slot::Float,
            Kind::Long => Slot::Long,
            Kind::Double => Slot::Double,
            Kind::Reference => {
                let name = text.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";")).unwrap_or(text);
                Slot::Object(self.names.number(name))
            }
        })
    }

    /// Takes over a frame; `listed` holds the locals of the one before.
    fn load(&mut self, frame: &Frame<'_>, listed: &mut Vec<Slot>) -> Result<(), Reason> {
        match frame.shape {
            Shape::Same | Shape::SameOneStack => {}
            Shape::Chop(count) => {
                for _ in 0..count {
                    if listed.pop() == Some(Slot::High) {
                        listed.pop();
                    }
                }
            }
            Shape::Append(_) => self.read(&frame.locals, listed)?,
            Shape::Full => {
                listed.clear();
                self.read(&frame.locals, listed)?;
            }
        }
        let mut stack = Vec::new();
        self.read(&frame.stack, &mut stack)?;
        let max = usize::from(self.body.code.max_locals);
        if listed.len() > max {
            return Err(FRAME);
        }
        self.state.locals.clone_from(listed);
        self.state.locals.resize(max, Slot::Top);
        self.state.stack = stack;
        self.alive = true;
        Ok(())
    }

    fn read(
        &mut self,
        types: &dynaflow_classfile::frames::Types<'_>,
        out: &mut Vec<Slot>,
    ) -> Result<(), Reason> {
        for kind in types.iter() {
            let slot = match kind {
                VerificationType::Top => Slot::Top,
                VerificationType::Integer => Slot::Int,
                VerificationType::Float => Slot::Float,
                VerificationType::Double => Slot::Double,
                VerificationType::Long => Slot::Long,
                VerificationType::Null => Slot::Null,
                VerificationType::UninitializedThis => Slot::RawThis,
                VerificationType::Object(class) => self.class_slot(class)?,
                VerificationType::Uninitialized(pc) => Slot::Raw(pc),
            };
            push(out, slot);
        }
        Ok(())
    }

    fn class_slot(&mut self, class: ClassIndex) -> Result<Slot, Reason> {
        let name = self.class.pool.class_name(class).map_err(|_| CONSTANT)?;
        Ok(Slot::Object(self.names.number(name.0)))
    }

    fn object(&mut self, name: &[u8]) -> Slot {
        Slot::Object(self.names.number(name))
    }

    fn pop(&mut self, slots: usize) -> Result<(), Reason> {
        let rest = self.state.stack.len().checked_sub(slots).ok_or(UNDERFLOW)?;
        self.state.stack.truncate(rest);
        Ok(())
    }

    /// The slot `depth` below the top.
    fn peek(&self, depth: usize) -> Result<Slot, Reason> {
        let index = self.state.stack.len().checked_sub(depth + 1).ok_or(UNDERFLOW)?;
        self.state.stack.get(index).copied().ok_or(UNDERFLOW)
    }

    fn push(&mut self, slot: Slot) {
        push(&mut self.state.stack, slot);
    }

    fn step(&mut self, index: usize) -> Result<(), Reason> {
        let Some(insn) = self.body.insns.get(index) else { return Ok(()) };
        let info = insn.opcode.info();
        if let Some((count, skip)) = insn.opcode.copies() {
            return self.copy(count, skip);
        }
        match insn.opcode {
            Opcode::Jsr | Opcode::JsrW | Opcode::Ret => return Err(SUBROUTINE),
            Opcode::Swap => {
                let (top, below) = (self.peek(0)?, self.peek(1)?);
                self.pop(2)?;
                self.state.stack.extend([top, below]);
            }
            Opcode::Getstatic | Opcode::Putstatic | Opcode::Getfield | Opcode::Putfield => {
                self.field(insn.opcode, insn.constant())?;
            }
            Opcode::Invokevirtual
            | Opcode::Invokespecial
            | Opcode::Invokestatic
            | Opcode::Invokeinterface
            | Opcode::Invokedynamic => self.call(insn.opcode, insn.constant())?,
            Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W => {
                let slot = self.loaded(insn.constant())?;
                self.push(slot);
            }
            Opcode::New => self.push(Slot::Raw(insn.pc as u16)),
            Opcode::Multianewarray | Opcode::Anewarray | Opcode::Newarray | Opcode::Checkcast => {
                self.made(insn.opcode, insn.operand)?;
            }
            Opcode::Aaload => {
                let element = self.element()?;
                self.pop(2)?;
                self.push(element);
            }
            opcode if is_reference_load(opcode) => {
                let local = usize::from(insn.local().unwrap_or_default());
                let slot = self.state.locals.get(local).copied().ok_or(CONSTANT)?;
                self.push(slot);
            }
            opcode if opcode.is_store() => self.store(info.pops, insn.local().unwrap_or_default())?,
            opcode => {
                self.pop(usize::from(info.pops))?;
                if let Some(slot) = result(opcode) {
                    self.push(slot);
                }
            }
        }
        Ok(())
    }

    /// The `dup` family: copies `count` slots below the `skip` slots beneath them.
    fn copy(&mut self, count: usize, skip: usize) -> Result<(), Reason> {
        let stack = &mut self.state.stack;
        let at = stack.len().checked_sub(count + skip).ok_or(UNDERFLOW)?;
        let top = stack.get(stack.len() - count..).unwrap_or_default().to_vec();
        stack.splice(at..at, top);
        Ok(())
    }

    fn store(&mut self, pops: u8, local: u16) -> Result<(), Reason> {
        let slot = self.peek(usize::from(pops) - 1)?;
        self.pop(usize::from(pops))?;
        for (offset, slot) in [slot, Slot::High].into_iter().take(usize::from(pops)).enumerate() {
            *self.state.locals.get_mut(usize::from(local) + offset).ok_or(CONSTANT)? = slot;
        }
        Ok(())
    }

    fn member(&self, constant: Option<u16>) -> Result<MemberText<'_>, Reason> {
        constant.and_then(|index| self.class.pool.member(MemberIndex(index)).ok()).ok_or(CONSTANT)
    }

    fn field(&mut self, opcode: Opcode, constant: Option<u16>) -> Result<(), Reason> {
        let text = self.member(constant)?.descriptor.0.to_vec();
        let slots = usize::from(descriptor::field(&text).ok_or(CONSTANT)?.slots());
        let write = matches!(opcode, Opcode::Putfield | Opcode::Putstatic);
        self.pop(if write { slots } else { 0 })?;
        self.pop(usize::from(matches!(opcode, Opcode::Getfield | Opcode::Putfield)))?;
        if !write {
            let slot = self.slot_of(&text)?;
            self.push(slot);
        }
        Ok(())
    }

    fn call(&mut self, opcode: Opcode, constant: Option<u16>) -> Result<(), Reason> {
        let member = self.member(constant)?;
        let text = member.descriptor.0.to_vec();
        let constructor = opcode == Opcode::Invokespecial && member.name.0 == b"<init>";
        let (slots, result) = descriptor::method(&text).ok_or(CONSTANT)?;
        self.pop(usize::from(slots))?;
        if constructor {
            let made = self.peek(0)?;
            self.construct(made)?;
        }
        if !matches!(opcode, Opcode::Invokestatic | Opcode::Invokedynamic) {
            self.pop(1)?;
        }
        if result != Kind::Void {
            let at = text.iter().rposition(|byte| *byte == b')').ok_or(CONSTANT)?;
            let slot = self.slot_of(text.get(at + 1..).unwrap_or_default())?;
            self.push(slot);
        }
        Ok(())
    }

    /// A constructor ran on `made`.
    fn construct(&mut self, made: Slot) -> Result<(), Reason> {
        let class = match made {
            Slot::RawThis => self.class.this_class,
            Slot::Raw(pc) => {
                let insn = self.body.insn_at(u32::from(pc)).and_then(|index| self.body.insns.get(index));
                let insn = insn.filter(|insn| insn.opcode == Opcode::New);
                ClassIndex(insn.and_then(|insn| insn.constant()).ok_or(CONSTANT)?)
            }
            _ => return Err("it invokes a constructor on an object that cannot be followed"),
        };
        let whole = self.class_slot(class)?;
        for slot in self.state.locals.iter_mut().chain(&mut self.state.stack) {
            if *slot == made {
                *slot = whole;
            }
        }
        Ok(())
    }

    fn loaded(&mut self, constant: Option<u16>) -> Result<Slot, Reason> {
        let index = constant.ok_or(CONSTANT)?;
        Ok(match self.class.pool.get(index).ok_or(CONSTANT)? {
            Constant::Integer(_) => Slot::Int,
            Constant::Float(_) => Slot::Float,
            Constant::Long(_) => Slot::Long,
            Constant::Double(_) => Slot::Double,
            Constant::String(_) => self.object(b"java/lang/String"),
            Constant::Class(_) => self.object(b"java/lang/Class"),
            Constant::MethodType(_) => self.object(b"java/lang/invoke/MethodType"),
            Constant::MethodHandle(..) => self.object(b"java/lang/invoke/MethodHandle"),
            Constant::Dynamic(..) => {
                let text = self.member(constant)?.descriptor.0.to_vec();
                self.slot_of(&text)?
            }
            _ => return Err(CONSTANT),
        })
    }

    /// New arrays and casts.
    fn made(&mut self, opcode: Opcode, operand: Operand) -> Result<(), Reason> {
        let slot = match (opcode, operand) {
            (Opcode::Newarray, Operand::ArrayType(code)) => {
                let letters = b"ZCFDBSIJ";
                let letter = letters.get(usize::from(code.wrapping_sub(4))).copied().ok_or(CONSTANT)?;
                self.pop(1)?;
                self.object(&[b'[', letter])
            }
            (_, Operand::MultiArray(class, dimensions)) => {
                self.pop(usize::from(dimensions))?;
                self.class_slot(ClassIndex(class))?
            }
            (Opcode::Anewarray, Operand::Constant(class)) => {
                self.pop(1)?;
                let element = self.class.pool.class_name(ClassIndex(class)).map_err(|_| CONSTANT)?.0;
                let name = if element.first() == Some(&b'[') {
                    [b"[", element].concat()
                } else {
                    [b"[L", element, b";"].concat()
                };
                self.object(&name)
            }
            (_, Operand::Constant(class)) => {
                self.pop(1)?;
                self.class_slot(ClassIndex(class))?
            }
            _ => return Err(CONSTANT),
        };
        self.push(slot);
        Ok(())
    }

    /// The type of an element of the array below the top.
    fn element(&mut self) -> Result<Slot, Reason> {
        match self.peek(1)? {
            Slot::Object(name) => {
                let name = self.names.name(name).strip_prefix(b"[").map(<[u8]>::to_vec);
                self.slot_of(&name.ok_or("it reads an element of what is no array")?)
            }
            _ => Ok(Slot::Null),
        }
    }
}

fn push(slots: &mut Vec<Slot>, slot: Slot) {
    slots.push(slot);
    if matches!(slot, Slot::Long | Slot::Double) {
        slots.push(Slot::High);
    }
}

fn is_reference_load(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Aload | Opcode::Aload0 | Opcode::Aload1 | Opcode::Aload2 | Opcode::Aload3)
}

/// What an instruction pushes whose result does not depend on constants or on what it finds.
fn result(opcode: Opcode) -> Option<Slot> {
    use Opcode as O;
    let by_kind = |first: O| match (opcode.byte() - first.byte()) % 4 {
        0 => Slot::Int,
        1 => Slot::Long,
        2 => Slot::Float,
        _ => Slot::Double,
    };
    let within = |first: O, last: O| (first..=last).contains(&opcode);
    let int_or_long =
        |first: O| if (opcode.byte() - first.byte()).is_multiple_of(2) { Slot::Int } else { Slot::Long };
    Some(match opcode {
        O::AconstNull => Slot::Null,
        O::Lconst0 | O::Lconst1 => Slot::Long,
        O::Fconst0 | O::Fconst1 | O::Fconst2 => Slot::Float,
        O::Dconst0 | O::Dconst1 => Slot::Double,
        _ if within(O::Iload, O::Dload) => by_kind(O::Iload),
        _ if within(O::Iload0, O::Dload3) => match (opcode.byte() - O::Iload0.byte()) / 4 {
            0 => Slot::Int,
            1 => Slot::Long,
            2 => Slot::Float,
            _ => Slot::Double,
        },
        _ if within(O::Iaload, O::Daload) => by_kind(O::Iaload),
        _ if within(O::Iadd, O::Dneg) => by_kind(O::Iadd),
        _ if within(O::Ishl, O::Lxor) => int_or_long(O::Ishl),
        O::I2l | O::F2l | O::D2l => Slot::Long,
        O::I2f | O::L2f | O::D2f => Slot::Float,
        O::I2d | O::L2d | O::F2d => Slot::Double,
        _ if opcode.info().pushes == 1 => Slot::Int,
        _ => return None,
    })
}
