//! In: class bytes and the choice of what to record. Out: woven bytes and [`ClassSites`], or [`Declined`].
//!
//! [`sites`] finds where something happens, [`weave`] writes the bytes that report it; they meet in a [`Plan`]. The crate knows
//! nothing of the JVM, of the recorder's insides or of what an event means. Invariants: the woven method does what the
//! original did; sites depend on the bytes and the options alone; a method that is not understood stays as it was and is declined by name.
//!
//! The next case goes: a new kind of site into `sites` and a shape for it into `weave::shapes`; a new test
//! framework into `model::frameworks`.

mod bulk;
mod bundles;
mod copies;
mod flow;
pub mod hooks;
mod plan;
mod planned;
mod references;
mod restore;
mod roles;
mod silent;
mod sites;
mod stores;
mod values;
pub mod weave;

pub use dynaflow_model::sites::{ClassSites, Declined};
pub use plan::Plan;
pub use planned::WeaveOptions;
pub use weave::coverage::{SLOTS, UpdatesWoven, weave_updates};
pub use weave::hooked::weave_hooks;
pub use weave::{Woven, WovenCalls};
