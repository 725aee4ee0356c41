//! The vocabulary every other crate speaks: ids, sites, the words a recorded program sends, facts, sequences.
//!
//! In: nothing. Out: plain types. It knows nothing of class-file bytes, of the JVM, of files or of search; whatever two
//! crates must agree about stands here once. Invariant: every type is a value without hidden state, and every interned
//! id is dense and is given in the order of first sight, so that the same input always gives the same ids.

pub mod contract;
pub mod coverage;
pub mod declared;
pub mod descriptor;
pub mod effect;
pub mod facts;
pub mod frameworks;
pub mod ids;
pub mod layout;
pub mod muting;
pub mod obstacle;
pub mod options;
pub mod outcome;
pub mod pair_key;
pub mod parsed;
pub mod pattern;
pub mod recorder;
pub mod sequence;
pub mod sites;
pub mod types;
pub mod words;
