//! What is recorded, a module for each mode, and what the rest of the agent asks of any.
//!
//! [`state`] records state variables of objects, [`dua`] coverage of static associations. The rest of the agent knows neither:
//! it defines the classes of [`Java`], gives class bytes to [`Weave`] on the weaver thread and messages to [`Analyse`] on the
//! analysis thread. Invariant: which mode it is, is asked in [`of`] alone. The next mode goes there.

mod builds;
mod dua;
mod effects;
mod hands;
mod parts;
mod state;
mod tables;

pub use parts::{Analyse, Java, Parts, Weave};
pub use tables::Tables;

use dynaflow_model::options::{AgentOptions, Mode};

/// The parts of the mode that is asked for.
pub fn of(options: &AgentOptions) -> Parts {
    match options.mode {
        Mode::State => state::parts(options),
        Mode::Dua => dua::parts(options),
    }
}
