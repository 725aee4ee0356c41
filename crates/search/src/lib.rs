//! From what is missing to what to run next: candidate call sequences for def-use pairs that no test executed.
//!
//! In: goals, carved tests with the places where facts were seen, the types a test may use. Out: well-typed sequences,
//! splices of known tests first, then those that branch distances lead to, and random ones. It knows nothing of the JVM, of class-file bytes, of Java
//! source or of how a sequence is run. Invariants: every candidate passes [`check()`] and contradicts no type argument that seeds respect; the same seed and the same calls
//! give the same candidates. The next kind of candidate is one more function behind `schedule`.

mod archive;
mod build;
mod check;
mod deadly;
mod goal;
mod guidance;
mod guided;
mod implemented;
mod literals;
mod minimise;
mod mutate;
mod schedule;
mod slice;
mod splice;
mod steer;
mod stubs;
mod texts;
mod types;
pub mod typing;

pub use archive::News;
pub use check::{IllTyped, check};
pub use goal::{Goal, Specimen};
pub use implemented::implemented;
pub use minimise::minimise;
pub use schedule::{Candidate, Config, Search, Why};
pub use slice::{around, rebuildable, without};
pub use types::{Types, package_of};
