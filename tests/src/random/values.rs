//! Straight-line instructions: values made, used and dropped. It knows types and instructions, not control flow.
//!
//! Invariants: an operand is taken only from above `floor`; locals that are pinned keep a value of their pinned type.

use super::assembler::Assembler;
use super::types::{ARITHMETIC, BASE, LIST, MAP, NULL_POINTER, OBJECT, RUNTIME, STRING, State, T, THROWABLE};
use dynaflow_classfile::{Constant, Opcode};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Types of values that are made, passed and stored. Own classes stand as [`OWN`].
pub const OWN: &str = "";
pub const TYPES: &[T] = &[
    T::Int,
    T::Int,
    T::Long,
    T::Float,
    T::Double,
    T::Object(OBJECT),
    T::Object(STRING),
    T::Object(OWN),
    T::Object("[I"),
    T::Object("[J"),
    T::Object("[B"),
    T::Object("[Ljava/lang/Object;"),
    T::Object("[[I"),
    T::Object(LIST),
    T::Object(MAP),
];

/// A method that may be called: earlier ones of the same class.
#[derive(Clone, Debug)]
pub struct Callee {
    pub name: &'static str,
    pub is_static: bool,
    pub parameters: Vec<T>,
    pub result: Option<T>,
}

impl Callee {
    pub fn descriptor(&self) -> String {
        let parameters: String = self.parameters.iter().map(|t| t.descriptor()).collect();
        format!("({parameters}){}", self.result.map_or("V".to_owned(), T::descriptor))
    }
}

/// A method in the making.
pub struct Maker<'m, 'p> {
    pub out: Assembler<'p>,
    pub random: &'m mut ChaCha8Rng,
    pub own: &'static str,
    pub major: u16,
    pub state: State,
    pub floor: usize,
    pub pinned: Vec<Option<T>>,
    /// The first slot of the locals beyond the parameters.
    pub first_local: u16,
    pub budget: i32,
    pub result: Option<T>,
    pub callees: &'m [Callee],
    pub constructors: &'m [Callee],
    pub max_stack: u16,
    pub max_locals: u16,
    /// How many calls of own methods may still be written.
    pub calls: u32,
}

