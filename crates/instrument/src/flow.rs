//! Abstract interpretation of one method: which values are `this`, which objects are not constructed yet, what is dead.
//!
//! It knows instructions and descriptors, not sites and not what is inserted. It tracks, per stack slot and local variable,
//! whether it holds `this`, `this` before its constructor, or what a given `new` made; all else is one value. Joins keep
//! what both sides agree on. Invariant: what it claims of an instruction holds on every path the JVM's verifier
//! accepts; where it cannot know it says nothing or gives the method up.

use dynaflow_bytecode::Body;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::{ConstantPool, Insn, MemberIndex, Opcode, Operand};

/// What is known of one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fact(u8);

impl Fact {
    /// Some path leads here.
    pub const REACHED: u8 = 1;
    /// `this` is not constructed yet.
    pub const UNINIT: u8 = 2;
    /// The object of the field access is `this`.
    pub const BASE_THIS: u8 = 4;
    /// It invokes a constructor on `this`.
    pub const INIT_THIS: u8 = 8;
    /// It invokes a constructor on what a `new` of this method made.
    pub const INIT_NEW: u8 = 16;
    /// With [`Self::INIT_NEW`]: the same object lies below the receiver, so it is on top once the constructor returned.
    pub const COPY_BELOW: u8 = 32;
    /// It compares objects that are not constructed yet.
    pub const RAW_OPERAND: u8 = 64;

    /// Whether a flag is set.
    pub fn is(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// Why a method is given up.
pub(crate) type Reason = &'static str;

/// A value: [`OTHER`], [`THIS`], [`RAW_THIS`] or `NEW + pc`.
type Value = u32;
const OTHER: Value = 0;
const THIS: Value = 1;
const RAW_THIS: Value = 2;
const NEW: Value = 3;

fn is_raw(value: Value) -> bool {
    value >= RAW_THIS
}

/// Locals beyond this are not tracked: nobody keeps `this` there, and hostile code could make us copy many.
const TRACKED_LOCALS: usize = 64;
/// Bounds that only hostile code meets.
const MAX_PASSES: usize = 64;
const MAX_SAVED: usize = 4_000_000;
const MAX_HANDLER_WORK: usize = 50_000_000;

/// What the analysis must know of the method besides its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'p, 'a> {
    /// Constants of the class.
    pub pool: &'p ConstantPool<'a>,
    /// Whether local variable 0 is an object at the start.
    pub instance: bool,
    /// Whether that object is not constructed yet.
    pub constructor: bool,
}

/// The analysis of a method, reusable for the next one to save allocations.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    facts: Vec<Fact>,
    /// By instruction: the state all jumps to it agree on, once one was seen.
    saved: Vec<Option<Saved>>,
    values: Vec<Value>,
    locals: Vec<Value>,
    stack: Vec<Value>,
    /// Whether `this` is not constructed yet.
    raw: bool,
    /// Whether no instruction stores into local 0, once a subroutine made it worth knowing.
    keeps_first: Option<bool>,
    /// Whether a state changed that this pass has already gone past.
    changed: bool,
}

/// A state kept for a join: `values[start..]` holds the locals, then `depth` stack slots.
#[derive(Clone, Copy, Debug)]
struct Saved {
    start: usize,
    depth: usize,
    raw: bool,
}

/// The stack a jump carries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carried {
    /// All of it.
    Stack,
    /// The exception alone.
    Exception,
}

const UNDERFLOW: Reason = "its operand stack underflows";
const JOIN: Reason = "its operand stack has different heights where paths join";
const MIXED: Reason = "paths with and without a constructed `this` join";
const LOST: Reason = "it invokes a constructor on an object that cannot be followed";
const CONSTANT: Reason = "an instruction names a constant that is not there or of the wrong kind";
const TOO_LARGE: Reason = "it is too large to analyse";
const UNSETTLED: Reason = "the analysis of its control flow does not settle";

