//! Verdicts of the analysis on their way to the recorder, which gets them a fixed number of messages later: so the same run of one thread is
//! recorded in the same way however fast the analysis is.
//!
//! It does not know what a verdict says. Invariant: nobody waits for the analysis once it is over or recording stopped.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How many messages with words the analysis may be behind before who sends words waits for it.
const LAG: u64 = 4;
/// How long somebody waits before looking whether recording stopped.
const LOOK: Duration = Duration::from_millis(50);

#[derive(Debug, Default)]
struct Queue {
    /// How many messages with words were analysed.
    analysed: u64,
    /// Verdicts, each with the number of the message it is of.
    waiting: VecDeque<(u64, u64)>,
    /// Whether the analysis is over.
    closed: bool,
}

/// The verdicts that the recorder did not get yet.
#[derive(Debug, Default)]
pub struct Verdicts {
    sent: AtomicU64,
    queue: Mutex<Queue>,
    more: Condvar,
}

impl Verdicts {
    /// A message with words was sent.
    pub fn sent(&self) {
        self.sent.fetch_add(1, Ordering::Relaxed);
    }

    /// A message with words was analysed, and these are the verdicts since the one before.
    pub fn analysed(&self, verdicts: &[u64]) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.analysed += 1;
        let number = queue.analysed;
        queue.waiting.extend(verdicts.iter().map(|verdict| (number, *verdict)));
        drop(queue);
        self.more.notify_all();
    }

    /// The analysis is over: nothing more is analysed.
    pub fn close(&self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.more.notify_all();
    }

    /// The verdicts of messages sent a while ago, or of all of them, in order. Waits until these are analysed.
    pub fn take(&self, all: bool, stopped: &AtomicBool) -> Vec<u64> {
        let sent = self.sent.load(Ordering::Relaxed);
        let last = if all { sent } else { sent.saturating_sub(LAG) };
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        while queue.analysed < last && !queue.closed && !stopped.load(Ordering::Relaxed) {
            queue = self.more.wait_timeout(queue, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        let due = queue.waiting.partition_point(|(number, _)| *number <= last);
        queue.waiting.drain(..due).map(|(_, verdict)| verdict).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static GOING_ON: AtomicBool = AtomicBool::new(false);

    #[test]
    fn a_verdict_comes_when_so_many_messages_were_sent_after_its_own_and_not_before() {
        let verdicts = Verdicts::default();
        for number in 1..=LAG {
            verdicts.sent();
            verdicts.analysed(&[number]);
            assert!(verdicts.take(false, &GOING_ON).is_empty());
        }
        verdicts.sent();
        assert_eq!(verdicts.take(false, &GOING_ON), [1]);
        verdicts.analysed(&[]);
        assert_eq!(verdicts.take(true, &GOING_ON), (2..=LAG).collect::<Vec<_>>());
    }

    #[test]
    fn who_is_too_far_ahead_waits_for_the_analysis_unless_recording_stopped() {
        let verdicts = Verdicts::default();
        (0..=LAG).for_each(|_| verdicts.sent());
        std::thread::scope(|threads| {
            let taken = threads.spawn(|| verdicts.take(false, &GOING_ON));
            verdicts.analysed(&[7]);
            assert_eq!(taken.join().unwrap(), [7]);
        });
        (0..2 * LAG).for_each(|_| verdicts.sent());
        assert!(verdicts.take(false, &AtomicBool::new(true)).is_empty());
        verdicts.close();
        assert!(verdicts.take(false, &GOING_ON).is_empty());
    }
}
