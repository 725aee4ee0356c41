//! What a method computes with: places ([`Key`]), what they hold ([`Slot`]), and the state of one run through some instructions. Knows no
//! instructions.
//!
//! Invariant: a place that holds a number of one kind has one variable of the pool, wherever in the method it is looked at.

use crate::expr::{Expr, Pool, Var};
use crate::refusal::Refusal;
use crate::value::Sort;
use std::collections::BTreeMap;

/// A place that holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A local variable.
    Local(u16),
    /// A slot of the operand stack, from its bottom.
    Stack(u16),
    /// An element of an array.
    Element(u16, u16),
    /// The length of an array.
    Length(u16),
    /// Whether a parameter is `null` in place of an array.
    IsNull(u16),
    /// What the method returns.
    Result,
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Local(slot) => write!(f, "l{slot}"),
            Self::Stack(slot) => write!(f, "s{slot}"),
            Self::Element(array, index) => write!(f, "a{array}[{index}]"),
            Self::Length(array) => write!(f, "a{array}.length"),
            Self::IsNull(array) => write!(f, "a{array}==null"),
            Self::Result => f.write_str("result"),
        }
    }
}

/// What a slot of the local variables or of the stack holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Nothing that can be used.
    Unset,
    /// The second half of a `long` or `double`.
    Top,
    /// A number of this kind.
    Number(Sort),
    /// `null`.
    Null,
    /// An array, by its number.
    Array(u16),
    /// Another object, by the internal name of its class.
    Object(String),
}

/// What all slots hold where a unit begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The local variables.
    pub locals: Vec<Slot>,
    /// The operand stack.
    pub stack: Vec<Slot>,
}

impl Shape {
    /// What holds on both ways that lead here; whether that is less than before.
    ///
    /// # Errors
    /// When the stacks differ.
    pub fn join(&mut self, other: &Self) -> Result<bool, Refusal> {
        if self.stack != other.stack {
            return Err(Refusal::new("different objects meet on its stack"));
        }
        let mut changed = false;
        for (mine, other) in self.locals.iter_mut().zip(&other.locals) {
            if mine != other && *mine != Slot::Unset {
                *mine = Slot::Unset;
                changed = true;
            }
        }
        Ok(changed)
    }
}

/// A value in a slot, as an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// A number.
    Number(Expr),
    /// Anything else.
    Other(Slot),
}

/// An array: what it holds, and whether the method makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The letter of its element type.
    pub element: u8,
    /// The instruction that makes it; none for a parameter.
    pub made_at: Option<usize>,
}

impl Array {
    /// The kind of its elements.
    pub fn sort(&self) -> Sort {
        sort_of(self.element).unwrap_or(Sort::Int)
    }
}

/// The kind of a primitive type by its letter.
pub fn sort_of(letter: u8) -> Option<Sort> {
    match letter {
        b'Z' | b'B' | b'C' | b'S' | b'I' => Some(Sort::Int),
        b'J' => Some(Sort::Long),
        b'F' => Some(Sort::Float),
        b'D' => Some(Sort::Double),
        _ => None,
    }
}

/// The variables of a method, by place and kind.
#[derive(Clone, Debug, Default)]
pub struct Places {
    of: BTreeMap<(Key, Sort), Var>,
    keys: BTreeMap<Var, Key>,
}

impl Places {
    /// The variable of a place.
    pub fn var(&mut self, pool: &mut Pool, key: Key, sort: Sort) -> Var {
        if let Some(var) = self.of.get(&(key, sort)) {
            return *var;
        }
        let var = pool.fresh(&key.to_string(), sort);
        self.of.insert((key, sort), var);
        self.keys.insert(var, key);
        var
    }

    /// The place of a variable.
    pub fn key(&self, var: Var) -> Option<Key> {
        self.keys.get(&var).copied()
    }
}

/// Numbers in places.
pub type Env = BTreeMap<Key, Expr>;

/// The state while some instructions run.
#[derive(Clone, Debug)]
pub struct State {
    /// The local variables.
    pub locals: Vec<Held>,
    /// The operand stack.
    pub stack: Vec<Held>,
    /// What arrays hold, as far as it is not what their places hold at the beginning.
    pub memory: Env,
}

impl State {
    /// The state at the beginning: every place holds its variable.
    pub fn at(shape: &Shape, pool: &mut Pool, places: &mut Places) -> Self {
        let mut held = |slots: &[Slot], key: fn(u16) -> Key| -> Vec<Held> {
            let mut one = |(number, slot): (u16, &Slot)| match slot {
                Slot::Number(sort) => {
                    let var = places.var(pool, key(number), *sort);
                    Held::Number(pool.var(var))
                }
                other => Held::Other(other.clone()),
            };
            (0..).zip(slots).map(&mut one).collect()
        };
        Self {
            locals: held(&shape.locals, Key::Local),
            stack: held(&shape.stack, Key::Stack),
            memory: Env::new(),
        }
    }

    /// What the slots hold.
    pub fn shape(&self, pool: &Pool) -> Shape {
        let slots = |held: &[Held]| {
            let slot = |held: &Held| match held {
                Held::Number(expr) => Slot::Number(pool.sort(*expr)),
                Held::Other(slot) => slot.clone(),
            };
            held.iter().map(slot).collect()
        };
        Shape { locals: slots(&self.locals), stack: slots(&self.stack) }
    }

    /// The numbers in all places that hold something else than at the beginning.
    pub fn defined(&self, pool: &mut Pool, places: &mut Places) -> Env {
        let mut defined = self.memory.clone();
        let locals = (0..).map(Key::Local).zip(&self.locals);
        let stack = (0..).map(Key::Stack).zip(&self.stack);
        for (key, held) in locals.chain(stack) {
            if let Held::Number(expr) = held {
                let sort = pool.sort(*expr);
                let var = places.var(pool, key, sort);
                if pool.var(var) != *expr {
                    defined.insert(key, *expr);
                }
            }
        }
        defined
    }
}
