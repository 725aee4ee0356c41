//! The cells of an array: single elements, and runs of elements that one copy or fill wrote.
//!
//! Knows nothing of other nodes. Invariants: of an element's own cell and the run it lies in, the later write counts; runs do not
//! overlap and refer to nothing, so that a copy of a million bytes costs one entry.

use crate::cells::{Cell, Latest, Slot};
use crate::graph::Node;
use std::collections::BTreeMap;

/// How far beyond its end the dense part of an array grows for one write.
const GROWTH: usize = 64;

/// Neighbouring elements with the same write; keyed by the first index.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// One past the last index.
    end: u32,
    cell: Cell,
}

#[derive(Debug, Default)]
pub(crate) struct Elements {
    dense: Vec<Cell>,
    sparse: BTreeMap<u32, Cell>,
    runs: BTreeMap<u32, Run>,
    /// Whether some element ever referred to something.
    refers: bool,
}

impl Elements {
    #[inline]
    pub(crate) fn get(&self, index: u32) -> Option<&Cell> {
        let own = self.own(index);
        if self.runs.is_empty() {
            return own;
        }
        let run = self.run_at(index).map(|run| &run.cell);
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

    fn run_at(&self, index: u32) -> Option<&Run> {
        let (_, run) = self.runs.range(..=index).next_back()?;
        (index < run.end).then_some(run)
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
        let run = self.run_at(index).map(|run| run.cell);
        let at = index as usize;
        if at >= self.dense.len() && at <= self.dense.len() * 2 + GROWTH {
            self.dense.resize(at + 1, Cell::EMPTY);
            self.absorb();
        }
        let cell = if at < self.dense.len() {
            &mut self.dense[at]
        } else {
            self.sparse.entry(index).or_insert(Cell::EMPTY)
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
                Some(cell) => *cell = entry.remove(),
                None => break,
            }
        }
    }

    /// An element refers to something now.
    pub(crate) fn refers(&mut self) {
        self.refers = true;
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
        self.cut_at(from);
        self.cut_at(to);
        let covered: Vec<u32> = self.runs.range(from..to).map(|(start, _)| *start).collect();
        for start in covered {
            self.runs.remove(&start);
        }
        self.runs.insert(from, Run { end: to, cell: Cell { write, ..Cell::EMPTY } });
    }

    /// Makes no run lead across an index.
    fn cut_at(&mut self, index: u32) {
        let Some((start, run)) = self.runs.range_mut(..index).next_back() else { return };
        if index < run.end {
            let rest = *run;
            debug_assert!(*start < index);
            run.end = index;
            self.runs.insert(index, rest);
        }
    }

    /// The runs, as index of the first element, one past the last, and the write.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (u32, u32, Latest)> {
        self.runs.iter().map(|(start, run)| (*start, run.end, run.cell.write))
    }

    /// An element whose latest write is the one made at a moment by a run that began within some indices; there may be
    /// several.
    pub(crate) fn with_moment(&self, moment: u64) -> Option<u32> {
        let mut written = self.runs.iter().filter(|(_, run)| run.cell.write.moment == moment);
        written.find_map(|(start, run)| self.first_latest(*start, run))
    }

    /// The first element of a run that was not written since.
    fn first_latest(&self, start: u32, run: &Run) -> Option<u32> {
        let mut expected = start;
        for (index, cell) in self.own_between(start, run.end) {
            if cell.write.moment > run.cell.write.moment {
                if index > expected {
                    break;
                }
                expected = index + 1;
            } else {
                break;
            }
        }
        (expected < run.end).then_some(expected)
    }

    /// The latest writes of the elements from `from` to before `to`, none for those never written: each with an index where it
    /// begins to hold, neighbours with the same write told once.
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
        let run = match self.run_at(at) {
            Some(run) => Some(run.end),
            None => self.runs.range(next..).next().map(|(start, _)| *start),
        };
        sparse.into_iter().chain(run).min().unwrap_or(u32::MAX)
    }

    /// Elements by index, then one element of each run.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, &Cell)> {
        let own = self.own_between(0, u32::MAX).filter(|(index, cell)| {
            self.runs.is_empty()
                || self.run_at(*index).is_none_or(|run| run.cell.write.moment <= cell.write.moment)
        });
        let runs =
            self.runs.iter().filter_map(|(start, run)| Some((self.first_latest(*start, run)?, &run.cell)));
        own.chain(runs).map(|(index, cell)| (Slot::element(index), cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(elements: &mut Elements, index: u32, moment: u64) {
        elements.slot_for(index).write.moment = moment;
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
        assert_eq!(listed, [2, 3, 4], "the write of element 2 is gone, a run is told once");
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
