//! The kinds of associations, after Harrold and Rothermel. Knows nothing of methods. Invariant: each kind has one name.

use std::fmt;

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
