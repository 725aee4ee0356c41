//! The cells of one node: what each of its locations was last written by, and which node it refers to now.
//!
//! Knows nothing of other nodes. Invariant: a slot has at most one cell; a cell without a write (moment 0) is never
//! handed out; iteration is in the order of the slots for elements and of the first writes for everything else.

use crate::cell::Cell;
use crate::elements::Elements;
use crate::node::Node;
use crate::slot::Slot;

/// All cells of a node.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    fields: Vec<(Slot, Cell)>,
    array: Option<Box<Elements>>,
}

impl Cells {
    #[inline(always)]
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
    #[inline]
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
