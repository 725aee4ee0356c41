//! Where in a method something is reported: what happens between two instructions that may throw is reported at once.
//!
//! It knows instructions, definitions and uses, not how they are reported. Invariant: the actions of a method's points, in the order in which the points are passed, are
//! its definitions and uses in the order in which they happen.

use super::goals::Numbers;
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::{Blocks, Ending, may_throw};
use dynaflow_flowgraph::dua::tracked::{Carrier, TrackedClass, TrackedPair, UsedAt};
use std::collections::{BTreeMap, BTreeSet};

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A use, by its position.
    Use(u32),
    /// A variable is defined: the variable, which of its definitions (the entry is 0), and the number of the definition.
    Assign(u32, u32, Option<u32>),
    /// A field is defined: the field, and the number of the definition.
    Put(u32, Option<u32>),
}

/// A use: where it is, and of what.
pub(crate) type Usage = (UsedAt, Carrier);

/// What is reported of a method.
#[derive(Debug, Default)]
pub(crate) struct Points {
    /// By point, what happens there.
    pub actions: Vec<Vec<Action>>,
    /// By instruction, the point before it.
    pub before: BTreeMap<usize, u32>,
    /// By instruction, the point behind it.
    pub after: BTreeMap<usize, u32>,
    /// The uses.
    pub uses: Vec<Usage>,
    /// By branch, its block, where it matters where the branch leads.
    pub decides: BTreeMap<usize, u32>,
    /// By first instruction of a block that such branches lead to, the block.
    pub arrives: BTreeMap<usize, u32>,
}

impl Points {
    /// Those of a method, of which these pairs count.
    pub(crate) fn of(
        body: &Body<'_>,
        blocks: &Blocks,
        class: &TrackedClass,
        method: usize,
        numbers: &Numbers,
    ) -> Self {
        let mut points = Self::default();
        let own = numbers.pairs.keys().filter_map(|pair| class.pairs.get(*pair));
        let uses: BTreeSet<Usage> = own
            .filter(|pair: &&TrackedPair| pair.usage.0 == method)
            .map(|pair| (pair.usage.1, pair.carrier))
            .collect();
        points.uses = uses.into_iter().collect();
        let happens = Happens::of(class, method, numbers, &points.uses);
        for block in blocks.all() {
            let mut open = vec![];
            for index in block.insns() {
                let Some(insn) = body.insns.get(index) else { continue };
                let is_last = index == block.last as usize;
                let leaves = is_last && block.ending != Ending::Falls;
                open.extend(happens.uses_at(index));
                if may_throw(insn.opcode) || leaves {
                    let point = points.point(&mut open);
                    points.before.extend(point.map(|point| (index, point)));
                }
                open.extend(happens.definitions_at(index));
                if is_last && !leaves {
                    let point = points.point(&mut open);
                    points.after.extend(point.map(|point| (index, point)));
                }
            }
        }
        let edges = points.uses.iter().filter_map(|(usage, _)| match usage {
            UsedAt::Edge { insn, .. } => Some(*insn as usize),
            UsedAt::Insn(_) => None,
        });
        let edges: Vec<usize> = edges.collect();
        points.deciding(blocks, edges.into_iter())
    }

    /// A point at which all this happens; none when it is nothing.
    fn point(&mut self, open: &mut Vec<Action>) -> Option<u32> {
        if open.is_empty() {
            return None;
        }
        self.actions.push(std::mem::take(open));
        Some(self.actions.len() as u32 - 1)
    }

    /// Whether nothing is reported.
    pub(crate) fn is_empty(&self) -> bool {
        self.actions.is_empty() && self.uses.is_empty()
    }

    /// The same, and that these branches are about to decide.
    pub(crate) fn deciding(mut self, blocks: &Blocks, branches: impl Iterator<Item = usize>) -> Self {
        branches.for_each(|branch| self.decision(blocks, branch));
        self
    }

    /// A branch of which it matters where it leads.
    fn decision(&mut self, blocks: &Blocks, branch: usize) {
        let Some(from) = blocks.block_of(branch) else { return };
        self.decides.insert(branch, from);
        for to in blocks.successors(from) {
            let start = blocks.all().get(*to as usize).and_then(|block| block.insns().next());
            self.arrives.extend(start.map(|start| (start, *to)));
        }
    }
}

/// By instruction, what it uses and defines.
struct Happens {
    uses: BTreeMap<usize, Vec<Action>>,
    definitions: BTreeMap<usize, Vec<Action>>,
}

impl Happens {
    fn of(class: &TrackedClass, method: usize, numbers: &Numbers, used: &[Usage]) -> Self {
        let mut happens = Self { uses: BTreeMap::new(), definitions: BTreeMap::new() };
        for (number, (usage, _)) in (0..).zip(used) {
            if let UsedAt::Insn(insn) = usage {
                happens.uses.entry(*insn as usize).or_default().push(Action::Use(number));
            }
        }
        let Some(defining) = class.methods.get(&method) else { return happens };
        let number = |insn: u32| numbers.definitions.get(&(method, Some(insn))).copied();
        for (variable, definers) in (0..).zip(&defining.variables) {
            if used.iter().all(|(_, carrier)| *carrier != Carrier::Variable(variable)) {
                continue;
            }
            for (site, insn) in (1..).zip(definers) {
                let action = Action::Assign(variable, site, number(*insn));
                happens.definitions.entry(*insn as usize).or_default().push(action);
            }
        }
        for (insn, field) in &defining.fields {
            let action = Action::Put(*field, number(*insn));
            happens.definitions.entry(*insn as usize).or_default().push(action);
        }
        happens
    }

    fn uses_at(&self, insn: usize) -> impl Iterator<Item = Action> + '_ {
        self.uses.get(&insn).into_iter().flatten().copied()
    }

    fn definitions_at(&self, insn: usize) -> impl Iterator<Item = Action> + '_ {
        self.definitions.get(&insn).into_iter().flatten().copied()
    }
}
