//! The cells of an array: single elements, and runs of elements that one copy, fill or loop wrote.
//!
//! Knows nothing of other nodes. Invariants: of an element's own cell and the run it lies in, the later write counts; runs refer to
//! nothing, so that a copy of a million bytes costs one entry; the first element of a run was not written since the run was.

use crate::cell::{Cell, Latest};
use crate::node::Node;
use crate::runs::{Run, Runs};
use crate::slot::Slot;
use std::collections::BTreeMap;

/// How far beyond its end the dense part of an array grows for one write.
const GROWTH: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Elements {
    dense: Vec<Cell>,
    sparse: BTreeMap<u32, Cell>,
    runs: Runs,
    /// Whether some element ever referred to something.
    refers: bool,
    /// How many elements have a cell of their own.
    own: usize,
    /// One more than the index of the last single write, and the write.
    last: (u32, Latest),
    /// Where the run that was written last starts, or started.
    newest: u32,
}

/// What became of a write that may belong to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// It belongs to none.
    None,
    /// It and the write before make a run.
    Begun,
    /// It belongs to one.
    Grown,
}

impl Elements {
    /// How many bytes they take, about.
    pub(crate) fn weight(&self) -> usize {
        let cells = self.dense.capacity() + self.sparse.len() * 2;
        size_of::<Self>() + cells * size_of::<Cell>() + self.runs.weight()
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> Option<&Cell> {
        let own = self.own(index);
        if self.runs.is_empty() {
            return own;
        }
        let run = self.runs.at(index).map(|run| &run.cell);
        match (own, run) {
            (Some(own), Some(run)) if own.write.moment < run.write.moment => Some(run),
            (own, run) => own.or(run),
        }
    }

    #[inline]
    fn own(&self, index: u32) -> Option<&Cell> {
        match self.dense.get(index as usize) {
            Some(cell) => Some(cell).filter(|cell| cell.is_written()),
            None => self.sparse.get(&index),
        }
    }

    /// The element's own cell, which is the only one with an edge.
    #[inline]
    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut Cell> {
        match self.dense.get_mut(index as usize) {
            Some(cell) => Some(cell).filter(|cell| cell.is_written()),
            None => self.sparse.get_mut(&index),
        }
    }

    pub(crate) fn slot_for(&mut self, index: u32) -> &mut Cell {
        let run = self.runs.at(index).map(|run| run.cell);
        let at = index as usize;
        if at >= self.dense.len() && at <= self.dense.len() * 2 + GROWTH {
            if self.dense.is_empty() {
                // Most arrays are written by one loop or copy, and there are many arrays.
                self.dense.reserve_exact(at + 1);
            }
            self.dense.resize(at + 1, Cell::EMPTY);
            self.absorb();
        }
        let cell = match self.dense.get_mut(at) {
            Some(cell) => {
                self.own += usize::from(!cell.is_written());
                cell
            }
            None => self.sparse.entry(index).or_insert_with(|| {
                self.own += 1;
                Cell::EMPTY
            }),
        };
        if let Some(run) = run.filter(|run| run.write.moment > cell.write.moment) {
            *cell = run;
        }
        cell
    }

    /// Moves what the dense part now reaches out of the sparse part.
    fn absorb(&mut self) {
        while let Some(entry) = self.sparse.first_entry() {
            match self.dense.get_mut(*entry.key() as usize) {
                Some(cell) => {
                    *cell = entry.remove();
                    self.own -= usize::from(!cell.is_written());
                }
                None => break,
            }
        }
    }

    /// An element refers to something now.
    pub(crate) fn refers(&mut self) {
        self.refers = true;
    }

    /// How many cells are looked at to find all edges.
    pub(crate) fn span(&self) -> usize {
        if self.refers { self.dense.len() + self.sparse.len() } else { 0 }
    }

    /// Whether some element ever referred to something.
    pub(crate) fn has_referred(&self) -> bool {
        self.refers
    }

    /// What an element refers to is gone.
    pub(crate) fn lose_target(&mut self, index: u32) {
        let lost = self.get_mut(index).is_some_and(|cell| {
            cell.target = None;
            !cell.is_written()
        });
        if lost {
            self.is_unknown(index);
        }
    }

    /// Nothing is known any more of an element that had a cell of its own.
    pub(crate) fn is_unknown(&mut self, index: u32) {
        self.own -= usize::from((index as usize) < self.dense.len());
    }

    /// How many elements [`Elements::iter`] lists; none when there are runs among them.
    pub(crate) fn count(&self) -> Option<usize> {
        self.runs.is_empty().then_some(self.own)
    }

    /// Whether something is known of each of the first `length` elements, which are all there are.
    pub(crate) fn cover(&self, length: u32) -> bool {
        let in_runs = self.runs.elements();
        let length = length as usize;
        if in_runs >= length || in_runs + self.own < length {
            return in_runs >= length;
        }
        let own = self.own_between(0, u32::MAX);
        let alone =
            if in_runs == 0 { self.own } else { own.filter(|(at, _)| self.runs.at(*at).is_none()).count() };
        in_runs + alone >= length
    }

    /// Elements that refer to something, by index.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (Slot, Node)> {
        let cells = self.refers.then(|| self.own_between(0, u32::MAX)).into_iter().flatten();
        cells.filter_map(|(index, cell)| Some((Slot::element(index), cell.target?)))
    }

