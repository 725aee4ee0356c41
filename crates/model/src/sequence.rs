//! Call sequences: what a test does, as data. Carved from recorded tests, varied by search, run by workers, printed by
//! `testgen`. Knows nothing of Java syntax. Invariant: a statement refers only to earlier statements.

use crate::contract::Clause;
use crate::sites::{CallKind, FieldRef, MethodRef};
use serde::{Deserialize, Serialize};

/// A value that can be written down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Value {
    /// `null`.
    Null,
    /// `boolean`.
    Bool(bool),
    /// `byte`.
    Byte(i8),
    /// `char` as its code unit.
    Char(u16),
    /// `short`.
    Short(i16),
    /// `int`.
    Int(i32),
    /// `long`.
    Long(i64),
    /// `float` as its bits.
    Float(u32),
    /// `double` as its bits.
    Double(u64),
    /// A string.
    Str(String),
    /// An enum constant: binary name of the enum class, name of the constant.
    Enum(String, String),
    /// A class literal, as `Class.getName()` gives it.
    Class(String),
    /// A boxed primitive.
    Boxed(#[serde(deserialize_with = "boxed_primitive")] Box<Value>),
    /// An object of a class of the JDK that never changes: binary name of the class, the text from which an equal one is parsed, see [`crate::parsed`].
    Parsed(String, String),
}

impl Value {
    /// The descriptor of a primitive literal.
    pub fn primitive(&self) -> Option<&'static str> {
        self.primitive_and_box().map(|(primitive, _)| primitive)
    }

    /// The descriptor of the class that boxes a primitive literal.
    pub fn boxed(&self) -> Option<&'static str> {
        self.primitive_and_box().map(|(_, boxed)| boxed)
    }

    fn primitive_and_box(&self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::Bool(_) => ("Z", "Ljava/lang/Boolean;"),
            Self::Byte(_) => ("B", "Ljava/lang/Byte;"),
            Self::Char(_) => ("C", "Ljava/lang/Character;"),
            Self::Short(_) => ("S", "Ljava/lang/Short;"),
            Self::Int(_) => ("I", "Ljava/lang/Integer;"),
            Self::Long(_) => ("J", "Ljava/lang/Long;"),
            Self::Float(_) => ("F", "Ljava/lang/Float;"),
            Self::Double(_) => ("D", "Ljava/lang/Double;"),
            Self::Null
            | Self::Str(_)
            | Self::Enum(..)
            | Self::Class(_)
            | Self::Boxed(_)
            | Self::Parsed(..) => return None,
        })
    }
}

/// Reads the value in a box, which is a primitive: boxes in boxes, as a harmed or hostile file may have them, are refused
/// instead of exhausting the stack.
fn boxed_primitive<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Box<Value>, D::Error> {
    /// The first variants of [`Value`], in the same order.
    #[derive(Deserialize)]
    enum Primitive {
        Null,
        Bool(bool),
        Byte(i8),
        Char(u16),
        Short(i16),
        Int(i32),
        Long(i64),
        Float(u32),
        Double(u64),
    }
    Ok(Box::new(match Primitive::deserialize(input)? {
        Primitive::Null => Value::Null,
        Primitive::Bool(v) => Value::Bool(v),
        Primitive::Byte(v) => Value::Byte(v),
        Primitive::Char(v) => Value::Char(v),
        Primitive::Short(v) => Value::Short(v),
        Primitive::Int(v) => Value::Int(v),
        Primitive::Long(v) => Value::Long(v),
        Primitive::Float(v) => Value::Float(v),
        Primitive::Double(v) => Value::Double(v),
    }))
}

