//! From the calls that frames of test classes make to one call sequence per test.
//!
//! In: entries and exits of frames, argument values, calls and results, in the order they happened. Out: a
//! [`CarvedTest`](dynaflow_model::sequence::CarvedTest) per test. It knows nothing of words, sites' numbers, facts or search, and it runs inside the recorded
//! process: no input makes it panic and its memory is bounded by [`Limits`]. Invariant: a statement refers only to
//! earlier ones.

mod carried;
mod carver;
mod kinds;
mod tape;
mod thread;
mod values;

pub use carried::{Carried, Limits};
pub use carver::Carver;
