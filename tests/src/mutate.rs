//! Bytes changed at random from a seed: the blind, reproducible relative of a fuzzer. It knows no format.
//!
//! Invariant: the same generator state gives the same bytes on every machine.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Values that sit at the borders of what one or two bytes can say.
const BORDERS: [u8; 8] = [0, 1, 0x7F, 0x80, 0xFF, 0xFE, 0x40, 0xC4];

/// `original` with a few changes: bytes overwritten, pieces copied, moved, taken out or put in, the end cut off.
pub fn mutated(original: &[u8], other: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..random.random_range(1..=6) {
        if bytes.is_empty() {
            break;
        }
        let at = random.random_range(0..bytes.len());
        let length = random.random_range(1..=16).min(bytes.len() - at);
        match random.random_range(0..16) {
            0..=4 => bytes[at] = random.random(),
            5..=7 => bytes[at] = BORDERS[random.random_range(0..BORDERS.len())],
            8 | 9 => bytes[at] ^= 1 << random.random_range(0..8),
            10 => bytes[at] = bytes[at].wrapping_add(if random.random() { 1 } else { 255 }),
            11 | 12 => {
                let from = random.random_range(0..=bytes.len() - length);
                bytes.copy_within(from..from + length, at);
            }
            13 => drop(bytes.drain(at..at + length)),
            14 if !other.is_empty() => {
                let from = random.random_range(0..other.len());
                let piece = other[from..].iter().take(length).copied().collect::<Vec<_>>();
                bytes.splice(at..at, piece);
            }
            _ => bytes.truncate(at.max(bytes.len() / 2)),
        }
    }
    bytes
}