impl Flow {
    /// Analyses a method, as a rule in one linear pass; the facts come in the order of the instructions.
    ///
    /// # Errors
    /// Why the method is given up.
    pub fn analyse(&mut self, body: &Body<'_>, setting: Setting<'_, '_>) -> Result<&[Fact], Reason> {
        if body.insns.len().saturating_mul(body.code.exceptions.len()) > MAX_HANDLER_WORK {
            return Err(TOO_LARGE);
        }
        self.facts.clear();
        self.facts.resize(body.insns.len(), Fact::default());
        self.saved.clear();
        self.saved.resize(body.insns.len(), None);
        self.values.clear();
        self.keeps_first = None;
        for pass in 0..MAX_PASSES {
            self.changed = false;
            self.start(body, setting);
            self.pass(body, setting, pass == 0)?;
            if !self.changed {
                return Ok(&self.facts);
            }
        }
        Err(UNSETTLED)
    }

    fn start(&mut self, body: &Body<'_>, setting: Setting<'_, '_>) {
        self.locals.clear();
        self.locals.resize(usize::from(body.code.max_locals).min(TRACKED_LOCALS), OTHER);
        self.stack.clear();
        self.raw = setting.constructor;
        if let (true, Some(first)) = (setting.instance, self.locals.first_mut()) {
            *first = if setting.constructor { RAW_THIS } else { THIS };
        }
    }

    fn pass(&mut self, body: &Body<'_>, setting: Setting<'_, '_>, first: bool) -> Result<(), Reason> {
        let guarded = !body.code.exceptions.is_empty();
        let mut alive = true;
        let mut dirty = true;
        let mut heads = body.loop_heads.clone();
        heads.sort_unstable_by(|a, b| b.cmp(a));
        for (index, insn) in body.insns.iter().enumerate() {
            let head = first && heads.last().is_some_and(|head| *head as usize <= index);
            while first && heads.last().is_some_and(|head| *head as usize <= index) {
                heads.pop();
            }
            if self.saved.get(index).is_some_and(Option::is_some) || (head && alive) {
                if alive {
                    self.join(index, index, Carried::Stack)?;
                }
                self.load(index);
                (alive, dirty) = (true, true);
            }
            self.set(
                index,
                if alive { Fact::REACHED } else { 0 } | if alive && self.raw { Fact::UNINIT } else { 0 },
            );
            if !alive {
                continue;
            }
            if guarded {
                self.reach_handlers(body, index, dirty)?;
                dirty = insn.opcode.is_store() || insn.opcode == Opcode::Invokespecial;
            }
            self.step(body, setting, index)?;
            alive = !insn.opcode.ends_block();
        }
        Ok(())
    }

    fn set(&mut self, index: usize, flags: u8) {
        if let Some(fact) = self.facts.get_mut(index) {
            fact.0 = flags;
        }
    }

    fn note(&mut self, index: usize, flag: u8) {
        if let Some(fact) = self.facts.get_mut(index) {
            fact.0 |= flag;
        }
    }

    /// An exception may leave every instruction with the locals it began with.
    fn reach_handlers(&mut self, body: &Body<'_>, index: usize, dirty: bool) -> Result<(), Reason> {
        let Some(pc) = body.insns.get(index).map(|insn| insn.pc) else { return Ok(()) };
        for entry in &body.code.exceptions {
            if entry.covers(pc)
                && (dirty || u32::from(entry.start) == pc)
                && let Some(handler) = body.insn_at(u32::from(entry.handler))
            {
                self.join(handler, index, Carried::Exception)?;
            }
        }
        Ok(())
    }

