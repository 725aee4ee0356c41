//! Which association subsumes which; the classes of those that subsume one another, and the classes to test.
//!
//! It knows numbers of associations, not how the relation was found. Invariant: the relation is reflexive and transitive.
//! An association that no path covers stands alone: nothing can be said of the paths that cover it.

use crate::bits::{self, Matrix};
use std::ops::Range;

/// The subsumption relation among the associations of one method, by their positions in the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    count: usize,
    /// By association: those it subsumes.
    rows: Matrix,
    /// Whether some complete path covers it.
    coverable: Vec<bool>,
}

impl Relation {
    /// The relation in which each association subsumes itself and none is coverable.
    pub(crate) fn new(count: usize) -> Self {
        let mut rows = Matrix::new(count, bits::words(count));
        (0..count).for_each(|index| bits::set(rows.row_mut(index), index));
        Self { count, rows, coverable: vec![false; count] }
    }

    /// Says which of some associations (beginning at a word's first bit) the paths that cover others can leave uncovered, one
    /// bit each; the rest of them is subsumed.
    pub(crate) fn cover(
        &mut self,
        duas: impl Iterator<Item = usize>,
        followed: Range<usize>,
        uncovered: &[u64],
    ) {
        for dua in duas {
            if let Some(coverable) = self.coverable.get_mut(dua) {
                *coverable = true;
            }
            let first = followed.start / bits::WORD;
            let row = self.rows.row_mut(dua).get_mut(first..).unwrap_or_default();
            let row = row.get_mut(..bits::words(followed.len())).unwrap_or_default();
            bits::fill(row, followed.len());
            row.iter_mut().zip(uncovered).for_each(|(word, uncovered)| *word &= !uncovered);
        }
    }

    /// Lets some associations subsume none but each other.
    pub(crate) fn keep_apart(&mut self, duas: impl Iterator<Item = usize> + Clone) {
        let mut mask = vec![0; bits::words(self.count)];
        duas.clone().for_each(|dua| bits::set(&mut mask, dua));
        for dua in duas {
            self.rows.row_mut(dua).iter_mut().zip(&mask).for_each(|(word, mask)| *word &= mask);
        }
    }

    /// How many associations there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether every complete path that covers the first covers the second.
    pub fn subsumes(&self, first: usize, second: usize) -> bool {
        bits::has(self.rows.row(first), second)
    }

    /// What an association subsumes, itself included, in ascending order.
    pub fn subsumed_by(&self, dua: usize) -> impl Iterator<Item = usize> + '_ {
        bits::ones(self.rows.row(dua))
    }

    /// Whether a complete path covers the association. One of code that nothing leads to is asked whether a path from the
    /// beginning of that code does.
    pub fn is_coverable(&self, dua: usize) -> bool {
        self.coverable.get(dua) == Some(&true)
    }

    /// The classes of associations that subsume one another. `O(pairs of the relation)`.
    pub fn classes(&self) -> Classes {
        let mut found = Classes { class_of: Vec::with_capacity(self.count), ..Classes::default() };
        for dua in 0..self.count {
            let earlier = self.subsumed_by(dua).take_while(|other| *other < dua);
            let leader = earlier.into_iter().find(|other| self.subsumes(*other, dua));
            let class = leader.and_then(|leader| found.class_of.get(leader).copied());
            let class = class.unwrap_or_else(|| {
                found.members.push(Vec::new());
                found.members.len() as u32 - 1
            });
            found.class_of.push(class);
            if let Some(members) = found.members.get_mut(class as usize) {
                members.push(dua as u32);
            }
        }
        found.unconstrained = self.unconstrained(&found);
        found
    }

    fn unconstrained(&self, classes: &Classes) -> Vec<bool> {
        let mut constrained = vec![0; bits::words(self.count)];
        for members in &classes.members {
            let strict = self.strict(members);
            bits::join(&mut constrained, &strict);
        }
        let leaders = classes.members.iter().filter_map(|members| members.first());
        leaders
            .map(|leader| !bits::has(&constrained, *leader as usize) && self.is_coverable(*leader as usize))
            .collect()
    }

    /// What a class subsumes outside of itself.
    fn strict(&self, members: &[u32]) -> Vec<u64> {
        let mut strict =
            members.first().map(|leader| self.rows.row(*leader as usize).to_vec()).unwrap_or_default();
        for member in members {
            let (index, bit) = (*member as usize / bits::WORD, *member as usize % bits::WORD);
            if let Some(word) = strict.get_mut(index) {
                *word &= !(1 << bit);
            }
        }
        strict
    }

    /// The edges between classes from which all others follow: pairs of a class and one that it subsumes, ascending.
    /// `O(subsumed classes * log + edges * associations / 64)`.
    pub fn reduction(&self, classes: &Classes) -> Vec<(u32, u32)> {
        let mut edges = Vec::new();
        let size = |dua: u32| self.rows.row(dua as usize).iter().map(|word| word.count_ones()).sum::<u32>();
        let sizes: Vec<u32> = classes.members.iter().map(|m| m.first().map_or(0, |l| size(*l))).collect();
        let size_of = |class: u32| sizes.get(class as usize).copied().unwrap_or_default();
        for (class, members) in classes.members.iter().enumerate() {
            let mut below: Vec<u32> =
                bits::ones(&self.strict(members)).filter_map(|dua| classes.led_by(dua)).collect();
            // What is implied by another is smaller than it.
            below.sort_unstable_by_key(|other| (std::cmp::Reverse(size_of(*other)), *other));
            let mut implied = vec![0; bits::words(self.count)];
            for other in below {
                let Some(leader) = classes.members(other).first() else { continue };
                if !bits::has(&implied, *leader as usize) {
                    edges.push((class as u32, other));
                    bits::join(&mut implied, self.rows.row(*leader as usize));
                }
            }
        }
        edges.sort_unstable();
        edges
    }
}

/// Classes of associations that subsume one another, numbered by their first members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classes {
    members: Vec<Vec<u32>>,
    class_of: Vec<u32>,
    unconstrained: Vec<bool>,
}

impl Classes {
    /// How many classes there are.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// The associations of a class, ascending.
    pub fn members(&self, class: u32) -> &[u32] {
        self.members.get(class as usize).map(Vec::as_slice).unwrap_or_default()
    }

    /// The class of an association.
    pub fn class_of(&self, dua: usize) -> Option<u32> {
        self.class_of.get(dua).copied()
    }

    /// Whether no other class subsumes this one, and some path covers it.
    pub fn is_unconstrained(&self, class: u32) -> bool {
        self.unconstrained.get(class as usize) == Some(&true)
    }

    /// The unconstrained classes, ascending. An association of each makes a spanning set: covering those covers
    /// whatever complete paths can cover.
    pub fn unconstrained(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.members.len() as u32).filter(|class| self.is_unconstrained(*class))
    }

    /// The class whose first member an association is.
    fn led_by(&self, dua: usize) -> Option<u32> {
        self.class_of(dua).filter(|class| self.members(*class).first() == Some(&(dua as u32)))
    }
}
