//! From sequences with observed outcomes to JUnit source files.
//!
//! In: tests (what they do, what running them showed) and the types they use. Out: sources for a framework of
//! `model::frameworks` that need it and the user's classes only. It knows nothing of how the sequences were found or run. Invariants: the same tests give
//! the same text; what cannot be written in Java is left out with a reason, never written wrong.

mod aliases;
mod asserts;
mod body;
mod contents;
mod contracts;
mod expressions;
mod fit;
mod layout;
mod literals;
mod method_names;
mod names;
mod overloads;
mod pending;
mod raw_arrays;
mod repeated;
mod request;
mod source;
mod stubs;
mod supertypes;
mod throws;
mod variables;
mod words;
mod wrap;

pub use aliases::one_variable_each;
pub use asserts::is_compared;
pub use contents::is_comparable;
pub use fit::is_fit;
pub use layout::{Existing, class_under_test, commented, unformatted};
pub use request::{Asserted, Form, Generated, Manner, Placed, Request, Source, TestCase};
pub use source::{FINDINGS, SUFFIXES, generate, is_of_findings, number, paths};
