//! On which outcomes of branches the instructions of a method depend (Ferrante, Ottenstein and Warren), where exceptions are no control flow.
//!
//! It knows no probes. Invariant: an instruction is said to depend on outcomes only when no run comes there, exceptions apart, that has none of them.

use crate::branch::Kind;
use crate::found::Found;
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::{Blocks, Ending};
use dynaflow_classfile::Operand;
use dynaflow_flowgraph::dominance::{Dominators, control_dependences};
use dynaflow_flowgraph::lower::{Exceptions, Lowered};
use dynaflow_flowgraph::{Edge, Node};
use std::collections::{BTreeMap, BTreeSet};

/// The control dependences of a method.
#[derive(Debug, Default)]
pub(crate) struct Dependences {
    blocks: Blocks,
    /// By block, the outcomes of which one must happen; of a block that may be reached without any, nothing.
    above: BTreeMap<u32, BTreeSet<u32>>,
    /// By branch and the block that it leads to, the outcomes with which it does.
    taken: BTreeMap<(u32, u32), Vec<u32>>,
}

impl Dependences {
    /// Those of a method whose branches were numbered from `first` on; none where its graph cannot be had.
    pub(crate) fn of(body: &Body<'_>, found: &Found<'_>, first: u32) -> Self {
        let lowered = Blocks::of(body)
            .ok()
            .and_then(|blocks| Some((Lowered::of(body, &blocks, Exceptions::Ignored).ok()?, blocks)));
        let Some((lowered, blocks)) = lowered else { return Self::default() };
        let cfg = &lowered.cfg;
        let post = Dominators::post(cfg);
        let always: BTreeSet<Node> = post.of_node(cfg.entry()).collect();
        let (mut above, mut free): (BTreeMap<u32, BTreeSet<u32>>, _) = (BTreeMap::new(), BTreeSet::new());
        for dependence in control_dependences(cfg, &post) {
            let Some(block) = lowered.block_of(dependence.node) else { continue };
            let outcomes = outcomes(body, &blocks, &lowered, found, first, dependence.on);
            if outcomes.is_empty() || always.contains(&dependence.node) {
                free.insert(block);
            }
            above.entry(block).or_default().extend(outcomes);
        }
        above.retain(|block, _| !free.contains(block));
        let mut taken = BTreeMap::new();
        for (from, block) in (0u32..).zip(blocks.all()).filter(|(_, block)| block.ending == Ending::Decides) {
            for to in blocks.successors(from) {
                let edge =
                    cfg.edge(lowered.last_of(from), lowered.first_of(*to)).and_then(|at| cfg.edges().get(at));
                let outcomes = edge.map(|edge| outcomes(body, &blocks, &lowered, found, first, *edge));
                taken.insert((block.last, *to), outcomes.unwrap_or_default());
            }
        }
        Self { blocks, above, taken }
    }

    /// The outcomes with which a branch leads to a block; nothing where no numbered branch decides that.
    pub(crate) fn of_edge(&self, branch: usize, to: u32) -> Vec<u32> {
        self.taken.get(&(branch as u32, to)).cloned().unwrap_or_default()
    }

    /// The blocks of the method.
    pub(crate) fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The outcomes of which one must happen before an instruction is executed; nothing where it may be executed without.
    pub(crate) fn of_insn(&self, insn: usize) -> Vec<u32> {
        let above = self.blocks.block_of(insn).and_then(|block| self.above.get(&block));
        above.into_iter().flatten().copied().collect()
    }
}

/// The outcomes with which an edge is taken; none of an edge that no numbered branch decides.
fn outcomes(
    body: &Body<'_>,
    blocks: &Blocks,
    lowered: &Lowered,
    found: &Found<'_>,
    first: u32,
    edge: Edge,
) -> Vec<u32> {
    let block = lowered.block_of(edge.from).and_then(|block| blocks.all().get(block as usize));
    let Some(last) = block.map(|block| block.last as usize) else { return vec![] };
    let Some(insn) = body.insns.get(last) else { return vec![] };
    let leads = |pc: u32| body.insn_at(pc).map(|index| lowered.using(index)) == Some(edge.to);
    let numbered = (first..).zip(&found.places).filter(|(_, place)| place.insn == last && !place.is_direct);
    let mut keys =
        insn.switch(body.code.bytes).into_iter().flat_map(|switch| switch.cases().collect::<Vec<_>>());
    let mut outcomes = vec![];
    for (number, place) in numbered {
        match (place.kind, insn.operand) {
            (Kind::Jump, Operand::Target(pc)) => {
                outcomes.extend(leads(pc).then_some(2 * number));
                let behind = lowered.using(last + 1) == edge.to;
                outcomes.extend(behind.then_some(2 * number + 1));
            }
            (Kind::Case, _) => outcomes.extend(keys.next().filter(|(_, pc)| leads(*pc)).map(|_| 2 * number)),
            _ => {}
        }
    }
    // What leads where the default of a switch leads, or a key without a number, needs no key that has one.
    let is_free = insn
        .switch(body.code.bytes)
        .is_some_and(|switch| leads(switch.default) || keys.any(|(_, pc)| leads(pc)));
    if is_free { vec![] } else { outcomes }
}
