//! Statements at random: branches, loops, handlers, objects in the making. It knows control flow.
//!
//! Invariants: a statement leaves the operands below the floor as they were, and the stack as high as it found it or higher;
//! each jump back burns fuel; every path through a constructor constructs `this` once.

use super::types::{ARITHMETIC, BASE, LIST, NULL_POINTER, OBJECT, RUNTIME, State, T, THROWABLE, heal};
use super::values::Maker;
use dynaflow_classfile::Opcode;

const IFS: [(Opcode, &[T]); 16] = [
    (Opcode::Ifeq, &[T::Int]),
    (Opcode::Ifne, &[T::Int]),
    (Opcode::Iflt, &[T::Int]),
    (Opcode::Ifge, &[T::Int]),
    (Opcode::Ifgt, &[T::Int]),
    (Opcode::Ifle, &[T::Int]),
    (Opcode::IfIcmpeq, &[T::Int, T::Int]),
    (Opcode::IfIcmpne, &[T::Int, T::Int]),
    (Opcode::IfIcmplt, &[T::Int, T::Int]),
    (Opcode::IfIcmpge, &[T::Int, T::Int]),
    (Opcode::IfIcmpgt, &[T::Int, T::Int]),
    (Opcode::IfIcmple, &[T::Int, T::Int]),
    (Opcode::IfAcmpeq, &[T::Object(OBJECT), T::Object(OBJECT)]),
    (Opcode::IfAcmpne, &[T::Object(OBJECT), T::Object(OBJECT)]),
    (Opcode::Ifnull, &[T::Object(OBJECT)]),
    (Opcode::Ifnonnull, &[T::Object(OBJECT)]),
];

/// Class files before this version have no frames and are verified by inference, which knows fewer shapes.
const TYPE_CHECKED: u16 = 50;

