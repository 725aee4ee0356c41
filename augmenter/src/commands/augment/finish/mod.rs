//! Writes tests, compiles them, runs them in fresh JVMs, and lets go of what does not hold.
//!
//! Data path: [`ready`] (candidates of a class) -> [`rounds`], with the files of an earlier run ([`extension`]): [`attempt`] (compiled and run; whose line it is: [`declared`]), [`perturbed`], [`beside`] its
//! [`neighbours`], [`harm`] -> what is [`written`] and holds. In: candidates, and what they are checked with ([`checking`]). Out: sources, and facts of the compiled tests. Knows
//! nothing of how tests were found. Invariant: what is given back held in every run.

mod attempt;
pub mod beside;
pub mod checking;
mod declared;
pub mod extension;
pub mod findings;
mod harm;
pub mod neighbours;
mod perturbed;
pub mod ready;
pub mod rounds;
mod written;
