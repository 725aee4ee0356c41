//! Symbolic execution of the instructions of a unit: what a JVM does, on expressions (JVMS 6.5; King, *Symbolic execution and program
//! testing*). Knows one run through a few instructions; where they lie in a method and what comes before or behind is not known here.
//!
//! Invariants: the conditions of the exits exclude one another, and together they always hold; what is not understood is refused.

use crate::expr::{Expr, Pool};
use crate::refusal::Refusal;
use crate::state::{Array, Env, Held, Key, Places, Shape, Slot, State};
use crate::value::{Binary, Sort};
use dynaflow_bytecode::Body;
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::{
    ClassIndex, Constant, ConstantPool, Insn, MemberIndex, Opcode, Operand, descriptor,
};
use dynaflow_mutants::Op;

pub(crate) const NULL_POINTER: &str = "java/lang/NullPointerException";
pub(crate) const ARITHMETIC: &str = "java/lang/ArithmeticException";

/// Where a unit is left to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// The unit that begins with this instruction.
    Unit(usize),
    /// The caller.
    Return,
    /// An exception of this class, by internal name.
    Throw(String),
    /// What is not looked at: an array longer than the bound.
    Beyond,
}

/// A way out of a unit.
#[derive(Clone, Debug)]
pub struct Exit {
    /// The edge condition, over what the places hold at the beginning.
    pub when: Expr,
    /// Where it leads.
    pub target: Target,
    /// What the places hold then that were written.
    pub defined: Env,
    /// What the slots hold then.
    pub shape: Shape,
}

/// What a call needs to know of the program around.
pub trait Calls {
    /// The exceptions of a call with these arguments, each with its condition, and its result; none for `void`.
    ///
    /// # Errors
    /// When the method is not known, or not understood.
    #[allow(clippy::type_complexity, reason = "it is used once")]
    fn call(
        &mut self,
        pool: &mut Pool,
        method: &MemberText<'_>,
        arguments: &[Expr],
    ) -> Result<(Vec<(Expr, Target)>, Option<Expr>), Refusal>;
}

/// What the units of a method share.
pub struct Shared<'s, 'a> {
    /// Constants of the class.
    pub constants: &'s ConstantPool<'a>,
    /// The code.
    pub body: &'s Body<'a>,
    /// Expressions.
    pub pool: &'s mut Pool,
    /// Variables of places.
    pub places: &'s mut Places,
    /// Arrays by number.
    pub arrays: &'s mut Vec<Array>,
    /// Elements of an array at most.
    pub elements: u16,
    /// Who knows what is called.
    pub calls: &'s mut dyn Calls,
}

/// One run through the instructions of a unit.
pub struct Machine<'r, 's, 'a> {
    pub(crate) shared: &'r mut Shared<'s, 'a>,
    pub(crate) state: State,
    pub(crate) path: Expr,
    exits: Vec<Exit>,
    is_over: bool,
}

impl<'r, 's, 'a> Machine<'r, 's, 'a> {
    /// At the beginning of a unit.
    pub fn new(shared: &'r mut Shared<'s, 'a>, shape: &Shape) -> Self {
        let state = State::at(shape, shared.pool, shared.places);
        let path = shared.pool.bool(true);
        Self { shared, state, path, exits: vec![], is_over: false }
    }

    /// Whether nothing is left to do: a jump or return that is always taken.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether the operand stack is empty.
    pub fn is_empty(&self) -> bool {
        self.state.stack.is_empty()
    }

    /// Leaves the unit for the one behind and gives all exits.
    pub fn end(mut self, next: usize) -> Vec<Exit> {
        if !self.is_over {
            let path = self.path;
            self.exit(path, Target::Unit(next));
        }
        let never = self.shared.pool.bool(false);
        self.exits.retain(|exit| exit.when != never);
        self.exits
    }

    /// An instruction that takes the place of one, by its index.
    ///
    /// # Errors
    /// When it is not understood.
    pub fn change(&mut self, op: &Op, index: usize) -> Result<(), Refusal> {
        match op {
            Op::Original => self.insn(index),
            Op::Plain(opcode) => self.plain(*opcode),
            Op::Local(opcode, slot) => self.local(*opcode, *slot),
            Op::Increment(slot, by) => self.increment(*slot, *by),
            Op::Int(value) => {
                let value = self.shared.pool.int((*value).into());
                self.push(value);
                Ok(())
            }
            Op::Jump(opcode, target) => self.jump(*opcode, *target),
            Op::EmptyText => Err(Refusal::new("it returns a text")),
            Op::Call(_) => Err(Refusal::new("the mutant makes an object")),
            Op::Insn(_) => Err(Refusal::new("the mutant makes a copy of an object")),
        }
    }

