//! The same updates with less to do: what is always live where it is used is covered by running alone, what is never live is not
//! covered at all, what is covered already need not be again, and bits that nothing asks for any more need not be kept. It knows
//! blocks, not bytes.
//!
//! Most bits wait for one definition that every path to their use has seen: of those nothing is left but an `or` with a constant.
//! Invariant: a frame covers what it covered with the updates as they were.

use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::{Blocks, Ending, may_throw};
use dynaflow_bytecode::updates::{Change, EdgeUpdate, MethodUpdates};
use std::collections::BTreeMap;

/// Beyond this many ways from block to block, each times the words, updates stay as they are; only hostile code gets there.
const MAX_WORK: usize = 4_000_000;

/// Where a block leads to, and what was done on the way.
struct Way {
    from: u32,
    to: u32,
    /// The entry of the block's partial changes that was made instead of the whole ones; none for the latter.
    partial: Option<Partial>,
}

/// Which partial changes of a block were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Partial {
    Nothing,
    Entry(u32),
}

/// Rewrites the updates of a method.
pub(super) fn sharpen(body: &Body<'_>, blocks: &Blocks, updates: &mut MethodUpdates) {
    let words = usize::from(updates.words);
    let Some(graph) = Graph::of(body, blocks, updates, MAX_WORK / words.max(1)) else { return };
    let entry: Vec<u64> = (0..updates.words).map(|word| entry(updates, word)).collect();
    for word in 0..updates.words {
        let first = entry.get(usize::from(word)).copied().unwrap_or_default();
        let mut of_word = Word::new(updates, &graph, word);
        of_word.settle(&graph, first);
        of_word.skip_covered(&graph);
        let kept = of_word.forget(&graph);
        if let Some(bits) = updates.entry.iter_mut().find(|bits| bits.word == word) {
            bits.bits &= kept;
        }
        of_word.write(updates, word);
    }
    updates.entry.retain(|bits| bits.bits != 0);
    let idle = |change: &Change| change.uses | change.runs | change.kills | change.gens == 0;
    for block in &mut updates.blocks {
        block.whole.retain(|change| !idle(change));
        block.partial.iter_mut().for_each(|(_, changes)| changes.retain(|change| !idle(change)));
    }
    updates.edges.retain(|edge| edge.uses | edge.runs != 0);
}

fn entry(updates: &MethodUpdates, word: u16) -> u64 {
    updates.entry.iter().find(|bits| bits.word == word).map_or(0, |bits| bits.bits)
}

/// All ways from block to block.
struct Graph {
    ways: Vec<Way>,
    /// By block: the positions of the ways that begin there.
    out: Vec<Vec<usize>>,
    /// How many blocks there are.
    count: usize,
}

impl Graph {
    /// None when there are more than `most`.
    fn of(body: &Body<'_>, blocks: &Blocks, updates: &MethodUpdates, most: usize) -> Option<Self> {
        let mut ways = Vec::new();
        for (index, block) in blocks.all().iter().enumerate() {
            let from = index as u32;
            if ways.len() + index > most {
                return None;
            }
            ways.extend(blocks.successors(from).iter().map(|to| Way { from, to: *to, partial: None }));
            let mut handlers: Vec<u32> =
                blocks.covering(from).iter().filter_map(|entry| blocks.handler(*entry)).collect();
            handlers.sort_unstable();
            handlers.dedup();
            if handlers.is_empty() {
                continue;
            }
            let entries = updates.blocks.get(index).map_or(&[][..], |block| &block.partial);
            let mut made = Vec::new();
            for insn in block.insns() {
                if !body.insns.get(insn).is_some_and(|insn| may_throw(insn.opcode)) {
                    continue;
                }
                made.push(if insn == block.last as usize && block.ending == Ending::Throws {
                    None
                } else {
                    let entry = entries.partition_point(|(at, _)| *at as usize <= insn).checked_sub(1);
                    Some(entry.map_or(Partial::Nothing, |entry| Partial::Entry(entry as u32)))
                });
            }
            made.sort_unstable();
            made.dedup();
            if ways.len() + handlers.len().saturating_mul(made.len()) > most {
                return None;
            }
            for to in handlers {
                ways.extend(made.iter().map(|partial| Way { from, to, partial: *partial }));
            }
        }
        let count = blocks.all().len();
        let mut out = vec![Vec::new(); count];
        for (at, way) in ways.iter().enumerate() {
            if let Some(list) = out.get_mut(way.from as usize) {
                list.push(at);
            }
        }
        Some(Self { ways, out, count })
    }
}