    /// Indices from `from` to before `to` whose own cell refers to something.
    pub(crate) fn referring(&self, from: u32, to: u32) -> Vec<u32> {
        let cells = self.refers.then(|| self.own_between(from, to)).into_iter().flatten();
        cells.filter(|(_, cell)| cell.target.is_some()).map(|(index, _)| index).collect()
    }

    fn own_between(&self, from: u32, to: u32) -> impl Iterator<Item = (u32, &Cell)> {
        let dense = self.dense.get(from as usize..self.dense.len().min(to as usize)).unwrap_or_default();
        let sparse = self.sparse.range(from..to.max(from)).map(|(index, cell)| (*index, cell));
        (from..).zip(dense).filter(|(_, cell)| cell.is_written()).chain(sparse)
    }

    /// Writes all elements from `from` to before `to`, none of which refers to anything, at once.
    pub(crate) fn write_run(&mut self, from: u32, to: u32, write: Latest) {
        self.runs.write(from, to, write);
        // What is left of a longer run behind this one may begin with an element that was written since.
        self.drop_overwritten(to);
        self.newest = from;
        self.last = (0, Latest::default());
    }

    /// A run that starts at an index loses the elements there that were written since.
    fn drop_overwritten(&mut self, start: u32) {
        let Some(Run { end, cell, .. }) = self.runs.starting_at(start).copied() else { return };
        let is_later = |index: &u32| self.own(*index).is_some_and(|own| own.write.moment > cell.write.moment);
        let to = (start..end).find(|index| !is_later(index)).unwrap_or(end);
        if to > start {
            self.runs.drop_front(start, to);
        }
    }

    /// A single element was written.
    #[inline]
    pub(crate) fn wrote(&mut self, index: u32, write: Latest) {
        self.last = (index + 1, write);
        if !self.runs.is_empty() {
            self.drop_overwritten(index);
        }
    }

    /// Makes a write that refers to nothing a part of the run, or of one with the write, that ends before its element, if that was
    /// made last, by the same site and frame, after the moment `since`.
    #[inline]
    pub(crate) fn extend(&mut self, index: u32, write: Latest, since: u64) -> Extension {
        let (after, last) = self.last;
        let alike = (last.site, last.frame) == (write.site, write.frame) && last.moment > since;
        if self.refers || after != index || !alike {
            return Extension::None;
        }
        let how = if self.runs.grow(self.newest, last.moment, index) {
            self.drop_overwritten(index + 1);
            Extension::Grown
        } else {
            self.write_run(index - 1, index + 1, write);
            Extension::Begun
        };
        let moment = if how == Extension::Grown { last.moment } else { write.moment };
        self.last = (index + 1, Latest { moment, ..write });
        how
    }

