//! The cells of one node: what each of its locations was last written by, and which node it refers to now.
//!
//! Knows nothing of other nodes. Invariant: a slot has at most one cell; a cell without a write (moment 0) is never
//! handed out; iteration is in the order of the slots for elements and of the first writes for everything else.

use crate::elements::Elements;
use crate::graph::Node;

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
    pub(crate) const EMPTY: Self =
        Self { write: Latest { moment: 0, site: 0, frame: 0 }, target: None, back: 0 };

    /// Whether anything is known of the location; what a node refers to may be known without a write.
    pub(crate) fn is_written(&self) -> bool {
        self.write.moment != 0 || self.target.is_some()
    }
}

/// All cells of a node.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    fields: Vec<(Slot, Cell)>,
    array: Option<Box<Elements>>,
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
                if self.fields.len() == self.fields.capacity() {
                    // Most objects have few fields, and there are many objects.
                    self.fields.reserve_exact(self.fields.len() / 2 + 1);
                }
                self.fields.push((slot, Cell::EMPTY));
                self.fields.len() - 1
            }
        };
        &mut self.fields[at].1
    }

    /// What a location refers to is gone.
    pub(crate) fn lose_target(&mut self, slot: Slot) {
        match slot.index() {
            Some(index) => self.array.iter_mut().for_each(|array| array.lose_target(index)),
            None => self.get_mut(slot).into_iter().for_each(|cell| cell.target = None),
        }
    }

    /// Whether there are at most so many fields and no elements.
    pub(crate) fn is_small(&self, most: usize) -> bool {
        self.fields.len() <= most && self.array.is_none()
    }

    /// Locations that refer to something: fields in the order of their first writes, then elements by index.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (Slot, Node)> {
        let fields = self.fields.iter().filter_map(|(slot, cell)| Some((*slot, cell.target?)));
        fields.chain(self.array.iter().flat_map(|array| array.edges()))
    }

    /// How many cells are looked at to find all edges.
    pub(crate) fn span(&self) -> usize {
        self.fields.len() + self.array.as_ref().map_or(0, |array| array.span())
    }

    /// How many bytes they take.
    pub(crate) fn weight(&self) -> usize {
        let fields = self.fields.capacity() * size_of::<(Slot, Cell)>();
        fields + self.array.as_ref().map_or(0, |array| array.weight())
    }

    pub(crate) fn elements(&self) -> Option<&Elements> {
        self.array.as_deref()
    }

    pub(crate) fn elements_mut(&mut self) -> &mut Elements {
        self.array.get_or_insert_default()
    }

    pub(crate) fn fields(&self) -> impl Iterator<Item = (Slot, &Cell)> {
        self.fields.iter().map(|(slot, cell)| (*slot, cell))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, &Cell)> {
        self.fields().chain(self.array.iter().flat_map(|array| array.iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_an_element_and_the_contents_are_different_slots() {
        let slots = [Slot::CONTENTS, Slot::field(1), Slot::element(0), Slot::element(1)];
        assert!(slots.iter().enumerate().all(|(i, a)| slots.iter().skip(i + 1).all(|b| a != b)));
        assert_eq!(slots.map(Slot::step), [0, 1, 0, 0]);
    }
}
