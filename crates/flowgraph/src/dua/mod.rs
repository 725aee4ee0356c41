//! Definition-use associations (DUAs) of methods, from bytecode.
//!
//! `vars` says what a variable is, `values` what each instruction uses and defines, `reach` sums that up by node, [`method`]
//! seeks the associations and names them, [`class`] does so for all methods of a class. It knows class files, not class paths. Invariants: calls kill nothing; a use belongs to
//! the instruction that consumes a value, not to the one that loads it; what cannot be analysed is refused with
//! its method, offset and reason.
//!
//! The next case goes: an instruction that passes a value on, or consumes it otherwise, into `values`; a new kind of
//! variable into `vars`; a new kind of definition at the entry into `reach`.

pub mod class;
pub mod coverage;
pub mod inter;
mod limits;
pub mod method;
mod names;
pub mod purity;
mod reach;
mod sets;
mod values;
pub mod vars;

pub use class::{ClassDuas, of_class};
pub use inter::{Callees, CrossDua, Unknown};
pub use method::{Detail, MethodDuas, NodePlace, of_method};
pub use purity::{ClassSource, Purity};

use dynaflow_classfile::Error;
use std::fmt;

/// What a store into an array is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrays {
    /// A use of reference, index and value.
    #[default]
    Reference,
    /// A definition of the whole array, and a use of index and value.
    Whole,
}

/// Where a variable is used whose value goes into a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Uses {
    /// At the instruction that consumes it: the operator, the call.
    #[default]
    Consumer,
    /// Where the result of the whole computation ends up: the store, the return, the branch, a call without result.
    Statement,
}

/// How to analyse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What a store into an array is.
    pub arrays: Arrays,
    /// Where variables are used.
    pub uses: Uses,
    /// Whether exceptions are control flow.
    pub exception_edges: bool,
    /// Whether local variables without a name count, which the compiler made.
    pub temporaries: bool,
    /// Whether class initialisers count.
    pub class_initialisers: bool,
    /// Whether the methods of interfaces count.
    pub interfaces: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            arrays: Arrays::Reference,
            uses: Uses::Consumer,
            exception_edges: false,
            temporaries: true,
            class_initialisers: true,
            interfaces: true,
        }
    }
}

/// Which kind an association is of, after Harrold and Rothermel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Definition and use lie in one invocation of one method.
    IntraMethod,
    /// Within a method, from a parameter (or what it refers to) as the caller gave it.
    Parameter,
    /// Definition and use lie in different methods, one of which calls the other or both of which a third calls.
    InterMethod,
    /// Definition and use lie in calls of public methods that follow each other.
    IntraClass,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IntraMethod => "intra-method",
            Self::Parameter => "parameter",
            Self::InterMethod => "inter-method",
            Self::IntraClass => "intra-class",
        })
    }
}

/// Why a method or a class was not analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Offset of the instruction in its method, where it is one.
    pub offset: Option<u32>,
    /// The reason.
    pub reason: String,
}

impl Refusal {
    fn of_graph(error: impl fmt::Display) -> Self {
        Self { offset: None, reason: error.to_string() }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self { offset: None, reason: error.to_string() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "{} (offset {offset})", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for Refusal {}
