//! What woven code does to the words of a frame, point by point: the script both forms of weaving are written from. It knows
//! blocks and instructions, not bytes.
//!
//! Invariants: between blocks no changes are in force (an exception there has nothing to make up for); an instruction that
//! may throw has those in force that the updates give it.

use super::steps::{Placed, Step, Var};
use crate::flow::Fact;
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::{Block, Blocks, Ending, may_throw};
use dynaflow_bytecode::updates::{BlockUpdates, Change, MethodUpdates};
use std::collections::BTreeMap;

/// Beyond this many pairs of changes in force and handlers a method is given up; only hostile code gets there.
const MAX_WORK: usize = 20_000_000;

/// A word whose bits an exception may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touched {
    pub word: u16,
    pub covered: bool,
    pub live: bool,
}

/// Something woven code does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Changes a variable.
    Step(Step),
    /// Says which changes are in force from here on; none with 0.
    At(u32),
    /// Makes the changes in force where an exception came from, and puts none in force.
    Caught(Vec<Touched>),
    /// Adds what is covered to the method's bits, with the changes of a number made before: the exception that the next instruction
    /// may throw cannot be seen.
    Flush(u32),
    /// Adds what is covered to the method's bits: the frame ends. By word: the bits, where they are known.
    End(Vec<Option<u64>>),
}

/// What is done around an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub insn: u32,
    pub before: Vec<Action>,
    pub after: Vec<Action>,
}

/// What a method does.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub words: u16,
    /// By word: the bits live at the beginning.
    pub entry: Vec<u64>,
    /// Bits that edges cover: how many variables are needed for them.
    pub pendings: u16,
    /// In the order of the instructions.
    pub points: Vec<Point>,
    /// Changes that may be in force, from number 1 on.
    pub rows: Vec<Vec<Change>>,
    /// Whether exceptions that leave the frame must be seen.
    pub throws: bool,
}

impl Script {
    /// The script of a method. The edges of its updates are placed already.
    pub fn of(
        body: &Body<'_>,
        blocks: &Blocks,
        facts: Option<&[Fact]>,
        updates: &MethodUpdates,
        placed: Placed,
    ) -> Result<Self, &'static str> {
        let mut entry = vec![0; usize::from(updates.words)];
        for bits in &updates.entry {
            if let Some(word) = entry.get_mut(usize::from(bits.word)) {
                *word |= bits.bits;
            }
        }
        let script = Self {
            words: updates.words,
            entry,
            pendings: placed.pendings,
            points: Vec::new(),
            rows: Vec::new(),
            throws: false,
        };
        let (numbers, touched) = (BTreeMap::new(), BTreeMap::new());
        let mut writer = Writer { script, body, blocks, facts, numbers, touched, work: 0 };
        let mut placed = placed;
        for (index, block) in blocks.all().iter().enumerate() {
            let empty = BlockUpdates::default();
            let of_block = updates.blocks.get(index).unwrap_or(&empty);
            writer.block(index as u32, block, of_block, &mut placed);
            if writer.work > MAX_WORK {
                return Err("its exceptions lead to too many handlers to be followed");
            }
        }
        writer.handlers();
        Ok(writer.script)
    }

    /// The steps that make the changes of a number.
    pub fn changes(&self, number: u32) -> &[Change] {
        let index = (number as usize).checked_sub(1);
        index.and_then(|index| self.rows.get(index)).map_or(&[], Vec::as_slice)
    }

    /// How many bytes both forms need at most, roughly.
    pub fn weight(&self) -> usize {
        let actions = self.points.iter().flat_map(|point| point.before.iter().chain(&point.after));
        let weight = |action: &Action| match action {
            Action::Step(_) => 30,
            Action::At(_) => 12,
            Action::Caught(touched) => 50 * touched.len(),
            Action::Flush(_) | Action::End(_) => 30 * usize::from(self.words),
        };
        actions.map(weight).sum::<usize>() + 80 * usize::from(self.words)
    }
}

/// A change as a key.
type Key = Vec<(u16, [u64; 4])>;

struct Writer<'w, 'a> {
    script: Script,
    body: &'w Body<'a>,
    blocks: &'w Blocks,
    /// Of a constructor that must invoke another one.
    facts: Option<&'w [Fact]>,
    /// Numbers of the changes met so far.
    numbers: BTreeMap<Key, u32>,
    /// By handler's block, then word: which bits exceptions that come there change.
    touched: BTreeMap<u32, BTreeMap<u16, Touched>>,
    /// Pairs of changes in force and handlers that see them.
    work: usize,
}

