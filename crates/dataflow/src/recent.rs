//! Facts recorded a moment ago, so that repeating them costs a comparison.
//!
//! Knows nothing of what the keys mean. Invariant: `seen` is true only for a key that was given before and not forgotten;
//! it may be false for such a key.

/// Everything a fact depends on.
pub type Key = [u32; 8];

// Small on purpose: a table that leaves the processor's cache costs more than the searches it saves.
const SLOTS: usize = 1 << 11;

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

#[cfg(test)]
mod tests {
    use super::*;

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
