//! Until when one of the two who are asked about mutants, the new tests and the seeds, has to answer.
//!
//! Knows nothing of mutants. Invariant: a share is a part of what is left when it is taken, so that whoever is asked later has time too.

use crate::jvm::process::Stop;
use std::time::Instant;

/// The part of the time that is left for checking a class which its tests with mutants may take, and after them the seeds.
const SHARE: u32 = 3;

/// Who asks, and until when.
#[derive(Clone, Copy, Debug)]
pub struct Until<'a> {
    /// Ends everything.
    pub stop: &'a Stop,
    /// When the answer has to be there.
    pub end: Option<Instant>,
}

impl Until<'_> {
    /// With a share of the time that is left.
    pub fn share(self) -> Self {
        let now = Instant::now();
        let end = self.end.map(|end| now + end.saturating_duration_since(now) / SHARE);
        Self { end, ..self }
    }
}
