//! What each instruction of a method uses and defines, found by running the method on an operand stack of symbols.
//!
//! It knows instructions and descriptors; nothing of blocks beyond the ways they are entered, and nothing of reaching
//! definitions. A value is made of the variables it was loaded from: a load, a comparison whose result a branch takes, a cast
//! and the length of an array pass them on, every other instruction consumes them, and there they are used
//! (or, by statements, where what it computes ends up). Invariant: at
//! a join a value is made of all that either side says; what it denotes is what both sides agree on.

use super::limits;
use super::sets::{SetId, Sets};
use super::vars::{Field, VarId, Variable, Variables};
use super::{Arrays, Options, Refusal, Uses};
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::{ConstantPool, Insn, MemberIndex, Opcode, Operand};
use std::collections::BTreeSet;

/// Bounds that only hostile code meets: on instructions run through and stack slots copied, and on stack slots kept.
const MAX_STEPS: usize = 20_000_000;
const MAX_SLOTS: usize = 4_000_000;

const UNDERFLOW: &str = "its operand stack underflows";
const HEIGHTS: &str = "its operand stack has different heights where paths join";
const CONSTANT: &str = "it names a constant that is not there or of the wrong kind";
const DEEP: &str = "it follows a path through more than 64 fields";
const TOO_LARGE: &str = "the method is too large to analyse";

/// A value on the stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Value {
    /// The variables it was loaded from.
    pub from: SetId,
    /// Those of them that an operator or call took to compute it; a value that was only loaded has none.
    computed: SetId,
    /// The variable whose value it is, unchanged.
    pub path: Option<VarId>,
    /// The array variable a store into it changes: its path, or that of the array whose element it is.
    array: Option<VarId>,
    /// Whether it is an object that this method made.
    pub fresh: bool,
}

/// What an instruction does to variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effect {
    /// The variables whose values it consumes.
    pub uses: SetId,
    /// The variable it assigns.
    pub defines: Option<VarId>,
}

/// A call with the values it consumes, for the analyses across methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// Index of the instruction.
    pub insn: u32,
    /// The receiver, where there is one.
    pub receiver: Option<Value>,
    /// The arguments.
    pub arguments: Vec<Value>,
}

/// What is known of a method once it was run.
#[derive(Debug)]
pub(crate) struct Effects<'a> {
    /// Its variables.
    pub variables: Variables<'a>,
    /// Sets of them.
    pub sets: Sets,
    /// By instruction; those of dead code have no effect.
    pub effects: Vec<Effect>,
    /// By block: whether execution gets there from the start.
    pub reached: Vec<bool>,
    /// The calls of reached code in bytecode order, when they were asked for.
    pub calls: Vec<Call>,
    /// The objects and arrays that reached code writes into, by instruction, when calls were asked for.
    pub written: Vec<(u32, Value)>,
    /// Local variables that hold something other than an object that this method made.
    pub foreign: BTreeSet<u16>,
}

/// Runs a method until nothing changes. Linear but for loops entered with something on the stack, which `javac` never writes.
///
/// # Errors
/// When the code is none the JVM accepts, or too large.
pub(crate) fn run<'a>(
    pool: &ConstantPool<'a>,
    body: &Body<'a>,
    blocks: &Blocks,
    options: &Options,
    with_calls: bool,
) -> Result<Effects<'a>, Refusal> {
    let mut machine = Machine::new(pool, body, blocks, options, with_calls);
    let mut ways =
        Ways { blocks, entered: vec![None; blocks.all().len()], queue: BTreeSet::new(), slots: 0, steps: 0 };
    ways.arrive(0, &[], &mut machine.found.sets)?;
    while let Some(index) = ways.queue.pop_first() {
        let (Some(block), Some(Some(stack))) = (blocks.all().get(index), ways.entered.get(index)) else {
            continue;
        };
        machine.stack.clone_from(stack);
        ways.steps += block.insns().len() + stack.len();
        if machine.found.sets.full() {
            return Err(Refusal { offset: Some(block.start), reason: TOO_LARGE.to_owned() });
        }
        for insn in block.insns() {
            let Some(decoded) = body.insns.get(insn) else { continue };
            machine.step(insn, decoded).map_err(|reason| refusal(decoded, reason))?;
        }
        for target in blocks.successors(index as u32) {
            ways.arrive(*target as usize, &machine.stack, &mut machine.found.sets)?;
        }
        let handlers = blocks.covering(index as u32).iter().filter(|_| options.exception_edges);
        for target in handlers.filter_map(|entry| blocks.handler(*entry)) {
            // Of the stack the exception alone is left.
            ways.arrive(target as usize, &[Value::default()], &mut machine.found.sets)?;
        }
        if let Some(reached) = machine.found.reached.get_mut(index) {
            *reached = true;
        }
    }
    Ok(machine.finish())
}

