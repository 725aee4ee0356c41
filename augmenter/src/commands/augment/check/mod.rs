//! From what the search kept to tests that hold: [`every_class`] in turn, [`one_class`] at a time.
//!
//! Data path: what was kept -> [`parts`] of the seeds, [`contracts`], [`covering`] (further tests) -> observed, judged with mutants -> [`hunted`] -> [`shortened`] -> chosen ->
//! `finish`. All are methods of the campaign, or ask a worker for it. Knows nothing of turns. Invariant: what was kept is not changed here: further tests stand behind it.

mod contracts;
mod covering;
pub mod every_class;
mod hunted;
mod one_class;
mod parts;
mod possible;
mod shortened;
