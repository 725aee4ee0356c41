//! What is left of a run: the files of [`results`], and a [`summary`] of the classes in words.
//!
//! In: sources, facts, rows. Out: files, lines. Knows nothing of how they came about. Invariant: a file that a run did not write, or that somebody
//! edited, is not overwritten.

pub mod results;
pub mod summary;
