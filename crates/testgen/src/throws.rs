//! What a test method must declare in its `throws` clause. Knows nothing of statements.
//!
//! Invariant: javac never misses a checked exception; a class it does not know may throw anything.

use dynaflow_model::sites::MethodRef;
use dynaflow_search::Types;

/// What a method declares, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Throws {
    /// Nothing.
    Nothing,
    /// `throws Exception`.
    Exception,
    /// `throws Throwable`.
    Throwable,
}

/// Unchecked exceptions that `throws` clauses often name.
const UNCHECKED: &[&str] = &[
    "java.lang.RuntimeException",
    "java.lang.Error",
    "java.lang.ArithmeticException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.AssertionError",
    "java.lang.ClassCastException",
    "java.lang.IllegalArgumentException",
    "java.lang.IllegalStateException",
    "java.lang.IndexOutOfBoundsException",
    "java.lang.NegativeArraySizeException",
    "java.lang.NullPointerException",
    "java.lang.NumberFormatException",
    "java.lang.SecurityException",
    "java.lang.StringIndexOutOfBoundsException",
    "java.lang.UnsupportedOperationException",
    "java.util.ConcurrentModificationException",
    "java.util.NoSuchElementException",
];

impl Throws {
    /// What a call makes necessary when the exception class `caught` is caught around it.
    pub(crate) fn of(method: &MethodRef, caught: Option<&str>, types: &Types) -> Self {
        let known = types.member(method).or_else(|| types.inherited(method).map(Some));
        let declared = match known {
            Some(Some(callable)) => &callable.throws[..],
            // Methods of java.lang.Object that a class does not override.
            Some(None) => &[],
            None => return Self::Exception,
        };
        let left = declared.iter().filter(|class| caught != Some(class.as_str()));
        left.map(|class| Self::by(class, types)).max().unwrap_or(Self::Nothing)
    }

    fn by(class: &str, types: &Types) -> Self {
        let above = types.get(class).map_or(&[][..], |info| &info.supertypes);
        let unchecked = |name: &str| UNCHECKED.contains(&name);
        match class {
            "java.lang.Throwable" => Self::Throwable,
            _ if unchecked(class) || above.iter().any(|name| unchecked(name)) => Self::Nothing,
            _ => Self::Exception,
        }
    }

    /// The clause, with a leading space.
    pub(crate) fn clause(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Exception => " throws Exception",
            Self::Throwable => " throws Throwable",
        }
    }
}