    /// Merges the current state into the one kept for `target`.
    fn join(&mut self, target: usize, from: usize, carried: Carried) -> Result<(), Reason> {
        const EXCEPTION: &[Value] = &[OTHER];
        let stack = if carried == Carried::Exception { EXCEPTION } else { &self.stack };
        let Some(slot) = self.saved.get_mut(target) else { return Ok(()) };
        let Some(saved) = *slot else {
            if self.values.len() > MAX_SAVED {
                return Err(TOO_LARGE);
            }
            *slot = Some(Saved { start: self.values.len(), depth: stack.len(), raw: self.raw });
            self.values.extend_from_slice(&self.locals);
            self.values.extend_from_slice(stack);
            self.changed |= target < from;
            return Ok(());
        };
        if saved.depth != stack.len() {
            return Err(JOIN);
        }
        if saved.raw != self.raw {
            return Err(MIXED);
        }
        let kept = self.values.get_mut(saved.start..).unwrap_or_default();
        for (old, new) in kept.iter_mut().zip(self.locals.iter().chain(stack)) {
            if *old != *new && *old != OTHER {
                *old = OTHER;
                self.changed |= target < from;
            }
        }
        Ok(())
    }

    fn load(&mut self, index: usize) {
        let Some(saved) = self.saved.get(index).copied().flatten() else { return };
        let count = self.locals.len();
        let kept = self.values.get(saved.start..saved.start + count + saved.depth).unwrap_or_default();
        let (locals, stack) = kept.split_at(count.min(kept.len()));
        self.locals.clear();
        self.locals.extend_from_slice(locals);
        self.stack.clear();
        self.stack.extend_from_slice(stack);
        self.raw = saved.raw;
    }

    fn pop(&mut self, slots: usize) -> Result<(), Reason> {
        let rest = self.stack.len().checked_sub(slots).ok_or(UNDERFLOW)?;
        self.stack.truncate(rest);
        Ok(())
    }

    fn push(&mut self, slots: usize) {
        self.stack.resize(self.stack.len() + slots, OTHER);
    }

    /// The value `depth` slots below the top.
    fn peek(&self, depth: usize) -> Result<Value, Reason> {
        let index = self.stack.len().checked_sub(depth + 1).ok_or(UNDERFLOW)?;
        self.stack.get(index).copied().ok_or(UNDERFLOW)
    }

    fn step(&mut self, body: &Body<'_>, setting: Setting<'_, '_>, index: usize) -> Result<(), Reason> {
        let Some(insn) = body.insns.get(index) else { return Ok(()) };
        let info = insn.opcode.info();
        if let Some((count, skip)) = insn.opcode.copies() {
            return self.copy(count, skip);
        }
        match insn.opcode {
            Opcode::Aload | Opcode::Aload0 | Opcode::Aload1 | Opcode::Aload2 | Opcode::Aload3 => {
                let local = usize::from(insn.local().unwrap_or_default());
                let value = self.locals.get(local).copied().unwrap_or(OTHER);
                self.stack.push(value);
            }
            opcode if opcode.is_store() => self.store(insn.opcode, insn.local().unwrap_or_default())?,
            Opcode::Swap => {
                self.peek(1)?;
                let top = self.stack.len() - 1;
                self.stack.swap(top, top - 1);
            }
            Opcode::Getstatic | Opcode::Putstatic | Opcode::Getfield | Opcode::Putfield => {
                self.field(setting, index, insn.opcode, insn.constant())?;
            }
            Opcode::Invokevirtual
            | Opcode::Invokespecial
            | Opcode::Invokestatic
            | Opcode::Invokeinterface
            | Opcode::Invokedynamic => self.call(setting, index, insn.opcode, insn.constant())?,
            Opcode::New => self.stack.push(NEW + insn.pc),
            Opcode::Checkcast => drop(self.peek(0)?),
            Opcode::Multianewarray => {
                if let Operand::MultiArray(_, dimensions) = insn.operand {
                    self.pop(usize::from(dimensions))?;
                }
                self.push(1);
            }
            Opcode::Jsr | Opcode::JsrW => self.subroutine(body, index)?,
            _ => {
                if matches!(
                    insn.opcode,
                    Opcode::IfAcmpeq | Opcode::IfAcmpne | Opcode::Ifnull | Opcode::Ifnonnull
                ) {
                    self.compare(index, usize::from(info.pops))?;
                }
                self.pop(usize::from(info.pops))?;
                self.push(usize::from(info.pushes));
                self.branch(body, index)?;
            }
        }
        Ok(())
    }

