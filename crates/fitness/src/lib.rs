//! How near a run came to each branch it did not take: class bytes in; the class with probes that report branch distances, and the list of
//! its branches, with the outcomes that each depends on, out.
//!
//! [`guided`] finds the conditional jumps and the cases of switches, methods without these and, where they are wanted, lines, mutants that tests kill
//! weakly, and def-use pairs (`flow`); it numbers them, and puts a call before each that hands over what is compared, used or defined. What distances come of it say the Java classes [`PROBE_CLASS`] and [`FLOW_CLASS`] (`java-shim`).
//! It knows no tests and no JVM. Invariants: branches depend on the bytes alone; a class with probes does what the original does.
//!
//! The next case goes: another comparison whose operands are worth knowing into `remembered`; another operator of weak mutation into `mutation`, `infect` and
//! the Java class; another definition or use into `flowgraph`'s `tracked`.

mod branch;
mod dependence;
mod find;
mod flow;
mod found;
mod infect;
mod method;
mod mutation;
mod probes;
mod weave;

pub use branch::{Branch, Kind, Pair, Wanted};
pub use flow::FLOW_CLASS;
pub use mutation::{Mutation, Operator, Relation};
pub use probes::PROBE_CLASS;
pub use weave::{Guided, guided};
