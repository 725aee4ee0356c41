//! The cells of one node: what each of its locations was last written by, and which node it refers to now.
//!
//! Knows nothing of other nodes. Invariant: a slot has at most one cell; a cell without a write (moment 0) is never
//! handed out; iteration is in the order of the slots for elements and of the first writes for everything else.

use crate::graph::Node;
use std::collections::BTreeMap;

/// A location of a node: a field (a number of the caller from 1 to 2^31 - 1), an array element, or the contents of a
/// container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);

const ELEMENT_BIT: u32 = 1 << 31;

impl Slot {
    /// The contents of a container, one location.
    pub const CONTENTS: Self = Self(0);

    /// The field with this number; the number 0 and numbers above 2^31 - 1 are not fields and fold into the range.
    pub fn field(key: u32) -> Self {
        Self((key & !ELEMENT_BIT).max(1))
    }

    /// The array element at this index (below 2^31, as in Java).
    pub fn element(index: u32) -> Self {
        Self(index | ELEMENT_BIT)
    }

    /// The index, for an array element.
    pub fn index(self) -> Option<u32> {
        (self.0 & ELEMENT_BIT != 0).then_some(self.0 & !ELEMENT_BIT)
    }

    /// What the location is called once generalised: the field's number, 0 for elements and contents.
    pub fn step(self) -> u32 {
        if self.0 & ELEMENT_BIT != 0 { 0 } else { self.0 }
    }
}

/// A write as it is compared and reported: its moment (0: no write), its site and its frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latest {
    /// When it was made, 0 for never.
    pub moment: u64,
    /// Where it was made.
    pub site: u32,
    /// The frame that made it.
    pub frame: u32,
}

/// The state of one location.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Its latest write.
    pub write: Latest,
    /// The node it refers to.
    pub target: Option<Node>,
    /// Where its edge stands in the target's list of incoming edges.
    pub(crate) back: u32,
}

impl Cell {
    const EMPTY: Self = Self { write: Latest { moment: 0, site: 0, frame: 0 }, target: None, back: 0 };

    fn is_written(&self) -> bool {
        self.write.moment != 0
    }
}

/// How far beyond its end the dense part of an array grows for one write.
const GROWTH: usize = 64;

#[derive(Debug, Default)]
struct ArrayCells {
    dense: Vec<Cell>,
    sparse: BTreeMap<u32, Cell>,
}

impl ArrayCells {
    fn get(&self, index: u32) -> Option<&Cell> {
        match self.dense.get(index as usize) {
            Some(cell) => Some(cell).filter(|cell| cell.is_written()),
            None => self.sparse.get(&index),
        }
    }

    fn get_mut(&mut self, index: u32) -> Option<&mut Cell> {
        match self.dense.get_mut(index as usize) {
            Some(cell) => Some(cell).filter(|cell| cell.is_written()),
            None => self.sparse.get_mut(&index),
        }
    }

    fn slot_for(&mut self, index: u32) -> &mut Cell {
        let at = index as usize;
        if at >= self.dense.len() && at <= self.dense.len() * 2 + GROWTH {
            self.dense.resize(at + 1, Cell::EMPTY);
            self.absorb();
        }
        if at < self.dense.len() {
            &mut self.dense[at]
        } else {
            self.sparse.entry(index).or_insert(Cell::EMPTY)
        }
    }

    /// Moves what the dense part now reaches out of the sparse part.
    fn absorb(&mut self) {
        while let Some(entry) = self.sparse.first_entry() {
            match self.dense.get_mut(*entry.key() as usize) {
                Some(cell) => *cell = entry.remove(),
                None => break,
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = (Slot, &Cell)> {
        let dense = self.dense.iter().enumerate().filter(|(_, cell)| cell.is_written());
        dense
            .map(|(at, cell)| (Slot::element(u32::try_from(at).unwrap_or(u32::MAX)), cell))
            .chain(self.sparse.iter().map(|(index, cell)| (Slot::element(*index), cell)))
    }
}

/// All cells of a node.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    fields: Vec<(Slot, Cell)>,
    array: Option<Box<ArrayCells>>,
}

impl Cells {
    #[inline]
    pub(crate) fn get(&self, slot: Slot) -> Option<&Cell> {
        match slot.index() {
            Some(index) => self.array.as_ref()?.get(index),
            None => self.fields.iter().find(|(at, _)| *at == slot).map(|(_, cell)| cell),
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, slot: Slot) -> Option<&mut Cell> {
        match slot.index() {
            Some(index) => self.array.as_mut()?.get_mut(index),
            None => self.fields.iter_mut().find(|(at, _)| *at == slot).map(|(_, cell)| cell),
        }
    }

    /// The cell of `slot`, made empty when it is not there; the caller writes it at once.
    pub(crate) fn slot_for(&mut self, slot: Slot) -> &mut Cell {
        if let Some(index) = slot.index() {
            return self.array.get_or_insert_default().slot_for(index);
        }
        let at = match self.fields.iter().position(|(at, _)| *at == slot) {
            Some(at) => at,
            None => {
                self.fields.push((slot, Cell::EMPTY));
                self.fields.len() - 1
            }
        };
        &mut self.fields[at].1
    }

    /// Whether there are at most so many fields and no elements.
    pub(crate) fn is_small(&self, most: usize) -> bool {
        self.fields.len() <= most && self.array.is_none()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, &Cell)> {
        let fields = self.fields.iter().map(|(slot, cell)| (*slot, cell));
        fields.chain(self.array.iter().flat_map(|array| array.iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(cells: &mut Cells, index: u32, moment: u64) {
        cells.slot_for(Slot::element(index)).write.moment = moment;
    }

    #[test]
    fn elements_written_far_apart_and_out_of_order_are_found_and_listed_by_index() {
        let mut cells = Cells::default();
        for (moment, index) in [(1, 5_000_000), (2, 3), (3, 200), (4, 70), (5, 5_000_000)] {
            write(&mut cells, index, moment);
        }
        let listed: Vec<_> =
            cells.iter().map(|(slot, cell)| (slot.index().unwrap(), cell.write.moment)).collect();
        assert_eq!(listed, [(3, 2), (70, 4), (200, 3), (5_000_000, 5)]);
        assert!(
            cells.get(Slot::element(4)).is_none(),
            "an element inside the dense part that was never written"
        );
        assert_eq!(cells.get(Slot::element(200)).unwrap().write.moment, 3);
    }

    #[test]
    fn a_field_an_element_and_the_contents_are_different_slots() {
        let slots = [Slot::CONTENTS, Slot::field(1), Slot::element(0), Slot::element(1)];
        assert!(slots.iter().enumerate().all(|(i, a)| slots.iter().skip(i + 1).all(|b| a != b)));
        assert_eq!(slots.map(Slot::step), [0, 1, 0, 0]);
    }
}
