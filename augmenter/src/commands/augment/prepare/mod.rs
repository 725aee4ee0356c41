//! Before anything runs: the classes that are attacked, what an earlier run wrote, how the seeds' sources look, the JDK, the time there is.
//!
//! In: what was asked for. Out: [`setup`] ([`chosen`], [`earlier`], [`newer`], [`manner`], [`siblings`]), [`available`] of it, a [`budget`], an [`interrupt`]. Knows
//! nothing of search. After the seeds were recorded: [`through`] which subclasses targets are attacked. Invariant: no code of program or tests runs here, and what can be known to be wrong is refused here.

pub mod available;
pub mod budget;
pub mod chosen;
mod earlier;
pub mod interrupt;
mod manner;
mod newer;
pub mod seal;
pub mod setup;
mod siblings;
pub mod through;
