//! The runs of an array: neighbouring elements that one copy, fill or loop wrote.
//!
//! Knows nothing of elements with a cell of their own. Invariants: runs are in the order of their elements, do not overlap and are not
//! empty; a run is found by any of its elements and by the moment of its write in logarithmic time, however many there are.

use crate::cell::{Cell, Latest};
use std::collections::{BTreeMap, BTreeSet};

/// Up to so many runs a search looks at each: most arrays have one, and there are many arrays.
const FEW: usize = 8;

/// Neighbouring elements with the same write, which refer to nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// The first index.
    pub start: u32,
    /// One past the last index.
    pub end: u32,
    /// What each of its elements was last written by.
    pub cell: Cell,
}

/// All runs of one array.
#[derive(Debug)]
pub(crate) enum Runs {
    /// At most [`FEW`], in order.
    Few(Vec<Run>),
    /// More.
    Many(Box<Index>),
}

/// Many runs.
#[derive(Debug, Default)]
pub(crate) struct Index {
    by_start: BTreeMap<u32, Run>,
    /// Moments of writes and where their runs start.
    by_moment: BTreeSet<(u64, u32)>,
}

impl Default for Runs {
    fn default() -> Self {
        Self::Few(vec![])
    }
}

impl Runs {
    /// How many bytes they take, about.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Self::Few(runs) => runs.capacity() * size_of::<Run>(),
            Self::Many(index) => index.by_start.len() * 2 * size_of::<(u64, u32, Run)>(),
        }
    }

    /// Whether there is none.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Few(runs) => runs.is_empty(),
            Self::Many(index) => index.by_start.is_empty(),
        }
    }

    /// How many elements lie in runs.
    pub(crate) fn elements(&self) -> usize {
        self.iter().map(|run| (run.end - run.start) as usize).sum()
    }

    /// The run an element lies in.
    #[inline]
    pub(crate) fn at(&self, index: u32) -> Option<&Run> {
        let before = match self {
            Self::Few(runs) => runs.get(runs.partition_point(|run| run.start <= index).checked_sub(1)?),
            Self::Many(many) => many.by_start.range(..=index).next_back().map(|(_, run)| run),
        };
        before.filter(|run| index < run.end)
    }

    /// The run that starts at an element.
    pub(crate) fn starting_at(&self, start: u32) -> Option<&Run> {
        self.at(start).filter(|run| run.start == start)
    }

    /// Where the first run starts that starts at `index` or behind it.
    pub(crate) fn next_start(&self, index: u32) -> Option<u32> {
        match self {
            Self::Few(runs) => runs.get(runs.partition_point(|run| run.start < index)).map(|run| run.start),
            Self::Many(many) => many.by_start.range(index..).next().map(|(start, _)| *start),
        }
    }

    /// A run that a write at this moment made and that is not covered by later ones.
    pub(crate) fn with_moment(&self, moment: u64) -> Option<&Run> {
        match self {
            Self::Few(runs) => runs.iter().find(|run| run.cell.write.moment == moment),
            Self::Many(many) => {
                let (_, start) = many.by_moment.range((moment, 0)..=(moment, u32::MAX)).next()?;
                many.by_start.get(start)
            }
        }
    }

    /// Runs in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Run> {
        let (few, many) = match self {
            Self::Few(runs) => (Some(runs), None),
            Self::Many(index) => (None, Some(&index.by_start)),
        };
        few.into_iter().flatten().chain(many.into_iter().flat_map(BTreeMap::values))
    }

    /// Writes the elements from `from` to before `to`, of which there is at least one, and which no other run has afterwards.
    pub(crate) fn write(&mut self, from: u32, to: u32, write: Latest) {
        self.cut(from);
        self.cut(to);
        while let Some(covered) = self.next_start(from).filter(|start| *start < to) {
            self.remove(covered);
        }
        self.insert(Run { start: from, end: to, cell: Cell { write, ..Cell::EMPTY } });
    }

    /// Makes no run lead across an index.
    fn cut(&mut self, index: u32) {
        if let Some(run) = self.at(index).copied().filter(|run| run.start < index) {
            self.set_end(run.start, index);
            self.insert(Run { start: index, ..run });
        }
    }

    fn set_end(&mut self, start: u32, end: u32) {
        let run = match self {
            Self::Few(runs) => runs.iter_mut().find(|run| run.start == start),
            Self::Many(many) => many.by_start.get_mut(&start),
        };
        if let Some(run) = run {
            run.end = end;
        }
    }

    fn insert(&mut self, run: Run) {
        match self {
            Self::Few(runs) if runs.len() < FEW => {
                if runs.is_empty() {
                    runs.reserve_exact(1);
                }
                runs.insert(runs.partition_point(|other| other.start < run.start), run);
            }
            Self::Few(runs) => {
                let mut many = Box::<Index>::default();
                runs.drain(..).chain([run]).for_each(|run| many.insert(run));
                *self = Self::Many(many);
            }
            Self::Many(many) => many.insert(run),
        }
    }

    fn remove(&mut self, start: u32) -> Option<Run> {
        match self {
            Self::Few(runs) => {
                let at = runs.iter().position(|run| run.start == start)?;
                Some(runs.remove(at))
            }
            Self::Many(many) => {
                let run = many.by_start.remove(&start)?;
                many.by_moment.remove(&(run.cell.write.moment, start));
                Some(run)
            }
        }
    }

    /// Makes the run that was written at a moment and ends before an element, if the run that starts at `start` is that one, longer
    /// by the element, which the next run loses. False when it is not.
    #[inline]
    pub(crate) fn grow(&mut self, start: u32, moment: u64, index: u32) -> bool {
        let run = match self {
            Self::Few(runs) => runs.iter_mut().find(|run| run.start == start),
            Self::Many(many) => many.by_start.get_mut(&start),
        };
        let Some(run) = run.filter(|run| run.end == index && run.cell.write.moment == moment) else {
            return false;
        };
        run.end = index + 1;
        // The next run, if it starts here, has the element too for now, and a search would find it first.
        self.drop_front(index, index + 1);
        true
    }

    /// The run that starts at `start` loses its elements before `to`.
    pub(crate) fn drop_front(&mut self, start: u32, to: u32) {
        if self.next_start(start) == Some(start)
            && let Some(run) = self.remove(start)
            && to < run.end
        {
            self.insert(Run { start: to, ..run });
        }
    }
}

