//! The types a search may use: what a worker JVM finds out about classes by reflection. Knows nothing of class files.
//!
//! Invariant: lists are sorted, so that the same classes give the same search.

use crate::sites::{CallKind, FieldRef, MethodRef};
use serde::{Deserialize, Serialize};

/// Who may use a member. Generated tests live in the package of the class under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Visibility {
    /// Everybody.
    Public,
    /// The package and subclasses.
    Protected,
    /// The package.
    Package,
    /// The class and its nest mates.
    Private,
}

/// A method or constructor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Callable {
    /// The method; its owner is the class that declares it.
    pub method: MethodRef,
    /// How it is invoked.
    pub kind: CallKind,
    /// Who may call it.
    pub visibility: Visibility,
    /// Binary names of the exceptions its `throws` clause declares.
    pub throws: Vec<String>,
}

/// A class, interface or enum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TypeInfo {
    /// Binary name.
    pub name: String,
    /// Who may name it (the narrowest of the class and its enclosing classes).
    pub visibility: Visibility,
    /// Abstract classes and interfaces cannot be made with `new`.
    pub is_abstract: bool,
    /// Interface.
    pub is_interface: bool,
    /// A member class that is not static needs an enclosing object and is not made with plain `new`.
    pub is_inner: bool,
    /// Binary names of all superclasses and superinterfaces.
    pub supertypes: Vec<String>,
    /// Constructors.
    pub constructors: Vec<Callable>,
    /// Methods that can be called on it, inherited ones included, synthetic ones left out.
    pub methods: Vec<Callable>,
    /// Static fields that are not private.
    pub static_fields: Vec<FieldRef>,
    /// Names of enum constants.
    pub enum_constants: Vec<String>,
    /// The methods that a class of the test must have to implement the interface, by the interfaces that declare them, sorted. None for what
    /// is no interface, and for interfaces that a test cannot implement: sealed ones, annotations, those with generic abstract methods.
    pub to_implement: Option<Vec<MethodRef>>,
}
