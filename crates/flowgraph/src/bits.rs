//! Rows of bits in one piece of memory. It knows words, not what the bits mean.
//!
//! Invariant: what bits beyond the length in use hold is up to the caller; all rows have the same width.

use std::ops::Range;

/// Bits in a word.
pub(crate) const WORD: usize = u64::BITS as usize;

/// How many words hold this many bits, at least one.
pub(crate) fn words(bits: usize) -> usize {
    bits.div_ceil(WORD).max(1)
}

/// Whether a bit is set.
pub(crate) fn has(row: &[u64], bit: usize) -> bool {
    row.get(bit / WORD).is_some_and(|word| word >> (bit % WORD) & 1 == 1)
}

/// Sets a bit.
pub(crate) fn set(row: &mut [u64], bit: usize) {
    if let Some(word) = row.get_mut(bit / WORD) {
        *word |= 1 << (bit % WORD);
    }
}

/// Clears a bit.
pub(crate) fn unset(row: &mut [u64], bit: usize) {
    if let Some(word) = row.get_mut(bit / WORD) {
        *word &= !(1 << (bit % WORD));
    }
}

/// Clears the bits of a range. `O(words)`.
pub(crate) fn clear(row: &mut [u64], range: Range<usize>) {
    let (first, last) = (range.start / WORD, range.end / WORD);
    for (index, word) in row.iter_mut().enumerate().take(last + 1).skip(first) {
        let mut mask = u64::MAX;
        if index == first {
            mask &= u64::MAX << (range.start % WORD);
        }
        if index == last {
            mask &= !(u64::MAX << (range.end % WORD));
        }
        *word &= !mask;
    }
}

/// The first bit that is set in a word or behind it.
pub(crate) fn first_from(row: &[u64], word: usize) -> Option<usize> {
    let found = row.iter().enumerate().skip(word).find(|(_, word)| **word != 0);
    found.map(|(index, word)| index * WORD + word.trailing_zeros() as usize)
}

/// Sets the first bits.
pub(crate) fn fill(row: &mut [u64], bits: usize) {
    for (index, word) in row.iter_mut().enumerate() {
        let rest = bits.saturating_sub(index * WORD);
        *word = if rest >= WORD { u64::MAX } else { (1 << rest) - 1 };
    }
}

/// The bits that are set, ascending.
pub(crate) fn ones(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(index, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (bit < WORD).then_some(index * WORD + bit)
        })
    })
}

/// Adds the bits of another row; whether any of them is new.
pub(crate) fn join(row: &mut [u64], other: &[u64]) -> bool {
    let mut new = 0;
    for (to, from) in row.iter_mut().zip(other) {
        new |= from & !*to;
        *to |= from;
    }
    new != 0
}

/// Rows of the same width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matrix {
    width: usize,
    words: Vec<u64>,
}

impl Matrix {
    /// Rows of zeros.
    pub fn new(rows: usize, width: usize) -> Self {
        Self { width, words: vec![0; rows * width] }
    }

    /// Makes it rows of zeros again, of another shape, keeping its memory.
    pub fn reset(&mut self, rows: usize, width: usize) {
        self.width = width;
        self.words.clear();
        self.words.resize(rows * width, 0);
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[u64] {
        self.words.get(row * self.width..(row + 1) * self.width).unwrap_or_default()
    }

    /// A row to write.
    pub fn row_mut(&mut self, row: usize) -> &mut [u64] {
        self.words.get_mut(row * self.width..(row + 1) * self.width).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_set_found_and_joined_across_words() {
        let mut matrix = Matrix::new(2, words(130));
        for bit in [0, 63, 64, 129] {
            set(matrix.row_mut(1), bit);
        }
        assert_eq!(ones(matrix.row(1)).collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert!(has(matrix.row(1), 129) && !has(matrix.row(1), 128) && !has(matrix.row(0), 0));
        let other = matrix.row(1).to_vec();
        assert!(join(matrix.row_mut(0), &other) && !join(matrix.row_mut(0), &other));
        set(matrix.row_mut(0), 9999);
        assert_eq!(matrix.row(0), other);
    }

    #[test]
    fn clearing_a_range_leaves_what_is_outside() {
        for (start, end) in [(0, 0), (3, 3), (0, 64), (5, 64), (60, 70), (64, 128), (1, 191), (190, 192)] {
            let mut row = [u64::MAX; 3];
            clear(&mut row, start..end);
            let left: Vec<usize> = (0..192).filter(|bit| !(start..end).contains(bit)).collect();
            assert_eq!(ones(&row).collect::<Vec<_>>(), left, "{start}..{end}");
        }
    }

    #[test]
    fn filling_stops_within_a_word_and_at_its_border() {
        for bits in [0, 1, 63, 64, 65, 128] {
            let mut row = [u64::MAX; 2];
            fill(&mut row, bits);
            assert_eq!(ones(&row).count(), bits);
        }
    }
}