impl Index {
    fn insert(&mut self, run: Run) {
        self.by_moment.insert((run.cell.write.moment, run.start));
        self.by_start.insert(run.start, run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(moment: u64) -> Latest {
        Latest { moment, ..Latest::default() }
    }

    /// Numbers that look random, from a seed.
    fn numbers(seed: u64) -> impl FnMut(u32) -> u32 {
        let mut state = seed;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(below)) as u32
        }
    }

    #[test]
    fn few_runs_and_many_hold_what_an_array_of_moments_holds() {
        const LENGTH: u32 = 200;
        for seed in 0..40 {
            let mut next = numbers(seed);
            let (mut runs, mut model) = (Runs::default(), vec![0_u64; LENGTH as usize]);
            for moment in 1..120 {
                let from = next(LENGTH);
                let to = (from + 1 + next(if seed % 2 == 0 { 9 } else { 80 })).min(LENGTH);
                runs.write(from, to, at(moment));
                model[from as usize..to as usize].fill(moment);
                if to < LENGTH && next(2) == 0 {
                    assert!(runs.grow(from, moment, to));
                    model[to as usize] = moment;
                }
                let first = runs.iter().nth(next(3) as usize).map(|run| (run.start, run.end));
                if let Some((start, end)) = first.filter(|_| next(4) == 0) {
                    let to = start + 1 + next(end - start);
                    runs.drop_front(start, to);
                    model[start as usize..to as usize].fill(0);
                }
                holds(&runs, &model);
            }
            assert!(matches!(runs, Runs::Many(_)), "seed {seed} never had many");
        }
    }

    fn holds(runs: &Runs, model: &[u64]) {
        let moments =
            (0..model.len() as u32).map(|index| runs.at(index).map_or(0, |run| run.cell.write.moment));
        assert_eq!(moments.collect::<Vec<_>>(), model);
        assert_eq!(runs.elements(), model.iter().filter(|moment| **moment != 0).count());
        for moment in 1..=*model.iter().max().unwrap() {
            let found = runs.with_moment(moment).map(|run| model[run.start as usize]);
            assert_eq!(found, model.contains(&moment).then_some(moment));
        }
        let starts: Vec<u32> = runs.iter().map(|run| run.start).collect();
        assert!(starts.is_sorted());
        for index in 0..=model.len() as u32 {
            assert_eq!(runs.next_start(index), starts.iter().copied().find(|start| *start >= index));
        }
    }

    #[test]
    fn a_run_grows_only_if_it_is_the_one_that_was_written_and_ends_there() {
        let mut runs = Runs::default();
        runs.write(3, 6, at(1));
        assert!(!runs.grow(3, 2, 6) && !runs.grow(3, 1, 7) && !runs.grow(4, 1, 6));
        assert!(runs.grow(3, 1, 6));
        assert_eq!(runs.starting_at(3).map(|run| run.end), Some(7));
        assert!(runs.starting_at(4).is_none());
    }
}
