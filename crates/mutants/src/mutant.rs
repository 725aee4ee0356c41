//! The mutants of a class as callers see them, and which are asked for. It knows no bytecode beyond the changes it carries.
//!
//! Invariant: ids of the mutants of a class are distinct, and what is left out is counted.

use crate::change::{Change, Op};
use crate::found;
use crate::operator::Operator;
use dynaflow_classfile::{ClassFile, Member};
use std::collections::BTreeMap;

/// Which mutants are made.
#[derive(Clone, Debug)]
pub struct Options {
    /// The operators.
    pub operators: Vec<Operator>,
    /// Whether what PIT leaves out by default is left out.
    pub filter: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { operators: Operator::pit().collect(), filter: true }
    }
}

/// A mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Its operator.
    pub operator: Operator,
    /// Other operators that make the same bytecode.
    pub also: Vec<Operator>,
    /// Name of the mutated method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Source line of the mutated instruction, 0 when the class does not say.
    pub line: u16,
    /// Index of the mutated instruction in its method, the first where it mutates copies of one.
    pub insn: usize,
    /// The basic block of that instruction, in the order of the code; 0 where blocks cannot be told apart.
    pub block: u32,
    /// What it does; in PIT's words for PIT's operators.
    pub description: String,
    /// Its name among the mutants of all classes: class, method, instruction, operator, and which of that operator's.
    pub id: String,
    pub(crate) number_of_method: usize,
    pub(crate) change: Change,
    pub(crate) copies: Vec<(usize, Change)>,
}

impl Mutant {
    /// All instructions that it mutates, and what takes their place: more than one where javac wrote a `finally` block more than once.
    pub fn sites(&self) -> impl Iterator<Item = (usize, &Vec<Op>)> {
        found::sites(self.insn, &self.change, &self.copies)
    }
}

/// The mutants of a class.
#[derive(Clone, Debug, Default)]
pub struct ClassMutants {
    /// Internal name of the class.
    pub class: String,
    /// Its source file, where the class has its name.
    pub source_file: Option<String>,
    /// Its mutants in the order of methods, instructions and operators.
    pub mutants: Vec<Mutant>,
    /// How many mutants were left out, by reason.
    pub left_out: BTreeMap<&'static str, usize>,
    /// Methods that have no mutants because they are not understood, and why.
    pub declined: Vec<String>,
}

impl ClassMutants {
    pub(crate) fn add(&mut self, mut mutant: Mutant) {
        let place = format!(
            "{}.{}{}:{}:{}",
            self.class.replace('/', "."),
            mutant.method,
            mutant.descriptor,
            mutant.insn,
            mutant.operator.name()
        );
        let alike = |other: &&Mutant| {
            (other.number_of_method, other.insn, other.operator)
                == (mutant.number_of_method, mutant.insn, mutant.operator)
        };
        let count =
            self.mutants.iter().rev().take_while(|other| other.insn == mutant.insn).filter(alike).count();
        mutant.id = format!("{place}:{count}");
        self.mutants.push(mutant);
    }

    pub(crate) fn also(&mut self, mutant: usize, operator: Operator) {
        self.leave_out("same bytecode as another mutant");
        if let Some(mutant) = self.mutants.get_mut(mutant)
            && mutant.operator != operator
            && !mutant.also.contains(&operator)
        {
            mutant.also.push(operator);
        }
    }

    pub(crate) fn leave_out(&mut self, reason: &'static str) {
        *self.left_out.entry(reason).or_default() += 1;
    }

    pub(crate) fn decline(&mut self, class: &ClassFile<'_>, method: &Member<'_>, reason: &str) {
        let text = |index| class.pool.utf8(index).map(|text| text.to_string()).unwrap_or_default();
        let line = format!("{}.{}{}: {reason}", self.class, text(method.name), text(method.descriptor));
        if self.declined.last() != Some(&line) {
            self.declined.push(line);
        }
    }
}
