//! What probes report of definitions and uses: in, the def-use pairs of a class (`flowgraph`); out, by method what happens at which instruction, and the table by which
//! the Java class [`FLOW_CLASS`] understands that.
//!
//! `points` says where in a method something is reported, `table` what the table of the method says, `put` how calls are written. It knows neither
//! what a pair is worth nor how instructions are run. Invariants: a use is reported before its instruction, a definition behind it, so that of an instruction that throws
//! the uses count and the definition does not; what the table says depends on bytes and numbers alone.

mod goals;
mod points;
pub(crate) mod put;
mod table;

pub(crate) use goals::{Numbers, SOUGHT, add, key, spelled};
pub(crate) use points::Points;
pub use put::FLOW_CLASS;
pub(crate) use table::{Described, Tables, approaches};
