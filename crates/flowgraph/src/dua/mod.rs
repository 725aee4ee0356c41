//! Definition-use associations (DUAs) of methods, from bytecode.
//!
//! `vars` says what a variable is, `values` what each instruction uses and defines, `reach` sums that up by node, [`method`]
//! seeks the associations and names them, [`class`] does so for all methods of a class. It knows class files, not class paths. Invariants: calls kill nothing; a use belongs to
//! the instruction that consumes a value, not to the one that loads it; what cannot be analysed is refused with
//! its method, offset and reason.
//!
//! The next case goes: an instruction that passes a value on, or consumes it otherwise, into `values`; a new kind of
//! variable into `vars`; a new kind of definition at the entry into `reach`.

mod callees;
pub mod class;
pub mod coverage;
mod elements;
mod fill;
pub mod inter;
mod kind;
mod limits;
pub mod method;
mod names;
mod options;
pub mod purity;
mod reach;
mod refusal;
mod sets;
pub mod tracked;
pub(crate) mod values;
pub mod vars;

pub use callees::{Callees, Unknown};
pub use class::{ClassDuas, of_class};
pub use dynaflow_model::options::Arrays;
pub use elements::Elements;
pub use inter::CrossDua;
pub use kind::Kind;
pub use method::{Detail, MethodDuas, NodePlace, of_method};
pub use options::{Options, Uses};
pub use purity::{ClassSource, Purity};
pub use refusal::Refusal;
