//! How long an iteration of the search goes on without news.
//!
//! In: what candidates brought. Out: whether it goes on, and with what. Knows nothing of what a candidate is. Invariant: the longer a class was
//! searched, the longer news may take, and never less than [`Limits::least`] candidates in a row.

/// So many times as many candidates in a row may show nothing new where goals of coverage earn tests and distances lead to one that nothing reached.
const ENDURANCE: u64 = 10;
/// One of so many sequences that were executed until now: so many in a row may show nothing new, where that is more than the least.
const PART: u64 = 4;

/// How long news may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Candidates in a row, splices apart, that may show nothing new in any case: no pair, no branch, no smaller distance to one. So many splices that were
    /// put off, and changes of what came near to objectives, follow when it is over.
    pub least: u64,
    /// Sequences executed for the class until now.
    pub executed: u64,
    /// Whether goals of coverage earn tests, and distances lead to one that nothing reached.
    pub are_led: bool,
}

impl Limits {
    fn of_last(self) -> u64 {
        self.least.max(self.executed / PART)
    }

    fn of_all(self) -> u64 {
        let led = if self.are_led { self.least.saturating_mul(ENDURANCE) } else { 0 };
        self.of_last().max(led)
    }
}

/// Candidates in a row that brought nothing.
#[derive(Debug, Default)]
pub struct Silence {
    /// Splices apart, that showed nothing new.
    idle: u64,
    /// Splices apart, that no test came of, however near they came to a branch.
    fruitless: u64,
    /// That no test came of, of those that are left once nothing else brings news: splices that were put off, and changes of what came near.
    last: u64,
}

impl Silence {
    /// Whether nothing else brings news than what is left in the end.
    pub fn is_long(&self, limits: Limits) -> bool {
        self.idle >= limits.of_all()
    }

    /// Whether what is left in the end brought no news either.
    pub fn is_over(&self, limits: Limits) -> bool {
        self.is_long(limits) && self.last >= limits.of_last()
    }

    /// Whether so many candidates in a row were no splices, and no test came of them.
    pub fn is_fruitless(&self, candidates: u64) -> bool {
        self.fruitless >= candidates
    }

    /// A batch brought a test.
    pub fn end(&mut self) {
        *self = Self::default();
    }

    /// A batch, so much of which were no splices, brought no test; whether it was of what is left in the end.
    pub fn go_on(&mut self, batch: usize, others: usize, is_last: bool) {
        self.idle += others as u64;
        self.fruitless += others as u64;
        self.last += if is_last { batch as u64 } else { 0 };
    }

    /// A sequence whose distances were measured reached a branch, or came nearer to one; or not.
    pub fn measured(&mut self, is_news: bool) {
        self.idle = if is_news { 0 } else { self.idle + 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(executed: u64, are_led: bool) -> Limits {
        Limits { least: 1_000, executed, are_led }
    }

    /// Candidates that bring nothing until nothing else is tried, and of what is left in the end until the iteration is over.
    fn tried(limits: Limits) -> (u64, u64) {
        let (mut silence, mut before, mut last) = (Silence::default(), 0, 0);
        while !silence.is_long(limits) {
            silence.go_on(1, 1, false);
            before += 1;
        }
        while !silence.is_over(limits) {
            silence.go_on(1, 0, true);
            last += 1;
        }
        (before, last)
    }

    #[test]
    fn news_may_take_a_quarter_of_what_the_search_took_until_now_and_a_thousand_candidates_at_least() {
        assert_eq!(tried(limits(0, false)), (1_000, 1_000));
        assert_eq!(tried(limits(4_000, false)), (1_000, 1_000));
        assert_eq!(tried(limits(60_000, false)), (15_000, 15_000));
    }

    #[test]
    fn it_may_take_ten_times_the_least_where_distances_lead_to_goals_that_earn_tests() {
        assert_eq!(tried(limits(8_000, true)), (10_000, 2_000));
        assert_eq!(tried(limits(60_000, true)), (15_000, 15_000));
    }

    #[test]
    fn a_test_ends_all_silence_and_a_smaller_distance_that_of_what_is_led() {
        let mut silence = Silence::default();
        silence.go_on(1_000, 1_000, true);
        assert!(silence.is_over(limits(0, false)));
        silence.measured(true);
        assert!(!silence.is_long(limits(0, false)) && silence.is_fruitless(1_000));
        (0..1_000).for_each(|_| silence.measured(false));
        assert!(silence.is_over(limits(0, false)));
        silence.end();
        assert!(!silence.is_long(limits(0, false)) && !silence.is_fruitless(1));
    }

    #[test]
    fn splices_are_all_tried_however_many_bring_nothing() {
        let mut silence = Silence::default();
        silence.go_on(9_000, 0, false);
        assert!(!silence.is_long(limits(0, false)) && !silence.is_fruitless(1));
    }
}
