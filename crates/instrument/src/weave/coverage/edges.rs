//! Where the updates of edges are made: at the end of the block an edge leaves, at the start of the one it leads to, behind a
//! branch that does not jump, or by a variable that the block before sets and the one behind reads. It knows blocks alone.
//!
//! Invariant: the steps made on the way from one block to the next, and on no other way, are those of the edge.

use super::steps::{Placed, Step};
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::{Blocks, Ending};
use dynaflow_bytecode::updates::{EdgeUpdate, MethodUpdates};
use std::collections::{BTreeMap, BTreeSet};

/// Beyond this many pairs of blocks nothing is compared; only hostile code gets there.
const MAX_WORK: usize = 4_000_000;

/// What the edges into one block wait for, in one word.
struct Join {
    block: u32,
    word: u16,
    /// All bits of the edges.
    mask: u64,
    pending: u16,
}

struct Placer<'p> {
    blocks: &'p Blocks,
    predecessors: Vec<Vec<u32>>,
    handlers: BTreeSet<u32>,
    edges: BTreeMap<(u32, u16), Vec<&'p EdgeUpdate>>,
    conditional: Vec<bool>,
    placed: Placed,
}

/// Places the updates of edges.
///
/// # Errors
/// When too many edges share bits.
pub(super) fn place(
    body: &Body<'_>,
    blocks: &Blocks,
    updates: &MethodUpdates,
) -> Result<Placed, &'static str> {
    if updates.edges.is_empty() {
        return Ok(Placed::default());
    }
    let count = blocks.all().len();
    let mut predecessors = vec![Vec::new(); count];
    for from in 0..count as u32 {
        for to in blocks.successors(from) {
            if let Some(list) = predecessors.get_mut(*to as usize) {
                list.push(from);
            }
        }
    }
    let is_conditional = |last: u32| body.insns.get(last as usize).is_some_and(|i| i.opcode.is_conditional());
    let handlers = (0..body.code.exceptions.len() as u32).filter_map(|entry| blocks.handler(entry));
    let mut placer = Placer {
        blocks,
        predecessors,
        handlers: handlers.collect(),
        edges: BTreeMap::new(),
        conditional: blocks.all().iter().map(|block| is_conditional(block.last)).collect(),
        placed: Placed::default(),
    };
    for edge in &updates.edges {
        placer.edges.entry((edge.to, edge.word)).or_default().push(edge);
    }
    placer.run()?;
    Ok(placer.placed)
}

/// Where the changes of an edge concern that edge alone.
enum Place {
    End,
    Start,
    Behind,
    Nowhere,
}

