//! What running sequences costs: how many ran, of how many statements, and where the time went.
//!
//! Knows nothing of what they are for. Invariant: nothing of it decides what is run or reported; it is printed with `-vv` and measured by
//! `scripts/bench/rates`.

use std::time::Duration;

/// Sequences that workers ran, and the time of the threads that drive them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Sequences with an outcome.
    pub sequences: u64,
    /// Their statements that returned.
    pub statements: u64,
    /// From a request to its replies: what workers do, and the way there and back.
    pub waiting: Duration,
    /// Reading what the agents recorded meanwhile.
    pub reading: Duration,
}

impl Spent {
    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        self.sequences += other.sequences;
        self.statements += other.statements;
        self.waiting += other.waiting;
        self.reading += other.reading;
    }

    /// A line for these workers; `what` says what they do.
    pub fn line(&self, what: &str) -> String {
        let Self { sequences, statements, waiting, reading } = self;
        let (waiting, reading) = (waiting.as_secs_f64(), reading.as_secs_f64());
        format!(
            "{what}: {sequences} sequences, {statements} statements, {waiting:.2} s until replies, {reading:.2} s for facts"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_add_up() {
        let one = Spent {
            sequences: 2,
            statements: 30,
            waiting: Duration::from_millis(1500),
            reading: Duration::from_millis(250),
        };
        let mut sum = one;
        sum.add(&one);
        let line = "workers that record: 4 sequences, 60 statements, 3.00 s until replies, 0.50 s for facts";
        assert_eq!(sum.line("workers that record"), line);
    }
}
