//! Definitions that reach variables of a root, and the room in which they are looked for.
//!
//! Does not know how they are found. Invariant: nothing in the room outlives the search it was taken for but its capacity.

use crate::log::Logged;
use crate::vocabulary::VariableIndex;
use dynaflow_memgraph::{Latest, Node, PathSet};
use dynaflow_model::facts::DefinitionKind;

/// A definition that reaches one variable.
#[derive(Clone, Copy, Debug)]
pub struct Reaching {
    /// The variable.
    pub variable: VariableIndex,
    /// Whether its last location was written or an earlier one.
    pub kind: DefinitionKind,
    /// The write.
    pub write: Latest,
}

/// Room for what the end of an invocation looks at.
#[derive(Debug, Default)]
pub struct Room {
    /// What was written, oldest first.
    pub written: Vec<Logged>,
    /// Paths to one of the nodes.
    pub set: PathSet,
    /// What was found.
    pub finds: Finds,
}

/// What a search for variables below a node found.
#[derive(Debug, Default)]
pub struct Finds {
    /// Definitions, in the order in which they were found.
    pub found: Vec<Reaching>,
    /// The nodes on the path to where the search is.
    pub on_path: Vec<Node>,
    /// Nodes of which every location was written.
    pub whole: Vec<Node>,
}

impl Finds {
    /// Nothing found, no path.
    pub fn clear(&mut self) {
        self.found.clear();
        self.on_path.clear();
    }
}
