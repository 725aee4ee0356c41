//! What the tests of all classes are checked with, and how long each step may take.
//!
//! Knows nothing of tests. Invariant: no clock decides when checking has no end.

use crate::commands::augment::judge::shown::Before;
use crate::commands::augment::prepare::setup::Setup;
use crate::jvm::process::Stop;
use dynaflow_model::effect::Allowed;
use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_secs(300);
/// Longest time for compiling, and what is added to it for each test, where clocks may decide.
const COMPILING: Duration = Duration::from_secs(20);
const COMPILING_ONE: Duration = Duration::from_millis(200);
/// Least time limit of a run, however soon checking has to end.
const LEAST: Duration = Duration::from_secs(10);

/// What all classes are finished with.
#[derive(Clone, Copy, Debug)]
pub struct Finishing<'a> {
    /// The command line, the JDK, folders.
    pub setup: &'a Setup<'a>,
    /// What tests may do beyond their own objects.
    pub allowed: &'a Allowed,
    /// Ends JVMs.
    pub stop: &'a Stop,
    /// When checking has to end; none when no clock may decide.
    pub end: Option<Instant>,
    /// What is covered without these tests.
    pub before: Before<'a>,
}

impl Finishing<'_> {
    /// Whether anything more may begin.
    pub fn has_time(&self) -> bool {
        self.end.is_none_or(|end| Instant::now() < end)
    }

    /// How long something that begins now may take.
    pub fn left(&self) -> Duration {
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()).max(LEAST));
        left.map_or(TIMEOUT, |left| left.min(TIMEOUT))
    }

    /// How long compiling some tests may take: much more than it does, so that only a compiler that hangs is ended.
    pub fn compiling(&self, tests: usize) -> Duration {
        let tests = u32::try_from(tests).unwrap_or(u32::MAX);
        let patience = COMPILING.saturating_add(COMPILING_ONE.saturating_mul(tests));
        if self.end.is_some() { self.left().min(patience) } else { self.left() }
    }
}
