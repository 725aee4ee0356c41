//! How associations are sought. Knows nothing of methods. Invariant: the default is what the command's help says.

use dynaflow_model::options::Arrays;

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