impl Writer<'_, '_> {
    fn block(&mut self, index: u32, block: &Block, updates: &BlockUpdates, placed: &mut Placed) {
        let is_last = |insn: usize| insn == block.last as usize;
        let (mut force, mut partial) = (0, updates.partial.iter().peekable());
        // The changes that hold from the entry met last on; their number, once an instruction that may throw asked for it.
        let (mut changes, mut number): (&[Change], Option<u32>) = (&[], Some(0));
        for insn in block.insns() {
            let mut before: Vec<Action> = Vec::new();
            let mut after: Vec<Action> = Vec::new();
            if insn == block.first as usize {
                before.extend(placed.start.remove(&index).into_iter().flatten().map(Action::Step));
            }
            while let Some((_, next)) = partial.next_if(|(at, _)| *at as usize <= insn) {
                (changes, number) = (next, None);
            }
            let opcode = self.body.insns.get(insn).map(|insn| insn.opcode);
            let ends_so = is_last(insn) && block.ending == Ending::Throws;
            if opcode.is_some_and(may_throw) && !ends_so {
                self.script.throws = true;
                let wanted = number.unwrap_or_else(|| self.number(index, changes));
                number = Some(wanted);
                if wanted != force {
                    before.push(Action::At(wanted));
                    force = wanted;
                }
                if self.fact(insn).is(Fact::INIT_THIS) {
                    before.push(Action::Flush(wanted));
                }
            }
            if is_last(insn) {
                let falls = block.ending == Ending::Falls;
                let end = if falls { &mut after } else { &mut before };
                let dies = self.dies(index, block);
                let whole = updates.whole.iter().flat_map(Step::of);
                let whole = whole.filter(|step| !dies || !matches!(step.to, Var::Live(_)));
                end.extend(whole.map(Action::Step));
                end.extend(placed.end.remove(&index).into_iter().flatten().map(Action::Step));
                if force != 0 && !dies {
                    // Where the frame ends, what is in force has been done, and what was live before it is still known.
                    end.push(Action::At(0));
                }
                if block.ending == Ending::Returns {
                    end.push(Action::End(vec![None; usize::from(self.script.words)]));
                }
                self.script.throws |= ends_so;
                after.extend(placed.behind.remove(&index).into_iter().flatten().map(Action::Step));
            }
            if !before.is_empty() || !after.is_empty() {
                self.script.points.push(Point { insn: insn as u32, before, after });
            }
        }
    }

    /// Whether nothing of the frame can see what is live behind a block.
    fn dies(&self, index: u32, block: &Block) -> bool {
        match block.ending {
            Ending::Returns => true,
            Ending::Throws => self.blocks.covering(index).is_empty(),
            _ => false,
        }
    }

    fn fact(&self, insn: usize) -> Fact {
        self.facts.and_then(|facts| facts.get(insn)).copied().unwrap_or_default()
    }

    /// The number of changes that are in force in a block, and what they do to its handlers.
    fn number(&mut self, block: u32, changes: &[Change]) -> u32 {
        let covering = self.blocks.covering(block);
        let seen = |change: &Change| {
            let mut change = *change;
            if covering.is_empty() {
                // Nobody but the frame's end sees them.
                (change.kills, change.gens) = (0, 0);
            }
            change
        };
        let is_nothing = |change: &Change| change.uses | change.runs | change.kills | change.gens == 0;
        let changes: Vec<Change> = changes.iter().map(seen).filter(|change| !is_nothing(change)).collect();
        if changes.is_empty() {
            return 0;
        }
        self.work = self.work.saturating_add(covering.len().saturating_mul(changes.len()));
        if self.work > MAX_WORK {
            return 0;
        }
        for handler in covering.iter().filter_map(|entry| self.blocks.handler(*entry)) {
            let by_word = self.touched.entry(handler).or_default();
            for change in &changes {
                let word = change.word;
                let touched = by_word.entry(word).or_insert(Touched { word, covered: false, live: false });
                touched.covered |= change.uses | change.runs != 0;
                touched.live |= change.kills | change.gens != 0;
            }
        }
        let key: Key = changes.iter().map(|c| (c.word, [c.uses, c.runs, c.kills, c.gens])).collect();
        let fresh = self.script.rows.len() as u32 + 1;
        let number = *self.numbers.entry(key).or_insert(fresh);
        if number == fresh {
            self.script.rows.push(changes);
        }
        number
    }

    /// Writes what handlers begin with.
    fn handlers(&mut self) {
        for (block, touched) in std::mem::take(&mut self.touched) {
            let Some(insn) = self.blocks.all().get(block as usize).map(|block| block.first) else { continue };
            let caught = Action::Caught(touched.into_values().collect());
            match self.script.points.binary_search_by_key(&insn, |point| point.insn) {
                Ok(at) => {
                    if let Some(point) = self.script.points.get_mut(at) {
                        point.before.insert(0, caught);
                    }
                }
                Err(at) => {
                    self.script.points.insert(at, Point { insn, before: vec![caught], after: Vec::new() })
                }
            }
        }
    }
}