/// The updates of one word.
struct Word {
    whole: Vec<Change>,
    /// By block and entry.
    partial: Vec<Vec<Change>>,
    edges: BTreeMap<(u32, u32), EdgeUpdate>,
    /// By block: whether anything leads there.
    reached: Vec<bool>,
}

/// What every path to a place agrees on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sure {
    live: u64,
    dead: u64,
    covered: u64,
}

impl Sure {
    const ALL: Self = Self { live: !0, dead: !0, covered: !0 };

    fn after(self, change: &Change) -> Self {
        Self {
            live: self.live & !change.kills | change.gens,
            dead: (self.dead | change.kills) & !change.gens,
            covered: self.covered | change.runs,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            live: self.live & other.live,
            dead: self.dead & other.dead,
            covered: self.covered & other.covered,
        }
    }

    /// What covering does, in this light.
    fn cover(self, uses: &mut u64, runs: &mut u64) {
        *runs |= *uses & self.live;
        *uses &= !self.live & !self.dead;
    }
}

impl Word {
    fn new(updates: &MethodUpdates, graph: &Graph, word: u16) -> Self {
        let none = Change { word, ..Change::default() };
        let of =
            |changes: &[Change]| changes.iter().find(|change| change.word == word).copied().unwrap_or(none);
        let edges = updates.edges.iter().filter(|edge| edge.word == word);
        Self {
            whole: updates.blocks.iter().map(|block| of(&block.whole)).collect(),
            partial: updates
                .blocks
                .iter()
                .map(|block| block.partial.iter().map(|(_, changes)| of(changes)).collect())
                .collect(),
            edges: edges.map(|edge| ((edge.from, edge.to), *edge)).collect(),
            reached: vec![false; graph.count],
        }
    }

    /// What a way does to a state before its block.
    fn go(&self, way: &Way, state: Sure) -> Sure {
        let from = way.from as usize;
        let change = match way.partial {
            None => self.whole.get(from),
            Some(Partial::Nothing) => None,
            Some(Partial::Entry(entry)) => self.partial.get(from).and_then(|list| list.get(entry as usize)),
        };
        let mut state = change.map_or(state, |change| state.after(change));
        if way.partial.is_none()
            && let Some(edge) = self.edges.get(&(way.from, way.to))
        {
            state.covered |= edge.runs;
        }
        state
    }

    /// By block: what is sure at its beginning.
    fn sure(&mut self, graph: &Graph, first: Sure) -> Vec<Sure> {
        let mut states = vec![Sure::ALL; graph.count];
        let mut open = vec![0u32];
        if let (Some(state), Some(reached)) = (states.first_mut(), self.reached.first_mut()) {
            (*state, *reached) = (first, true);
        }
        while let Some(block) = open.pop() {
            let Some(state) = states.get(block as usize).copied() else { continue };
            for way in
                graph.out.get(block as usize).into_iter().flatten().filter_map(|at| graph.ways.get(*at))
            {
                let new = self.go(way, state);
                let to = way.to as usize;
                if let (Some(old), Some(reached)) = (states.get_mut(to), self.reached.get_mut(to)) {
                    let merged = old.and(new);
                    if merged != *old || !*reached {
                        (*old, *reached) = (merged, true);
                        open.push(way.to);
                    }
                }
            }
        }
        states
    }

    /// What is surely live or dead where it is used needs no asking.
    fn settle(&mut self, graph: &Graph, first: u64) {
        let states = self.sure(graph, Sure { live: first, dead: !first, covered: 0 });
        let each = self.whole.iter_mut().zip(&mut self.partial).zip(&states).zip(&self.reached).enumerate();
        for (block, (((whole, partial), state), reached)) in each {
            if !reached {
                let word = whole.word;
                *whole = Change { word, ..Change::default() };
                partial.iter_mut().for_each(|change| *change = *whole);
                continue;
            }
            let behind = state.after(whole);
            for edge in self.edges.range_mut((block as u32, 0)..=(block as u32, u32::MAX)) {
                behind.cover(&mut edge.1.uses, &mut edge.1.runs);
            }
            state.cover(&mut whole.uses, &mut whole.runs);
            partial.iter_mut().for_each(|change| state.cover(&mut change.uses, &mut change.runs));
        }
        let reached = &self.reached;
        self.edges.retain(|(from, _), _| reached.get(*from as usize) == Some(&true));
    }

