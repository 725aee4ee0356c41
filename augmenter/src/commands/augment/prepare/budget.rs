//! How long a search may go on: a duration or a number of executions, shared by classes in turns, and the user's Ctrl-C.
//!
//! Knows nothing of what is executed. Invariant: with a number of executions the clock is never asked, so that the same seed
//! gives the same tests on every machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Least part of a duration, in microseconds, that is worth a turn.
const LEAST_TIME: u64 = 2_000_000;
/// Least number of executions that is worth a turn.
const LEAST_EXECUTIONS: u64 = 200;
/// The least time for running the tests of all classes with those of the project.
const LEAST_LAST: Duration = Duration::from_secs(180);

/// What limits the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Wall time.
    Time(Duration),
    /// Number of sequences executed.
    Executions(u64),
}

impl Limit {
    /// Microseconds, or executions.
    fn amount(self) -> u64 {
        match self {
            Self::Time(limit) => u64::try_from(limit.as_micros()).unwrap_or(u64::MAX),
            Self::Executions(limit) => limit,
        }
    }

    fn least(self) -> u64 {
        match self {
            Self::Time(_) => LEAST_TIME,
            Self::Executions(_) => LEAST_EXECUTIONS,
        }
    }
}

/// Keeps count against a [`Limit`]. Amounts are microseconds or executions, as the limit is.
#[derive(Debug)]
pub struct Budget {
    limit: Limit,
    started: Instant,
    executions: u64,
    /// What is used when the turn is over.
    turn_end: u64,
    interrupted: Arc<AtomicBool>,
    lost: bool,
}

/// Why the search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The limit is reached.
    Spent,
    /// The user asked for it.
    Interrupted,
    /// No worker is left.
    Lost,
}

impl Budget {
    /// Starts counting now, with one turn for everything. `interrupted` is set by the Ctrl-C handler.
    pub fn start(limit: Limit, interrupted: Arc<AtomicBool>) -> Self {
        let turn_end = limit.amount();
        Self { limit, started: Instant::now(), executions: 0, turn_end, interrupted, lost: false }
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

    /// Ends the search, whatever is left of the limit.
    pub fn spend(&mut self) {
        self.limit = match self.limit {
            Limit::Time(_) => Limit::Time(Duration::ZERO),
            Limit::Executions(_) => Limit::Executions(0),
        };
    }

    /// Counts `n` executed sequences.
    pub fn count(&mut self, n: usize) {
        self.executions += n as u64;
    }

    /// Sequences executed so far.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// What is used up.
    pub fn used(&self) -> u64 {
        match self.limit {
            Limit::Time(_) => u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX),
            Limit::Executions(_) => self.executions,
        }
    }

    fn left(&self) -> u64 {
        self.limit.amount().saturating_sub(self.used())
    }

    /// Begins the turn of one of the classes that are still searched: `now` of them have a turn in this round, this one included,
    /// `later` wait for the next. A turn is a quarter of an equal share, so that most is left for the classes that bring something
    /// new, and no less than what is worth a turn. `most`: what the class may use in any case.
    pub fn begin_turn(&mut self, now: usize, later: usize, most: u64) {
        let (used, left) = (self.used(), self.left());
        let equal = left / (now.max(1) as u64);
        let share = if now + later <= 1 { left } else { (equal / 4).max(self.limit.least()).min(equal) };
        self.turn_end = used.saturating_add(share.max(1).min(most));
    }

    /// Whether another class's turn has come, or the search has to stop.
    pub fn is_turn_over(&self) -> bool {
        self.over().is_some() || self.used() >= self.turn_end
    }

    /// Whether and why to stop.
    pub fn over(&self) -> Option<Over> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Over::Interrupted);
        }
        if self.lost {
            return Some(Over::Lost);
        }
        (self.left() == 0).then_some(Over::Spent)
    }

    /// Whether the last fifth of it has begun.
    pub fn is_nearly_spent(&self) -> bool {
        self.left() <= self.limit.amount() / 5
    }

    /// How many of so many sequences may be executed before the limit is reached; time lets all of them begin.
    pub fn most(&self, wanted: usize) -> usize {
        match self.limit {
            Limit::Time(_) => wanted,
            Limit::Executions(_) => wanted.min(usize::try_from(self.left()).unwrap_or(wanted)),
        }
    }

    /// The largest batch that stays within the turn. Of executions, half of what is left is kept back: what the batch shows is to
    /// be made shorter, too.
    pub fn batch(&self, wanted: usize) -> usize {
        match self.limit {
            Limit::Time(_) => wanted,
            Limit::Executions(_) => {
                let turn = self.turn_end.saturating_sub(self.executions);
                let most = turn.min(self.left().div_ceil(2));
                wanted.min(usize::try_from(most).unwrap_or(wanted))
            }
        }
    }
}

/// The time for checking, which the classes that have tests share: what one leaves is for the others.
#[derive(Debug)]
pub struct Checking {
    end: Instant,
    classes: u32,
}

