//! Sets of variables, interned: what a value on the operand stack was made of.
//!
//! It knows nothing of values. Invariants: equal sets have equal ids; a set is sorted; the total size is bounded, which only
//! hostile code meets.

use super::vars::VarId;
use rustc_hash::FxHashMap;

/// Bound on the sum of all sizes.
const MAX_TOTAL: usize = 8_000_000;

/// A set of variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct SetId(u32);

impl SetId {
    /// The set without elements.
    pub const EMPTY: Self = Self(0);
}

/// All sets of a method.
#[derive(Debug)]
pub(crate) struct Sets {
    lists: Vec<Box<[VarId]>>,
    ids: FxHashMap<Box<[VarId]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
    total: usize,
}

impl Default for Sets {
    fn default() -> Self {
        let empty: Box<[VarId]> = Box::default();
        let ids = FxHashMap::from_iter([(empty.clone(), SetId::EMPTY)]);
        Self { lists: vec![empty], ids, unions: FxHashMap::default(), total: 0 }
    }
}

impl Sets {
    /// The elements, in order.
    pub fn get(&self, id: SetId) -> &[VarId] {
        self.lists.get(id.0 as usize).map(|list| &**list).unwrap_or_default()
    }

    /// Whether the bound is passed: then unions are no longer made and the method must be given up.
    pub fn full(&self) -> bool {
        self.total > MAX_TOTAL
    }

    fn intern(&mut self, list: Vec<VarId>) -> SetId {
        let list = list.into_boxed_slice();
        if let Some(id) = self.ids.get(&list) {
            return *id;
        }
        let id = SetId(self.lists.len() as u32);
        self.total += list.len() + 1;
        self.lists.push(list.clone());
        self.ids.insert(list, id);
        id
    }

    /// The set of one variable.
    pub fn single(&mut self, variable: VarId) -> SetId {
        self.intern(vec![variable])
    }

    /// The set with the elements of both.
    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == SetId::EMPTY || self.full() {
            return a;
        }
        if a == SetId::EMPTY {
            return b;
        }
        let key = if a.0 < b.0 { (a, b) } else { (b, a) };
        if let Some(id) = self.unions.get(&key) {
            return *id;
        }
        let mut list = [self.get(a), self.get(b)].concat();
        list.sort_unstable();
        list.dedup();
        let id = self.intern(list);
        self.unions.insert(key, id);
        id
    }

    /// The set with one more element.
    pub fn with(&mut self, set: SetId, variable: VarId) -> SetId {
        let single = self.single(variable);
        self.union(set, single)
    }

    /// The set without an element.
    pub fn without(&mut self, set: SetId, variable: VarId) -> SetId {
        let list: Vec<VarId> = self.get(set).iter().copied().filter(|element| *element != variable).collect();
        self.intern(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_have_equal_ids_however_they_were_made() {
        let mut sets = Sets::default();
        let [a, b, c] = [0, 1, 2].map(|id| sets.single(VarId(id)));
        let ab = sets.union(a, b);
        let left = sets.union(ab, c);
        let bc = sets.union(c, b);
        assert_eq!(left, sets.union(a, bc));
        assert_eq!(sets.get(left), [VarId(0), VarId(1), VarId(2)]);
        assert_eq!(sets.without(left, VarId(2)), ab);
        assert_eq!(sets.without(a, VarId(0)), SetId::EMPTY);
        assert_eq!(sets.with(ab, VarId(2)), left);
    }
}
