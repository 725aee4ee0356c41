//! What the user sees while `augment` works: a bar on a terminal, quiet lines in a log. Knows nothing of the work itself.
//!
//! Invariant: nothing is printed to standard output.

use dynaflow_objectives::Iteration;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// The progress of one augmentation.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    terminal: bool,
}

impl Progress {
    /// A spinner on a terminal, lines elsewhere.
    pub fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        if terminal {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Self { bar, terminal }
    }

    /// A new stage begins.
    pub fn stage(&self, text: &str) {
        self.bar.set_message(text.to_owned());
        if !self.terminal {
            crate::output::say(text);
        }
    }

    /// The search goes on.
    pub fn searching(&self, n: u32, open: usize, covered: usize, executions: u64) {
        self.bar.set_message(format!(
            "iteration {n}: {open} objectives open, {covered} pairs covered, {executions} sequences run"
        ));
    }

    /// An iteration ended.
    pub fn iteration(&self, iteration: &Iteration) {
        let Iteration { covered_new, n, objectives_new, tests_added } = iteration;
        self.say(&format!(
            "iteration {n}: {objectives_new} new objectives, {covered_new} pairs newly covered, {tests_added} tests added"
        ));
    }

    /// A line that stays.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| crate::output::say(text));
    }

    /// The work is done.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