    /// An instruction of the method, by its index.
    ///
    /// # Errors
    /// When it is not understood.
    pub fn insn(&mut self, index: usize) -> Result<(), Refusal> {
        let insn =
            *self.shared.body.insns.get(index).ok_or_else(|| Refusal::new("its code ends too early"))?;
        match insn.operand {
            Operand::Local(slot) => self.local(insn.opcode, slot),
            Operand::Increment(slot, by) => self.increment(slot, by),
            Operand::Immediate(value) => {
                let value = self.shared.pool.int(value);
                self.push(value);
                Ok(())
            }
            Operand::Target(pc) => {
                let target = self.target(pc)?;
                self.jump(insn.opcode, target)
            }
            Operand::ArrayType(code) => self.new_array(code, index),
            Operand::Constant(constant) => self.constant(insn.opcode, constant),
            Operand::None if insn.switch(self.shared.body.code.bytes).is_some() => self.switch(&insn),
            Operand::None => self.plain(insn.opcode),
            Operand::MultiArray(..) => Err(refused(insn.opcode)),
        }
    }

    fn target(&self, pc: u32) -> Result<usize, Refusal> {
        self.shared.body.insn_at(pc).ok_or_else(|| Refusal::new("a jump leads into an instruction"))
    }

    fn plain(&mut self, opcode: Opcode) -> Result<(), Refusal> {
        use Opcode as O;
        match opcode {
            O::Nop => Ok(()),
            O::AconstNull => {
                self.state.stack.push(Held::Other(Slot::Null));
                Ok(())
            }
            O::Pop => self.drop_slots(1),
            O::Pop2 => self.drop_slots(2),
            O::Dup => self.copy(1, 0),
            O::DupX1 => self.copy(1, 1),
            O::DupX2 => self.copy(1, 2),
            O::Dup2 => self.copy(2, 0),
            O::Dup2X1 => self.copy(2, 1),
            O::Dup2X2 => self.copy(2, 2),
            O::Swap => {
                let (b, a) = (self.pop_slot()?, self.pop_slot()?);
                self.state.stack.extend([b, a]);
                Ok(())
            }
            O::Arraylength => self.array_length(),
            O::Athrow => self.throw(),
            _ if (O::Iaload..=O::Saload).contains(&opcode) => self.load_element(opcode),
            _ if (O::Iastore..=O::Sastore).contains(&opcode) => self.store_element(opcode),
            _ if opcode.is_return() => self.leave(opcode),
            _ => self.compute(opcode),
        }
    }

    fn drop_slots(&mut self, count: usize) -> Result<(), Refusal> {
        (0..count).try_for_each(|_| self.pop_slot().map(drop))
    }

    fn copy(&mut self, count: usize, skip: usize) -> Result<(), Refusal> {
        let stack = &mut self.state.stack;
        let top = stack.len().checked_sub(count).ok_or_else(underflow)?;
        let at = top.checked_sub(skip).ok_or_else(underflow)?;
        let copied: Vec<Held> = stack.get(top..).unwrap_or_default().to_vec();
        stack.splice(at..at, copied);
        Ok(())
    }

    fn local(&mut self, opcode: Opcode, slot: u16) -> Result<(), Refusal> {
        let place = usize::from(slot);
        if opcode == Opcode::Ret {
            return Err(refused(opcode));
        }
        if !opcode.is_store() {
            return match self.state.locals.get(place).cloned() {
                Some(Held::Number(expr)) => {
                    self.push(expr);
                    Ok(())
                }
                Some(Held::Other(slot @ (Slot::Null | Slot::Array(_) | Slot::Object(_)))) => {
                    self.state.stack.push(Held::Other(slot));
                    Ok(())
                }
                _ => Err(Refusal::new("a local variable holds different objects")),
            };
        }
        let value = match self.pop_slot()? {
            Held::Other(Slot::Top) => self.pop_slot()?,
            value => value,
        };
        let is_wide = matches!(&value, Held::Number(expr) if is_wide(self.shared.pool.sort(*expr)));
        let mut store = |place: usize, value| match self.state.locals.get_mut(place) {
            Some(slot) => {
                *slot = value;
                Ok(())
            }
            None => Err(Refusal::new("it uses a local variable that it does not have")),
        };
        store(place, value)?;
        if is_wide {
            store(place + 1, Held::Other(Slot::Top))?;
        }
        Ok(())
    }

    fn increment(&mut self, slot: u16, by: i16) -> Result<(), Refusal> {
        let by = self.shared.pool.int(by.into());
        match self.state.locals.get_mut(usize::from(slot)) {
            Some(Held::Number(value)) if self.shared.pool.sort(*value) == Sort::Int => {
                *value = self.shared.pool.binary(Binary::Add, *value, by);
                Ok(())
            }
            _ => Err(Refusal::new("it increments what is no int")),
        }
    }

