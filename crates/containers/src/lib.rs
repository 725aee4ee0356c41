//! The policy on containers of the JDK: which calls read or write what a container holds, and what a call changes of it.
//!
//! In: names and descriptors of calls. Out: accesses ([`contents`], [`arguments`]), effects ([`effects`]), and the functions a call
//! applies ([`functions`]). Tables and rules over names: it knows no bytecode, no object and no recorder. Invariant: an answer
//! depends on names and descriptors alone.
//!
//! The next case goes: a new container into the table of `contents`, a new method into `contents::families`, and into `effects` when it
//! changes which objects a container holds.

pub mod arguments;
pub mod contents;
pub mod effects;
pub mod functions;
