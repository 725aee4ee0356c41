//! How long the program waits for the analysis, held against what `slowdown` accepts.
//!
//! It does not know why the program waits or what is done about it. Invariant: an answer depends on the times given alone.

use std::time::{Duration, Instant};

/// How long is looked at before an answer is given.
const WINDOW: Duration = Duration::from_millis(500);

/// What the program accepts, and since when it is measured.
#[derive(Debug)]
pub struct Pace {
    slowdown: u32,
    since: Instant,
    /// What it had waited by then, in milliseconds.
    waited: u64,
}

impl Pace {
    /// A program that accepts to take `slowdown` times as long waits for all but one part in `slowdown` of its time at most.
    pub fn new(slowdown: u32, now: Instant) -> Self {
        Self { slowdown, since: now, waited: 0 }
    }

    /// Whether the program waited too long since it was last measured; `waited` is what its threads waited in all, in milliseconds.
    pub fn is_late(&mut self, waited: u64, now: Instant) -> bool {
        let elapsed = now.saturating_duration_since(self.since);
        if elapsed < WINDOW {
            return false;
        }
        let (here, slowdown) = (waited.saturating_sub(self.waited), u128::from(self.slowdown));
        (self.since, self.waited) = (now, waited);
        u128::from(here) * slowdown > elapsed.as_millis() * (slowdown - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is answered when the program has waited so long after so many milliseconds.
    fn answers(slowdown: u32, seen: &[(u64, u64)]) -> Vec<bool> {
        let begin = Instant::now();
        let mut pace = Pace::new(slowdown, begin);
        seen.iter().map(|&(at, waited)| pace.is_late(waited, begin + Duration::from_millis(at))).collect()
    }

    #[test]
    fn a_program_that_accepts_four_times_may_wait_three_parts_in_four() {
        assert_eq!(answers(4, &[(1000, 750), (2000, 1501), (3000, 1501)]), [false, true, false]);
    }

    #[test]
    fn a_program_that_accepts_no_waiting_is_late_as_soon_as_it_waits() {
        assert_eq!(answers(1, &[(600, 0), (1200, 1)]), [false, true]);
    }

    #[test]
    fn what_is_too_short_to_be_measured_is_added_to_what_comes_next() {
        assert_eq!(answers(2, &[(10, 10), (499, 400), (501, 400)]), [false, false, true]);
    }
}
