//! Tests for mutants that random tests leave alive: class bytes and a mutant in; arguments of a call with which original and mutant end
//! differently, a proof that there are none, or a reason why that is not known, out.
//!
//! After Zhang, Gupta and Halfond, *A New Method for Software Test Data Generation Inspired by D-algorithm*. A method becomes statements with
//! their edge conditions ([`units`]), without loops ([`unwound`]); parts of it become expressions ([`walk`], over [`expr`]), and questions about them go to a
//! solver ([`smtlib`], [`solver`]). [`whole`] asks about the whole method at once. It knows no tests and no JVM. Invariants: a
//! method that is not understood is a [`Refusal`] with a reason; what a solver says is believed only as far as it can be checked, or is a claim that
//! no input exists.

mod arith;
mod arrays;
pub mod dalgorithm;
pub mod expr;
pub mod inline;
pub mod machine;
pub mod problem;
mod refusal;
pub mod run;
pub mod smtlib;
pub mod solver;
pub mod state;
pub mod units;
pub mod unwound;
pub mod value;
pub mod walk;
pub mod whole;

pub use problem::{Argument, Problem, Scope, Verdict};
pub use refusal::Refusal;
pub use solver::{Config, Solved, Solver};
pub use units::Bounds;
