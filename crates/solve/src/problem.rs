//! A mutant of a method as something to be solved, and what comes of it. Knows no search.
//!
//! Invariant: what is given back as a test are arguments that a caller can write down.

use crate::expr::{Expr, Model, Pool};
use crate::inline::Inliner;
use crate::refusal::Refusal;
use crate::state::Key;
use crate::units::{Bounds, Parameter, Source, Units};
use crate::unwound::Unwound;
use crate::value::{Binary, Sort, Value};
use crate::walk::Walked;
use dynaflow_classfile::ClassFile;
use dynaflow_mutants::{Mutant, Op};
use std::collections::{BTreeMap, BTreeSet};

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument {
    /// A number, with the letter of its type.
    Number(u8, Value),
    /// An array, with the letter of its element type; none for `null`.
    Array(u8, Option<Vec<Value>>),
}

/// For which inputs the mutant behaves as the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// For all.
    Always,
    /// For those with which neither version goes beyond the bounds.
    WithinBounds,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Arguments with which the two versions end differently.
    Test(Vec<Argument>),
    /// Arguments with which the mutant runs on beyond the bounds and the original does not: perhaps for ever.
    RunsOn(Vec<Argument>),
    /// No arguments do that, as the solver says.
    Equivalent(Scope),
    /// It is not known, and why.
    Undecided(String),
}

/// A mutant of a method.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Expressions.
    pub pool: Pool,
    /// The method in both versions.
    pub units: Units,
    /// The same without loops.
    pub graph: Unwound,
    /// What every call keeps to.
    pub domain: Vec<Expr>,
}

impl Problem {
    /// A mutant of a class, as a change of one of its static methods.
    ///
    /// # Errors
    /// When the method is not understood.
    pub fn of_mutant(class: &ClassFile<'_>, mutant: &Mutant, bounds: Bounds) -> Result<Self, Refusal> {
        let changes = mutant.sites().map(|(insn, ops)| (insn, ops.clone())).collect();
        Self::new(class, (&mutant.method, &mutant.descriptor), &changes, bounds)
    }

    /// A method by name and descriptor, and what takes the place of its instructions.
    ///
    /// # Errors
    /// When there is no such method, or it is not understood.
    pub fn new(
        class: &ClassFile<'_>,
        (name, descriptor): (&str, &str),
        changes: &BTreeMap<usize, Vec<Op>>,
        bounds: Bounds,
    ) -> Result<Self, Refusal> {
        let is_named =
            |index, text: &str| class.pool.utf8(index).is_ok_and(|found| found.to_string() == text);
        let mut methods = class.methods.iter();
        let method = methods.find(|m| is_named(m.name, name) && is_named(m.descriptor, descriptor));
        let method = method.ok_or_else(|| Refusal::new("there is no such method"))?;
        let mut pool = Pool::default();
        let source = Source { class, method, changes };
        let mut inliner = Inliner { class, mutated: method, bounds };
        let mut units = Units::of(&source, bounds, &mut pool, &mut inliner)?;
        let graph = Unwound::of(&units, &pool)?;
        let domain = units.domain(&mut pool);
        Ok(Self { pool, units, graph, domain })
    }

    /// Whether a solution says something about all inputs only as far as bounds go.
    pub fn scope(&self, walked: &[&Walked]) -> Scope {
        let never = |walked: &&Walked| self.pool.constant(walked.beyond) == Some(Value::Bool(false));
        let has_array = self.units.parameters.iter().any(|of| matches!(of, Parameter::Array(..)));
        if walked.iter().all(never) && !has_array { Scope::Always } else { Scope::WithinBounds }
    }

    /// The arguments that a solution stands for; what it says nothing about is 0, or an empty array.
    pub fn arguments(&self, model: &Model) -> Vec<Argument> {
        let by_key: BTreeMap<Key, Value> =
            model.iter().filter_map(|(var, value)| Some((self.units.places.key(*var)?, *value))).collect();
        let number = |key: Key, sort: Sort| by_key.get(&key).copied().unwrap_or(Value::small(sort, 0));
        let argument = |parameter: &Parameter| match parameter {
            Parameter::Number(letter, key) => {
                Argument::Number(*letter, number(*key, crate::state::sort_of(*letter).unwrap_or(Sort::Int)))
            }
            Parameter::Array(letter, array) => {
                let sort = crate::state::sort_of(*letter).unwrap_or(Sort::Int);
                let length = match number(Key::Length(*array), Sort::Int) {
                    Value::Int(length) => u16::try_from(length).unwrap_or_default(),
                    _ => 0,
                };
                let is_null = number(Key::IsNull(*array), Sort::Bool) == Value::Bool(true);
                let elements = (0..length).map(|place| number(Key::Element(*array, place), sort)).collect();
                Argument::Array(*letter, (!is_null).then_some(elements))
            }
        };
        self.units.parameters.iter().map(argument).collect()
    }
}

/// Whether two runs to the end of the method end differently, in what a caller sees; runs beyond the bounds do not.
pub fn differ(pool: &mut Pool, units: &mut Units, original: &Walked, mutant: &Walked) -> Expr {
    let never = pool.bool(false);
    let mut differ = pool.binary(Binary::Xor, original.returned.0, mutant.returned.0);
    let classes: BTreeSet<&String> = original.thrown.keys().chain(mutant.thrown.keys()).collect();
    for class in classes {
        let when = |walked: &Walked| walked.thrown.get(class).copied().unwrap_or(never);
        let one = pool.binary(Binary::Xor, when(original), when(mutant));
        differ = pool.or(differ, one);
    }
    let both = pool.and(original.returned.0, mutant.returned.0);
    for key in crate::unwound::outputs(units) {
        let values = (original.returned.1.get(&key), mutant.returned.1.get(&key));
        let Some(some) = values.0.or(values.1).copied() else { continue };
        let var = units.places.var(pool, key, pool.sort(some));
        let before = pool.var(var);
        let (a, b) = (values.0.copied().unwrap_or(before), values.1.copied().unwrap_or(before));
        let mut other = pool.differ(a, b);
        if let Key::Element(array, place) = key {
            let length = units.places.var(pool, Key::Length(array), Sort::Int);
            let (length, place) = (pool.var(length), pool.int(place.into()));
            let exists = pool.binary(Binary::Lt, place, length);
            other = pool.and(other, exists);
        }
        let other = pool.and(both, other);
        differ = pool.or(differ, other);
    }
    for walked in [original, mutant] {
        let within = pool.not(walked.beyond);
        differ = pool.and(differ, within);
    }
    differ
}