impl Maker<'_, '_> {
    pub fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.random.random_range(0..end)
    }

    pub fn any_type(&mut self) -> T {
        match TYPES[self.below(TYPES.len())] {
            T::Object(OWN) => T::Object(self.own),
            other => other,
        }
    }

    /// Whether `this` is not constructed yet.
    pub fn is_raw(&self) -> bool {
        self.state.locals.first() == Some(&T::RawThis)
    }

    pub fn pushed(&mut self, t: T) {
        self.state.stack.push(t);
        self.max_stack = self.max_stack.max(self.state.depth());
    }

    pub fn popped(&mut self, count: usize) {
        let left = self.state.stack.len() - count;
        assert!(left >= self.floor, "operands of somebody else are taken");
        self.state.stack.truncate(left);
    }

    /// Drops everything above the floor, and leaves exactly these.
    pub fn settle(&mut self, wanted: &[T]) {
        while self.state.stack.len() > self.floor {
            self.drop_one();
        }
        for t in wanted {
            self.push(*t, 0);
        }
    }

    fn drop_one(&mut self) {
        let wide = self.state.stack.last().is_some_and(|t| t.wide());
        let below = self.state.stack.len().checked_sub(2).filter(|at| *at >= self.floor);
        let two = !wide && below.is_some_and(|at| !self.state.stack[at].wide());
        if two && self.chance(30) {
            self.out.op(Opcode::Pop2);
            self.popped(2);
        } else {
            self.out.op(if wide { Opcode::Pop2 } else { Opcode::Pop });
            self.popped(1);
        }
    }

    /// Pushes a value of exactly this type, as far as this generator follows types.
    pub fn push(&mut self, t: T, depth: u32) {
        let held: Vec<u16> = (0..self.state.locals.len() as u16)
            .filter(|slot| {
                let local = self.state.locals[usize::from(*slot)];
                local != T::Top && local != T::Half && local.fits(t) && local != T::RawThis
            })
            .collect();
        if !held.is_empty() && self.chance(50) {
            let slot = held[self.below(held.len())];
            self.load(t, slot);
        } else {
            self.fresh(t, depth);
        }
        self.pushed(t);
    }

    fn load(&mut self, t: T, slot: u16) {
        let opcode = match t {
            T::Int => Opcode::Iload,
            T::Long => Opcode::Lload,
            T::Float => Opcode::Fload,
            T::Double => Opcode::Dload,
            _ => Opcode::Aload,
        };
        self.local(opcode, slot);
    }

    /// A load or store in one of its encodings.
    pub fn local(&mut self, opcode: Opcode, slot: u16) {
        let (load, store) = (Opcode::Iload.byte(), Opcode::Istore.byte());
        let short = if opcode.byte() >= store {
            59 + 4 * (opcode.byte() - store)
        } else {
            26 + 4 * (opcode.byte() - load)
        };
        if slot < 4 && self.chance(70) {
            self.out.code.push(short + slot as u8);
        } else if slot > 255 || self.chance(5) {
            self.out.op(Opcode::Wide);
            self.out.op2(opcode, slot);
        } else {
            self.out.op1(opcode, slot as u8);
        }
    }

    /// The instructions of a new value; it is not noted as pushed.
    fn fresh(&mut self, t: T, depth: u32) {
        match t {
            T::Int => self.fresh_int(depth),
            T::Long => match self.below(3) {
                0 => self.out.op(Opcode::Lconst1),
                1 => self.constant(Constant::Long(self.out.here() as i64 * 0x1_0000_0001 - 7)),
                _ => self.fuel_field(Opcode::Getstatic, "sj", T::Long),
            },
            T::Float => match self.below(3) {
                0 => self.out.op(Opcode::Fconst2),
                1 => self.constant(Constant::Float(1.25f32.to_bits())),
                _ => self.fuel_field(Opcode::Getstatic, "sf", T::Float),
            },
            T::Double => match self.below(3) {
                0 => self.out.op(Opcode::Dconst1),
                1 => self.constant(Constant::Double((-3.5f64).to_bits())),
                _ => self.fuel_field(Opcode::Getstatic, "sd", T::Double),
            },
            T::Object(name) => self.fresh_object(name),
            other => panic!("no value of {other:?} can be made"),
        }
    }

    fn fresh_int(&mut self, depth: u32) {
        match self.below(if depth < 2 { 9 } else { 5 }) {
            0 => {
                let opcode = Opcode::from_byte(2 + self.below(7) as u8).unwrap();
                self.out.op(opcode);
            }
            1 => {
                let value = self.random.random();
                self.out.op1(Opcode::Bipush, value);
            }
            2 => {
                let value = self.random.random();
                self.out.op2(Opcode::Sipush, value);
            }
            3 => {
                let value = self.random.random();
                self.constant(Constant::Integer(value));
            }
            4 => self.fuel_field(Opcode::Getstatic, "si", T::Int),
            5 => self.computed(&[T::Int, T::Int], Opcode::Ixor, depth),
            6 => self.computed(&[T::Long, T::Long], Opcode::Lcmp, depth),
            7 => self.computed(&[T::Double, T::Double], Opcode::Dcmpg, depth),
            _ => {
                let own = T::Object(self.own);
                self.push(own, depth + 1);
                self.state.stack.pop();
                self.out.field(Opcode::Getfield, self.own, "i", "I".to_owned());
            }
        }
    }

    fn computed(&mut self, operands: &[T], opcode: Opcode, depth: u32) {
        for t in operands {
            self.push(*t, depth + 1);
        }
        let left = self.state.stack.len() - operands.len();
        self.state.stack.truncate(left);
        self.out.op(opcode);
    }

    pub fn constant(&mut self, constant: Constant<'static>) {
        let index = self.out.pool.append(constant).unwrap();
        match constant {
            Constant::Long(_) | Constant::Double(_) => self.out.op2(Opcode::Ldc2W, index),
            _ if index < 256 && self.chance(70) => self.out.op1(Opcode::Ldc, index as u8),
            _ => self.out.op2(Opcode::LdcW, index),
        }
    }

    pub fn fuel_field(&mut self, opcode: Opcode, name: &'static str, t: T) {
        self.out.field(opcode, self.own, name, t.descriptor());
    }

    fn fresh_object(&mut self, name: &'static str) {
        if self.chance(12) {
            return self.out.op(Opcode::AconstNull);
        }
        match name {
            STRING => {
                let text = self.out.pool.append_utf8(b"text").unwrap();
                self.constant(Constant::String(text));
            }
            OBJECT => match self.below(3) {
                0 => self.fuel_field(Opcode::Getstatic, "so", T::Object(OBJECT)),
                1 => self.fresh_object(STRING),
                _ => self.make(LIST),
            },
            LIST | MAP | RUNTIME | ARITHMETIC | NULL_POINTER | BASE => self.make(name),
            THROWABLE => self.make(RUNTIME),
            "[I" | "[J" | "[B" => {
                self.size();
                let code = match name {
                    "[I" => 10,
                    "[J" => 11,
                    _ => 8,
                };
                self.out.op1(Opcode::Newarray, code);
            }
            "[Ljava/lang/Object;" => {
                self.size();
                let class = self.out.class(OBJECT);
                self.out.op2(Opcode::Anewarray, class.0);
            }
            "[[I" => {
                let class = self.out.class("[[I");
                self.size();
                if self.chance(50) {
                    self.pushed(T::Int);
                    self.size();
                    self.state.stack.pop();
                    self.out.op2(Opcode::Multianewarray, class.0);
                    self.out.code.push(2);
                } else {
                    let row = self.out.class("[I");
                    self.out.op2(Opcode::Anewarray, row.0);
                }
            }
            _ => self.fuel_field(Opcode::Getstatic, "own", T::Object(self.own)),
        }
    }

    fn size(&mut self) {
        // One more operand than is noted at this moment.
        self.max_stack = self.max_stack.max(self.state.depth() + 1);
        let size = self.below(4) as u8;
        self.out.op1(Opcode::Bipush, size);
    }

    /// `new`, `dup`, and the constructor without arguments.
    fn make(&mut self, name: &'static str) {
        let class = self.out.class(name);
        self.out.op2(Opcode::New, class.0);
        self.out.op(Opcode::Dup);
        self.out.call(Opcode::Invokespecial, name, "<init>", "()V", 1);
        self.max_stack = self.max_stack.max(self.state.depth() + 2);
    }

    /// Stores the top operand into a local that may take it, or drops it.
    pub fn store_top(&mut self) {
        let t = *self.state.stack.last().unwrap();
        let slot = self.first_local + self.below(8) as u16;
        let torn = |slot: u16| self.pinned.get(usize::from(slot)).copied().flatten();
        let tears = slot > 0 && torn(slot - 1).is_some_and(T::wide) || t.wide() && torn(slot + 1).is_some();
        let kept = match torn(slot) {
            Some(pinned) => t.fits(pinned).then_some(pinned),
            None => Some(t),
        };
        let (Some(kept), false) =
            (kept, tears || torn(slot).is_some_and(T::wide) != t.wide() && torn(slot).is_some())
        else {
            return self.drop_one();
        };
        let opcode = match t {
            T::Int => Opcode::Istore,
            T::Long => Opcode::Lstore,
            T::Float => Opcode::Fstore,
            T::Double => Opcode::Dstore,
            _ => Opcode::Astore,
        };
        self.local(opcode, slot);
        self.popped(1);
        self.state.store(slot, kept);
        self.max_locals = self.max_locals.max(slot + t.slots());
    }
}
