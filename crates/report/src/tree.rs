//! The shape of the objects of a root class: its state variables as a tree of steps.
//!
//! Knows nothing of pictures. Invariant: each state variable is one node, and so is each of its prefixes; nodes stand in the order of their steps.

use crate::gather::{Count, Root};
use dynaflow_model::facts::{FactTable, Step};
use std::collections::BTreeMap;

/// A node.
#[derive(Debug, Default)]
pub struct Node {
    /// The step that leads to it, in short; of the root the empty text.
    pub name: String,
    /// The class that declares the field; none for elements.
    pub declared: Option<String>,
    /// Position of the variable in the root; none where only what lies below is a variable.
    pub variable: Option<usize>,
    /// Its definitions.
    pub definitions: usize,
    /// Its uses.
    pub uses: usize,
    /// Its pairs.
    pub count: Count,
    /// What it leads to.
    pub below: Vec<Node>,
}

impl Node {
    /// How many nodes there are below it.
    pub fn size(&self) -> usize {
        self.below.iter().map(|node| 1 + node.size()).sum()
    }

    /// How many nodes are at most so many steps below it.
    pub fn size_to(&self, depth: usize) -> usize {
        match depth {
            0 => 0,
            depth => self.below.iter().map(|node| 1 + node.size_to(depth - 1)).sum(),
        }
    }
}

/// The tree of a root. Near-linear in the steps of its variables.
pub fn tree(facts: &FactTable, root: &Root<'_>) -> Node {
    let mut all: BTreeMap<Vec<(Option<&str>, &str)>, usize> = BTreeMap::new();
    for (at, variable) in root.variables.iter().enumerate() {
        let steps = facts.variables.get(variable.id).map_or([].as_slice(), |variable| &variable.steps);
        let name = |step: &Step| {
            let name = facts.step(step);
            (name.class, name.name)
        };
        all.insert(steps.iter().map(name).collect(), at);
    }
    let mut top = Node::default();
    for (steps, at) in all {
        let mut node = &mut top;
        for (class, name) in steps {
            let declared = class.map(str::to_owned);
            if node.below.last().is_none_or(|last| last.name != name || last.declared != declared) {
                node.below.push(Node { name: name.to_owned(), declared, ..Node::default() });
            }
            let Some(last) = node.below.last_mut() else { break };
            node = last;
        }
        if let Some(variable) = root.variables.get(at) {
            node.variable = Some(at);
            (node.definitions, node.uses) = (variable.definitions.len(), variable.uses.len());
            node.count = variable.count;
        }
    }
    top
}