    fn jump(&mut self, opcode: Opcode, target: usize) -> Result<(), Refusal> {
        use Opcode as O;
        if matches!(opcode, O::Goto | O::GotoW) {
            let path = self.path;
            self.exit(path, Target::Unit(target));
            self.is_over = true;
            return Ok(());
        }
        let when = match opcode {
            O::Ifnull | O::Ifnonnull | O::IfAcmpeq | O::IfAcmpne => self.same_object(opcode)?,
            _ if opcode.is_conditional() => self.condition(opcode)?,
            _ => return Err(refused(opcode)),
        };
        self.branch(when, Target::Unit(target));
        Ok(())
    }

    fn same_object(&mut self, opcode: Opcode) -> Result<Expr, Refusal> {
        let b = self.pop_slot()?;
        let a = match opcode {
            Opcode::IfAcmpeq | Opcode::IfAcmpne => self.pop_slot()?,
            _ => Held::Other(Slot::Null),
        };
        let same = match (a, b) {
            (Held::Other(Slot::Null), Held::Other(Slot::Null)) => self.shared.pool.bool(true),
            (Held::Other(Slot::Null), Held::Other(Slot::Array(array)))
            | (Held::Other(Slot::Array(array)), Held::Other(Slot::Null)) => self.is_null(array),
            (Held::Other(Slot::Null), Held::Other(Slot::Object(_)))
            | (Held::Other(Slot::Object(_)), Held::Other(Slot::Null)) => self.shared.pool.bool(false),
            (Held::Other(Slot::Array(a)), Held::Other(Slot::Array(b))) if a == b => {
                self.shared.pool.bool(true)
            }
            _ => return Err(Refusal::new("it compares objects")),
        };
        let is_equal = matches!(opcode, Opcode::Ifnull | Opcode::IfAcmpeq);
        Ok(if is_equal { same } else { self.shared.pool.not(same) })
    }

    fn switch(&mut self, insn: &Insn) -> Result<(), Refusal> {
        let switch = insn.switch(self.shared.body.code.bytes).ok_or_else(|| refused(insn.opcode))?;
        let key = self.pop(Sort::Int)?;
        let mut by_target: std::collections::BTreeMap<u32, Expr> = std::collections::BTreeMap::new();
        let default = switch.default;
        let mut rest = self.shared.pool.bool(true);
        for (case, target) in switch.cases().filter(|(_, target)| *target != default) {
            let case = self.shared.pool.int(case);
            let is_case = self.shared.pool.binary(Binary::Eq, key, case);
            let no = self.shared.pool.not(is_case);
            rest = self.shared.pool.and(rest, no);
            let known = by_target.get(&target).copied();
            let when = known.map_or(is_case, |known| self.shared.pool.or(known, is_case));
            by_target.insert(target, when);
            if self.shared.pool.is_full() {
                return Err(Refusal::new("its expressions get too large"));
            }
        }
        for (target, when) in by_target.into_iter().chain([(default, rest)]) {
            let target = self.target(target)?;
            let when = self.shared.pool.and(self.path, when);
            self.exit(when, Target::Unit(target));
        }
        self.is_over = true;
        Ok(())
    }

    fn leave(&mut self, opcode: Opcode) -> Result<(), Refusal> {
        let sort = match opcode {
            Opcode::Ireturn => Some(Sort::Int),
            Opcode::Lreturn => Some(Sort::Long),
            Opcode::Freturn => Some(Sort::Float),
            Opcode::Dreturn => Some(Sort::Double),
            Opcode::Areturn => return Err(Refusal::new("it returns an object")),
            _ => None,
        };
        if let Some(sort) = sort {
            let value = self.pop(sort)?;
            self.state.memory.insert(Key::Result, value);
        }
        let path = self.path;
        self.exit(path, Target::Return);
        self.is_over = true;
        Ok(())
    }

    fn throw(&mut self) -> Result<(), Refusal> {
        let class = match self.pop_slot()? {
            Held::Other(Slot::Object(class)) => class,
            Held::Other(Slot::Null) => NULL_POINTER.to_owned(),
            _ => return Err(Refusal::new("it throws what it did not make")),
        };
        let path = self.path;
        self.exit(path, Target::Throw(class));
        self.is_over = true;
        Ok(())
    }

    fn constant(&mut self, opcode: Opcode, index: u16) -> Result<(), Refusal> {
        use Opcode as O;
        match opcode {
            O::Ldc | O::LdcW | O::Ldc2W => self.load_constant(index),
            O::New => {
                let class = self.shared.constants.class_name(ClassIndex(index))?.to_string();
                self.state.stack.push(Held::Other(Slot::Object(class)));
                Ok(())
            }
            O::Invokespecial => self.construct(index),
            O::Invokestatic => {
                let method = self.shared.constants.member(MemberIndex(index))?;
                self.call(&method)
            }
            _ => Err(refused(opcode)),
        }
    }

