//! What is new in the tables of facts per basic block, which stand apart from the dictionary.
//!
//! Knows nothing of bytes. Invariant: a delta is written behind the dictionary entries it refers to, and a trace without facts
//! per basic block has none.

use crate::delta::{BUDGET, add, take};
use dynaflow_model::facts::{Block, FactTable, ReachableUse, ReachingDefinition};
use serde::{Deserialize, Serialize};

/// How many entries of each table are already written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockMarks {
    blocks: usize,
    reaching: usize,
    reachable: usize,
}

/// New entries of the three tables, in the order of their ids, the numbers in them as differences to the entry before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockDelta {
    blocks: Vec<Block>,
    reaching: Vec<ReachingDefinition>,
    reachable: Vec<ReachableUse>,
}

impl BlockDelta {
    /// What the tables have beyond the marks, at most one block of it; moves the marks. None when there is nothing new.
    pub fn take(facts: &FactTable, marks: &mut BlockMarks) -> Option<Self> {
        let before = *marks;
        let mut budget = BUDGET;
        let delta = Self {
            blocks: take(&facts.blocks, &mut marks.blocks, &mut budget, |_| 10),
            reaching: take(&facts.reaching, &mut marks.reaching, &mut budget, |_| 15),
            reachable: take(&facts.reachable, &mut marks.reachable, &mut budget, |_| 15),
        };
        (*marks != before).then_some(delta)
    }

    /// Adds the entries to the tables.
    ///
    /// # Errors
    /// The name of the table with an entry that is not new or that refers to one that is not there.
    pub fn apply(self, facts: &mut FactTable) -> Result<(), &'static str> {
        let places = facts.places.len();
        add(&mut facts.blocks, self.blocks, |block| block.place.index() < places).ok_or("blocks")?;
        let (blocks, variables) = (facts.blocks.len(), facts.variables.len());
        let (definitions, uses) = (facts.definitions.len(), facts.uses.len());
        add(&mut facts.reaching, self.reaching, |fact| {
            fact.block.index() < blocks
                && fact.variable.index() < variables
                && fact.definition.index() < definitions
        })
        .ok_or("reaching definitions")?;
        add(&mut facts.reachable, self.reachable, |fact| {
            fact.block.index() < blocks && fact.variable.index() < variables && fact.usage.index() < uses
        })
        .ok_or("reachable uses")
    }
}
