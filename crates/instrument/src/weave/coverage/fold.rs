//! Takes out of a script what need not be done: steps on values that are known, variables nobody looks at. It knows the script
//! and the order of blocks, not bytes.
//!
//! Invariant: the frame's end sees the same covered bits as with the whole script.

use super::script::{Action, Point, Script, Touched};
use super::steps::{Step, Var};
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::{Block, Blocks, Ending, may_throw};
use std::collections::BTreeSet;

/// What is known of the variables of a frame, by [`Folder::index`].
type Known = Vec<Option<u64>>;

/// What an exception that leaves the frame finds in a variable, wherever it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    Nothing,
    Always(u64),
    Several,
}

/// A script without what need not be done.
#[derive(Debug)]
pub(super) struct Folded {
    pub script: Script,
    /// The variables that are left.
    pub kept: BTreeSet<Var>,
    /// By word: its covered and its live bits when an exception leaves the frame, where they are always the same.
    pub thrown: Vec<(Option<u64>, Option<u64>)>,
}

impl Folded {
    /// Folds a script.
    pub fn of(mut script: Script, body: &Body<'_>, blocks: &Blocks) -> Self {
        let mut folder = Folder::new(&script, body, blocks);
        let points = std::mem::take(&mut script.points);
        script.points = folder.run(points);
        let words = usize::from(script.words);
        let met = |index: usize| match folder.met.get(index) {
            Some(Met::Always(value)) => Some(*value),
            Some(Met::Nothing) => Some(0),
            _ => None,
        };
        let thrown = (0..words).map(|word| (met(words + word), met(word))).collect();
        let mut folded = Self { script, kept: BTreeSet::new(), thrown };
        folded.keep();
        folded.drop_unread();
        folded
    }

    /// Whether an exception that leaves the frame may have covered bits of a word that its variable does not show.
    pub fn is_thrown(&self, word: u16) -> bool {
        self.kept.contains(&Var::Uses(word)) || self.kept.contains(&Var::Runs(word))
    }

    /// The initial value of a variable.
    pub fn initial(&self, var: Var) -> u64 {
        match var {
            Var::Live(word) => self.script.entry.get(usize::from(word)).copied().unwrap_or_default(),
            _ => var.idle(),
        }
    }

    /// What the code for exceptions that leave the frame looks at.
    fn thrown_reads(&self, set: &BTreeSet<Var>) -> Vec<Var> {
        let mut reads = Vec::new();
        if !self.script.throws {
            return reads;
        }
        for (word, (covered, live)) in (0..).zip(&self.thrown) {
            if covered.is_none() {
                reads.push(Var::Covered(word));
            }
            if live.is_none() && set.contains(&Var::Uses(word)) {
                reads.push(Var::Live(word));
            }
            reads.extend([Var::Uses(word), Var::Runs(word)].into_iter().filter(|var| set.contains(var)));
        }
        reads
    }

    /// Finds the variables that something depends on in the end.
    fn keep(&mut self) {
        let actions = || self.script.points.iter().flat_map(|point| point.before.iter().chain(&point.after));
        let set: BTreeSet<Var> = actions()
            .filter_map(|action| match action {
                Action::Step(step) => Some(step.to),
                _ => None,
            })
            .collect();
        let mut kept: BTreeSet<Var> = self.thrown_reads(&set).into_iter().collect();
        for action in actions() {
            match action {
                Action::End(known) => {
                    let unknown = (0..).zip(known).filter(|(_, known)| known.is_none());
                    kept.extend(unknown.map(|(word, _)| Var::Covered(word)));
                }
                Action::Flush(number) => {
                    kept.extend((0..self.script.words).map(Var::Covered));
                    let uses = self.script.changes(*number).iter().filter(|change| change.uses != 0);
                    kept.extend(uses.map(|change| Var::Live(change.word)));
                }
                _ => {}
            }
        }
        loop {
            let before = kept.len();
            for action in actions() {
                match action {
                    Action::Step(step) if kept.contains(&step.to) && step.and != 0 => {
                        kept.insert(step.from);
                    }
                    Action::Caught(touched) => {
                        touched.iter().for_each(|touched| caught_reads(touched, &set, &mut kept));
                    }
                    _ => {}
                }
            }
            if kept.len() == before {
                break;
            }
        }
        self.kept = kept;
    }

