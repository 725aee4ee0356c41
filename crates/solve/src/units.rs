//! A method as units: statements, runs of instructions between which the operand stack is empty, each with its ways out in the original and in
//! the mutant. The paper's nodes are such statements (Zhang, Gupta, Halfond, section IV.A).
//!
//! Knows no paths. Invariants: a unit begins with the same instruction in both versions; where it is not changed, both are the same.

use crate::expr::{Expr, Pool};
use crate::machine::{Calls, Exit, Machine, Shared, Target};
use crate::refusal::Refusal;
use crate::state::{Array, Key, Places, Shape, Slot, sort_of};
use crate::value::{Binary, Sort};
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_classfile::class::access;
use dynaflow_classfile::descriptor::parameter_types;
use dynaflow_classfile::{ClassFile, Member};
use dynaflow_mutants::Op;
use std::collections::{BTreeMap, BTreeSet};

/// How far a method is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Elements of an array.
    pub elements: u16,
    /// Jumps back in a run.
    pub jumps: u32,
    /// Calls within calls.
    pub calls: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { elements: 4, jumps: 8, calls: 3 }
    }
}

/// Units of a method at most.
const MOST: usize = 4_000;

/// The method as compiled, or with the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// As compiled.
    Original,
    /// With the change.
    Mutant,
}

/// Both.
pub const VERSIONS: [Version; 2] = [Version::Original, Version::Mutant];

/// A statement.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What the slots hold where it begins.
    pub shape: Shape,
    /// Its ways out in the original.
    pub original: Vec<Exit>,
    /// In the mutant, where it is changed.
    pub mutant: Option<Vec<Exit>>,
}

impl Unit {
    /// Its ways out.
    pub fn exits(&self, version: Version) -> &[Exit] {
        match (version, &self.mutant) {
            (Version::Mutant, Some(exits)) => exits,
            _ => &self.original,
        }
    }
}

/// What a parameter is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A number: the letter of its type, its place.
    Number(u8, Key),
    /// An array of numbers: the letter of the element type, its number.
    Array(u8, u16),
}

/// A method with a change.
#[derive(Clone, Debug)]
pub struct Units {
    /// By the index of its first instruction.
    pub units: BTreeMap<usize, Unit>,
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
    /// Variables of places.
    pub places: Places,
    /// Arrays by number.
    pub arrays: Vec<Array>,
    /// How far it is looked at.
    pub bounds: Bounds,
}

/// A method of a class, and what a mutant changes of it.
pub struct Source<'s, 'a> {
    /// The class.
    pub class: &'s ClassFile<'a>,
    /// The method.
    pub method: &'s Member<'a>,
    /// By instruction, what takes its place.
    pub changes: &'s BTreeMap<usize, Vec<Op>>,
}

impl Units {
    /// Takes a static method apart.
    ///
    /// # Errors
    /// When the method, or what it does, is not understood.
    pub fn of(
        source: &Source<'_, '_>,
        bounds: Bounds,
        pool: &mut Pool,
        calls: &mut dyn Calls,
    ) -> Result<Self, Refusal> {
        if source.method.access & access::STATIC == 0 {
            return Err(Refusal::new("it is no static method"));
        }
        let body = Body::of_method(source.class, source.method)?;
        let body = body.ok_or_else(|| Refusal::new("it has no code"))?;
        if !body.code.exceptions.is_empty() {
            return Err(Refusal::new("it handles exceptions"));
        }
        let mut units = Self {
            units: BTreeMap::new(),
            parameters: vec![],
            places: Places::default(),
            arrays: vec![],
            bounds,
        };
        let entry = units.enter(source, usize::from(body.code.max_locals))?;
        units.discover(source, &body, entry, pool, calls)?;
        Ok(units)
    }

    /// What the slots hold at the entry.
    fn enter(&mut self, source: &Source<'_, '_>, locals: usize) -> Result<Shape, Refusal> {
        let descriptor = source.class.pool.utf8(source.method.descriptor)?;
        let mut slots = vec![];
        for (_, own) in parameter_types(descriptor.0) {
            let slot = Key::Local(slots.len() as u16);
            match own {
                [letter] => {
                    let sort = sort_of(*letter).ok_or_else(|| Refusal::new("a parameter is no number"))?;
                    self.parameters.push(Parameter::Number(*letter, slot));
                    slots.push(Slot::Number(sort));
                    if matches!(sort, Sort::Long | Sort::Double) {
                        slots.push(Slot::Top);
                    }
                }
                [b'[', letter] if sort_of(*letter).is_some() => {
                    let array = self.arrays.len() as u16;
                    self.arrays.push(Array { element: *letter, made_at: None });
                    self.parameters.push(Parameter::Array(*letter, array));
                    slots.push(Slot::Array(array));
                }
                _ => return Err(Refusal::new("a parameter is an object that is no array of numbers")),
            }
        }
        if slots.len() > locals {
            return Err(Refusal::new("it has fewer local variables than parameters"));
        }
        slots.resize(locals, Slot::Unset);
        Ok(Shape { locals: slots, stack: vec![] })
    }

