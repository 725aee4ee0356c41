//! Which associations share a bit: those that every run covers together, whatever it does.
//!
//! It knows when things happen, not what. Invariant: two associations share a bit only if they become live, stop being live and
//! are used at the same points, or if both are covered whenever the same use is executed.

use super::points::{Point, UseAt};
use std::collections::BTreeMap;

/// When a definition is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gen {
    /// At the entry of the method.
    Entry,
    /// In a block.
    At(Point),
}

/// What a bit does. In ascending order, those that change together stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bit {
    /// It is covered when the use is executed: nothing but its definition can reach it.
    Runs(UseAt),
    /// It has to be live when the use is executed.
    Flows {
        /// The set of points that define the variable.
        kills: u32,
        /// The definition.
        generated: Gen,
        /// The use.
        usage: UseAt,
    },
}

/// The bits of a method.
#[derive(Debug, Default)]
pub(super) struct Groups {
    sets: BTreeMap<Vec<Point>, u32>,
    lists: Vec<Vec<Point>>,
    ids: BTreeMap<Bit, Vec<u64>>,
}

impl Groups {
    /// The number of a set of points.
    pub fn kills(&mut self, points: Vec<Point>) -> u32 {
        let next = self.lists.len() as u32;
        *self.sets.entry(points).or_insert_with_key(|points| {
            self.lists.push(points.clone());
            next
        })
    }

    /// The set with a number.
    pub fn killed(&self, number: u32) -> &[Point] {
        self.lists.get(number as usize).map(Vec::as_slice).unwrap_or_default()
    }

    /// Adds an association to its bit.
    pub fn add(&mut self, bit: Bit, id: u64) {
        self.ids.entry(bit).or_default().push(id);
    }

    /// The bits in their order.
    pub fn bits(&self) -> impl Iterator<Item = &Bit> {
        self.ids.keys()
    }

    /// How many bits there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// By bit: the associations it stands for.
    pub fn into_ids(self) -> Vec<Vec<u64>> {
        self.ids.into_values().collect()
    }
}
