//! How many mutants there are of each status, and the score. Knows no formats.
//!
//! Invariant: mutants that were not run count for nothing.

use crate::mutation::{AnalysedMutant, Status};
use std::collections::BTreeMap;

/// Counts of mutants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    counts: BTreeMap<Status, usize>,
}

impl Score {
    /// Counts.
    pub fn of<'a>(mutants: impl IntoIterator<Item = &'a AnalysedMutant>) -> Self {
        let mut score = Self::default();
        for mutant in mutants {
            *score.counts.entry(mutant.judged.status).or_default() += 1;
        }
        score
    }

    /// How many have this status.
    pub fn count(&self, status: Status) -> usize {
        self.counts.get(&status).copied().unwrap_or_default()
    }

    fn sum(&self, counts: impl Fn(Status) -> bool) -> usize {
        self.counts.iter().filter(|(status, _)| counts(**status)).map(|(_, count)| count).sum()
    }

    /// How many were judged.
    pub fn all(&self) -> usize {
        self.sum(|status| status != Status::NotStarted)
    }

    /// How many some test noticed.
    pub fn detected(&self) -> usize {
        self.sum(Status::is_detected)
    }

    /// How many some test reaches.
    pub fn covered(&self) -> usize {
        self.sum(|status| status == Status::Survived || status.is_detected())
    }

    /// Noticed mutants in percent of all; of none, all are noticed.
    pub fn percent(&self) -> f64 {
        share(self.detected(), self.all())
    }

    /// Noticed mutants in percent of those that some test reaches.
    pub fn strength(&self) -> f64 {
        share(self.detected(), self.covered())
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts of mutants are far below 2^52")]
fn share(part: usize, all: usize) -> f64 {
    if all == 0 {
        return 100.0;
    }
    // Two decimals, so that the figure is the same on every machine.
    (part as f64 * 10_000.0 / all as f64).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_run_counts_for_nothing() {
        let counts = [
            (Status::Killed, 2),
            (Status::RunError, 1),
            (Status::Survived, 1),
            (Status::NoCoverage, 2),
            (Status::NotStarted, 9),
        ];
        let score = Score { counts: counts.into() };
        assert_eq!((score.all(), score.detected(), score.covered()), (6, 3, 4));
        assert!((score.percent() - 50.0).abs() < 1e-9 && (score.strength() - 75.0).abs() < 1e-9);
        assert!((Score::default().percent() - 100.0).abs() < 1e-9);
    }
}