/// The stacks that blocks are entered with, and the blocks still to run, the first in bytecode order first.
struct Ways<'b> {
    blocks: &'b Blocks,
    entered: Vec<Option<Vec<Value>>>,
    queue: BTreeSet<usize>,
    /// Slots of all stacks kept.
    slots: usize,
    /// Instructions run through and stack slots copied or compared.
    steps: usize,
}

impl Ways<'_> {
    /// A stack comes to a block.
    fn arrive(&mut self, target: usize, stack: &[Value], sets: &mut Sets) -> Result<(), Refusal> {
        let Some(saved) = self.entered.get_mut(target) else { return Ok(()) };
        let offset = self.blocks.all().get(target).map(|block| block.start);
        self.slots += if saved.is_none() { stack.len() } else { 0 };
        self.steps += stack.len();
        if self.steps > MAX_STEPS || self.slots > MAX_SLOTS {
            return Err(Refusal { offset, reason: TOO_LARGE.to_owned() });
        }
        let changed =
            join(sets, saved, stack).map_err(|reason| Refusal { offset, reason: reason.to_owned() })?;
        if changed {
            self.queue.insert(target);
        }
        Ok(())
    }
}

fn refusal(insn: &Insn, reason: &str) -> Refusal {
    Refusal { offset: Some(insn.pc), reason: reason.to_owned() }
}

/// Merges a stack into the one a block is entered with; whether that changed.
fn join(sets: &mut Sets, saved: &mut Option<Vec<Value>>, stack: &[Value]) -> Result<bool, &'static str> {
    let Some(saved) = saved else {
        *saved = Some(stack.to_vec());
        return Ok(true);
    };
    if saved.len() != stack.len() {
        return Err(HEIGHTS);
    }
    let mut changed = false;
    for (old, new) in saved.iter_mut().zip(stack) {
        let merged = Value {
            from: sets.union(old.from, new.from),
            computed: sets.union(old.computed, new.computed),
            path: old.path.filter(|path| Some(*path) == new.path),
            array: old.array.filter(|array| Some(*array) == new.array),
            fresh: old.fresh && new.fresh,
        };
        changed |= merged != *old;
        *old = merged;
    }
    Ok(changed)
}

struct Machine<'p, 'a> {
    pool: &'p ConstantPool<'a>,
    whole_arrays: bool,
    statements: bool,
    with_calls: bool,
    /// Slots of 32 bits; the second slot of a `long` or `double` is made of nothing.
    stack: Vec<Value>,
    found: Effects<'a>,
}

impl<'p, 'a> Machine<'p, 'a> {
    fn new(
        pool: &'p ConstantPool<'a>,
        body: &Body<'_>,
        blocks: &Blocks,
        options: &Options,
        with_calls: bool,
    ) -> Self {
        let found = Effects {
            variables: Variables::default(),
            sets: Sets::default(),
            effects: vec![Effect::default(); body.insns.len()],
            reached: vec![false; blocks.all().len()],
            calls: Vec::new(),
            written: Vec::new(),
            foreign: BTreeSet::new(),
        };
        let whole_arrays = options.arrays == Arrays::Whole;
        let statements = options.uses == Uses::Statement;
        Self { pool, whole_arrays, statements, with_calls, stack: Vec::new(), found }
    }

