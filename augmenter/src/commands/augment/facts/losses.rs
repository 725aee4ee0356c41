//! What was lost on the way: candidates that ended their JVM or would not end, facts that did not come back, workers.
//!
//! Knows nothing of how they are run. Invariant: whatever is counted here is reported; a search that lost facts or workers
//! does not report a fixpoint.

use dynaflow_model::outcome::{Broken, Outcome};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Most reasons that are kept of one kind.
const REASONS: usize = 3;
/// Most ways to end a JVM that are told apart.
const ENDS: usize = 100;

/// Counts, with some reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Candidates that ended their JVM.
    pub died: u64,
    /// Candidates that did not end in time.
    pub timed_out: u64,
    /// Candidates that ran and whose facts did not come back.
    pub facts: u64,
    /// Traces that could not be read to their end.
    pub traces: u64,
    /// JVMs that were replaced.
    pub replaced: u64,
    /// Workers that could not be replaced.
    pub workers: u64,
    reasons: BTreeSet<String>,
    /// How candidates ended their JVM, with how many did so.
    ends: BTreeMap<String, u64>,
}

impl Losses {
    /// Counts how a candidate ended.
    pub fn outcome(&mut self, outcome: &Outcome) {
        match &outcome.broken {
            Some(Broken::WorkerDied(how)) => {
                self.died += 1;
                self.ended(how.trim(), 1);
            }
            Some(Broken::TimedOut) => self.timed_out += 1,
            Some(Broken::Unrunnable(_)) | None => {}
        }
    }

    /// Counts a trace that cannot be read on.
    pub fn trace(&mut self, why: &str) {
        self.traces += 1;
        self.because(why);
    }

    /// Counts a worker that is not there any more.
    pub fn worker(&mut self, why: &str) {
        self.workers += 1;
        self.because(why);
    }

    fn ended(&mut self, how: &str, times: u64) {
        if self.ends.len() < ENDS || self.ends.contains_key(how) {
            *self.ends.entry(how.to_owned()).or_default() += times;
        }
    }

    /// The commonest ways in which JVMs ended; empty when none did.
    fn commonest(&self) -> String {
        let mut ends: Vec<(&String, &u64)> = self.ends.iter().collect();
        ends.sort_by_key(|(how, times)| (Reverse(**times), *how));
        let each = |(how, times): &(&String, &u64)| format!("{times} × {how}");
        let texts: Vec<String> = ends.iter().take(REASONS).map(each).collect();
        if texts.is_empty() { String::new() } else { format!(" ({})", texts.join("; ")) }
    }

    fn because(&mut self, why: &str) {
        if self.reasons.len() < REASONS {
            self.reasons.insert(why.trim().to_owned());
        }
    }

    /// Adds what another counted.
    pub fn add(&mut self, other: &Self) {
        self.add_ends(other);
        self.facts += other.facts;
        self.traces += other.traces;
        self.workers += other.workers;
        other.reasons.iter().for_each(|why| self.because(why));
    }

    /// Adds what another counted of candidates that ended badly, where nothing else is lost by that.
    pub fn add_ends(&mut self, other: &Self) {
        self.died += other.died;
        self.timed_out += other.timed_out;
        self.replaced += other.replaced;
        other.ends.iter().for_each(|(how, times)| self.ended(how, *times));
    }

    /// Whether something is not known that a search to the fixpoint would know.
    pub fn are_serious(&self) -> bool {
        self.facts + self.workers > 0
    }

    /// The messages about it, a line each; none when nothing was lost.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![];
        if self.died + self.timed_out + self.replaced > 0 {
            lines.push(format!(
                "{} call sequences ended their JVM{}, {} did not end in time; {} JVMs were replaced",
                self.died,
                self.commonest(),
                self.timed_out,
                self.replaced
            ));
        }
        if self.traces + self.facts > 0 {
            lines.push(format!(
                "warning: {} traces of workers could not be read to their end; what {} call sequences did is not known",
                self.traces, self.facts
            ));
        }
        if self.workers > 0 {
            lines.push(format!("warning: {} workers were lost and could not be replaced", self.workers));
        }
        lines.extend(self.reasons.iter().map(|why| format!("warning: {why}")));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(broken: Option<Broken>) -> Outcome {
        Outcome { broken, ..Outcome::default() }
    }

    #[test]
    fn what_was_lost_is_reported_and_what_was_not_is_not() {
        let mut losses = Losses::default();
        losses.outcome(&ended(None));
        losses.outcome(&ended(Some(Broken::Unrunnable("no such method".into()))));
        assert!(losses.lines().is_empty() && !losses.are_serious());
        losses.outcome(&ended(Some(Broken::WorkerDied("exit status: 3".into()))));
        losses.outcome(&ended(Some(Broken::TimedOut)));
        assert_eq!(
            losses.lines(),
            [
                "1 call sequences ended their JVM (1 × exit status: 3), 1 did not end in time; 0 JVMs were replaced"
            ]
        );
        assert!(!losses.are_serious(), "what they showed is known");
        let mut sum = Losses { facts: 2, ..Losses::default() };
        sum.trace("1.trace: the checksum of a block does not match");
        sum.worker("no memory");
        sum.add(&losses);
        for _ in 0..2 {
            sum.outcome(&ended(Some(Broken::WorkerDied("memory ran out".into()))));
        }
        assert!(sum.are_serious());
        assert_eq!((sum.died, sum.timed_out, sum.facts, sum.traces, sum.workers), (3, 1, 2, 1, 1));
        assert!(sum.lines()[0].contains("(2 × memory ran out; 1 × exit status: 3)"), "the commonest first");
        let text = sum.lines().join("\n");
        assert!(
            text.contains("what 2 call sequences did")
                && text.contains("checksum")
                && text.contains("no memory")
        );
    }
}