impl Checking {
    /// For so many classes, which have so long from `now` on.
    pub fn new(now: Instant, most: Duration, classes: usize) -> Self {
        let end = now.checked_add(most).unwrap_or(now);
        Self { end, classes: u32::try_from(classes).unwrap_or(u32::MAX) }
    }

    /// Until when the next class may be observed and judged, which begins now, while the one before may not be done yet.
    pub fn seen(&self, now: Instant) -> Instant {
        now + self.share(now)
    }

    /// When the next class, whose turn comes now, has to be done: its equal share of what is left.
    pub fn next(&mut self, now: Instant) -> Instant {
        let share = self.share(now);
        self.classes = self.classes.saturating_sub(1);
        now + share
    }

    /// When what concerns all classes has to be done, which begins now: it has what they left, and [`LEAST_LAST`] in any case.
    pub fn last(&self, now: Instant) -> Instant {
        self.end.max(now + LEAST_LAST)
    }

    fn share(&self, now: Instant) -> Duration {
        self.end.saturating_duration_since(now) / self.classes.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executions(n: u64) -> Budget {
        Budget::start(Limit::Executions(n), Arc::default())
    }

    #[test]
    fn a_budget_of_executions_ends_exactly_there_and_never_asks_the_clock() {
        let mut budget = executions(5);
        assert_eq!((budget.batch(9), budget.most(9)), (3, 5));
        budget.count(3);
        assert_eq!((budget.batch(9), budget.most(9), budget.over()), (1, 2, None));
        budget.count(2);
        assert_eq!((budget.batch(9), budget.most(9), budget.over()), (0, 0, Some(Over::Spent)));
    }

    #[test]
    fn the_last_fifth_is_known() {
        let mut budget = executions(100);
        assert!(!budget.is_nearly_spent());
        budget.count(79);
        assert!(!budget.is_nearly_spent());
        budget.count(1);
        assert!(budget.is_nearly_spent());
    }

    #[test]
    fn a_turn_is_a_quarter_of_an_equal_share_and_worth_it() {
        let turn = |n: u64, now: usize, later: usize, most: u64| {
            let mut budget = executions(n);
            budget.begin_turn(now, later, most);
            budget.turn_end
        };
        assert_eq!(turn(100_000, 10, 0, u64::MAX), 2_500);
        assert_eq!(turn(100_000, 10, 0, 600), 600, "a class may use less");
        assert_eq!(turn(4_000, 10, 0, u64::MAX), 200, "a turn is worth it");
        assert_eq!(turn(1_000, 10, 0, u64::MAX), 100, "and everybody has one");
        assert_eq!(turn(3, 10, 0, u64::MAX), 1);
        assert_eq!(turn(1_000, 1, 0, u64::MAX), 1_000, "nobody else needs any");
        assert_eq!(turn(1_000, 1, 3, u64::MAX), 250, "those that wait do");
    }

    #[test]
    fn no_class_takes_the_time_in_which_others_are_checked() {
        let (start, seconds) = (Instant::now(), Duration::from_secs);
        let mut checking = Checking::new(start, seconds(60), 3);
        assert_eq!(checking.seen(start), start + seconds(20));
        assert_eq!(checking.next(start), start + seconds(20));
        assert_eq!(checking.seen(start + seconds(2)), start + seconds(31), "the first is not done yet");
        assert_eq!(checking.next(start + seconds(2)), start + seconds(31), "what the first left is shared");
        assert_eq!(checking.seen(start + seconds(58)), start + seconds(60), "all has to be done then");
        assert_eq!(checking.next(start + seconds(31)), start + seconds(60));
        assert_eq!(checking.next(start + seconds(70)), start + seconds(70), "nothing is left");
        assert_eq!(
            checking.last(start + seconds(70)),
            start + seconds(250),
            "all together have three minutes"
        );
        assert_eq!(Checking::new(start, seconds(900), 1).last(start), start + seconds(900));
    }

    #[test]
    fn the_end_of_a_turn_is_not_the_end_of_the_search() {
        let mut budget = executions(1_000);
        budget.begin_turn(2, 0, 10);
        assert_eq!(budget.batch(32), 10);
        budget.count(10);
        assert_eq!((budget.is_turn_over(), budget.over()), (true, None));
        budget.begin_turn(1, 0, u64::MAX);
        assert!(!budget.is_turn_over());
    }

    #[test]
    fn a_lost_worker_ends_the_search_whatever_is_left() {
        let mut budget = executions(5);
        assert_eq!((budget.over(), budget.deadline()), (None, None));
        budget.lose();
        assert_eq!(budget.over(), Some(Over::Lost));
        assert!(budget.is_turn_over());
    }

    #[test]
    fn an_interrupt_stops_before_the_limit() {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::start(Limit::Time(Duration::from_secs(3600)), Arc::clone(&flag));
        assert_eq!(budget.over(), None);
        flag.store(true, Ordering::Relaxed);
        assert_eq!(budget.over(), Some(Over::Interrupted));
    }
}
