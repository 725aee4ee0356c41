//! Which definition of a variable came last, where only one can have: in front of each block, on every way a run can take,
//! by exceptions too.
//!
//! It knows which instructions define, not what for. Invariant: what it gives is true of every run; where it gives none, the
//! association needs a live bit.

use super::super::method::Analysed;
use super::super::vars::VarId;
use super::points::{Points, UseAt};
use std::collections::BTreeSet;

/// No run came here yet.
const UNSEEN: u32 = u32::MAX;
/// Several definitions come here.
const SEVERAL: u32 = u32::MAX - 1;
/// The entry defined it; 0: nothing did yet.
const ENTRY: u32 = 1;
/// With more entries the table would be too large, and every variable needs live bits.
const MAX_ENTRIES: usize = 1 << 24;

/// How a variable is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    /// It has one definition in all, which the JVM's verifier has come before each use.
    Sole,
    /// In this column of the table.
    At(usize),
    /// The table would be too large.
    Unknown,
}

/// The definition of an instruction.
fn by(insn: u32) -> u32 {
    insn + 2
}

/// The last definitions of a method's variables.
pub(super) struct Sole {
    /// By variable.
    columns: Vec<Column>,
    /// How many columns there are.
    width: usize,
    /// By block, then column: the last definition in front of it.
    before: Vec<u32>,
    /// By block: columns with the definition, in bytecode order.
    made: Vec<Vec<(usize, u32)>>,
}

impl Sole {
    /// Follows the variables through all blocks until nothing changes.
    pub fn of(analysed: &Analysed<'_>, points: &Points) -> Self {
        let count = analysed.effects.variables.len();
        let blocks = analysed.blocks.all().len();
        let mut at_entry = vec![false; count];
        for variable in &analysed.summary.at_entry {
            if let Some(slot) = at_entry.get_mut(variable.index()) {
                *slot = true;
            }
        }
        let many = |index: &usize| {
            points.definers(VarId(*index as u32)).len() + usize::from(at_entry.get(*index) == Some(&true)) > 1
        };
        let followed: Vec<usize> = (0..count).filter(many).collect();
        let fits = followed.len().saturating_mul(blocks) <= MAX_ENTRIES;
        let mut columns = vec![Column::Sole; count];
        for (column, index) in followed.iter().enumerate() {
            if let Some(slot) = columns.get_mut(*index) {
                *slot = if fits { Column::At(column) } else { Column::Unknown };
            }
        }
        let width = if fits { followed.len() } else { 0 };
        let mut sole =
            Self { columns, width, before: vec![UNSEEN; width * blocks], made: vec![Vec::new(); blocks] };
        let first: Vec<u32> =
            followed.iter().take(width).map(|index| u32::from(at_entry.get(*index) == Some(&true))).collect();
        sole.make(points, followed.into_iter().take(width));
        sole.follow(analysed, &first);
        sole
    }

    /// Notes which block makes which definitions.
    fn make(&mut self, points: &Points, followed: impl Iterator<Item = usize>) {
        for (column, index) in followed.enumerate() {
            for insn in points.definers(VarId(index as u32)) {
                if let Some(made) = self.made.get_mut(points.after(*insn).0 as usize) {
                    made.push((column, by(*insn)));
                }
            }
        }
        self.made.iter_mut().for_each(|made| made.sort_by_key(|(_, definition)| *definition));
    }

    fn follow(&mut self, analysed: &Analysed<'_>, first: &[u32]) {
        let mut open = BTreeSet::new();
        self.arrive(0, first, &mut open);
        open.insert(0);
        while let Some(block) = open.pop_first() {
            let mut state = self.at(block).to_vec();
            let handlers = analysed.blocks.covering(block).iter();
            let handlers: Vec<u32> = handlers.filter_map(|entry| analysed.blocks.handler(*entry)).collect();
            // Any of its instructions may be the one that throws.
            let mut thrown = state.clone();
            for (column, definition) in self.made.get(block as usize).into_iter().flatten() {
                if let (Some(now), Some(thrown)) = (state.get_mut(*column), thrown.get_mut(*column)) {
                    *now = *definition;
                    *thrown = join(*thrown, *definition);
                }
            }
            for target in analysed.blocks.successors(block) {
                self.arrive(*target, &state, &mut open);
            }
            for handler in handlers {
                self.arrive(handler, &thrown, &mut open);
            }
        }
    }

    /// A state comes to a block.
    fn arrive(&mut self, block: u32, state: &[u32], open: &mut BTreeSet<u32>) {
        let start = block as usize * self.width;
        let Some(before) = self.before.get_mut(start..start + self.width) else { return };
        let mut changed = false;
        for (old, new) in before.iter_mut().zip(state) {
            let joined = join(*old, *new);
            changed |= joined != *old;
            *old = joined;
        }
        if changed {
            open.insert(block);
        }
    }

    fn at(&self, block: u32) -> &[u32] {
        let start = block as usize * self.width;
        self.before.get(start..start + self.width).unwrap_or_default()
    }

    /// Whether the variable has, whenever the use is executed, its value from this definition (none: the entry's).
    pub fn reaches(&self, definer: Option<u32>, usage: UseAt, variable: VarId) -> bool {
        let column = match self.columns.get(variable.index()) {
            Some(Column::Sole) => return true,
            Some(Column::At(column)) => column,
            Some(Column::Unknown) | None => return false,
        };
        let (block, at_end) = match usage {
            UseAt::Node((block, _)) => (block, false),
            UseAt::Edge(from, _) => (from, true),
        };
        let made = self.made.get(block as usize).into_iter().flatten();
        let last =
            made.filter(|(made, _)| at_end && made == column).map(|(_, definition)| *definition).next_back();
        let found = last.or_else(|| self.at(block).get(*column).copied());
        found == Some(definer.map_or(ENTRY, by))
    }
}

/// What two ways agree on.
fn join(old: u32, new: u32) -> u32 {
    match (old, new) {
        (UNSEEN, other) | (other, UNSEEN) => other,
        _ if old == new => old,
        _ => SEVERAL,
    }
}
