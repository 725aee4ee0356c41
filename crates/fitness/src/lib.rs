//! How near a run came to each branch it did not take: class bytes in; the class with probes that report branch distances, and the list of
//! its branches, with the outcomes that each depends on, out.
//!
//! [`guided`] finds the conditional jumps and the cases of switches, methods without these and, where they are wanted, lines; it numbers them, and puts a
//! call before each that hands over what is compared. What distances come of it says the Java class [`PROBE_CLASS`] (`java-shim`). It knows no tests and no JVM. Invariants: branches
//! depend on the bytes alone; a class with probes does what the original does.
//!
//! The next case goes: another comparison whose operands are worth knowing into `remembered`.

mod branch;
mod dependence;
mod find;
mod weave;

pub use branch::{Branch, Kind, Wanted};
pub use weave::{Guided, PROBE_CLASS, guided};
