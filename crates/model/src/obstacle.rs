//! What keeps an objective from being executed, as far as that is known.
//!
//! Knows nothing of how it is found out. Invariant: of two obstacles the later one is met farther on the way from the definition to the use, and
//! the last one holds whatever is tried.

use serde::{Deserialize, Serialize};

/// What kept every sequence that was made for an objective from executing it: the farthest that one of them came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Obstacle {
    /// No sequence was made for it.
    Untried,
    /// No sequence can be made that has both its definition and its use: objects that they need cannot be rebuilt.
    Unmade,
    /// An exception, or the time that a sequence has, ended each before the call of the use.
    Stopped,
    /// The definition did not last to the end of the call that makes it.
    Undefined,
    /// The definition was made, and the use was not executed after it: a guard before the use stayed closed.
    Unreached,
    /// The use was executed after the definition, of another definition: it was overwritten in between, or is that of another object.
    Overwritten,
    /// The defined value closes a guard on each path to the use on which nothing else is assigned.
    Infeasible,
}

impl Obstacle {
    /// All, in order.
    pub const ALL: [Self; 7] = [
        Self::Untried,
        Self::Unmade,
        Self::Stopped,
        Self::Undefined,
        Self::Unreached,
        Self::Overwritten,
        Self::Infeasible,
    ];

    /// The word for it in documents.
    pub fn word(self) -> &'static str {
        match self {
            Self::Untried => "untried",
            Self::Unmade => "unmade",
            Self::Stopped => "stopped",
            Self::Undefined => "undefined",
            Self::Unreached => "unreached",
            Self::Overwritten => "overwritten",
            Self::Infeasible => "infeasible",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_obstacles_are_listed_in_order() {
        assert!(Obstacle::ALL.is_sorted());
        let words: Vec<&str> = Obstacle::ALL.iter().map(|obstacle| obstacle.word()).collect();
        let named: Vec<String> =
            Obstacle::ALL.iter().map(|obstacle| format!("{obstacle:?}").to_lowercase()).collect();
        assert_eq!(words, named, "as serde spells them");
    }
}
