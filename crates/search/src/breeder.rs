//! How sequences are made from others and from types: the operators that all algorithms share.
//!
//! It knows no goals and no algorithm. Invariant: what is given depends on the state of the generator and on the material; no sequence is
//! admitted twice.

use crate::admission::Admission;
use crate::candidate::Why;
use crate::crossover::crossed;
use crate::mutate::Material;
use crate::steer::steer;
use dynaflow_model::outcome::Operands;
use dynaflow_model::sequence::Sequence;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use std::sync::Arc;

/// How many sequences are made, at most, to get one that is admitted.
pub(crate) const TRIES: usize = 60;

/// What makes sequences.
pub(crate) struct Breeder<'a> {
    pub(crate) material: Material<'a>,
    /// Sequences that are known, without their opaque parts.
    pub(crate) seeds: &'a [Arc<Sequence>],
    pub(crate) rng: &'a mut ChaCha8Rng,
    pub(crate) admission: &'a Admission,
    /// Hashes of what was given.
    pub(crate) given: &'a mut FxHashSet<u64>,
    /// Longest sequence.
    pub(crate) most: usize,
}

impl Breeder<'_> {
    /// A known sequence, changed, or one made from types alone.
    pub(crate) fn random(&mut self) -> Option<(Sequence, Why)> {
        random(&self.material, self.seeds, self.rng)
    }

    /// The sequence changed: often towards operands that a branch compared, where there are some.
    pub(crate) fn changed(&mut self, sequence: &Sequence, operands: Option<&Operands>) -> Option<Sequence> {
        let steered = operands.filter(|_| self.rng.random_bool(0.7));
        let mut changed = steered
            .and_then(|operands| steer(sequence, operands, self.rng))
            .unwrap_or_else(|| sequence.clone());
        let changes =
            if changed == *sequence { self.rng.random_range(1..4) } else { self.rng.random_range(0..2) };
        for _ in 0..changes {
            changed = self.material.vary(changed, self.rng)?;
        }
        Some(changed)
    }

    /// Each sequence with the end of the other.
    pub(crate) fn crossed(&mut self, one: &Sequence, other: &Sequence) -> [Sequence; 2] {
        crossed(one, other, self.rng)
    }

    /// Whether a sequence may be run and was not given before; it is now.
    pub(crate) fn admits(&mut self, sequence: &Sequence) -> bool {
        let length = sequence.statements.len();
        length > 0
            && length <= self.most
            && self.given.insert(FxBuildHasher.hash_one(sequence))
            && self.admission.admits(sequence, self.material.types)
    }
}

/// A known sequence, changed, or one made from types alone.
pub(crate) fn random(
    material: &Material,
    seeds: &[Arc<Sequence>],
    rng: &mut ChaCha8Rng,
) -> Option<(Sequence, Why)> {
    if seeds.is_empty() || rng.random_bool(0.25) {
        return material.scratch(rng).map(|sequence| (sequence, Why::Scratch));
    }
    // Sequences that were added late reach more states: of two that are drawn, the later one is used.
    let one = rng.random_range(0..seeds.len());
    let other = rng.random_range(0..seeds.len());
    let known = seeds.get(one.max(other))?;
    Some((changed(material, known, seeds, rng)?, Why::Variation))
}

/// A sequence with up to three changes, at times with the end of one of the seeds.
pub(crate) fn changed(
    material: &Material,
    sequence: &Sequence,
    seeds: &[Arc<Sequence>],
    rng: &mut ChaCha8Rng,
) -> Option<Sequence> {
    let mut sequence = sequence.clone();
    if !seeds.is_empty() && rng.random_bool(0.2) {
        let other = seeds.get(rng.random_range(0..seeds.len()))?;
        sequence = material.cross(&sequence, other, rng).unwrap_or(sequence);
    }
    let changes = rng.random_range(1..4);
    for _ in 0..changes {
        sequence = material.vary(sequence, rng)?;
    }
    Some(sequence)
}
