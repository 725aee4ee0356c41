//! What `dynaflow_bytecode::updates` means, step by step: a frame of words that is given the blocks it runs, the naive twin of
//! woven code; and updates made at random for the blocks of a method. It knows nothing of weaving, nor of what a bit stands for.

use dynaflow_bytecode::blocks::Blocks;
use dynaflow_bytecode::updates::{Bits, BlockUpdates, Change, EdgeUpdate, MethodUpdates};
use rand::Rng;

/// A frame that runs a method.
#[derive(Clone, Debug)]
pub struct Frame<'u> {
    updates: &'u MethodUpdates,
    live: Vec<u64>,
    /// By word: what it has covered so far.
    pub covered: Vec<u64>,
}

impl<'u> Frame<'u> {
    /// A frame that begins.
    pub fn new(updates: &'u MethodUpdates) -> Self {
        let words = usize::from(updates.words);
        let mut live = vec![0; words];
        for bits in &updates.entry {
            live[usize::from(bits.word)] = bits.bits;
        }
        Self { updates, live, covered: vec![0; words] }
    }

    /// It goes over an edge, behind all instructions of the block the edge leaves.
    pub fn edge(&mut self, from: u32, to: u32) {
        for edge in self.updates.edges.iter().filter(|edge| (edge.from, edge.to) == (from, to)) {
            let word = usize::from(edge.word);
            self.covered[word] |= self.live[word] & edge.uses | edge.runs;
        }
    }

    /// It runs all instructions of a block.
    pub fn whole(&mut self, block: u32) {
        let updates = self.updates;
        self.change(&updates.blocks[block as usize].whole);
    }

    /// An instruction of a block throws.
    pub fn throws(&mut self, block: u32, insn: u32) {
        let updates = self.updates;
        let partial = &updates.blocks[block as usize].partial;
        if let Some((_, changes)) = partial.iter().rev().find(|(from, _)| *from <= insn) {
            self.change(changes);
        }
    }

    fn change(&mut self, changes: &[Change]) {
        for change in changes {
            let word = usize::from(change.word);
            self.covered[word] |= self.live[word] & change.uses | change.runs;
            self.live[word] = self.live[word] & !change.kills | change.gens;
        }
    }
}

/// What updates are made.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Frames have up to so many words.
    pub words: u16,
    /// Few different numbers, for classes whose constant pools have little room.
    pub plain: bool,
}

/// Updates at random for a method of a class.
pub fn random_updates(random: &mut impl Rng, method: usize, blocks: &Blocks, shape: Shape) -> MethodUpdates {
    let words = random.random_range(1..=shape.words);
    let mut maker = Maker { random, words, plain: shape.plain };
    let mut updates = MethodUpdates { method, words, ..MethodUpdates::default() };
    for word in maker.some_words() {
        let bits = maker.bits();
        updates.entry.extend((bits != 0).then_some(Bits { word, bits }));
    }
    for (index, block) in blocks.all().iter().enumerate() {
        let mut partial: Vec<(u32, Vec<Change>)> = Vec::new();
        for insn in block.insns() {
            if maker.random.random_range(0..3) == 0 {
                let before = partial.last().map_or(&[][..], |(_, changes)| changes);
                let changes = covering(maker.changes(), before);
                partial.push((insn as u32, changes));
            }
        }
        let before = partial.last().map_or(&[][..], |(_, changes)| changes);
        let whole = covering(maker.changes(), before);
        updates.blocks.push(BlockUpdates { whole, partial });
        for to in blocks.successors(index as u32) {
            if maker.random.random_range(0..2) == 0 {
                for word in maker.some_words() {
                    let (uses, runs) = (maker.bits(), maker.bits());
                    let (from, to) = (index as u32, *to);
                    updates.edges.extend((uses | runs != 0).then_some(EdgeUpdate {
                        from,
                        to,
                        word,
                        uses,
                        runs,
                    }));
                }
            }
        }
    }
    updates
}

/// Changes that cover what others do as well.
fn covering(mut changes: Vec<Change>, others: &[Change]) -> Vec<Change> {
    for other in others {
        let word = other.word;
        match changes.binary_search_by_key(&word, |change| change.word) {
            Ok(at) => {
                changes[at].uses |= other.uses;
                changes[at].runs |= other.runs;
            }
            Err(at) => changes.insert(at, Change { kills: 0, gens: 0, ..*other }),
        }
    }
    changes.retain(|change| change.uses | change.runs | change.kills | change.gens != 0);
    changes
}

struct Maker<'r, R> {
    random: &'r mut R,
    words: u16,
    plain: bool,
}

impl<R: Rng> Maker<'_, R> {
    fn some_words(&mut self) -> Vec<u16> {
        let wanted = self.random.random_range(1..=3) as f64 / 3.0;
        (0..self.words).filter(|_| self.random.random_bool(wanted)).collect()
    }

    /// None, one, a few or many bits.
    fn bits(&mut self) -> u64 {
        match self.random.random_range(0..8) {
            0..=2 => 0,
            3 | 4 => 1 << self.random.random_range(0..64),
            5 | 6 if self.plain => 0xFF << self.random.random_range(0..8),
            5 => self.random.random::<u64>() & self.random.random::<u64>() & self.random.random::<u64>(),
            6 => self.random.random(),
            _ => !0,
        }
    }

    fn changes(&mut self) -> Vec<Change> {
        if self.random.random_range(0..3) == 0 {
            return Vec::new();
        }
        let mut changes = Vec::new();
        for word in self.some_words() {
            let [uses, runs, kills, gens] = std::array::from_fn(|_| self.bits());
            // Bits covered without a condition would soon be all.
            let runs = if self.random.random_range(0..3) == 0 { runs } else { 0 };
            let is_nothing = uses | runs | kills | gens == 0;
            changes.extend((!is_nothing).then_some(Change { word, uses, runs, kills, gens }));
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn updates() -> MethodUpdates {
        let change = |uses, runs, kills, gens| Change { word: 0, uses, runs, kills, gens };
        MethodUpdates {
            method: 0,
            words: 1,
            entry: vec![Bits { word: 0, bits: 0b0001 }],
            blocks: vec![
                BlockUpdates {
                    whole: vec![change(0b0011, 0, 0b0001, 0b0010)],
                    partial: vec![(2, vec![change(0b0001, 0, 0, 0b1000)]), (4, Vec::new())],
                },
                BlockUpdates { whole: vec![change(0b1111, 0, 0, 0)], partial: Vec::new() },
            ],
            edges: vec![EdgeUpdate { from: 0, to: 1, word: 0, uses: 0b0001, runs: 0b0100 }],
        }
    }

    #[test]
    fn what_a_block_uses_was_live_before_it_and_an_edge_sees_what_is_live_behind_it() {
        let updates = updates();
        let mut frame = Frame::new(&updates);
        frame.whole(0);
        assert_eq!(frame.covered, [0b0001]);
        frame.edge(0, 1);
        assert_eq!(frame.covered, [0b0101], "bit 0 was killed, bit 2 is covered anyway");
        frame.whole(1);
        assert_eq!(frame.covered, [0b0111], "bit 1 is live");
    }

    #[test]
    fn an_exception_makes_the_changes_of_the_last_entry_up_to_it() {
        let updates = updates();
        for (insn, covered) in [(0, 0b0001), (1, 0b0001), (2, 0b1001), (3, 0b1001), (4, 0b0001), (9, 0b0001)]
        {
            let mut frame = Frame::new(&updates);
            frame.throws(0, insn);
            frame.whole(1);
            assert_eq!(frame.covered, [covered], "at {insn}");
        }
    }
}
