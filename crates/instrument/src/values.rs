//! Which values of a straight piece of code are the same: those that `dup` and local variables hand on.
//!
//! It knows instructions that compute or access locations, not calls, and nothing of what values are. Invariant: two that have the
//! same number are the same value; what is computed anew has a new one.

use dynaflow_classfile::{Insn, Opcode, descriptor};

/// A value the code computed.
pub(crate) type Value = u32;
/// What local variable 0 held in the beginning.
pub(crate) const FIRST: Value = 0;

/// How many local variables are followed.
const TRACKED: usize = 64;

/// Which values stack and local variables hold, as far as that is known since a place where nothing was.
#[derive(Debug)]
pub(crate) struct Values {
    stack: Vec<Value>,
    locals: Vec<(u16, Value)>,
    next: Value,
}

impl Default for Values {
    fn default() -> Self {
        Self { stack: Vec::new(), locals: vec![(0, FIRST)], next: FIRST + 1 }
    }
}

impl Values {
    fn fresh(&mut self) -> Value {
        self.next += 1;
        self.next - 1
    }

    /// Makes the stack known to some depth.
    fn reach(&mut self, depth: usize) {
        while self.stack.len() < depth {
            let value = self.fresh();
            self.stack.insert(0, value);
        }
    }

    /// The value some slots below the top.
    pub fn peek(&mut self, depth: usize) -> Value {
        self.reach(depth + 1);
        self.stack.get(self.stack.len() - depth - 1).copied().unwrap_or(FIRST)
    }

    /// What lies on top is this value.
    pub fn set_top(&mut self, value: Value) {
        self.reach(1);
        if let Some(top) = self.stack.last_mut() {
            *top = value;
        }
    }

    fn pop(&mut self, slots: usize) {
        self.reach(slots);
        self.stack.truncate(self.stack.len() - slots);
    }

    fn push(&mut self, slots: usize) {
        for _ in 0..slots {
            let value = self.fresh();
            self.stack.push(value);
        }
    }

    fn local(&mut self, local: u16) -> Value {
        match self.locals.iter().find(|(known, _)| *known == local) {
            Some((_, value)) => *value,
            None => {
                let value = self.fresh();
                self.set(local, value);
                value
            }
        }
    }

    fn set(&mut self, local: u16, value: Value) {
        self.locals.retain(|(known, _)| *known != local);
        if self.locals.len() < TRACKED {
            self.locals.push((local, value));
        }
    }

    /// Goes past an instruction that is quiet or accesses a location; `field` is the kind of the field it names.
    pub fn step(&mut self, insn: &Insn, field: Option<descriptor::Kind>) {
        let info = insn.opcode.info();
        let slots = field.map_or(0, |kind| usize::from(kind.slots()));
        if let Some((count, skip)) = insn.opcode.copies() {
            return self.copy(count, skip);
        }
        match insn.opcode {
            Opcode::Getstatic => self.push(slots),
            Opcode::Putstatic => self.pop(slots),
            Opcode::Getfield => {
                self.pop(1);
                self.push(slots);
            }
            Opcode::Putfield => self.pop(slots + 1),
            Opcode::Swap => {
                self.reach(2);
                let top = self.stack.len() - 1;
                self.stack.swap(top, top - 1);
            }
            opcode if opcode.is_store() => {
                let local = insn.local().unwrap_or_default();
                let value = self.peek(0);
                self.pop(usize::from(info.pops));
                if info.pops == 1 {
                    self.set(local, value);
                } else {
                    self.locals.retain(|(known, _)| *known != local && *known != local.wrapping_add(1));
                }
            }
            Opcode::Iinc => {
                let value = self.fresh();
                self.set(insn.local().unwrap_or_default(), value);
            }
            opcode
                if info.pops == 0 && info.pushes == 1 && insn.local().is_some() && opcode != Opcode::Ret =>
            {
                let value = self.local(insn.local().unwrap_or_default());
                self.stack.push(value);
            }
            _ => {
                self.pop(usize::from(info.pops));
                self.push(usize::from(info.pushes));
            }
        }
    }

    /// The `dup` family: copies `count` slots below the `skip` slots beneath them.
    fn copy(&mut self, count: usize, skip: usize) {
        self.reach(count + skip);
        let at = self.stack.len() - count - skip;
        let copied: Vec<Value> = self.stack.iter().skip(self.stack.len() - count).copied().collect();
        self.stack.splice(at..at, copied);
    }
}
