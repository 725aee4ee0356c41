//! The search of one class: call sequences are run, and those that cover something new are kept.
//!
//! Data path: [`universe`] (types that tests may use), [`shared`] by all classes -> [`growth`] of a [`target`]: [`goals`] (but for the [`infeasible`]) -> candidates (the next are made [`ahead`], until there is [`silence`] for too long) -> [`guide`] (distances, with [`calls`]) or [`pool`] (facts, and
//! by [`halves`] how far a splice came; what that takes is [`spent`]) -> [`accept`] (as short as its new pairs allow, several [`together`]) -> [`kept`] -> [`homes`] (the class that a kept test belongs to). Knows nothing of turns or of Java sources. Invariant: what is
//! kept covered, in a recorded worker and in its final form, the pairs that it is kept for.

pub mod accept;
mod ahead;
mod calls;
pub mod expects;
mod goals;
pub mod growth;
pub mod guide;
pub mod halves;
pub mod helpers;
pub mod homes;
pub mod infeasible;
pub mod kept;
pub mod pool;
pub mod shared;
mod silence;
mod spent;
pub mod target;
mod together;
pub mod universe;
