//! What a carver is given: values that calls take and give, and how much to keep. Knows nothing of tests. Invariant: plain values.

use dynaflow_model::ids::ObjectId;
use dynaflow_model::sequence::Value;

/// A value on its way into or out of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carried {
    /// A value that can be written down; ints stand for the smaller integral types and `boolean` too.
    Value(Value),
    /// An object, and the binary name of its class where it is known.
    Object(ObjectId, Option<String>),
    /// A constant of an enum: the object it is, for calls on it, the binary name of the enum and its own name.
    Constant {
        /// The object.
        object: ObjectId,
        /// Binary name of the enum.
        class: String,
        /// Name of the constant.
        name: String,
    },
    /// The result of a `void` method.
    Void,
}

/// What bounds the size of a carved test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most statements of a test.
    pub statements: usize,
    /// Longest string, in bytes.
    pub string: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { statements: 500, string: 4096 }
    }
}