    fn drop_unread(&mut self) {
        let kept = &self.kept;
        let keep = |action: &mut Action| match action {
            Action::Step(step) => kept.contains(&step.to),
            Action::Caught(touched) => {
                for touched in touched.iter_mut() {
                    touched.covered &= kept.contains(&Var::Covered(touched.word));
                    touched.live &= kept.contains(&Var::Live(touched.word));
                }
                touched.retain(|touched| touched.covered || touched.live);
                !touched.is_empty()
            }
            Action::End(known) => known.iter().any(|known| *known != Some(0)),
            Action::At(_) | Action::Flush(_) => true,
        };
        for point in &mut self.script.points {
            point.before.retain_mut(keep);
            point.after.retain_mut(keep);
        }
    }
}

/// What a handler looks at to make the changes in force, when what it changes is kept.
fn caught_reads(touched: &Touched, set: &BTreeSet<Var>, kept: &mut BTreeSet<Var>) {
    let word = touched.word;
    let (uses, runs) = (Var::Uses(word), Var::Runs(word));
    if touched.covered && kept.contains(&Var::Covered(word)) {
        kept.extend([uses, runs].into_iter().filter(|var| set.contains(var)));
        if set.contains(&uses) {
            kept.insert(Var::Live(word));
        }
    }
    if touched.live && kept.contains(&Var::Live(word)) {
        kept.extend([Var::Keeps(word), Var::Gens(word)].into_iter().filter(|var| set.contains(var)));
    }
}

struct Folder<'f, 'a> {
    body: &'f Body<'a>,
    blocks: &'f Blocks,
    words: usize,
    /// By variable: all bits that may ever be set.
    possible: Vec<u64>,
    entry: Known,
    /// By block: its one predecessor.
    parents: Vec<Option<u32>>,
    exits: Vec<Option<Known>>,
    met: Vec<Met>,
}

impl<'f, 'a> Folder<'f, 'a> {
    fn new(script: &Script, body: &'f Body<'a>, blocks: &'f Blocks) -> Self {
        let words = usize::from(script.words);
        let variables = 2 * words + usize::from(script.pendings);
        let mut entry = vec![Some(0); variables];
        for (slot, bits) in entry.iter_mut().zip(&script.entry) {
            *slot = Some(*bits);
        }
        let mut folder = Self {
            body,
            blocks,
            words,
            possible: entry.iter().map(|value| value.unwrap_or_default()).collect(),
            entry,
            parents: parents(body, blocks),
            exits: vec![None; blocks.all().len()],
            met: vec![Met::Nothing; variables],
        };
        folder.find_possible(script);
        folder
    }

    /// The place of a variable in the tables of what is known. The changes in force have none: they are not followed.
    fn index(&self, var: Var) -> usize {
        match var {
            Var::Live(word) => usize::from(word),
            Var::Covered(word) => self.words + usize::from(word),
            Var::Pending(pending) => 2 * self.words + usize::from(pending),
            Var::Uses(_) | Var::Runs(_) | Var::Keeps(_) | Var::Gens(_) => usize::MAX,
        }
    }

    fn find_possible(&mut self, script: &Script) {
        let gens = script.rows.iter().flatten().flat_map(|change| {
            [(Var::Live(change.word), change.gens), (Var::Covered(change.word), change.uses | change.runs)]
        });
        let actions = script.points.iter().flat_map(|point| point.before.iter().chain(&point.after));
        let steps = actions.filter_map(|action| match action {
            Action::Step(step) => {
                Some((step.to, if step.from == step.to { step.or } else { step.and | step.or }))
            }
            _ => None,
        });
        for (var, bits) in gens.chain(steps) {
            let index = self.index(var);
            if let Some(possible) = self.possible.get_mut(index) {
                *possible |= bits;
            }
        }
    }

    fn run(&mut self, points: Vec<Point>) -> Vec<Point> {
        let blocks = self.blocks;
        let mut points = points.into_iter().peekable();
        let mut folded = Vec::new();
        for (index, block) in blocks.all().iter().enumerate() {
            let mut known = self.known_at(index);
            let mut seen = false;
            for insn in block.insns() {
                let point = points.next_if(|point| point.insn as usize == insn);
                let point =
                    point.unwrap_or(Point { insn: insn as u32, before: Vec::new(), after: Vec::new() });
                let before = self.fold(point.before, &mut known);
                let throws = self.body.insns.get(insn).is_some_and(|insn| may_throw(insn.opcode));
                if throws && (!seen || insn == block.last as usize) {
                    // In between nothing changes.
                    seen = true;
                    self.meet(&known);
                }
                if insn == block.last as usize {
                    self.leave(index, block, &known);
                }
                let after = self.fold(point.after, &mut known);
                if insn == block.last as usize && block.ending == Ending::Falls {
                    self.leave(index, block, &known);
                }
                if !before.is_empty() || !after.is_empty() {
                    folded.push(Point { insn: point.insn, before, after });
                }
            }
        }
        folded
    }

