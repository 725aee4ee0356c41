//! Arrays of numbers: a length, and as many elements as the bound allows, each a place of its own. Knows no control flow.
//!
//! Invariants: an access outside of the array, or to none, leaves the unit by the exception that the JVM throws; two parameters are two arrays.

use crate::expr::Expr;
use crate::machine::{Machine, NULL_POINTER, Target, refused};
use crate::refusal::Refusal;
use crate::state::{Array, Held, Key, Slot, sort_of};
use crate::value::{Binary, Sort, Unary, Value};
use dynaflow_classfile::Opcode;

const INDEX: &str = "java/lang/ArrayIndexOutOfBoundsException";
const NEGATIVE: &str = "java/lang/NegativeArraySizeException";

impl Machine<'_, '_, '_> {
    /// Whether an array is not there.
    pub(crate) fn is_null(&mut self, array: u16) -> Expr {
        if self.array(array).made_at.is_some() {
            return self.shared.pool.bool(false);
        }
        self.memory(Key::IsNull(array), Sort::Bool)
    }

    fn array(&self, array: u16) -> Array {
        let known = self.shared.arrays.get(usize::from(array)).cloned();
        known.unwrap_or(Array { element: b'I', made_at: None })
    }

    fn memory(&mut self, key: Key, sort: Sort) -> Expr {
        if let Some(expr) = self.state.memory.get(&key) {
            return *expr;
        }
        let var = self.shared.places.var(self.shared.pool, key, sort);
        self.shared.pool.var(var)
    }

    /// Pops an array; goes on where there is one.
    fn pop_array(&mut self) -> Result<u16, Refusal> {
        match self.pop_slot()? {
            Held::Other(Slot::Array(array)) => {
                let null = self.is_null(array);
                self.branch(null, Target::Throw(NULL_POINTER.to_owned()));
                Ok(array)
            }
            _ => Err(Refusal::new("it uses an object that is no array of numbers")),
        }
    }

    /// `arraylength`.
    pub(crate) fn array_length(&mut self) -> Result<(), Refusal> {
        let array = self.pop_array()?;
        let length = self.memory(Key::Length(array), Sort::Int);
        self.push(length);
        Ok(())
    }

    /// Goes on where the index lies in the array.
    fn check_index(&mut self, array: u16, index: Expr) {
        let length = self.memory(Key::Length(array), Sort::Int);
        let pool = &mut *self.shared.pool;
        let zero = pool.int(0);
        let (below, above) = (pool.binary(Binary::Lt, index, zero), pool.binary(Binary::Le, length, index));
        let outside = pool.or(below, above);
        self.branch(outside, Target::Throw(INDEX.to_owned()));
    }

    fn check_kind(&self, array: u16, opcode: Opcode, first: Opcode) -> Result<(), Refusal> {
        let letters: &[u8] = match opcode.byte() - first.byte() {
            0 => b"I",
            1 => b"J",
            2 => b"F",
            3 => b"D",
            5 => b"BZ",
            6 => b"C",
            7 => b"S",
            _ => return Err(refused(opcode)),
        };
        if letters.contains(&self.array(array).element) {
            return Ok(());
        }
        Err(Refusal::new("it takes an array for one of another type"))
    }

    /// `iaload` and its kin.
    pub(crate) fn load_element(&mut self, opcode: Opcode) -> Result<(), Refusal> {
        let index = self.pop(Sort::Int)?;
        let array = self.pop_array()?;
        self.check_kind(array, opcode, Opcode::Iaload)?;
        self.check_index(array, index);
        let sort = self.array(array).sort();
        let mut found = self.shared.pool.value(Value::small(sort, 0));
        for place in (0..self.shared.elements).rev() {
            let element = self.memory(Key::Element(array, place), sort);
            let pool = &mut *self.shared.pool;
            let number = pool.int(place.into());
            let is_it = pool.binary(Binary::Eq, index, number);
            found = if place + 1 == self.shared.elements { element } else { pool.ite(is_it, element, found) };
        }
        self.push(found);
        Ok(())
    }

    /// `iastore` and its kin.
    pub(crate) fn store_element(&mut self, opcode: Opcode) -> Result<(), Refusal> {
        let sort = match opcode {
            Opcode::Lastore => Sort::Long,
            Opcode::Fastore => Sort::Float,
            Opcode::Dastore => Sort::Double,
            Opcode::Aastore => return Err(refused(opcode)),
            _ => Sort::Int,
        };
        let value = self.pop(sort)?;
        let index = self.pop(Sort::Int)?;
        let array = self.pop_array()?;
        self.check_kind(array, opcode, Opcode::Iastore)?;
        self.check_index(array, index);
        let value = self.narrowed(value, self.array(array).element);
        for place in 0..self.shared.elements {
            let before = self.memory(Key::Element(array, place), sort);
            let pool = &mut *self.shared.pool;
            let number = pool.int(place.into());
            let is_it = pool.binary(Binary::Eq, index, number);
            let after = pool.ite(is_it, value, before);
            self.state.memory.insert(Key::Element(array, place), after);
        }
        Ok(())
    }

    fn narrowed(&mut self, value: Expr, element: u8) -> Expr {
        let pool = &mut *self.shared.pool;
        match element {
            b'B' => pool.unary(Unary::ToByte, value),
            b'C' => pool.unary(Unary::ToChar, value),
            b'S' => pool.unary(Unary::ToShort, value),
            b'Z' => {
                let one = pool.int(1);
                pool.binary(Binary::And, value, one)
            }
            _ => value,
        }
    }

    /// `newarray` at an instruction: one array for each instruction that makes some.
    pub(crate) fn new_array(&mut self, code: u8, index: usize) -> Result<(), Refusal> {
        let letters = b"ZCFDBSIJ";
        let element = usize::from(code).checked_sub(4).and_then(|place| letters.get(place)).copied();
        let element = element.ok_or_else(|| Refusal::new("it makes an array of no type"))?;
        let length = self.pop(Sort::Int)?;
        let known = self.shared.arrays.iter().position(|array| array.made_at == Some(index));
        let number = known.unwrap_or(self.shared.arrays.len());
        if known.is_none() {
            self.shared.arrays.push(Array { element, made_at: Some(index) });
        }
        let array = u16::try_from(number).map_err(|_| Refusal::new("it makes too many arrays"))?;
        let held = Held::Other(Slot::Array(array));
        if self.state.locals.contains(&held) || self.state.stack.contains(&held) {
            return Err(Refusal::new("it makes an array in a loop while it still has the one made before"));
        }
        let pool = &mut *self.shared.pool;
        let (zero, most) = (pool.int(0), pool.int(self.shared.elements.into()));
        let (negative, long) = (pool.binary(Binary::Lt, length, zero), pool.binary(Binary::Lt, most, length));
        self.branch(negative, Target::Throw(NEGATIVE.to_owned()));
        self.branch(long, Target::Beyond);
        self.state.memory.insert(Key::Length(array), length);
        let zero = Value::small(sort_of(element).unwrap_or(Sort::Int), 0);
        for place in 0..self.shared.elements {
            let zero = self.shared.pool.value(zero);
            self.state.memory.insert(Key::Element(array, place), zero);
        }
        self.state.stack.push(held);
        Ok(())
    }
}
