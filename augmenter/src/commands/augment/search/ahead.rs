//! The next candidates are made while others run.
//!
//! In: candidates, what runs them, what makes the next. Out: runs, and the next. Knows nothing of what either is. Invariant: what is made depends on
//! nothing that runs meanwhile shows, so that it is the same however long that takes.

use anyhow::{Result, anyhow};

/// Candidates that have not run.
#[derive(Debug)]
pub struct Ahead<C> {
    /// What runs next, in order.
    pub batch: Vec<C>,
    /// Whether it is of what is left once nothing else brings news.
    pub is_last: bool,
}

impl<C> Ahead<C> {
    /// The first ones, `most` at most, without those that are not wanted any more; what is left stays.
    pub fn take(&mut self, most: usize, is_wanted: impl FnMut(&C) -> bool) -> Vec<C> {
        self.batch.retain(is_wanted);
        self.batch.drain(..most.min(self.batch.len())).collect()
    }
}

/// Runs on a thread of its own, and makes something meanwhile.
///
/// # Errors
/// When the runs fail, or their thread panics.
pub fn while_running<R: Send, M>(
    run: impl FnOnce() -> Result<R> + Send,
    make: impl FnOnce() -> M,
) -> Result<(R, M)> {
    std::thread::scope(|scope| {
        let running = scope.spawn(run);
        let made = make();
        let ran = running.join().map_err(|_| anyhow!("a thread that runs candidates panicked"))??;
        Ok((ran, made))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_wanted_any_more_is_left_out_and_what_has_no_turn_stays() {
        let mut ahead = Ahead { batch: vec![1, 2, 3, 4, 5], is_last: false };
        assert_eq!(ahead.take(2, |number| number % 2 == 1), [1, 3]);
        assert_eq!(ahead.batch, [5]);
        assert_eq!(ahead.take(2, |_| true), [5]);
    }

    #[test]
    fn something_is_made_before_the_runs_end_and_trouble_of_theirs_is_reported() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let both = while_running(move || Ok(receiver.recv()?), || sender.send(7));
        assert_eq!(both.unwrap(), (7, Ok(())), "the runs wait for what is made");
        let failed = while_running::<(), _>(|| Err(anyhow!("no worker is left")), || 8);
        assert_eq!(failed.unwrap_err().to_string(), "no worker is left");
    }
}
