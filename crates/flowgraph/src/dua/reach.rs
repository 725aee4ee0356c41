//! What the nodes of a method define and use: instructions summed up by basic block, as the algorithms over graphs want it.
//!
//! It knows blocks, which node an instruction belongs to, and what instructions use and define; nothing of instructions themselves.
//! Invariants: nothing of dead code
//! counts; what a node uses after it defined it itself is left out, but what its branch uses belongs to the edges and
//! is not; the entry defines at the entry node, which a loop does not come back to.

use super::Refusal;
use super::limits::Asked;
use super::values::Effects;
use super::vars::{VarId, Variable};
use crate::lower::Lowered;
use crate::{Cfg, Node, Use};
use dynaflow_bytecode::blocks::{Blocks, Ending};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Definitions and uses by node, each with the instruction that makes it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary {
    /// What a node assigns, with the last instruction that does so.
    pub defines: FxHashMap<(Node, VarId), u32>,
    /// What a node uses before it defines it, with the first instruction that does so.
    pub uses: FxHashMap<(Node, VarId), u32>,
    /// What the branch at the end of a node uses, with that branch.
    pub decides: FxHashMap<(Node, VarId), u32>,
    /// What the entry defines.
    pub at_entry: Vec<VarId>,
}

impl Summary {
    /// Sums up a method. Linear.
    ///
    /// # Errors
    /// When there are more definitions or uses than a method may have.
    pub fn of(
        blocks: &Blocks,
        lowered: &Lowered,
        effects: &Effects<'_>,
        parameter_slots: &BTreeSet<u16>,
        asked: &mut Asked,
    ) -> Result<Self, Refusal> {
        let mut summary = Self { at_entry: entry_definitions(effects, parameter_slots), ..Self::default() };
        for (number, block) in (0u32..).zip(blocks.all()) {
            if effects.reached.get(number as usize) != Some(&true) {
                continue;
            }
            for insn in block.insns() {
                let decides = insn == block.last as usize && block.ending == Ending::Decides;
                let times = if decides { blocks.successors(number).len() } else { 1 };
                let effect = effects.effects.get(insn).copied().unwrap_or_default();
                asked.uses(effects.sets.get(effect.uses).len() * times)?;
                asked.defines(summary.add(effects, lowered, insn, decides))?;
            }
        }
        Ok(summary)
    }

    /// Adds an instruction; how many variables it defines.
    fn add(&mut self, effects: &Effects<'_>, lowered: &Lowered, insn: usize, decides: bool) -> usize {
        let Some(effect) = effects.effects.get(insn) else { return 0 };
        for variable in effects.sets.get(effect.uses) {
            let key = (lowered.using(insn), *variable);
            if decides {
                self.decides.insert(key, insn as u32);
            } else if !self.defines.contains_key(&key) {
                self.uses.entry(key).or_insert(insn as u32);
            }
        }
        let mut defined = 0;
        if let Some(root) = effect.defines {
            effects.variables.defined_with(root, |variable| {
                self.defines.insert((lowered.defining(insn), variable), insn as u32);
                defined += 1;
            });
        }
        defined
    }

    /// All definitions, those of the entry included.
    pub fn definitions(&self, cfg: &Cfg) -> Vec<(Node, crate::Variable)> {
        let entry = self.at_entry.iter().map(|variable| (cfg.entry(), (*variable).into()));
        entry.chain(self.defines.keys().map(|(node, variable)| (*node, (*variable).into()))).collect()
    }

    /// All uses, those of branches once for each distinct successor.
    pub fn usages(&self, blocks: &Blocks, lowered: &Lowered) -> Vec<(Use, crate::Variable)> {
        let at_nodes = self.uses.keys().map(|(node, variable)| (Use::Node(*node), (*variable).into()));
        let at_edges = self.decides.keys().flat_map(|(node, variable)| {
            let block = lowered.block_of(*node).unwrap_or_default();
            let targets = blocks.successors(block).iter().map(|target| lowered.first_of(*target));
            targets.map(move |target| (Use::Edge(*node, target), (*variable).into()))
        });
        at_nodes.chain(at_edges).collect()
    }
}

/// What the entry defines: the parameters with `this`, every static field, and all paths through them.
fn entry_definitions(effects: &Effects<'_>, parameter_slots: &BTreeSet<u16>) -> Vec<VarId> {
    let starts = |id: VarId| match effects.variables.get(effects.variables.root(id)) {
        Some(Variable::Local(slot)) => parameter_slots.contains(&slot),
        Some(Variable::Static(_)) => true,
        _ => false,
    };
    effects.variables.iter().map(|(id, _)| id).filter(|id| starts(*id)).collect()
}
