//! Which association subsumes which; the classes of those that subsume one another, and the classes to test.
//!
//! It knows numbers of associations, not how the relation was found. Associations that the same paths cover share a row.
//! Invariant: the relation is reflexive and transitive. An association that no path covers stands alone: nothing can be
//! said of the paths that cover it.

use crate::bits::{self, Matrix};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The subsumption relation among the associations of one method, by their positions in the problem.
#[derive(Clone, Debug)]
pub struct Relation {
    /// By association: its row.
    row_of: Vec<u32>,
    /// By row: the rows whose associations are subsumed.
    rows: Matrix,
    /// By row: whether some complete path covers its associations.
    coverable: Vec<bool>,
}

impl Relation {
    /// The relation in which each association subsumes itself and none is coverable, given the row of each: associations
    /// of one row are covered by the same paths.
    pub(crate) fn new(row_of: Vec<u32>) -> Self {
        let count = row_of.iter().map(|row| *row as usize + 1).max().unwrap_or_default();
        let mut rows = Matrix::new(count, bits::words(count));
        (0..count).for_each(|index| bits::set(rows.row_mut(index), index));
        Self { row_of, rows, coverable: vec![false; count] }
    }

    /// How many words the rows of so many take.
    pub(crate) fn words(rows: usize) -> usize {
        rows * bits::words(rows)
    }

    /// Says which of some rows (beginning at a word's first bit) the paths that cover another can leave uncovered, one
    /// bit each; the rest of them is subsumed.
    pub(crate) fn cover(&mut self, row: usize, followed: Range<usize>, uncovered: &[u64]) {
        if let Some(coverable) = self.coverable.get_mut(row) {
            *coverable = true;
        }
        let first = followed.start / bits::WORD;
        let row = self.rows.row_mut(row).get_mut(first..).unwrap_or_default();
        let row = row.get_mut(..bits::words(followed.len())).unwrap_or_default();
        bits::fill(row, followed.len());
        row.iter_mut().zip(uncovered).for_each(|(word, uncovered)| *word &= !uncovered);
    }

    /// Lets some rows subsume none but each other.
    pub(crate) fn keep_apart(&mut self, rows: impl Iterator<Item = usize> + Clone) {
        let mut mask = vec![0; bits::words(self.coverable.len())];
        rows.clone().for_each(|row| bits::set(&mut mask, row));
        for row in rows {
            self.rows.row_mut(row).iter_mut().zip(&mask).for_each(|(word, mask)| *word &= mask);
        }
    }

    /// How many associations there are.
    pub fn count(&self) -> usize {
        self.row_of.len()
    }

    fn row_of(&self, dua: usize) -> usize {
        self.row_of.get(dua).map_or(usize::MAX, |row| *row as usize)
    }

    /// Whether every complete path that covers the first covers the second.
    pub fn subsumes(&self, first: usize, second: usize) -> bool {
        let (row, other) = (self.row_of(first), self.row_of(second));
        first == second || (self.coverable.get(row) == Some(&true) && bits::has(self.rows.row(row), other))
    }

