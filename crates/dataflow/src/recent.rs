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

/// Which facts of which groups were recorded last. A fact is a small number besides what it has in common with its group.
#[derive(Debug)]
pub struct RecentFacts {
    groups: Box<[(Common, u32)]>,
    /// The two groups whose facts of a number were recorded last, the last one first, by the number.
    last_groups: Vec<[u32; 2]>,
    /// The number of the group that was seen first last.
    last: u32,
}

impl Default for RecentFacts {
    fn default() -> Self {
        Self { groups: vec![([0; 6], 0); GROUPS].into_boxed_slice(), last_groups: vec![], last: 0 }
    }
}

impl RecentFacts {
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

    /// Whether the fact was recorded for the group before, and for no two other groups since. From now on it counts as recorded.
    #[inline]
    pub fn was_recorded(&mut self, group: u32, fact: u32) -> bool {
        match self.last_groups.get_mut(fact as usize) {
            Some(groups) if groups[0] == group => true,
            Some(groups) => {
                let [last, before] = *groups;
                *groups = [group, last];
                before == group
            }
            None => {
                self.last_groups.resize((fact as usize + 1).next_power_of_two(), [0; 2]);
                self.was_recorded(group, fact)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_counts_as_recorded_until_it_was_for_two_other_groups() {
        let mut recent = RecentFacts::default();
        let (one, other) = (recent.group([0; 6]), recent.group([0, 0, 0, 0, 0, 1]));
        assert!(one != other && one == recent.group([0; 6]));
        assert!(!recent.was_recorded(one, 5) && recent.was_recorded(one, 5));
        assert!(!recent.was_recorded(one, 4), "another fact");
        assert!(!recent.was_recorded(other, 5), "another group");
        assert!(recent.was_recorded(one, 5) && recent.was_recorded(other, 5), "both recorded it");
        let third = recent.group([7; 6]);
        assert!(!recent.was_recorded(third, 5) && recent.was_recorded(other, 5));
        assert!(!recent.was_recorded(one, 5), "two others recorded it since");
        (0..100_000).for_each(|at| assert!(recent.group([at, 1, 1, 1, 1, 1]) > third));
        let again = recent.group([0; 6]);
        assert!(again != one && !recent.was_recorded(again, 4), "forgotten");
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
