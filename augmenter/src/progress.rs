//! What the user sees while a command works: a bar on a terminal, quiet lines in a log. Knows nothing of the work itself.
//!
//! Invariant: nothing is printed to standard output.

use crate::output;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// The progress of one command.
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
            output::say(text);
        }
    }

    /// How far the stage is; on a terminal alone.
    pub fn at(&self, text: String) {
        self.bar.set_message(text);
    }

    /// A line that stays.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| output::say(text));
    }

    /// The work is done.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
