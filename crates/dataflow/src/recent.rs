//! Facts recorded a moment ago, so that repeating them costs a comparison.
//!
//! Knows nothing of what the keys mean. Invariant: `seen` is true only for a key that was given before and not forgotten;
//! it may be false for such a key.

/// Everything a fact depends on.
pub type Key = [u32; 8];

// Small on purpose: a table that leaves the processor's cache costs more than the searches it saves.
const SLOTS: usize = 1 << 13;

/// A lossy set of keys.
#[derive(Debug)]
pub struct Recent {
    keys: Box<[Key]>,
}

impl Default for Recent {
    fn default() -> Self {
        Self { keys: vec![[0; 8]; SLOTS].into_boxed_slice() }
    }
}

/// A well mixed number below `1 << bits` from a key.
#[inline]
pub fn slot_of(key: &[u32], bits: u32) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, part: &u32| (hash.rotate_left(5) ^ u64::from(*part)).wrapping_mul(FACTOR);
    (key.iter().fold(0, mix) >> (64 - bits)) as usize
}

impl Recent {
    /// Whether the key was given before; from now on it was. A key of zeros is never new.
    #[inline]
    pub fn seen(&mut self, key: Key) -> bool {
        let slot = slot_of(&key, SLOTS.trailing_zeros());
        match self.keys.get_mut(slot) {
            Some(known) if *known == key => true,
            Some(known) => {
                *known = key;
                false
            }
            None => false,
        }
    }
}

/// All that facts of one group have in common.
pub type Common = [u32; 6];

const GROUPS: usize = 1 << 10;

/// Which facts of which groups were told last. A fact is a small number besides what it has in common with its group.
#[derive(Debug)]
pub struct Told {
    groups: Box<[(Common, u32)]>,
    /// The two groups that told a fact last, the last one first, by the fact's number.
    tellers: Vec<[u32; 2]>,
    /// The number of the group that was seen first last.
    last: u32,
}

impl Default for Told {
    fn default() -> Self {
        Self { groups: vec![([0; 6], 0); GROUPS].into_boxed_slice(), tellers: vec![], last: 0 }
    }
}

impl Told {
    /// The number of a group. One that was forgotten gets another number.
    #[inline]
    pub fn group(&mut self, common: Common) -> u32 {
        let place = slot_of(&common, GROUPS.trailing_zeros());
        match self.groups.get(place).filter(|known| known.0 == common && known.1 != 0) {
            Some(known) => known.1,
            None => self.new_group(place, common),
        }
    }

    fn new_group(&mut self, place: usize, common: Common) -> u32 {
        self.last = self.last.wrapping_add(1);
        if self.last == 0 {
            *self = Self { last: 1, ..Self::default() };
        }
        if let Some(known) = self.groups.get_mut(place) {
            *known = (common, self.last);
        }
        self.last
    }

    /// Whether a group told the fact before, and no two other groups did since; from now on it did.
    #[inline]
    pub fn was_told(&mut self, group: u32, fact: u32) -> bool {
        match self.tellers.get_mut(fact as usize) {
            Some(tellers) if tellers[0] == group => true,
            Some(tellers) => {
                let [last, before] = *tellers;
                *tellers = [group, last];
                before == group
            }
            None => {
                self.tellers.resize((fact as usize + 1).next_power_of_two(), [0; 2]);
                self.was_told(group, fact)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_was_told_if_its_group_told_it_and_no_two_others_since() {
        let mut told = Told::default();
        let (one, other) = (told.group([0; 6]), told.group([0, 0, 0, 0, 0, 1]));
        assert!(one != other && one == told.group([0; 6]));
        assert!(!told.was_told(one, 5) && told.was_told(one, 5));
        assert!(!told.was_told(one, 4), "another fact");
        assert!(!told.was_told(other, 5), "another group");
        assert!(told.was_told(one, 5) && told.was_told(other, 5), "both told it");
        let third = told.group([7; 6]);
        assert!(!told.was_told(third, 5) && told.was_told(other, 5));
        assert!(!told.was_told(one, 5), "two others told it since");
        (0..100_000).for_each(|at| assert!(told.group([at, 1, 1, 1, 1, 1]) > third));
        let again = told.group([0; 6]);
        assert!(again != one && !told.was_told(again, 4), "forgotten");
    }

    #[test]
    fn a_key_is_seen_from_its_second_time_on_until_another_one_takes_its_place() {
        let mut recent = Recent::default();
        let keys = |at: u32| [at, 1, 2, 3, 4, 5, 6, 7];
        assert!(!recent.seen(keys(1)) && recent.seen(keys(1)));
        assert!(!recent.seen(keys(2)), "a different key");
        (3..200_000).for_each(|at| assert!(!recent.seen(keys(at))));
        assert!(!recent.seen(keys(1)), "long gone");
    }
}