    fn branch(&mut self, body: &Body<'_>, index: usize) -> Result<(), Reason> {
        let Some(insn) = body.insns.get(index) else { return Ok(()) };
        let mut result = Ok(());
        body.each_target(insn, |target| {
            if let (Ok(()), Some(target)) = (result, body.insn_at(target)) {
                result = self.join(target, index, Carried::Stack);
            }
        });
        result
    }

    fn compare(&mut self, index: usize, operands: usize) -> Result<(), Reason> {
        for depth in 0..operands {
            if is_raw(self.peek(depth)?) {
                self.note(index, Fact::RAW_OPERAND);
            }
        }
        Ok(())
    }

    fn store(&mut self, opcode: Opcode, local: u16) -> Result<(), Reason> {
        let slots = opcode.info().pops;
        let value = if slots == 1 { self.peek(0)? } else { OTHER };
        self.pop(usize::from(slots))?;
        for (offset, value) in [value, OTHER].into_iter().take(usize::from(slots)).enumerate() {
            if let Some(slot) = self.locals.get_mut(usize::from(local) + offset) {
                *slot = value;
            }
        }
        Ok(())
    }

    /// The `dup` family: copies `count` slots below the `skip` slots beneath them.
    fn copy(&mut self, count: usize, skip: usize) -> Result<(), Reason> {
        let at = self.stack.len().checked_sub(count + skip).ok_or(UNDERFLOW)?;
        let top = self.stack.len() - count;
        for offset in 0..count {
            // Each insertion moves the top up by one, so the source moves with it.
            let value = self.stack.get(top + 2 * offset).copied().unwrap_or(OTHER);
            self.stack.insert(at + offset, value);
        }
        Ok(())
    }

    fn field(
        &mut self,
        setting: Setting<'_, '_>,
        index: usize,
        opcode: Opcode,
        constant: Option<u16>,
    ) -> Result<(), Reason> {
        let member = member(setting.pool, constant)?;
        let slots = usize::from(descriptor::field(member.descriptor.0).ok_or(CONSTANT)?.slots());
        let write = matches!(opcode, Opcode::Putfield | Opcode::Putstatic);
        if write {
            self.pop(slots)?;
        }
        if matches!(opcode, Opcode::Getfield | Opcode::Putfield) {
            if matches!(self.peek(0)?, THIS | RAW_THIS) {
                self.note(index, Fact::BASE_THIS);
            }
            self.pop(1)?;
        }
        if !write {
            self.push(slots);
        }
        Ok(())
    }

    fn call(
        &mut self,
        setting: Setting<'_, '_>,
        index: usize,
        opcode: Opcode,
        constant: Option<u16>,
    ) -> Result<(), Reason> {
        let member = member(setting.pool, constant)?;
        let (slots, result) = descriptor::method(member.descriptor.0).ok_or(CONSTANT)?;
        self.pop(usize::from(slots))?;
        if !matches!(opcode, Opcode::Invokestatic | Opcode::Invokedynamic) {
            let receiver = self.peek(0)?;
            self.pop(1)?;
            if opcode == Opcode::Invokespecial && member.name.0 == b"<init>" {
                self.construct(index, receiver)?;
            }
        }
        self.push(if result == Kind::Void { 0 } else { usize::from(result.slots()) });
        Ok(())
    }

