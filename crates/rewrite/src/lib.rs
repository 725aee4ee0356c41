//! The code of a method written anew: instructions and what is put between them in, the bytes of its `Code` attribute out.
//!
//! [`Assembly`] takes pieces with labels, [`Coder`] adds new instructions to it, [`types`] has the types of the verifier, from which
//! [`attribute`] makes the stack map frames. Crates that put something of theirs into classes without recording anything build on it. It knows
//! neither mutants nor probes. Invariant: jumps, handlers and tables refer to the instructions that they referred to.

mod assembly;
mod attribute;
mod coder;
mod names;
mod returns;
pub mod types;

pub use assembly::{Assembly, Written};
pub use attribute::{Failure, attribute, replace};
pub use coder::{Coder, StaticMethod};
pub use names::Names;
pub use returns::before_returns;
pub use types::Types;
