//! How long a search may go on: a duration or a number of executions, and the user's Ctrl-C.
//!
//! Knows nothing of what is executed. Invariant: with a number of executions the clock is never asked, so that the same seed
//! gives the same tests on every machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What limits the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Wall time.
    Time(Duration),
    /// Number of sequences executed.
    Executions(u64),
}

/// Keeps count against a [`Limit`].
#[derive(Debug)]
pub struct Budget {
    limit: Limit,
    started: Instant,
    executions: u64,
    interrupted: Arc<AtomicBool>,
    lost: bool,
}

/// Why the search has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The limit is reached.
    Spent,
    /// The user asked for it.
    Interrupted,
    /// There is nobody left to run anything.
    Lost,
}

impl Budget {
    /// Starts counting now. `interrupted` is set by the Ctrl-C handler.
    pub fn start(limit: Limit, interrupted: Arc<AtomicBool>) -> Self {
        Self { limit, started: Instant::now(), executions: 0, interrupted, lost: false }
    }

    /// When the time is over; never, when executions are counted.
    pub fn deadline(&self) -> Option<Instant> {
        match self.limit {
            Limit::Time(limit) => self.started.checked_add(limit),
            Limit::Executions(_) => None,
        }
    }

    /// Ends the search, as it has lost a worker.
    pub fn lose(&mut self) {
        self.lost = true;
    }

    /// Counts `n` executed sequences.
    pub fn count(&mut self, n: usize) {
        self.executions += n as u64;
    }

    /// Sequences executed so far.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// Whether and why to stop.
    pub fn stop(&self) -> Option<Stop> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        if self.lost {
            return Some(Stop::Lost);
        }
        let spent = match self.limit {
            Limit::Time(limit) => self.started.elapsed() >= limit,
            Limit::Executions(limit) => self.executions >= limit,
        };
        spent.then_some(Stop::Spent)
    }

    /// The largest batch that stays within the limit.
    pub fn batch(&self, wanted: usize) -> usize {
        match self.limit {
            Limit::Time(_) => wanted,
            Limit::Executions(limit) => {
                wanted.min(usize::try_from(limit - self.executions.min(limit)).unwrap_or(wanted))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_of_executions_ends_exactly_there_and_never_asks_the_clock() {
        let mut budget = Budget::start(Limit::Executions(5), Arc::default());
        assert_eq!(budget.batch(3), 3);
        budget.count(3);
        assert_eq!((budget.batch(3), budget.stop()), (2, None));
        budget.count(2);
        assert_eq!((budget.batch(3), budget.stop()), (0, Some(Stop::Spent)));
    }

    #[test]
    fn a_lost_worker_ends_the_search_whatever_is_left() {
        let mut budget = Budget::start(Limit::Executions(5), Arc::default());
        assert_eq!((budget.stop(), budget.deadline()), (None, None));
        budget.lose();
        assert_eq!(budget.stop(), Some(Stop::Lost));
    }

    #[test]
    fn an_interrupt_stops_before_the_limit() {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::start(Limit::Time(Duration::from_secs(3600)), Arc::clone(&flag));
        assert_eq!(budget.stop(), None);
        flag.store(true, Ordering::Relaxed);
        assert_eq!(budget.stop(), Some(Stop::Interrupted));
    }
}
