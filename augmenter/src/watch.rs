//! What the user sees while mutants run, and Ctrl-C. Knows nothing of mutants or terminals.
//!
//! Invariant: nothing is printed to standard output; no JVM outlives the stop it was started under.

use crate::exit_code::Exit;
use crate::jvm::process::Stop;
use crate::mutation::Observer;
use crate::progress::Progress;
use crate::work_folder;
use anyhow::{Context, Result};
use std::sync::{Mutex, PoisonError};

/// The progress of an analysis, which several threads report.
#[derive(Debug)]
pub struct Watch {
    progress: Progress,
    stage: Mutex<String>,
}

impl Watch {
    /// Nothing began yet.
    pub fn new() -> Self {
        Self { progress: Progress::new(), stage: Mutex::default() }
    }

    /// The work is done.
    pub fn end(&self) {
        self.progress.end();
    }
}

impl Observer for Watch {
    fn stage(&self, text: &str) {
        text.clone_into(&mut self.stage.lock().unwrap_or_else(PoisonError::into_inner));
        self.progress.stage(text);
    }

    fn done(&self, done: usize, of: usize) {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.progress.at(format!("{stage}: {done} of {of}"));
    }

    fn say(&self, text: &str) {
        self.progress.say(text);
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
