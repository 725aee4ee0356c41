//! From what is missing to what to run next: candidate call sequences for def-use pairs that no test executed.
//!
//! In: goals, carved tests with the places where facts were seen, the types a test may use. Out: well-typed sequences,
//! splices of known tests first, then those that branch distances lead to, and random ones. It knows nothing of the JVM, of class-file bytes, of Java
//! source or of how a sequence is run. Invariants: every candidate passes [`check()`] and contradicts no type argument that seeds respect; the same seed and the same calls
//! give the same candidates. The next kind of candidate is one more function behind `schedule`; the next algorithm that
//! distances lead implements `algorithm::Algorithm`.

mod admission;
mod algorithm;
mod ambient;
mod archive;
mod arrays;
mod attempts;
mod barren;
mod breeder;
mod build;
mod candidate;
mod caught;
mod check;
mod coverage;
mod crossover;
mod deadly;
mod filled;
mod fitness;
mod goal;
mod guidance;
mod guided;
mod handed;
mod implemented;
mod individual;
mod inline;
mod instead;
mod literals;
mod minimise;
mod mio;
mod mosa;
mod mutate;
mod nearest;
mod plans;
mod population;
mod producer;
mod producers;
mod schedule;
mod slice;
mod splice;
mod stalls;
mod steer;
mod stubs;
mod texts;
mod types;
pub mod typing;
mod whole_suite;

pub use admission::Costly;
pub use archive::News;
pub use candidate::{Candidate, Why};
pub use caught::ending;
pub use check::{IllTyped, check};
pub use coverage::CoverageGoals;
pub use goal::{Goal, Sites, Specimen};
pub use guidance::Algorithms;
pub use implemented::implemented;
pub use inline::{with_moments, with_nulls, with_values};
pub use instead::called_instead;
pub use minimise::{minimise, one_by_one, shorter, simplest};
pub use producer::container_of;
pub use schedule::{Config, Search};
pub use slice::{around, rebuildable, without};
pub use types::{Types, package_of};
