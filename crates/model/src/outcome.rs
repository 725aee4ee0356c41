//! What running a sequence showed. Knows nothing of how it was run. Invariant: `statements` stops before the one that threw.

use crate::effect::Effect;
use crate::sequence::Value;
use crate::sites::MethodRef;
use serde::{Deserialize, Serialize};

/// A value seen at run time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Observed {
    /// `void`.
    Void,
    /// A value that can be written down.
    Value(Value),
    /// Any other object, by the binary name of its class.
    Object(String),
}

/// An exception that left a statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Thrown {
    /// Index of the statement.
    pub statement: u32,
    /// Binary name of the exception's class.
    pub class: String,
    /// Binary names of its superclasses, nearest first.
    pub superclasses: Vec<String>,
    /// Its message.
    pub message: Option<String>,
    /// Whether the called method's `throws` clause names it or a superclass of it; `throws Exception` and the like name no unchecked one.
    pub declared: bool,
    /// Whether the program throws it on purpose; known once it was triaged.
    pub on_purpose: bool,
    /// The innermost frames of its stack, innermost first, down to those of the worker.
    pub raised_in: Vec<StackFrame>,
}

impl Thrown {
    /// Whether a test expects it: it is declared, or thrown on purpose.
    pub fn is_expected(&self) -> bool {
        self.declared || self.on_purpose
    }

    /// Whether it is an object of this class or of a subclass.
    pub fn is_a(&self, class: &str) -> bool {
        self.class == class || self.superclasses.iter().any(|above| above == class)
    }
}

/// A frame of the stack of an exception.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StackFrame {
    /// Binary name of the class.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Source line; none when it is not known.
    pub line: Option<u32>,
}

/// The call of an observer (a method without arguments that reports on state) after the last statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Observation {
    /// Variable (statement index) observed.
    pub variable: u32,
    /// The observer.
    pub method: MethodRef,
    /// What it returned; calls that threw are left out.
    pub result: Observed,
}

/// Why a sequence did not run to its end, other than by an exception of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Broken {
    /// It ran longer than allowed.
    TimedOut,
    /// The worker died (crash, `System.exit`, out of memory).
    WorkerDied(String),
    /// It could not be run at all (a class or method that is not there, an opaque statement, a wrong type).
    Unrunnable(String),
}

/// The outcome of one run of one sequence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The result of each statement that returned.
    pub statements: Vec<Observed>,
    /// The exception that ended it.
    pub thrown: Option<Thrown>,
    /// What observers reported, when asked for.
    pub observations: Vec<Observation>,
    /// Set when it did not run to its end.
    pub broken: Option<Broken>,
    /// What it did beyond its own objects, each once; known only where the agent observed the run.
    pub effects: Vec<Effect>,
}
