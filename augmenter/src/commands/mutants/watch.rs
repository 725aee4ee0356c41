//! What the user sees while mutants run, and Ctrl-C. Knows nothing of mutants.
//!
//! Invariant: nothing is printed to standard output; no JVM outlives the stop it was started under.

use crate::exit_code::Exit;
use crate::jvm::process::Stop;
use crate::mutation::Observer;
use crate::{output, work_folder};
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

/// A bar on a terminal, lines in a log.
#[derive(Debug)]
pub struct Watch {
    bar: ProgressBar,
    terminal: bool,
    stage: Mutex<String>,
}

impl Watch {
    /// The progress of an analysis.
    pub fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        if terminal {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Self { bar, terminal, stage: Mutex::default() }
    }

    /// The work is done.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Watch {
    fn stage(&self, text: &str) {
        self.bar.set_message(text.to_owned());
        if let Ok(mut stage) = self.stage.lock() {
            text.clone_into(&mut stage);
        }
        if !self.terminal {
            output::say(text);
        }
    }

    fn done(&self, done: usize, of: usize) {
        let stage = self.stage.lock().map(|stage| stage.clone()).unwrap_or_default();
        self.bar.set_message(format!("{stage}: {done} of {of}"));
    }

    fn say(&self, text: &str) {
        self.bar.suspend(|| output::say(text));
    }
}

/// Makes the first Ctrl-C end all JVMs, so that what was found is written, and the second end this process.
///
/// # Errors
/// When there is a handler already.
pub fn interrupts(stop: &Stop) -> Result<()> {
    let stop = stop.clone();
    ctrlc::set_handler(move || {
        if stop.is_stopped() {
            // Children die with this process.
            work_folder::abandon();
            std::process::exit(Exit::Interrupted.code().into());
        }
        stop.stop();
    })
    .context("cannot watch for Ctrl-C")
}