/// An argument or receiver.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Arg {
    /// A literal.
    Value(Value),
    /// The result of the statement with this index.
    Var(u32),
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Operation {
    /// `new`.
    New {
        /// The constructor.
        constructor: MethodRef,
        /// Its arguments.
        args: Vec<Arg>,
    },
    /// A method call.
    Call {
        /// The method.
        method: MethodRef,
        /// How it is invoked.
        kind: CallKind,
        /// The receiver; none for static methods.
        receiver: Option<Arg>,
        /// The arguments.
        args: Vec<Arg>,
    },
    /// The value of a static field.
    GetStatic(FieldRef),
    /// The value of an instance field.
    GetField {
        /// The field.
        field: FieldRef,
        /// The object.
        object: Arg,
    },
    /// A new array.
    NewArray {
        /// Descriptor of the array type, `[I`.
        descriptor: String,
        /// Its length.
        length: u32,
    },
    /// A store into an array.
    ArrayStore {
        /// The array.
        array: Arg,
        /// The index.
        index: u32,
        /// The value.
        value: Arg,
    },
    /// Something that cannot be rebuilt in a generated test; the text says what.
    Opaque(String),
    /// A stub: an object of an interface that the test itself implements.
    Stub {
        /// Binary name of the interface.
        interface: String,
        /// The methods that must be implemented, in the order of [`crate::types::TypeInfo::to_implement`], each with what it answers.
        answers: Vec<(MethodRef, Answer)>,
    },
    /// The question whether objects keep a clause of a contract; when they do not, an `AssertionError`.
    Contract {
        /// The clause.
        clause: Clause,
        /// Binary name of the class that promises it.
        class: String,
        /// An object of it.
        one: Arg,
        /// The other object, where the clause is about two.
        other: Option<Arg>,
    },
}

/// What a method of a stub answers, whatever it is called with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Answer {
    /// Nothing: its result is `void`.
    Nothing,
    /// Always the same value.
    Arg(Arg),
    /// The parameter at this place.
    Parameter(u32),
}

/// One statement; its index in the sequence is the variable that holds its result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Statement {
    /// What it does.
    pub operation: Operation,
    /// Descriptor of the result's static type, `V` for none.
    pub result: String,
    /// Binary name of the result's runtime class, where it was seen.
    pub runtime_class: Option<String>,
    /// The exception with which the call ends each time; none when it returns. It has no result then.
    pub caught: Option<Caught>,
}

/// An exception that the test expects of a call, and goes on after.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Caught {
    /// Binary name of its class.
    pub class: String,
    /// Binary names of its superclasses, nearest first.
    pub superclasses: Vec<String>,
    /// Whether the called method's `throws` clause names it; otherwise it is thrown on purpose.
    pub declared: bool,
}

/// A sequence of statements.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Sequence {
    /// The statements in order.
    pub statements: Vec<Statement>,
}

impl Operation {
    /// Every argument and receiver, in evaluation order, and what a stub answers.
    pub fn args(&self) -> Vec<&Arg> {
        match self {
            Self::New { args, .. } => args.iter().collect(),
            Self::Call { receiver, args, .. } => receiver.iter().chain(args).collect(),
            Self::GetField { object, .. } => vec![object],
            Self::ArrayStore { array, value, .. } => vec![array, value],
            Self::Stub { answers, .. } => answers.iter().filter_map(|(_, answer)| answer.arg()).collect(),
            Self::Contract { one, other, .. } => std::iter::once(one).chain(other).collect(),
            Self::GetStatic(_) | Self::NewArray { .. } | Self::Opaque(_) => vec![],
        }
    }

    /// Every argument and receiver, for rewriting.
    pub fn args_mut(&mut self) -> Vec<&mut Arg> {
        match self {
            Self::New { args, .. } => args.iter_mut().collect(),
            Self::Call { receiver, args, .. } => receiver.iter_mut().chain(args).collect(),
            Self::GetField { object, .. } => vec![object],
            Self::ArrayStore { array, value, .. } => vec![array, value],
            Self::Stub { answers, .. } => {
                answers.iter_mut().filter_map(|(_, answer)| answer.arg_mut()).collect()
            }
            Self::Contract { one, other, .. } => std::iter::once(one).chain(other).collect(),
            Self::GetStatic(_) | Self::NewArray { .. } | Self::Opaque(_) => vec![],
        }
    }
}

impl Answer {
    fn arg(&self) -> Option<&Arg> {
        match self {
            Self::Arg(arg) => Some(arg),
            Self::Nothing | Self::Parameter(_) => None,
        }
    }

    fn arg_mut(&mut self) -> Option<&mut Arg> {
        match self {
            Self::Arg(arg) => Some(arg),
            Self::Nothing | Self::Parameter(_) => None,
        }
    }
}

/// What became of carving one test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarvedTest {
    /// Everything the test did, statement by statement, opaque ones included.
    pub sequence: Sequence,
    /// Why the test as a whole cannot be rebuilt, when it cannot; parts of it may still serve.
    pub obstacle: Option<String>,
}
