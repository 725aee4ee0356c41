//! Mutants of a class: class bytes in; the list of its mutants, and class bytes with all of them (mutant schemata), with one of them,
//! or with probes where they stand, out.
//!
//! [`mutants`] finds them by the operators of PIT's default set and by muJava's method-level operators, [`schemata`] weaves them into the
//! class behind guards that read the number of the active mutant from a static field, [`alone`] gives the class with one mutant
//! and nothing else. It knows no tests and no JVM. Invariants: mutants depend on bytes and options alone; a class woven with all
//! mutants behaves as the original while none of its numbers is active, and as [`alone`] while one is; two mutants of a class
//! differ in bytecode, and none equals the original.
//!
//! The next case goes: a new operator into `operator` and `pit` or `mujava`; a pattern of which no mutants are wanted into `filter`.

mod assembly;
mod change;
mod context;
mod filter;
mod find;
mod mujava;
mod names;
mod operator;
mod pit;
mod schema;
mod types;
mod weave;

pub use operator::Operator;
pub use schema::{Schema, alone, probed, probes, schemata};

use change::Change;
use dynaflow_classfile::{ClassFile, Error, Member};
use std::collections::BTreeMap;

/// Internal name of the class that woven code asks which mutant is active. Every class loader must find it.
pub const SWITCH_CLASS: &str = "io/dynaflow/mutants/Switch";

/// Its static field, an `int`: the number of the active mutant, 0 for none.
pub const SWITCH_FIELD: &str = "active";

/// Its static method that probed code calls with the number of a mutant whose instruction is about to run: name and descriptor.
pub const PROBE: (&str, &str) = ("reached", "(I)V");

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
    /// What it does; in PIT's words for PIT's operators.
    pub description: String,
    /// Its name among the mutants of all classes: class, method, instruction, operator, and which of that operator's.
    pub id: String,
    number_of_method: usize,
    change: Change,
    copies: Vec<(usize, Change)>,
}

impl Mutant {
    /// All instructions that it mutates, and what takes their place: more than one where javac wrote a `finally` block more than once.
    fn sites(&self) -> impl Iterator<Item = (usize, &Change)> {
        find::sites(self.insn, &self.change, &self.copies)
    }
}

/// The mutants of a class.
#[derive(Clone, Debug, Default)]
pub struct ClassMutants {
    /// Internal name of the class.
    pub class: String,
    /// Its mutants in the order of methods, instructions and operators.
    pub mutants: Vec<Mutant>,
    /// How many mutants were left out, by reason.
    pub left_out: BTreeMap<&'static str, usize>,
    /// Methods that have no mutants because they are not understood, and why.
    pub declined: Vec<String>,
}

impl ClassMutants {
    fn add(&mut self, mut mutant: Mutant) {
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

    fn also(&mut self, mutant: usize, operator: Operator) {
        self.leave_out("same bytecode as another mutant");
        if let Some(mutant) = self.mutants.get_mut(mutant)
            && mutant.operator != operator
            && !mutant.also.contains(&operator)
        {
            mutant.also.push(operator);
        }
    }

    fn leave_out(&mut self, reason: &'static str) {
        *self.left_out.entry(reason).or_default() += 1;
    }

    fn decline(&mut self, class: &ClassFile<'_>, method: &Member<'_>, reason: &str) {
        let text = |index| class.pool.utf8(index).map(|text| text.to_string()).unwrap_or_default();
        let line = format!("{}.{}{}: {reason}", self.class, text(method.name), text(method.descriptor));
        if self.declined.last() != Some(&line) {
            self.declined.push(line);
        }
    }
}

/// Finds the mutants of a class.
///
/// # Errors
/// When the bytes are no class file.
pub fn mutants(bytes: &[u8], options: &Options) -> Result<ClassMutants, Error> {
    find::find(bytes, options)
}