impl Maker<'_, '_> {
    /// Some statements.
    pub fn block(&mut self, depth: u32) {
        for _ in 0..=self.below(5) {
            if self.budget <= 0 {
                return;
            }
            self.budget -= 1;
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let nested = depth < 4;
        match self.below(40) {
            0..=3 if nested => self.branch(depth),
            4 | 5 if nested && self.may_loop() => self.repeat(depth),
            6 | 7 if nested => self.guarded(depth),
            8 if nested => self.select(depth),
            9 if nested => self.leave_early(),
            10 if nested => self.dead(depth),
            11..=14 if nested => self.construct(depth),
            15 if !self.is_raw() => self.locked(),
            16..=18 => self.call_own(),
            19 | 20 => self.containers(),
            21..=23 => self.arrays(),
            24..=27 => self.fields(),
            28..=30 => self.shuffle(),
            31 | 32 => self.arithmetic(),
            33 => self.types(),
            34..=36 => {
                let t = self.any_type();
                self.push(t, 0);
                self.store_top();
            }
            37 => self.increment(),
            _ => {
                let t = self.any_type();
                self.push(t, 0);
            }
        }
    }

    fn extra(&mut self) -> Vec<T> {
        (0..self.below(3)).map(|_| self.any_type()).collect()
    }

    fn goto(&mut self, label: super::assembler::Label) {
        let opcode = if self.chance(10) { Opcode::GotoW } else { Opcode::Goto };
        self.out.branch(opcode, label);
    }

    /// Pushes what a conditional branch takes and gives it.
    fn condition(&mut self) -> Opcode {
        let (opcode, operands) = IFS[self.below(IFS.len())];
        operands.iter().for_each(|t| self.push(*t, 0));
        let left = self.state.stack.len() - operands.len();
        self.state.stack.truncate(left);
        opcode
    }

    fn branch(&mut self, depth: u32) {
        let (otherwise, end, floor, extra) = (self.out.label(), self.out.label(), self.floor, self.extra());
        let opcode = self.condition();
        self.out.branch(opcode, otherwise);
        let entry = self.state.clone();
        self.floor = entry.stack.len();
        self.block(depth + 1);
        self.settle(&extra);
        let first = self.state.clone();
        self.goto(end);
        self.state = entry;
        self.place(otherwise);
        self.block(depth + 1);
        self.settle(&extra);
        self.state = self.state.merged(&first);
        self.place(end);
        self.floor = floor;
    }

    pub fn place(&mut self, label: super::assembler::Label) {
        self.out.place(label, &self.state);
    }

    fn may_loop(&self) -> bool {
        let raw = self.state.has_raw_operand() || self.state.locals.iter().any(|t| matches!(t, T::Raw(_)));
        !raw && !self.is_raw()
    }

    fn repeat(&mut self, depth: u32) {
        let pinned = self.pin(70);
        for (slot, pin) in self.pinned.clone().iter().enumerate() {
            if pin.is_none() && slot < self.state.locals.len() && !self.is_half_of_pinned(slot) {
                self.state.locals[slot] = T::Top;
            }
        }
        heal(&mut self.state.locals);
        let (head, floor) = (self.out.label(), self.floor);
        self.place(head);
        self.floor = self.state.stack.len();
        self.block(depth + 1);
        self.settle(&[]);
        self.fuel_field(Opcode::Getstatic, "fuel", T::Int);
        self.out.op(Opcode::Iconst1);
        self.out.op(Opcode::Isub);
        self.out.op(Opcode::Dup);
        self.max_stack = self.max_stack.max(self.state.depth() + 2);
        self.fuel_field(Opcode::Putstatic, "fuel", T::Int);
        if self.chance(70) {
            self.out.branch(Opcode::Ifgt, head);
        } else {
            let exit = self.out.label();
            self.out.branch(Opcode::Ifle, exit);
            self.goto(head);
            self.place(exit);
        }
        (self.pinned, self.floor) = (pinned, floor);
    }

    fn is_half_of_pinned(&self, slot: usize) -> bool {
        slot > 0 && self.pinned[slot - 1].is_some_and(T::wide)
    }

    /// Pins some more locals to the types they have; gives the old pins.
    fn pin(&mut self, percent: u32) -> Vec<Option<T>> {
        let old = self.pinned.clone();
        self.pinned.resize(self.pinned.len().max(self.state.locals.len()), None);
        for slot in 0..self.state.locals.len() {
            let t = self.state.locals[slot];
            let usable = !matches!(t, T::Top | T::Half | T::Raw(_));
            if usable && self.pinned[slot].is_none() && (t == T::RawThis || self.chance(percent)) {
                self.pinned[slot] = Some(t);
            }
        }
        old
    }

    fn guarded(&mut self, depth: u32) {
        let entry = self.state.clone();
        let pinned = self.pin(60);
        let mut held = State { locals: vec![T::Top; entry.locals.len()], stack: Vec::new() };
        for (slot, pin) in self.pinned.iter().enumerate() {
            if let Some(t) = *pin {
                held.locals[slot] = t;
                if t.wide() {
                    held.locals[slot + 1] = T::Half;
                }
            }
        }
        let (handler, after, floor, extra) = (self.out.label(), self.out.label(), self.floor, self.extra());
        let start = self.out.here();
        self.floor = entry.stack.len();
        self.block(depth + 1);
        if self.chance(20) {
            self.throw();
        }
        self.settle(&extra);
        if self.out.here() == start {
            self.out.op(Opcode::Nop);
        }
        let end = self.out.here();
        let normal = self.state.clone();
        self.goto(after);
        self.pinned = pinned;
        let caught =
            [None, Some(THROWABLE), Some(RUNTIME), Some(ARITHMETIC), Some(NULL_POINTER)][self.below(5)];
        self.out.handler(start, end, handler, caught);
        if self.chance(20) {
            // Twice the same range: the second entry never gets what the first one takes.
            self.out.handler(start, end, handler, Some(caught.unwrap_or(RUNTIME)));
        }
        self.state = held;
        self.floor = 0;
        self.pushed(T::Object(caught.unwrap_or(THROWABLE)));
        self.place(handler);
        let rejoins = !entry.has_raw_operand() && self.chance(75);
        if self.chance(50) {
            self.store_top();
        }
        self.block(depth + 1);
        if rejoins {
            let all: Vec<T> = entry.stack.iter().chain(&extra).copied().collect();
            self.settle(&all);
            self.state = self.state.merged(&normal);
        } else {
            self.leave();
            self.state = normal;
        }
        self.floor = floor;
        self.place(after);
    }

    fn select(&mut self, depth: u32) {
        let (end, floor, table) = (self.out.label(), self.floor, self.chance(50));
        let own: Vec<_> = (0..=self.below(3)).map(|_| self.out.label()).collect();
        let cases: Vec<_> = (0..=self.below(5)).map(|_| own[self.below(own.len())]).collect();
        let used: Vec<_> = own.into_iter().filter(|label| cases.contains(label)).collect();
        self.push(T::Int, 0);
        self.popped(1);
        let low = self.below(12) as i32 - 6;
        self.out.switch(table, low, end, &cases);
        let entry = self.state.clone();
        let mut merged = entry.clone();
        self.floor = entry.stack.len();
        for label in used {
            self.state = entry.clone();
            self.place(label);
            self.block(depth + 1);
            self.settle(&[]);
            merged = merged.merged(&self.state);
            self.goto(end);
        }
        self.state = merged;
        self.place(end);
        self.floor = floor;
    }

    /// Leaves the method if some condition holds, whatever lies on the stack.
    fn leave_early(&mut self) {
        let stay = self.out.label();
        let opcode = self.condition();
        self.out.branch(opcode, stay);
        let (state, floor) = (self.state.clone(), self.floor);
        self.floor = self.state.stack.len();
        self.leave();
        (self.state, self.floor) = (state, floor);
        self.place(stay);
    }

    /// Ends the path: returns, or throws.
    pub fn leave(&mut self) {
        if self.is_raw() || self.chance(25) {
            return self.throw_here();
        }
        let Some(result) = self.result else { return self.out.op(Opcode::Return) };
        self.push(result, 0);
        self.out.op(match result {
            T::Int => Opcode::Ireturn,
            T::Long => Opcode::Lreturn,
            T::Float => Opcode::Freturn,
            T::Double => Opcode::Dreturn,
            _ => Opcode::Areturn,
        });
    }

    fn throw_here(&mut self) {
        let class = [RUNTIME, ARITHMETIC][self.below(2)];
        self.push(T::Object(class), 0);
        self.out.op(Opcode::Athrow);
    }

    /// Throws if some condition holds.
    fn throw(&mut self) {
        let stay = self.out.label();
        let opcode = self.condition();
        self.out.branch(opcode, stay);
        let state = self.state.clone();
        self.throw_here();
        self.state = state;
        self.place(stay);
    }

    /// Code that nothing leads to, with whatever on its stack.
    fn dead(&mut self, depth: u32) {
        let (after, inside, state, floor) =
            (self.out.label(), self.out.label(), self.state.clone(), self.floor);
        self.goto(after);
        self.state.stack.clear();
        self.floor = 0;
        if self.major >= TYPE_CHECKED {
            for t in self.extra() {
                self.pushed(t);
            }
        }
        self.place(inside);
        self.block(depth + 1);
        self.leave();
        (self.state, self.floor) = (state, floor);
        self.place(after);
    }

    /// `new`, then anything, then the constructor.
    fn construct(&mut self, depth: u32) {
        let (class, parameters): (&'static str, Vec<T>) = match self.below(6) {
            0 => (LIST, vec![]),
            1 => (RUNTIME, vec![]),
            2 => (BASE, vec![T::Int]),
            3 => (OBJECT, vec![]),
            _ if !self.constructors.is_empty() && self.calls > 0 && self.chance(60) => {
                self.calls -= 1;
                let chosen = self.below(self.constructors.len());
                (self.own, self.constructors[chosen].parameters.clone())
            }
            _ => (BASE, vec![]),
        };
        let raw = T::Raw(self.out.here() as u16);
        let index = self.out.class(class);
        self.out.op2(Opcode::New, index.0);
        self.pushed(raw);
        self.copy_raw(raw);
        let floor = self.floor;
        self.floor = self.state.stack.len();
        if self.chance(50) {
            self.statement(depth + 1);
        }
        self.settle(&[]);
        for t in &parameters {
            self.push(*t, 0);
        }
        let descriptor: String = parameters.iter().map(|t| t.descriptor()).collect();
        self.out.call(Opcode::Invokespecial, class, "<init>", &format!("({descriptor})V"), 0);
        self.floor = floor;
        self.popped(parameters.len() + 1);
        let made = T::Object(class);
        let all = self.state.locals.iter_mut().chain(&mut self.state.stack);
        all.filter(|t| **t == raw).for_each(|t| *t = made);
    }

    /// Leaves one to three copies of the object in the making, in places odd and even.
    fn copy_raw(&mut self, raw: T) {
        match self.below(8) {
            0 => {}
            1 => {
                self.out.op(Opcode::Dup);
                self.pushed(raw);
                self.out.op(Opcode::Dup);
                self.pushed(raw);
            }
            2 if self.state.stack.len() >= self.floor + 2 => {
                let below = self.state.stack[self.state.stack.len() - 2];
                if !below.wide() {
                    // below raw -> raw below raw
                    self.out.op(Opcode::DupX1);
                    let at = self.state.stack.len() - 2;
                    self.state.stack.insert(at, raw);
                    self.max_stack = self.max_stack.max(self.state.depth());
                }
            }
            3 => {
                self.out.op(Opcode::Dup);
                self.pushed(raw);
                let floor = self.floor;
                self.floor = self.state.stack.len() - 1;
                self.store_top();
                self.floor = floor;
                self.out.op(Opcode::Dup);
                self.pushed(raw);
            }
            _ => {
                self.out.op(Opcode::Dup);
                self.pushed(raw);
            }
        }
    }
}
