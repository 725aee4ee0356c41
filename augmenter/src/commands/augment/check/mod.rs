//! From what the search kept to tests that hold: [`every_class`] in turn, [`one_class`] at a time.
//!
//! Data path: what was kept, or of a [`crowd`] the needed ones, with [`parts`] of the seeds, [`contracts`] that are broken, and what [`covering`] adds -> observed and judged with mutants, unless the class is [`idle`] -> what is [`hunted`] -> what is
//! [`closed`] and [`shortened`] -> the [`possible`] -> chosen -> written, compiled and run -> all of them in [`company`] of the project's tests. In: targets whose search ended. Out: what holds, as results of the campaign. Knows nothing of turns.
//! Invariant: what was kept is not changed here: further tests stand behind it. Of a crowd what is not needed is set aside first.

mod closed;
mod company;
mod contracts;
mod covering;
mod crowd;
pub mod every_class;
mod hunted;
mod idle;
mod one_class;
mod parts;
mod possible;
mod shortened;