    fn construct(&mut self, index: usize, receiver: Value) -> Result<(), Reason> {
        if !is_raw(receiver) {
            return Err(LOST);
        }
        let made = if receiver == RAW_THIS { THIS } else { OTHER };
        if receiver == RAW_THIS {
            self.raw = false;
            self.note(index, Fact::INIT_THIS);
        } else {
            let copied = self.stack.last() == Some(&receiver);
            self.note(index, if copied { Fact::INIT_NEW | Fact::COPY_BELOW } else { Fact::INIT_NEW });
        }
        for value in self.locals.iter_mut().chain(&mut self.stack).filter(|value| **value == receiver) {
            *value = made;
        }
        Ok(())
    }

    /// `jsr`: enters the subroutine, and assumes of its return only that the stack has the height it had.
    fn subroutine(&mut self, body: &Body<'_>, index: usize) -> Result<(), Reason> {
        self.push(1);
        self.branch(body, index)?;
        self.pop(1)?;
        // Asked once for all subroutines: a method may be made of nothing but their calls.
        let overwrites = |insn: &Insn| insn.opcode.is_store() && insn.local() == Some(0);
        let keeps_first = *self.keeps_first.get_or_insert_with(|| !body.insns.iter().any(overwrites));
        let forgotten = self.locals.iter_mut().skip(usize::from(keeps_first)).chain(&mut self.stack);
        forgotten.for_each(|value| *value = OTHER);
        Ok(())
    }
}

