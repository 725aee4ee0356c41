//! What the JDK promises of the objects of every class: the clauses of the contracts of `equals`, `hashCode`, `compareTo`, `toString` and `clone`
//! that single calls can break. Knows nothing of how they are asked.
//!
//! Invariant: whoever keeps a clause answers without an exception.

use serde::{Deserialize, Serialize};

/// A clause of a contract, about one object or two (`java.lang.Object`, `java.lang.Comparable`, `java.lang.Cloneable`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Clause {
    /// An object equals itself.
    EqualsItself,
    /// No object equals null.
    DiffersFromNull,
    /// Two objects equal each other, or neither does.
    EqualsBothWays,
    /// Objects that are equal have equal hash codes.
    HashesAlike,
    /// An object compares to itself as zero.
    ComparesToItself,
    /// Two objects compare to each other with opposite signs.
    ComparesBothWays,
    /// An object has a text.
    HasText,
    /// What `clone` gives is another object. This is a convention that most classes keep.
    ClonesApart,
}

impl Clause {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::EqualsItself,
        Self::DiffersFromNull,
        Self::EqualsBothWays,
        Self::HashesAlike,
        Self::ComparesToItself,
        Self::ComparesBothWays,
        Self::HasText,
        Self::ClonesApart,
    ];

    /// The method that breaks it.
    pub fn method(self) -> &'static str {
        match self {
            Self::EqualsItself | Self::DiffersFromNull | Self::EqualsBothWays => "equals",
            Self::HashesAlike => "hashCode",
            Self::ComparesToItself | Self::ComparesBothWays => "compareTo",
            Self::HasText => "toString",
            Self::ClonesApart => "clone",
        }
    }

    /// Whether it is about two objects.
    pub fn is_of_two(self) -> bool {
        matches!(self, Self::EqualsBothWays | Self::HashesAlike | Self::ComparesBothWays)
    }

    /// What it promises, as a sentence.
    pub fn promise(self) -> &'static str {
        match self {
            Self::EqualsItself => "An object equals itself.",
            Self::DiffersFromNull => "No object equals null.",
            Self::EqualsBothWays => "equals() is symmetric.",
            Self::HashesAlike => "Equal objects have equal hash codes.",
            Self::ComparesToItself => "An object compares to itself as zero.",
            Self::ComparesBothWays => "compareTo() is antisymmetric.",
            Self::HasText => "toString() gives a text.",
            Self::ClonesApart => "clone() gives another object.",
        }
    }

    /// How objects of a class break it, in words that stand for one failure.
    pub fn broken_by(self, class: &str) -> String {
        match self {
            Self::EqualsItself => format!("an object of {class} does not equal itself"),
            Self::DiffersFromNull => format!("an object of {class} equals null"),
            Self::EqualsBothWays => format!("equals() of {class} is not symmetric"),
            Self::HashesAlike => format!("equal objects of {class} have different hash codes"),
            Self::ComparesToItself => {
                format!("compareTo() of {class} does not give zero for the object itself")
            }
            Self::ComparesBothWays => format!("compareTo() of {class} is not antisymmetric"),
            Self::HasText => format!("toString() of {class} gives null"),
            Self::ClonesApart => format!("clone() of {class} gives the object itself"),
        }
    }

    /// How a test is called that shows that it is broken.
    pub fn outcome(self) -> &'static str {
        match self {
            Self::EqualsItself => "doesNotEqualItself",
            Self::DiffersFromNull => "equalsNull",
            Self::EqualsBothWays => "equalsIsNotSymmetric",
            Self::HashesAlike => "equalsButHashCodesDiffer",
            Self::ComparesToItself => "doesNotCompareToItselfAsZero",
            Self::ComparesBothWays => "compareToIsNotAntisymmetric",
            Self::HasText => "toStringGivesNull",
            Self::ClonesApart => "cloneGivesItself",
        }
    }
}
