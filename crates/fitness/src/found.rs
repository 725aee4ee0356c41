//! What is found in a method: its branches and places, the probes before instructions, and what mutants there would make differ.
//!
//! It knows neither how they are found nor how probes are written. Invariant: the number of a place is its position plus the first number.

use crate::branch::Kind;
use crate::mutation::{Operator, Relation};
use dynaflow_classfile::Opcode;
use std::collections::BTreeMap;

/// The type of numbers, or references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Int,
    Long,
    Float,
    Double,
    Reference,
}

/// What a probe compares for the mutants of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Infection {
    /// What the operator gives and what the others of its family give; their numbers follow each other from this one on.
    Operated { number: u32, operator: Operator, sort: Sort },
    /// Whether the jump's relation holds and whether the others do; their numbers follow each other, but the relations are those of the jump.
    Compared { number: u32, relation: Relation, compared: Compared },
    /// A variable with what its three changes give.
    Inserted { number: u32, sort: Sort, slot: u16 },
    /// A variable with another one.
    Varied { number: u32, sort: Sort, slots: (u16, u16) },
}

/// What a jump compares, by what lies on the stack before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// An `int` with zero.
    Zero,
    /// Two of `int`.
    Ints,
    /// A reference with null.
    Null,
    /// Two references.
    References,
    /// The result of the comparison before it of two of `long`, `float` or `double` with zero.
    Wide,
    /// What the call before it said of the two objects it was given.
    Answer,
}

/// How a method that answers yes or no compares its receiver with its argument. The numbers are those of the Java class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum How {
    Equal = 0,
    IgnoringCase = 1,
    Starts = 2,
    Ends = 3,
    Contains = 4,
}

/// What is put before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Probe<'a> {
    /// The operands of a jump, which has this number.
    Jump { number: u32, compared: Compared },
    /// The comparison is made by the Java class, which keeps its operands: the opcode stands for which.
    Wide,
    /// The receiver and the argument of a call are kept.
    Remember(How),
    /// The value of a switch is compared with keys that have numbers.
    Keys(Vec<(i32, u32)>),
    /// The text whose hash a switch is about to be given is compared with the texts of its cases; each with the number of the jump that
    /// decides the case, and the jump.
    Texts(Vec<(&'a [u8], u32, Opcode)>),
}

/// A branch of a method, or a place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its instruction.
    pub insn: usize,
    /// What decides it.
    pub kind: Kind,
    /// As in `Branch`.
    pub is_direct: bool,
    /// As in `Branch`.
    pub represents: bool,
}

/// The branches of a method in the order of their numbers, and its probes by instruction.
#[derive(Debug, Default)]
pub(crate) struct Found<'a> {
    /// By number less the first.
    pub places: Vec<Place>,
    /// By instruction.
    pub probes: BTreeMap<usize, Probe<'a>>,
    /// By instruction, the places that are reached with it, by their numbers.
    pub marks: BTreeMap<usize, Vec<u32>>,
    /// By instruction, what would differ behind it.
    pub infections: BTreeMap<usize, Vec<Infection>>,
    /// How many branches, from the first number on, count once more while a test calls the method itself.
    pub direct: u32,
}

/// A line of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Begun {
    /// The instructions that begin it.
    pub insns: Vec<usize>,
    /// Whether it is the last one of a long basic block.
    pub represents: bool,
}

impl Found<'_> {
    /// The number of what is added next.
    pub(crate) fn next(&self, first: u32) -> u32 {
        first + self.places.len() as u32
    }

    /// Adds a place, and gives it the next number.
    pub(crate) fn add(&mut self, insn: usize, kind: Kind, represents: bool) {
        self.places.push(Place { insn, kind, is_direct: false, represents });
    }

    /// A place that is reached with any of these instructions.
    pub(crate) fn mark(&mut self, insns: &[usize], kind: Kind, represents: bool, first: u32) {
        let Some(&at) = insns.first() else { return };
        let number = self.next(first);
        self.add(at, kind, represents);
        insns.iter().for_each(|&insn| self.marks.entry(insn).or_default().push(number));
    }

    /// The instructions with which a place is reached.
    pub(crate) fn marked(&self, number: u32) -> impl Iterator<Item = usize> + '_ {
        self.marks.iter().filter(move |(_, numbers)| numbers.contains(&number)).map(|(insn, _)| *insn)
    }

    /// What was found so far counts once more while a test calls the method itself.
    pub(crate) fn repeat(&mut self) {
        self.direct = self.places.len() as u32;
        let again: Vec<Place> = self.places.iter().map(|place| Place { is_direct: true, ..*place }).collect();
        self.places.extend(again);
    }
}
