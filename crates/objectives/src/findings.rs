//! Findings in words, as an augmentation notes them in its document: failures of the program, each with the test that reveals it.
//!
//! Knows nothing of how they are found or judged. Invariant: as in `schema`, fields are declared in alphabetical order.

use serde::{Deserialize, Serialize};

/// A failure of the program, and the test that reveals it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingText {
    /// Where it was raised: the innermost method of the program. Of a contract, or a stack that overflows, the method that was asked, and its first line.
    pub at: Option<FrameText>,
    /// The method that the test called when it happened: class and name.
    pub called: Option<String>,
    /// Binary name of the class that the test was written for.
    pub class: String,
    /// A pair that the test executes, in words.
    pub flow: Option<String>,
    /// Whether the program has a fault or may have one.
    pub kind: FindingKind,
    /// What the exception says; none of an exception without a message, and of a contract.
    pub message: Option<String>,
    /// How many other call sequences end so; none of them was written.
    pub others: u64,
    /// The test, as class and method.
    pub test: String,
    /// Binary name of the exception; none of a contract.
    pub throws: Option<String>,
    /// What and where, in a line.
    pub what: String,
}

/// A method, and a line of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrameText {
    /// Binary name of its class.
    pub class: String,
    /// Source line, 0 when unknown.
    pub line: u32,
    /// Its name, without a descriptor, as stacks have none.
    pub method: String,
}

/// How sure it is that a finding is a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingKind {
    /// The program has a fault.
    Fault,
    /// It may have one: what the test passes may be to blame.
    Suspicious,
}