fn member<'a>(pool: &ConstantPool<'a>, constant: Option<u16>) -> Result<MemberText<'a>, Reason> {
    constant.and_then(|index| pool.member(MemberIndex(index)).ok()).ok_or(CONSTANT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_classfile::reader::Reader;
    use dynaflow_classfile::{Code, Constant, ExceptionEntry, NameAndTypeIndex};

    /// A pool with the field `C.f I` and the constructor `C.<init> ()V`; gives their indices.
    fn pool() -> (ConstantPool<'static>, u8, u8) {
        let mut pool = ConstantPool::read(&mut Reader::new(&[0, 1], 0)).unwrap();
        let init = pool.append_method(b"C", b"<init>", b"()V").unwrap().0;
        let class = pool.append_class(b"C").unwrap();
        let (name, descriptor) = (pool.append_utf8(b"f").unwrap(), pool.append_utf8(b"I").unwrap());
        let rest = NameAndTypeIndex(pool.append(Constant::NameAndType(name, descriptor)).unwrap());
        let field = pool.append(Constant::Field(class, rest)).unwrap();
        (pool, field as u8, init as u8)
    }

    fn facts(bytes: &[u8], exceptions: Vec<ExceptionEntry>, constructor: bool) -> Result<Vec<Fact>, Reason> {
        let (pool, ..) = pool();
        let code = Code { max_stack: 9, max_locals: 4, bytes, offset: 0, exceptions, attributes: Vec::new() };
        let body = Body::new(code).unwrap();
        let setting = Setting { pool: &pool, instance: true, constructor };
        Flow::default().analyse(&body, setting).map(<[Fact]>::to_vec)
    }

    #[test]
    fn this_is_followed_through_locals_dup_and_casts() {
        let (_, field, _) = pool();
        // aload_0 astore_1 aload_1 dup checkcast getfield pop getfield pop return
        let code = [0x2A, 0x4C, 0x2B, 0x59, 0xC0, 0, 1, 0xB4, 0, field, 0x57, 0xB4, 0, field, 0x57, 0xB1];
        let facts = facts(&code, Vec::new(), false).unwrap();
        assert!(facts[5].is(Fact::BASE_THIS) && facts[7].is(Fact::BASE_THIS));
    }

    #[test]
    fn a_loop_that_overwrites_the_local_takes_the_claim_back() {
        let (_, field, _) = pool();
        // aload_0 astore_1 | L2: aload_1 getfield pop aconst_null astore_1 goto L2
        let code = [0x2A, 0x4C, 0x2B, 0xB4, 0, field, 0x57, 0x01, 0x4C, 0xA7, 0xFF, 0xF9];
        let facts = facts(&code, Vec::new(), false).unwrap();
        assert!(facts[3].is(Fact::REACHED) && !facts[3].is(Fact::BASE_THIS));
    }

    #[test]
    fn a_handler_knows_only_what_holds_throughout_its_range() {
        let (_, field, _) = pool();
        // aload_0 astore_1 aconst_null astore_1 return | handler: pop aload_1 getfield pop aload_0 getfield pop return
        let code = [
            0x2A, 0x4C, 0x01, 0x4C, 0xB1, 0x57, 0x2B, 0xB4, 0, field, 0x57, 0x2A, 0xB4, 0, field, 0x57, 0xB1,
        ];
        let entry = ExceptionEntry { start: 2, end: 5, handler: 5, catch_type: None };
        let facts = facts(&code, vec![entry], false).unwrap();
        assert!(!facts[7].is(Fact::BASE_THIS), "local 1 is this in a part of the range only");
        assert!(facts[10].is(Fact::BASE_THIS), "local 0 is this throughout");
    }

    #[test]
    fn constructors_on_this_and_on_new_objects_are_different_facts() {
        let (_, _, init) = pool();
        // new dup invokespecial pop aload_0 invokespecial return
        let code = [0xBB, 0, 2, 0x59, 0xB7, 0, init, 0x57, 0x2A, 0xB7, 0, init, 0xB1];
        let facts = facts(&code, Vec::new(), true).unwrap();
        assert!(facts[2].is(Fact::INIT_NEW) && facts[2].is(Fact::COPY_BELOW) && facts[2].is(Fact::UNINIT));
        assert!(facts[5].is(Fact::INIT_THIS) && facts[5].is(Fact::UNINIT));
        assert!(!facts[6].is(Fact::UNINIT), "this is constructed after it");
    }

    #[test]
    fn dead_code_is_not_reached() {
        let facts = facts(&[0xB1, 0x00, 0xB1], Vec::new(), false).unwrap();
        assert_eq!(facts.iter().map(|fact| fact.is(Fact::REACHED)).collect::<Vec<_>>(), [true, false, false]);
    }

    #[test]
    fn what_cannot_be_followed_is_given_up_with_the_reason() {
        let (_, _, init) = pool();
        assert_eq!(facts(&[0x57, 0xB1], Vec::new(), false), Err(UNDERFLOW));
        // iconst_0 ifeq 5; iconst_0 | join at 5 with two heights: return
        assert_eq!(facts(&[0x03, 0x99, 0, 4, 0x03, 0xB1], Vec::new(), false), Err(JOIN));
        // aconst_null invokespecial <init>
        assert_eq!(facts(&[0x01, 0xB7, 0, init, 0xB1], Vec::new(), false), Err(LOST));
        // aload_1 ifnull 9; aload_0 invokespecial <init>; nop | join of both at 9: return
        let mixed = [0x2B, 0xC6, 0, 8, 0x2A, 0xB7, 0, init, 0x00, 0xB1];
        assert_eq!(facts(&mixed, Vec::new(), true), Err(MIXED));
        assert_eq!(facts(&[0xB4, 0, 99, 0xB1], Vec::new(), false), Err(CONSTANT));
    }

    #[test]
    fn after_a_subroutine_only_an_untouched_local_0_is_still_this() {
        let (_, field, _) = pool();
        // aload_0 astore_1 jsr 12 | aload_0 getfield pop aload_1... ; 12.. subroutine: astore_2 ret 2
        let code = [
            0x2A, 0x4C, 0xA8, 0, 14, 0x2A, 0xB4, 0, field, 0x57, 0x2B, 0xB4, 0, field, 0x57, 0xB1, 0x4D,
            0xA9, 2,
        ];
        let facts = facts(&code, Vec::new(), false).unwrap();
        assert!(facts[4].is(Fact::BASE_THIS) && !facts[7].is(Fact::BASE_THIS));
        assert!(facts[10].is(Fact::REACHED), "the subroutine is reached");
    }
}