    /// The runs, as index of the first element, one past the last, and the write.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (u32, u32, Latest)> {
        self.runs.iter().map(|run| (run.start, run.end, run.cell.write))
    }

    /// The first element of a run that was written at a moment and not since.
    pub(crate) fn with_moment(&self, moment: u64) -> Option<u32> {
        self.runs.with_moment(moment).map(|run| run.start)
    }

    /// The latest writes of the elements from `from` to before `to`, none for those never written: each with an index where it
    /// begins to hold, neighbours with the same write listed once.
    pub(crate) fn writes(&self, from: u32, to: u32) -> Vec<(u32, Latest)> {
        let mut found: Vec<(u32, Latest)> = vec![];
        let mut at = from;
        while at < to {
            let write = self.get(at).map(|cell| cell.write).unwrap_or_default();
            if found.last().is_none_or(|(_, last)| *last != write) {
                found.push((at, write));
            }
            at = self.next_border(at);
        }
        found
    }

    /// The next index at which another cell may begin to count.
    fn next_border(&self, at: u32) -> u32 {
        let next = at.saturating_add(1);
        if (at as usize) < self.dense.len() {
            return next;
        }
        let sparse =
            self.sparse.range(at..).next().map(|(index, _)| if *index == at { next } else { *index });
        let run = match self.runs.at(at) {
            Some(run) => Some(run.end),
            None => self.runs.next_start(next),
        };
        sparse.into_iter().chain(run).min().unwrap_or(u32::MAX)
    }

    /// Elements by index, then one element of each run.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, &Cell)> {
        let own = self.own_between(0, u32::MAX).filter(|(index, cell)| {
            self.runs.is_empty()
                || self.runs.at(*index).is_none_or(|run| run.cell.write.moment <= cell.write.moment)
        });
        let runs = self.runs.iter().map(|run| (run.start, &run.cell));
        own.chain(runs).map(|(index, cell)| (Slot::element(index), cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(elements: &mut Elements, index: u32, moment: u64) {
        elements.slot_for(index).write.moment = moment;
        elements.wrote(index, at(moment));
    }

    fn at(moment: u64) -> Latest {
        Latest { moment, ..Latest::default() }
    }

    fn moments(elements: &Elements, to: u32) -> Vec<u64> {
        (0..to).map(|index| elements.get(index).map_or(0, |cell| cell.write.moment)).collect()
    }

    #[test]
    fn elements_written_far_apart_and_out_of_order_are_found_and_listed_by_index() {
        let mut elements = Elements::default();
        for (moment, index) in [(1, 5_000_000), (2, 3), (3, 200), (4, 70), (5, 5_000_000)] {
            write(&mut elements, index, moment);
        }
        let listed: Vec<_> =
            elements.iter().map(|(slot, cell)| (slot.index().unwrap(), cell.write.moment)).collect();
        assert_eq!(listed, [(3, 2), (70, 4), (200, 3), (5_000_000, 5)]);
        assert!(elements.get(4).is_none(), "an element inside the dense part that was never written");
        assert_eq!(elements.get(200).unwrap().write.moment, 3);
    }

    #[test]
    fn of_runs_and_single_writes_the_later_one_counts() {
        let mut elements = Elements::default();
        write(&mut elements, 2, 1);
        elements.write_run(1, 6, at(2));
        write(&mut elements, 3, 3);
        elements.write_run(5, 8, at(4));
        assert_eq!(moments(&elements, 9), [0, 2, 2, 3, 2, 4, 4, 4, 0]);
        assert_eq!(
            elements.writes(0, 9),
            [(0, at(0)), (1, at(2)), (3, at(3)), (4, at(2)), (5, at(4)), (8, at(0))]
        );
        let mut listed: Vec<_> = elements.iter().map(|(_, cell)| cell.write.moment).collect();
        listed.sort_unstable();
        assert_eq!(listed, [2, 3, 4], "the write of element 2 is gone, a run is listed once");
    }

    #[test]
    fn a_run_whose_elements_were_all_written_again_is_gone() {
        let mut elements = Elements::default();
        elements.write_run(0, 3, at(1));
        (0..3).for_each(|index| write(&mut elements, index, 2 + u64::from(index)));
        assert_eq!(elements.with_moment(1), None);
        assert_eq!(elements.iter().count(), 3);
        elements.write_run(1, 2, at(9));
        assert_eq!(elements.with_moment(9), Some(1));
        assert_eq!(elements.with_moment(3), None);
        assert_eq!(moments(&elements, 4), [2, 9, 4, 0]);
    }

    #[test]
    fn a_run_begins_with_an_element_that_was_not_written_since() {
        let mut elements = Elements::default();
        elements.write_run(0, 10, at(1));
        for (index, moment) in [(2, 2), (1, 3), (5, 4)] {
            write(&mut elements, index, moment);
            assert_eq!(elements.with_moment(1), Some(0));
        }
        write(&mut elements, 0, 5);
        assert_eq!(elements.with_moment(1), Some(3));
        elements.write_run(3, 5, at(6));
        assert_eq!(elements.with_moment(1), Some(6), "element 5 had been written before it became the first");
        assert_eq!(moments(&elements, 10), [5, 3, 2, 6, 6, 4, 1, 1, 1, 1]);
        elements.write_run(6, 9, at(7));
        write(&mut elements, 9, 8);
        assert_eq!(elements.with_moment(1), None);
    }

    #[test]
    fn a_loop_that_writes_one_element_after_the_other_makes_a_run() {
        let by = |site, moment| Latest { moment, site, frame: 1 };
        let mut elements = Elements::default();
        let mut write = |index, latest: Latest, since| {
            let how = elements.extend(index, latest, since);
            if how == Extension::None {
                elements.slot_for(index).write = latest;
                elements.wrote(index, latest);
            }
            (how, elements.runs().count())
        };
        assert_eq!(write(0, by(7, 1), 0), (Extension::None, 0));
        assert_eq!(write(1, by(7, 2), 0), (Extension::Begun, 1));
        assert_eq!(write(2, by(7, 3), 0), (Extension::Grown, 1));
        assert_eq!(write(3, by(7, 5), 4), (Extension::None, 1), "something came between");
        assert_eq!(write(4, by(8, 6), 4), (Extension::None, 1), "another site");
        assert_eq!(write(6, by(8, 7), 4), (Extension::None, 1), "not the next element");
        assert_eq!(write(1, by(9, 8), 4), (Extension::None, 1));
        assert_eq!(write(2, by(9, 9), 4), (Extension::Begun, 2));
        assert_eq!(write(3, by(9, 10), 4), (Extension::Grown, 2), "takes element 3 over");
        let seen: Vec<_> =
            (0..7).map(|index| elements.get(index).map_or(0, |cell| cell.write.site)).collect();
        assert_eq!(seen, [7, 9, 9, 9, 8, 0, 8]);
    }

    #[test]
    fn how_many_elements_are_listed_is_known_without_a_look_at_them() {
        let mut elements = Elements::default();
        let known = |elements: &Elements| (elements.count(), elements.iter().count());
        for index in [0, 3, 500_000] {
            elements.slot_for(index).target = Some(Node(1));
        }
        assert_eq!(known(&elements), (Some(3), 3));
        elements.lose_target(3);
        assert_eq!(
            known(&elements),
            (Some(2), 2),
            "an element without a write that lost what it referred to"
        );
        write(&mut elements, 0, 1);
        write(&mut elements, 3, 2);
        elements.lose_target(0);
        assert_eq!(known(&elements), (Some(3), 3), "a written element stays");
        elements.write_run(0, 2, at(3));
        assert_eq!(elements.count(), None);
    }

    #[test]
    fn an_array_is_covered_when_each_element_has_a_cell_of_its_own_or_lies_in_a_run() {
        let mut elements = Elements::default();
        assert!(!elements.cover(1));
        write(&mut elements, 0, 1);
        write(&mut elements, 3, 2);
        assert!(elements.cover(1) && !elements.cover(3), "elements 1 and 2 are missing");
        elements.write_run(0, 2, at(3));
        assert!(!elements.cover(4), "element 0 counts once, element 2 is missing");
        elements.write_run(2, 3, at(4));
        assert!(elements.cover(4) && !elements.cover(5));
        elements.write_run(0, 9, at(5));
        assert!(elements.cover(9));
    }

    #[test]
    fn a_long_run_costs_as_little_as_a_short_one() {
        let mut elements = Elements::default();
        elements.write_run(0, u32::MAX, at(1));
        elements.write_run(10, 20, at(2));
        write(&mut elements, 15, 3);
        assert_eq!(elements.writes(0, u32::MAX).len(), 5);
        assert_eq!(elements.runs().count(), 3);
        assert!(elements.dense.len() < 100);
    }
}