    fn load_constant(&mut self, index: u16) -> Result<(), Refusal> {
        use crate::value::Value;
        let value = match self.shared.constants.get(index) {
            Some(Constant::Integer(value)) => Value::Int(value),
            Some(Constant::Long(value)) => Value::Long(value),
            Some(Constant::Float(bits)) => Value::Float(bits),
            Some(Constant::Double(bits)) => Value::Double(bits),
            Some(Constant::String(_)) => {
                self.state.stack.push(Held::Other(Slot::Object("java/lang/String".to_owned())));
                return Ok(());
            }
            _ => return Err(Refusal::new("it loads a constant that is no number")),
        };
        let value = self.shared.pool.value(value);
        self.push(value);
        Ok(())
    }

    /// The constructor of an exception that the method is about to throw.
    fn construct(&mut self, index: u16) -> Result<(), Refusal> {
        let method = self.shared.constants.member(MemberIndex(index))?;
        let (owner, name) = (method.owner.to_string(), method.name.to_string());
        let simple = owner.strip_prefix("java/lang/").unwrap_or_default();
        let is_exception = simple.ends_with("Exception") || simple.ends_with("Error");
        if name != "<init>" || !is_exception {
            return Err(called(&owner, &name));
        }
        let (slots, _) = descriptor::method(method.descriptor.0).ok_or_else(malformed)?;
        self.drop_slots(usize::from(slots))?;
        match self.pop_slot()? {
            Held::Other(Slot::Object(class)) if class == owner => Ok(()),
            _ => Err(called(&owner, &name)),
        }
    }

    fn call(&mut self, method: &MemberText<'_>) -> Result<(), Refusal> {
        let mut arguments = vec![];
        let types: Vec<_> = descriptor::parameter_types(method.descriptor.0).collect();
        for (_, own) in types.iter().rev() {
            let letter = own.first().copied().filter(|_| own.len() == 1);
            let sort = letter.and_then(crate::state::sort_of);
            let sort = sort.ok_or_else(|| Refusal::new("it passes an object to a method"))?;
            arguments.push(self.pop(sort)?);
        }
        arguments.reverse();
        let (exceptions, result) = self.shared.calls.call(self.shared.pool, method, &arguments)?;
        for (when, target) in exceptions {
            self.branch(when, target);
        }
        result.into_iter().for_each(|result| self.push(result));
        Ok(())
    }

    /// Leaves the unit where the condition holds, and goes on where it does not.
    pub(crate) fn branch(&mut self, when: Expr, target: Target) {
        let leaves = self.shared.pool.and(self.path, when);
        self.exit(leaves, target);
        let stays = self.shared.pool.not(when);
        self.path = self.shared.pool.and(self.path, stays);
    }

    fn exit(&mut self, when: Expr, target: Target) {
        let defined = self.state.defined(self.shared.pool, self.shared.places);
        let shape = self.state.shape(self.shared.pool);
        self.exits.push(Exit { when, target, defined, shape });
    }

    /// Pushes a number.
    pub(crate) fn push(&mut self, expr: Expr) {
        self.state.stack.push(Held::Number(expr));
        if is_wide(self.shared.pool.sort(expr)) {
            self.state.stack.push(Held::Other(Slot::Top));
        }
    }

    /// Pops a number of this kind.
    pub(crate) fn pop(&mut self, sort: Sort) -> Result<Expr, Refusal> {
        let top = match self.pop_slot()? {
            Held::Other(Slot::Top) => self.pop_slot()?,
            top => top,
        };
        match top {
            Held::Number(expr) if self.shared.pool.sort(expr) == sort => Ok(expr),
            _ => Err(Refusal::new("it computes with what is no number of this kind")),
        }
    }

    /// Pops what one slot holds.
    pub(crate) fn pop_slot(&mut self) -> Result<Held, Refusal> {
        self.state.stack.pop().ok_or_else(underflow)
    }
}

fn is_wide(sort: Sort) -> bool {
    matches!(sort, Sort::Long | Sort::Double)
}

fn underflow() -> Refusal {
    Refusal::new("its stack does not hold what it takes")
}

fn malformed() -> Refusal {
    Refusal::new("a descriptor is malformed")
}

fn called(owner: &str, name: &str) -> Refusal {
    Refusal::new(format!("it calls {}.{name}", owner.replace('/', ".")))
}

pub(crate) fn refused(opcode: Opcode) -> Refusal {
    Refusal::new(format!("it uses {}", opcode.mnemonic()))
}