    /// Runs units until what the slots hold at their beginnings changes no more.
    fn discover(
        &mut self,
        source: &Source<'_, '_>,
        body: &Body<'_>,
        entry: Shape,
        pool: &mut Pool,
        calls: &mut dyn Calls,
    ) -> Result<(), Refusal> {
        let blocks = Blocks::of(body)?;
        let mut shapes = BTreeMap::from([(0, entry)]);
        let mut open = BTreeSet::from([0]);
        while let Some(first) = open.pop_first() {
            let Some(shape) = shapes.get(&first).cloned() else { continue };
            let mut shared = Shared {
                constants: &source.class.pool,
                body,
                pool,
                places: &mut self.places,
                arrays: &mut self.arrays,
                elements: self.bounds.elements,
                calls,
            };
            let unit = run(&mut shared, &blocks, source.changes, first, shape)?;
            for exit in unit.original.iter().chain(unit.mutant.iter().flatten()) {
                let Target::Unit(next) = exit.target else { continue };
                match shapes.get_mut(&next) {
                    Some(known) => {
                        if known.join(&exit.shape)? {
                            open.insert(next);
                        }
                    }
                    None => {
                        shapes.insert(next, exit.shape.clone());
                        open.insert(next);
                    }
                }
            }
            self.units.insert(first, unit);
            if self.units.len() > MOST || pool.is_full() {
                return Err(Refusal::new("it is too large"));
            }
        }
        Ok(())
    }

    /// What every call keeps to: numbers in the range of their types, arrays within the bound.
    pub fn domain(&mut self, pool: &mut Pool) -> Vec<Expr> {
        let mut domain = vec![];
        for parameter in self.parameters.clone() {
            match parameter {
                Parameter::Number(letter, key) => self.in_range(pool, key, letter, &mut domain),
                Parameter::Array(letter, array) => {
                    let length = self.places.var(pool, Key::Length(array), Sort::Int);
                    let length = pool.var(length);
                    within(pool, length, 0, self.bounds.elements.into(), &mut domain);
                    for place in 0..self.bounds.elements {
                        self.in_range(pool, Key::Element(array, place), letter, &mut domain);
                    }
                }
            }
        }
        domain
    }

    fn in_range(&mut self, pool: &mut Pool, key: Key, letter: u8, domain: &mut Vec<Expr>) {
        let (least, most) = match letter {
            b'Z' => (0, 1),
            b'B' => (i8::MIN.into(), i8::MAX.into()),
            b'C' => (0, u16::MAX.into()),
            b'S' => (i16::MIN.into(), i16::MAX.into()),
            _ => return,
        };
        let var = self.places.var(pool, key, Sort::Int);
        let expr = pool.var(var);
        within(pool, expr, least, most, domain);
    }
}

fn within(pool: &mut Pool, expr: Expr, least: i32, most: i32, domain: &mut Vec<Expr>) {
    let (least, most) = (pool.int(least), pool.int(most));
    domain.push(pool.binary(Binary::Le, least, expr));
    domain.push(pool.binary(Binary::Le, expr, most));
}

/// A unit in both versions.
fn run(
    shared: &mut Shared<'_, '_>,
    blocks: &Blocks,
    changes: &BTreeMap<usize, Vec<Op>>,
    first: usize,
    shape: Shape,
) -> Result<Unit, Refusal> {
    let mut machine = Machine::new(shared, &shape);
    let mut end = first;
    loop {
        machine.insn(end)?;
        end += 1;
        if machine.is_over() || machine.is_empty() || blocks.block_of(end) != blocks.block_of(first) {
            break;
        }
    }
    let original = machine.end(end);
    let is_changed = changes.range(first..end).next().is_some();
    let mutant = is_changed.then(|| {
        let mut machine = Machine::new(shared, &shape);
        for index in first..end {
            match changes.get(&index) {
                None => machine.insn(index)?,
                Some(ops) => {
                    for op in ops.iter() {
                        if !machine.is_over() {
                            machine.change(op, index)?;
                        }
                    }
                }
            }
            if machine.is_over() {
                break;
            }
        }
        Ok::<_, Refusal>(machine.end(end))
    });
    Ok(Unit { shape, original, mutant: mutant.transpose()? })
}