    /// What is surely covered need not be covered again.
    fn skip_covered(&mut self, graph: &Graph) {
        let states = self.sure(graph, Sure { live: 0, dead: 0, covered: 0 });
        let each = self.whole.iter_mut().zip(&mut self.partial).zip(&states).enumerate();
        for (block, ((whole, partial), state)) in each {
            let behind = state.after(whole).covered;
            for edge in self.edges.range_mut((block as u32, 0)..=(block as u32, u32::MAX)) {
                edge.1.uses &= !behind;
                edge.1.runs &= !behind;
            }
            for change in partial.iter_mut().chain([whole]) {
                change.uses &= !state.covered;
                change.runs &= !state.covered;
            }
        }
    }

    /// Bits that nothing asks for any more are not kept. Gives those that something asks for at the method's beginning.
    fn forget(&mut self, graph: &Graph) -> u64 {
        let mut before = vec![0u64; graph.count];
        let mut into: Vec<Vec<u32>> = vec![Vec::new(); graph.count];
        for way in &graph.ways {
            if let Some(list) = into.get_mut(way.to as usize) {
                list.push(way.from);
            }
        }
        let mut open: Vec<u32> = (0..graph.count as u32).collect();
        while let Some(block) = open.pop() {
            let asked = self.asked(graph, &before, block).0;
            if let Some(old) = before.get_mut(block as usize)
                && *old != asked
            {
                *old = asked;
                open.extend(into.get(block as usize).into_iter().flatten());
            }
        }
        for block in 0..graph.count {
            let (_, behind, caught) = self.asked(graph, &before, block as u32);
            if let Some(whole) = self.whole.get_mut(block) {
                whole.kills &= behind;
                whole.gens &= behind;
            }
            for change in self.partial.get_mut(block).into_iter().flatten() {
                change.kills &= caught;
                change.gens &= caught;
            }
        }
        before.first().copied().unwrap_or_default()
    }

    /// Live bits that something asks for: before a block, behind its whole changes, and in its handlers.
    fn asked(&self, graph: &Graph, before: &[u64], block: u32) -> (u64, u64, u64) {
        let index = block as usize;
        let (mut behind, mut caught) = (0, 0);
        // Before the block by way of what is done when an instruction throws.
        let mut thrown = 0;
        for way in graph.out.get(index).into_iter().flatten().filter_map(|at| graph.ways.get(*at)) {
            let there = before.get(way.to as usize).copied().unwrap_or_default();
            match way.partial {
                None => {
                    behind |= there;
                    behind |= self.edges.get(&(way.from, way.to)).map_or(0, |edge| edge.uses);
                }
                Some(partial) => {
                    caught |= there;
                    thrown |= match partial {
                        Partial::Nothing => there,
                        Partial::Entry(entry) => {
                            let change = self.partial.get(index).and_then(|list| list.get(entry as usize));
                            change.map_or(there, |change| there & !change.kills & !change.gens)
                        }
                    };
                }
            }
        }
        // Every entry may be what an exception that leaves the frame finds.
        let uses = self.partial.get(index).into_iter().flatten().fold(0, |uses, change| uses | change.uses);
        let whole = self.whole.get(index).copied().unwrap_or_default();
        (uses | thrown | whole.uses | behind & !whole.kills & !whole.gens, behind, caught)
    }

    fn write(self, updates: &mut MethodUpdates, word: u16) {
        let put = |changes: &mut Vec<Change>, new: &Change| {
            if let Some(change) = changes.iter_mut().find(|change| change.word == word) {
                *change = *new;
            }
        };
        for (block, (whole, partial)) in updates.blocks.iter_mut().zip(self.whole.iter().zip(&self.partial)) {
            put(&mut block.whole, whole);
            for ((_, changes), new) in block.partial.iter_mut().zip(partial) {
                put(changes, new);
            }
        }
        for edge in updates.edges.iter_mut().filter(|edge| edge.word == word) {
            let new = self.edges.get(&(edge.from, edge.to));
            (edge.uses, edge.runs) = new.map_or((0, 0), |new| (new.uses, new.runs));
        }
    }
}