impl<'p> Placer<'p> {
    fn run(&mut self) -> Result<(), &'static str> {
        let mut joins: Vec<(u32, u16)> = Vec::new();
        let edges = std::mem::take(&mut self.edges);
        for ((to, word), of_word) in &edges {
            if of_word.iter().any(|edge| matches!(self.place(edge.from, *to), Place::Nowhere)) {
                joins.push((*to, *word));
                continue;
            }
            for edge in of_word {
                let step = Step::cover(*word, edge.uses, edge.runs);
                let (steps, block) = match self.place(edge.from, *to) {
                    Place::Start => (&mut self.placed.start, *to),
                    Place::Behind => (&mut self.placed.behind, edge.from),
                    Place::End | Place::Nowhere => (&mut self.placed.end, edge.from),
                };
                steps.entry(block).or_default().push(step);
            }
        }
        let joins = self.colour(&joins, &edges)?;
        self.hold(&joins, &edges);
        self.take(&joins);
        Ok(())
    }

    fn place(&self, from: u32, to: u32) -> Place {
        let alone = self.predecessors.get(to as usize).is_some_and(|list| list.len() == 1);
        let ending = self.blocks.all().get(from as usize).map(|block| block.ending);
        let conditional = self.conditional.get(from as usize) == Some(&true);
        if self.blocks.successors(from).len() == 1 {
            Place::End
        } else if alone && to != 0 && !self.handlers.contains(&to) {
            Place::Start
        } else if conditional && to == from + 1 && ending == Some(Ending::Decides) {
            Place::Behind
        } else {
            Place::Nowhere
        }
    }

    /// Gives each join a variable. Two that a block leads to share one only if neither looks at a bit of the other's edge.
    fn colour(
        &self,
        joins: &[(u32, u16)],
        edges: &BTreeMap<(u32, u16), Vec<&'p EdgeUpdate>>,
    ) -> Result<Vec<Join>, &'static str> {
        let mut coloured: Vec<Join> = Vec::new();
        let mut taken: BTreeMap<(u32, u16), Vec<usize>> = BTreeMap::new();
        // By colour of each word: its variable.
        let mut variables: BTreeMap<(u16, u16), u16> = BTreeMap::new();
        let mut work = 0;
        for (block, word) in joins {
            let of_join = edges.get(&(*block, *word)).map_or(&[][..], Vec::as_slice);
            let mask = of_join.iter().fold(0, |mask, edge| mask | edge.uses | edge.runs);
            let mut used: BTreeSet<u16> = BTreeSet::new();
            let predecessors = self.predecessors.get(*block as usize).map_or(&[][..], Vec::as_slice);
            for from in predecessors {
                for other in taken.get(&(*from, *word)).into_iter().flatten() {
                    work += 1;
                    let Some(other) = coloured.get(*other) else { continue };
                    let bits = |to: u32| {
                        let of = edges.get(&(to, *word)).map_or(&[][..], Vec::as_slice);
                        of.iter().find(|edge| edge.from == *from).map_or(0, |edge| edge.uses | edge.runs)
                    };
                    if bits(*block) & other.mask | bits(other.block) & mask != 0 {
                        used.insert(other.pending);
                    }
                }
            }
            if work > MAX_WORK {
                return Err("it has too many edges that share bits");
            }
            let colour = (0..=u16::MAX).find(|colour| {
                variables.get(&(*word, *colour)).is_none_or(|variable| !used.contains(variable))
            });
            let fresh = variables.len() as u16;
            let pending = *variables.entry((*word, colour.unwrap_or_default())).or_insert(fresh);
            for from in predecessors {
                taken.entry((*from, *word)).or_default().push(coloured.len());
            }
            coloured.push(Join { block: *block, word: *word, mask, pending });
        }
        Ok(coloured)
    }

    /// At the end of each block that leads to a join the variable is set to what the edge covers.
    fn hold(&mut self, joins: &[Join], edges: &BTreeMap<(u32, u16), Vec<&'p EdgeUpdate>>) {
        let mut held: BTreeMap<(u32, u16), (u16, u64, u64)> = BTreeMap::new();
        for join in joins {
            for from in self.predecessors.get(join.block as usize).into_iter().flatten() {
                held.entry((*from, join.pending)).or_insert((join.word, 0, 0));
            }
            for edge in edges.get(&(join.block, join.word)).into_iter().flatten() {
                if let Some((_, uses, runs)) = held.get_mut(&(edge.from, join.pending)) {
                    *uses |= edge.uses;
                    *runs |= edge.runs;
                }
            }
            self.placed.pendings = self.placed.pendings.max(join.pending + 1);
        }
        for ((from, pending), (word, uses, runs)) in held {
            self.placed.end.entry(from).or_default().push(Step::hold(pending, word, uses, runs));
        }
    }

    /// A join covers what the variable holds. Where exceptions lead to it as well, they must find the variable empty.
    fn take(&mut self, joins: &[Join]) {
        let mut cleared: BTreeMap<u32, BTreeSet<(u16, u16)>> = BTreeMap::new();
        for join in joins {
            let step = Step::take(join.pending, join.word, join.mask);
            self.placed.start.entry(join.block).or_default().push(step);
            if self.handlers.contains(&join.block) {
                cleared.entry(join.block).or_default().insert((join.pending, join.word));
            }
        }
        if cleared.is_empty() {
            return;
        }
        for block in 0..self.blocks.all().len() as u32 {
            let handlers = self.blocks.covering(block).iter().filter_map(|entry| self.blocks.handler(*entry));
            let all: BTreeSet<_> = handlers.filter_map(|at| cleared.get(&at)).flatten().copied().collect();
            let steps = all.into_iter().map(|(pending, word)| Step::hold(pending, word, 0, 0));
            let start = self.placed.start.entry(block).or_default();
            start.extend(steps);
        }
    }
}
