//! What running a sequence showed. Knows nothing of how it was run. Invariant: `statements` stops before the one that threw.

use crate::effect::Effect;
use crate::sequence::{Caught, Value};
use crate::sites::MethodRef;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A value seen at run time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Observed {
    /// `void`.
    Void,
    /// A value that can be written down.
    Value(Value),
    /// Any other object, by the binary name of its class.
    Object(String),
    /// The very object that the statement with this index gave.
    Same(u32),
    /// What an array or a container of the JDK holds, where that is little: values and objects, no further contents.
    Contents(Container, Vec<Observed>),
}

/// What holds the observed contents.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Container {
    /// An array, by its descriptor.
    Array(String),
    /// A `List`.
    List,
    /// A `Set`; its elements are sorted, as their order says nothing.
    Set,
    /// A `Map`: keys and values in turn, sorted by key.
    Map,
    /// An `Optional`: one element or none.
    Optional,
}

impl Container {
    /// Contents with the order of what has none made one and the same.
    pub fn holding(self, mut elements: Vec<Observed>) -> Observed {
        match self {
            Self::Set => elements.sort(),
            Self::Map => {
                let mut entries: Vec<&[Observed]> = elements.chunks(2).collect();
                entries.sort();
                elements = entries.concat();
            }
            Self::Array(_) | Self::List | Self::Optional => {}
        }
        Observed::Contents(self, elements)
    }
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

    /// Whether it says that a contract is not kept: no method of the program raised it.
    pub fn is_of_contract(&self) -> bool {
        self.class == "java.lang.AssertionError" && self.raised_in.is_empty()
    }

    /// Whether it is an object of this class or of a subclass.
    pub fn is_a(&self, class: &str) -> bool {
        self.class == class || self.superclasses.iter().any(|above| above == class)
    }
}

impl From<&Thrown> for Caught {
    fn from(thrown: &Thrown) -> Self {
        let Thrown { class, superclasses, declared, .. } = thrown;
        Self { class: class.clone(), superclasses: superclasses.clone(), declared: *declared }
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

/// One step from an object to what is observed of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Look {
    /// The call of an inspector: a method that reports on state and changes nothing.
    Call {
        /// The method.
        method: MethodRef,
        /// Its arguments.
        args: Vec<Value>,
    },
    /// An element of an array.
    Element(u32),
    /// An element of a `List`, which has this static type by the type arguments of the list.
    Listed {
        /// Its place.
        index: u32,
        /// The descriptor of its type.
        of: String,
    },
    /// The length of an array.
    Length,
}

/// Where to look: from the result of a statement through inspectors. Without steps, the result itself, as it is in the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Path {
    /// The statement whose result it begins with.
    pub variable: u32,
    /// The steps from there.
    pub looks: Vec<Look>,
}

impl Path {
    /// The path one step further.
    pub fn then(&self, look: Look) -> Self {
        let looks = self.looks.iter().cloned().chain([look]).collect();
        Self { variable: self.variable, looks }
    }
}

/// What was seen at the end of a path after the last statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Observation {
    /// The path.
    pub path: Path,
    /// What is there; paths on which a call threw are left out.
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

impl Broken {
    /// Whether it ended its JVM, or did not end in time: another run of it costs as much.
    pub fn is_dear(&self) -> bool {
        matches!(self, Self::TimedOut | Self::WorkerDied(_))
    }
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
    /// The statements that gave an object which an earlier one had given, each with the first that did; empty where nobody asked.
    pub same: BTreeMap<u32, u32>,
    /// Set when it did not run to its end.
    pub broken: Option<Broken>,
    /// The statement in which its time was over, where it was and that is known.
    pub stalled: Option<u32>,
    /// What it did beyond its own objects, each once; known only where the agent observed the run.
    pub effects: Vec<Effect>,
    /// The numbers of the probes that it met, where its classes have some, ascending.
    pub met: Vec<u32>,
    /// How near it came to the outcomes of branches that it met, where its classes have probes for that.
    pub distances: Vec<Distance>,
}

impl Outcome {
    /// Whether it ended its JVM, or did not end in time.
    pub fn is_dear(&self) -> bool {
        self.broken.as_ref().is_some_and(Broken::is_dear)
    }
}

/// How near a run came to an outcome of a branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distance {
    /// Twice the number of the branch when its jump is taken, one more when it is not.
    pub outcome: u32,
    /// The branch distance, as the bits of an `f64`: 0 when the outcome happened. Of two, the smaller one has the smaller bits.
    pub away: u64,
    /// What was compared, where it did not happen and that is known.
    pub operands: Option<Operands>,
}

/// What a branch compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Operands {
    /// Two numbers, as the bits of `f64`.
    Numbers(u64, u64),
    /// Two texts.
    Texts(String, String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_a_set_and_of_a_maps_entries_says_nothing_and_that_of_a_list_does() {
        let [one, two, three] = [1, 2, 3].map(|n| Observed::Value(Value::Int(n)));
        let all = |order: [&Observed; 3]| order.map(Clone::clone).to_vec();
        let (up, down) = (all([&one, &two, &three]), all([&three, &two, &one]));
        assert_eq!(Container::Set.holding(up.clone()), Container::Set.holding(down.clone()));
        assert_ne!(Container::List.holding(up), Container::List.holding(down));
        let map = |entries: [&Observed; 4]| Container::Map.holding(entries.map(Clone::clone).to_vec());
        assert_eq!(map([&two, &one, &one, &three]), map([&one, &three, &two, &one]));
        assert_ne!(
            map([&one, &one, &two, &three]),
            map([&one, &three, &two, &one]),
            "keys keep their values"
        );
    }
}