    fn finish(self) -> Effects<'a> {
        let mut found = self.found;
        // A block that is run through again notes its calls and writes again: the last time counts.
        found.calls.reverse();
        found.calls.sort_by_key(|call| call.insn);
        found.calls.dedup_by_key(|call| call.insn);
        found.written.reverse();
        found.written.sort_by_key(|(insn, _)| *insn);
        found.written.dedup_by_key(|(insn, _)| *insn);
        found
    }

    fn step(&mut self, index: usize, insn: &Insn) -> Result<(), &'static str> {
        use Opcode as O;
        let info = insn.opcode.info();
        let (pops, pushes) = (usize::from(info.pops), usize::from(info.pushes));
        let mut effect = Effect::default();
        match insn.opcode {
            O::Nop | O::Goto | O::GotoW | O::Ret | O::Checkcast => self.need(pops)?,
            O::Pop | O::Pop2 => effect.uses = self.drop(pops)?,
            opcode if (O::Iload..=O::Aload3).contains(&opcode) => {
                let value = self.local(insn);
                self.push(value, pushes);
            }
            opcode if (O::Iaload..=O::Saload).contains(&opcode) => self.element(pushes)?,
            opcode if opcode.is_store() => effect = self.store(insn, pops)?,
            opcode if (O::Iastore..=O::Sastore).contains(&opcode) => {
                effect = self.store_element(index, pops)?
            }
            opcode if (O::Dup..=O::Swap).contains(&opcode) => self.shuffle(opcode)?,
            O::Iinc => {
                let local = self.local(insn);
                effect = Effect { uses: local.from, defines: local.path };
            }
            O::Arraylength | O::Lcmp | O::Fcmpl | O::Fcmpg | O::Dcmpl | O::Dcmpg => {
                let (from, computed) = self.take_both(pops)?;
                self.push(Value { from, computed, ..Value::default() }, pushes);
            }
            O::Getstatic | O::Getfield => self.get_field(insn)?,
            O::Putstatic | O::Putfield => effect = self.put_field(index, insn)?,
            O::Invokevirtual | O::Invokespecial | O::Invokestatic | O::Invokeinterface | O::Invokedynamic => {
                effect.uses = self.call(index, insn)?;
            }
            O::New | O::Newarray | O::Anewarray => effect.uses = self.compute(pops, pushes, true)?,
            O::Multianewarray => {
                let Operand::MultiArray(_, dimensions) = insn.operand else { return Err(CONSTANT) };
                effect.uses = self.compute(usize::from(dimensions), 1, true)?;
            }
            _ => effect.uses = self.compute(pops, pushes, false)?,
        }
        if let Some(slot) = self.found.effects.get_mut(index) {
            *slot = effect;
        }
        Ok(())
    }

    /// Computes something from what is popped; gives what is used by that.
    fn compute(&mut self, pops: usize, pushes: usize, fresh: bool) -> Result<SetId, &'static str> {
        let from = self.take(pops)?;
        let (used, passed) = self.share(from, pushes);
        self.push(Value { from: passed, computed: passed, fresh, ..Value::default() }, pushes);
        Ok(used)
    }

    /// Drops values: by statements, what was computed ends up here, and what was only loaded is not used by that.
    fn drop(&mut self, slots: usize) -> Result<SetId, &'static str> {
        let (_, computed) = self.take_both(slots)?;
        Ok(computed)
    }

    /// What of the variables that went into a result is used here, and what where the result ends up.
    fn share(&self, from: SetId, pushes: usize) -> (SetId, SetId) {
        if self.statements && pushes > 0 { (SetId::EMPTY, from) } else { (from, SetId::EMPTY) }
    }

    fn store(&mut self, insn: &Insn, pops: usize) -> Result<Effect, &'static str> {
        let fresh = self.stack.last().is_some_and(|value| value.fresh);
        let uses = self.take(pops)?;
        if !fresh {
            self.found.foreign.extend(insn.local());
        }
        Ok(Effect { uses, defines: self.local(insn).path })
    }

    fn shuffle(&mut self, opcode: Opcode) -> Result<(), &'static str> {
        if let Some((count, skip)) = opcode.copies() {
            return self.copy(count, skip);
        }
        self.need(2)?;
        let top = self.stack.len() - 1;
        self.stack.swap(top, top - 1);
        Ok(())
    }

    /// Fails when there are fewer slots.
    fn need(&self, slots: usize) -> Result<(), &'static str> {
        if self.stack.len() < slots { Err(UNDERFLOW) } else { Ok(()) }
    }

    fn pop(&mut self) -> Result<Value, &'static str> {
        self.stack.pop().ok_or(UNDERFLOW)
    }

    /// Pops slots; gives what all of them together were loaded from.
    fn take(&mut self, slots: usize) -> Result<SetId, &'static str> {
        Ok(self.take_both(slots)?.0)
    }

    /// Pops slots; gives what all of them together were loaded from, and what of that was computed with.
    fn take_both(&mut self, slots: usize) -> Result<(SetId, SetId), &'static str> {
        let (mut all, mut computed) = (SetId::EMPTY, SetId::EMPTY);
        for _ in 0..slots {
            let value = self.pop()?;
            all = self.found.sets.union(all, value.from);
            computed = self.found.sets.union(computed, value.computed);
        }
        Ok((all, computed))
    }

    /// Pushes a value of some slots, of none for `void`.
    fn push(&mut self, value: Value, slots: usize) {
        if slots > 0 {
            self.stack.push(value);
            self.stack.resize(self.stack.len() + slots - 1, Value::default());
        }
    }

    /// The value of a variable that is loaded through others.
    fn load(&mut self, variable: Variable<'a>, through: Value) -> Value {
        let id = self.found.variables.intern(variable);
        let from = self.found.sets.with(through.from, id);
        Value { from, computed: through.computed, path: Some(id), array: Some(id), fresh: false }
    }

    fn local(&mut self, insn: &Insn) -> Value {
        self.load(Variable::Local(insn.local().unwrap_or_default()), Value::default())
    }

    /// An element is made of what the array and the index are made of.
    fn element(&mut self, pushes: usize) -> Result<(), &'static str> {
        let (index, array) = (self.pop()?, self.pop()?);
        let from = self.found.sets.union(array.from, index.from);
        let computed = self.found.sets.union(array.computed, index.computed);
        self.push(Value { from, computed, path: None, array: array.array, fresh: false }, pushes);
        Ok(())
    }

    fn store_element(&mut self, index: usize, pops: usize) -> Result<Effect, &'static str> {
        let mut uses = self.take(pops - 1)?;
        let array = self.pop()?;
        self.write(index, array);
        let defines = array.array.filter(|_| self.whole_arrays);
        let reference = match defines {
            // The array named is what is defined, and the way to it is used.
            Some(defined) if array.path == Some(defined) => self.found.sets.without(array.from, defined),
            _ => array.from,
        };
        uses = self.found.sets.union(uses, reference);
        Ok(Effect { uses, defines })
    }

    /// The `dup` family: copies `count` slots below the `skip` slots beneath them.
    fn copy(&mut self, count: usize, skip: usize) -> Result<(), &'static str> {
        self.need(count + skip)?;
        let top = self.stack.len() - count;
        let copied: Vec<Value> = self.stack.get(top..).unwrap_or_default().to_vec();
        let at = top - skip;
        self.stack.splice(at..at, copied);
        Ok(())
    }

    fn member(&self, insn: &Insn) -> Result<MemberText<'a>, &'static str> {
        let index = insn.constant().ok_or(CONSTANT)?;
        self.pool.member(MemberIndex(index)).map_err(|_| CONSTANT)
    }

    fn field(&self, insn: &Insn) -> Result<(Field<'a>, usize), &'static str> {
        let member = self.member(insn)?;
        let kind = descriptor::field(member.descriptor.0).ok_or(CONSTANT)?;
        Ok((Field::from(member), usize::from(kind.slots())))
    }

    fn get_field(&mut self, insn: &Insn) -> Result<(), &'static str> {
        let (field, slots) = self.field(insn)?;
        let value = if insn.opcode == Opcode::Getstatic {
            self.load(Variable::Static(field), Value::default())
        } else {
            let base = self.pop()?;
            match base.path {
                Some(path) => {
                    self.deeper(path)?;
                    self.load(Variable::Path(path, field), base)
                }
                None => Value { from: base.from, computed: base.computed, ..Value::default() },
            }
        };
        self.push(value, slots);
        Ok(())
    }

    fn put_field(&mut self, index: usize, insn: &Insn) -> Result<Effect, &'static str> {
        let (field, slots) = self.field(insn)?;
        let mut uses = self.take(slots)?;
        let mut variable = Some(Variable::Static(field));
        if insn.opcode == Opcode::Putfield {
            let base = self.pop()?;
            self.write(index, base);
            uses = self.found.sets.union(uses, base.from);
            base.path.map_or(Ok(()), |path| self.deeper(path))?;
            variable = base.path.map(|path| Variable::Path(path, field));
        }
        Ok(Effect { uses, defines: variable.map(|variable| self.found.variables.intern(variable)) })
    }

    /// Fails when a path leads through as many fields as it may.
    fn deeper(&self, path: VarId) -> Result<(), &'static str> {
        if self.found.variables.fields(path) < limits::FIELDS { Ok(()) } else { Err(DEEP) }
    }

    /// Notes that an instruction writes into an object.
    fn write(&mut self, index: usize, object: Value) {
        if self.with_calls {
            self.found.written.push((index as u32, object));
        }
    }

    fn call(&mut self, index: usize, insn: &Insn) -> Result<SetId, &'static str> {
        let member = self.member(insn)?;
        let (_, result) = descriptor::method(member.descriptor.0).ok_or(CONSTANT)?;
        let kinds: Vec<Kind> = descriptor::parameters(member.descriptor.0).collect();
        let mut uses = SetId::EMPTY;
        let mut arguments = Vec::with_capacity(if self.with_calls { kinds.len() } else { 0 });
        for kind in kinds.iter().rev() {
            for _ in 1..kind.slots() {
                self.pop()?;
            }
            let value = self.pop()?;
            uses = self.found.sets.union(uses, value.from);
            if self.with_calls {
                arguments.push(value);
            }
        }
        let mut receiver = None;
        if !matches!(insn.opcode, Opcode::Invokestatic | Opcode::Invokedynamic) {
            let value = self.pop()?;
            uses = self.found.sets.union(uses, value.from);
            receiver = Some(value);
        }
        if self.with_calls {
            arguments.reverse();
            self.found.calls.push(Call { insn: index as u32, receiver, arguments });
        }
        let (used, passed) = self.share(uses, usize::from(result.slots()));
        let value = Value { from: passed, computed: passed, ..result_of(&member, receiver) };
        self.push(value, usize::from(result.slots()));
        Ok(used)
    }
}

/// What a call gives: nothing that is known, but of a string builder the builder itself.
fn result_of(member: &MemberText<'_>, receiver: Option<Value>) -> Value {
    const BUILDERS: [&[u8]; 2] = [b"java/lang/StringBuilder", b"java/lang/StringBuffer"];
    let itself = BUILDERS.contains(&member.owner.0)
        && member.descriptor.0.rsplit(|byte| *byte == b')').next().is_some_and(|result| {
            result.strip_prefix(b"L").and_then(|r| r.strip_suffix(b";")) == Some(member.owner.0)
        });
    let receiver = receiver.filter(|_| itself).unwrap_or_default();
    Value { path: receiver.path, fresh: receiver.fresh, ..Value::default() }
}
