//! Mutants of a class: class bytes in; the list of its mutants, and class bytes with all of them (mutant schemata), with one of them,
//! or with probes where they stand, out.
//!
//! [`mutants`] finds them by the operators of PIT's default set, by muJava's method-level operators and by those of data flow, [`schemata`] weaves them into the
//! class behind guards that read the number of the active mutant from a static field, [`alone`] gives the class with one mutant
//! and nothing else. It knows no tests and no JVM. Invariants: mutants depend on bytes and options alone; a class woven with all
//! mutants behaves as the original while none of its numbers is active, and as [`alone`] while one is; two mutants of a class
//! differ in bytecode, and none equals the original.
//!
//! The next case goes: a new operator into `operator` and `pit`, `mujava` or `omitted`; a pattern of which no mutants are wanted into `filter`.

mod change;
mod context;
mod filter;
mod find;
mod found;
mod mujava;
mod mutant;
mod omitted;
mod operator;
mod pit;
mod schema;
mod switch;
mod weave;

pub use change::Op;
pub use find::mutants;
pub use mutant::{ClassMutants, Mutant, Options};
pub use operator::Operator;
pub use schema::{Probed, Schema, alone, probed, schemata};
pub use switch::{PROBE, SWITCH_CLASS, SWITCH_FIELD};