    /// What is known at the beginning of a block.
    fn known_at(&self, block: usize) -> Known {
        let unknown = || vec![None; self.entry.len()];
        match self.parents.get(block) {
            Some(Some(NO_BLOCK)) => self.entry.clone(),
            Some(Some(parent)) => self.exits.get(*parent as usize).cloned().flatten().unwrap_or_else(unknown),
            _ => unknown(),
        }
    }

    fn leave(&mut self, index: usize, block: &Block, known: &Known) {
        if matches!(block.ending, Ending::Returns | Ending::Throws) {
            return;
        }
        if let Some(exit) = self.exits.get_mut(index) {
            *exit = Some(known.clone());
        }
    }

    fn meet(&mut self, known: &Known) {
        for (met, known) in self.met.iter_mut().zip(known) {
            *met = match (*met, known) {
                (Met::Nothing, Some(value)) => Met::Always(*value),
                (Met::Always(old), Some(value)) if old == *value => Met::Always(old),
                _ => Met::Several,
            };
        }
    }

    fn fold(&self, actions: Vec<Action>, known: &mut Known) -> Vec<Action> {
        let mut folded = Vec::with_capacity(actions.len());
        for action in actions {
            match action {
                Action::Step(step) => folded.extend(self.step(step, known).map(Action::Step)),
                Action::End(_) => {
                    let covered = known.get(self.words..2 * self.words).unwrap_or_default();
                    folded.push(Action::End(covered.to_vec()));
                }
                Action::Caught(touched) => {
                    for touched in &touched {
                        for var in [Var::Covered(touched.word), Var::Live(touched.word)] {
                            let index = self.index(var);
                            if let Some(known) = known.get_mut(index) {
                                *known = None;
                            }
                        }
                    }
                    folded.push(Action::Caught(touched));
                }
                Action::At(_) | Action::Flush(_) => folded.push(action),
            }
        }
        folded
    }

    /// A step in the light of what is known; none when it changes nothing.
    fn step(&self, mut step: Step, known: &mut Known) -> Option<Step> {
        let (to, from) = (self.index(step.to), self.index(step.from));
        let value = |index: usize| known.get(index).copied().flatten();
        if to == usize::MAX {
            return Some(step);
        }
        step.and = masked(step.and, self.possible.get(from).copied().unwrap_or(!0));
        step.keep = masked(step.keep, self.possible.get(to).copied().unwrap_or(!0));
        if let Some(bits) = value(from) {
            step.or |= bits & step.and;
            step.and = 0;
        }
        let old = value(to);
        if let Some(bits) = old {
            step.or |= bits & step.keep;
            step.keep = 0;
        }
        let new = (step.and == 0 && step.keep == 0).then_some(step.or);
        let idle = step.and == 0 && step.or == 0 && step.keep == !0;
        if let (false, Some(known)) = (idle, known.get_mut(to)) {
            *known = new;
        }
        (!idle && (new.is_none() || new != old)).then_some(step)
    }
}

/// A mask on bits that are among `possible`: all, if it lets them all through, and none, if it lets none of them.
fn masked(mask: u64, possible: u64) -> u64 {
    if mask & possible == 0 {
        0
    } else if !mask & possible == 0 {
        !0
    } else {
        mask
    }
}

/// In place of a block: the method's beginning.
const NO_BLOCK: u32 = u32::MAX;

/// By block: the one block that leads there, if nothing else does.
fn parents(body: &Body<'_>, blocks: &Blocks) -> Vec<Option<u32>> {
    let count = blocks.all().len();
    let mut ways = vec![0u32; count];
    let mut parents = vec![None; count];
    let mut lead = |from: u32, to: u32| {
        if let (Some(ways), Some(parent)) = (ways.get_mut(to as usize), parents.get_mut(to as usize)) {
            *ways += 1;
            *parent = (*ways == 1).then_some(from);
        }
    };
    lead(NO_BLOCK, 0);
    for from in 0..count as u32 {
        blocks.successors(from).iter().for_each(|to| lead(from, *to));
    }
    for handler in (0..body.code.exceptions.len() as u32).filter_map(|entry| blocks.handler(entry)) {
        // Once from anywhere, and once more so that there are several ways.
        lead(NO_BLOCK, handler);
        lead(NO_BLOCK, handler);
    }
    parents
}