    /// What an association subsumes, itself included, in ascending order.
    pub fn subsumed_by(&self, dua: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.count()).filter(move |other| self.subsumes(dua, *other))
    }

    /// Whether a complete path covers the association. For one in code that nothing leads to: whether a path from
    /// the beginning of that code does.
    pub fn is_coverable(&self, dua: usize) -> bool {
        self.coverable.get(self.row_of(dua)) == Some(&true)
    }

    /// The classes of associations that subsume one another: those whose rows are equal. `O(rows * rows / 64)`.
    pub fn classes(&self) -> Classes {
        let mut found = Classes { class_of: Vec::with_capacity(self.count()), ..Classes::default() };
        let mut class_of_row: Vec<Option<u32>> = vec![None; self.coverable.len()];
        let mut by_content: FxHashMap<&[u64], u32> = FxHashMap::default();
        for (dua, row) in self.row_of.iter().map(|row| *row as usize).enumerate() {
            let known = class_of_row.get(row).copied().flatten();
            let mut class = known.filter(|_| self.is_coverable(dua));
            if class.is_none() && self.is_coverable(dua) {
                class = by_content.get(self.rows.row(row)).copied();
            }
            let class = class.unwrap_or_else(|| {
                found.members.push(Vec::new());
                found.members.len() as u32 - 1
            });
            if known.is_none() {
                by_content.entry(self.rows.row(row)).or_insert(class);
                class_of_row.get_mut(row).into_iter().for_each(|slot| *slot = Some(class));
            }
            found.class_of.push(class);
            found.members.get_mut(class as usize).into_iter().for_each(|members| members.push(dua as u32));
        }
        found.unconstrained = self.unconstrained(&found);
        found
    }

    fn unconstrained(&self, classes: &Classes) -> Vec<bool> {
        let mut constrained = vec![0; bits::words(self.coverable.len())];
        for members in &classes.members {
            bits::join(&mut constrained, &self.strict(members));
        }
        let leaders = classes.members.iter().filter_map(|members| members.first());
        let is_free =
            |leader: usize| !bits::has(&constrained, self.row_of(leader)) && self.is_coverable(leader);
        leaders.map(|leader| is_free(*leader as usize)).collect()
    }

    /// The rows that a class subsumes outside of itself.
    fn strict(&self, members: &[u32]) -> Vec<u64> {
        let Some(leader) = members.first() else { return Vec::new() };
        let mut strict = self.rows.row(self.row_of(*leader as usize)).to_vec();
        members.iter().for_each(|member| bits::unset(&mut strict, self.row_of(*member as usize)));
        strict
    }

    /// The edges between classes from which all others follow: pairs of a class and one that it subsumes, ascending; none
    /// when they are more than `most`. `O(rows * rows + edges * classes / 64)`.
    pub fn reduction(&self, classes: &Classes, most: usize) -> Option<Vec<(u32, u32)>> {
        let below = Below::of(self, classes);
        let mut edges = Vec::new();
        let mut rest = vec![0; bits::words(classes.count())];
        for rank in 0..classes.count() {
            // What is implied by another subsumes less than it, and comes behind it.
            rest.copy_from_slice(below.rows.row(rank));
            bits::unset(&mut rest, rank);
            let mut word = 0;
            while let Some(next) = bits::first_from(&rest, word) {
                word = next / bits::WORD;
                bits::unset(&mut rest, next);
                let implied = below.rows.row(next);
                rest.iter_mut().zip(implied).skip(word).for_each(|(word, implied)| *word &= !implied);
                edges.push((below.class(rank), below.class(next)));
            }
            if edges.len() > most {
                return None;
            }
        }
        edges.sort_unstable();
        Some(edges)
    }
}

/// Equal relations may have other rows.
impl PartialEq for Relation {
    fn eq(&self, other: &Self) -> bool {
        self.count() == other.count()
            && (0..self.count()).all(|dua| {
                self.is_coverable(dua) == other.is_coverable(dua)
                    && self.subsumed_by(dua).eq(other.subsumed_by(dua))
            })
    }
}

impl Eq for Relation {}

/// The relation among classes, ranked so that one that subsumes another comes before it.
struct Below {
    /// By rank: the class.
    order: Vec<u32>,
    /// By rank: the ranks of what is subsumed.
    rows: Matrix,
}

impl Below {
    fn of(relation: &Relation, classes: &Classes) -> Self {
        let leader = |class: u32| {
            relation.row_of(classes.members(class).first().map_or(usize::MAX, |dua| *dua as usize))
        };
        let size =
            |class: u32| relation.rows.row(leader(class)).iter().map(|word| word.count_ones()).sum::<u32>();
        let mut order: Vec<(u32, u32)> =
            (0..classes.count() as u32).map(|class| (u32::MAX - size(class), class)).collect();
        order.sort_unstable();
        let order: Vec<u32> = order.into_iter().map(|(_, class)| class).collect();
        // By row: the rank of the class it stands for.
        let mut rank_of: Vec<Option<u32>> = vec![None; relation.coverable.len()];
        for (rank, class) in order.iter().enumerate() {
            rank_of.get_mut(leader(*class)).into_iter().for_each(|slot| *slot = Some(rank as u32));
        }
        let mut rows = Matrix::new(order.len(), bits::words(order.len()));
        let coverable = |class: &u32| relation.coverable.get(leader(*class)) == Some(&true);
        for (rank, class) in order.iter().enumerate().filter(|(_, class)| coverable(class)) {
            let ranks = bits::ones(relation.rows.row(leader(*class)))
                .filter_map(|row| rank_of.get(row).copied().flatten());
            ranks.for_each(|below| bits::set(rows.row_mut(rank), below as usize));
        }
        Self { order, rows }
    }

    fn class(&self, rank: usize) -> u32 {
        self.order.get(rank).copied().unwrap_or_default()
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
}
