//! Interning values that come in the order in which they came before: mostly the next one is the one that followed last time.
//!
//! A test repeats what an earlier one did, so its facts are known ones in a known order. Looking one up by its hash misses the processor's
//! cache, since tables of facts are large; comparing it with the one that followed last time mostly does not.
//!
//! Knows nothing of what the values mean. Invariant: an id is the one that [`Interner::intern`] gives.

use dynaflow_model::facts::Interner;
use dynaflow_model::ids::DenseId;
use std::hash::Hash;

/// What followed what, for one table.
#[derive(Debug, Default)]
pub struct Foreseen {
    /// By index of a value that of the one that followed it last time.
    next: Vec<u32>,
    /// The index of the value that came last.
    last: usize,
}

impl Foreseen {
    /// The id of a value in the table, which is always the same one.
    #[inline]
    pub fn intern<T: Hash + Eq, I: DenseId>(&mut self, table: &mut Interner<T, I>, value: T) -> I {
        let foreseen = self.next.get(self.last).map(|next| I::from_index(*next as usize));
        if let Some(id) = foreseen.filter(|id| table.get(*id) == Some(&value)) {
            self.last = id.index();
            return id;
        }
        let id = table.intern(value);
        self.follows(id.index());
        id
    }

    fn follows(&mut self, index: usize) {
        if self.next.len() <= index.max(self.last) {
            self.next.resize((index.max(self.last) + 1).next_power_of_two(), 0);
        }
        // Tables are bounded far below 2^32 values.
        self.next[self.last] = index as u32;
        self.last = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::facts::Sym;

    #[test]
    fn ids_are_those_of_the_table_whatever_was_foreseen() {
        let (mut table, mut plain) = (Interner::<u32, Sym>::default(), Interner::<u32, Sym>::default());
        let mut foreseen = Foreseen::default();
        let values = [3, 1, 4, 3, 1, 4, 3, 4, 1, 1, 3, 5, 4, 3, 1, 9, 3, 4];
        for value in values {
            assert_eq!(foreseen.intern(&mut table, value), plain.intern(value), "{value}");
        }
        assert!(table.iter().eq(plain.iter()));
    }
}
