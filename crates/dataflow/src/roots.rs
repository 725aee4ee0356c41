//! Sets of receivers: which objects paths may begin at while some frame is active.
//!
//! Knows nothing of frames. Invariant: between two calls of [`RootSets::clear`] a number stands for one set, and a set that
//! is made in the same order has the same number.

use rustc_hash::FxHashMap;

/// A set; [`NO_ROOTS`] is the empty one.
pub type RootsIndex = u32;
/// The set without receivers.
pub const NO_ROOTS: RootsIndex = 0;

#[derive(Debug)]
struct Set {
    rest: RootsIndex,
    receiver: u64,
}

/// All sets.
#[derive(Debug, Default)]
pub struct RootSets {
    /// The set with number 1 stands at 0.
    sets: Vec<Set>,
    numbers: FxHashMap<(RootsIndex, u64), RootsIndex>,
}

impl RootSets {
    fn contains(&self, mut roots: RootsIndex, receiver: u64) -> bool {
        while let Some(set) = (roots as usize).checked_sub(1).and_then(|at| self.sets.get(at)) {
            if set.receiver == receiver {
                return true;
            }
            roots = set.rest;
        }
        false
    }

    /// A set and one more receiver, by the name of its node.
    pub fn with(&mut self, roots: RootsIndex, receiver: u64) -> RootsIndex {
        if let Some(known) = self.numbers.get(&(roots, receiver)) {
            return *known;
        }
        if self.contains(roots, receiver) {
            return roots;
        }
        self.sets.push(Set { rest: roots, receiver });
        let number = self.sets.len() as RootsIndex;
        self.numbers.insert((roots, receiver), number);
        number
    }

    /// Forgets all sets; their numbers are given again.
    pub fn clear(&mut self) {
        self.sets.clear();
        self.numbers.clear();
    }
}
