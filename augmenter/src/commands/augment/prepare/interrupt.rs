//! Ctrl-C and SIGTERM: the first ends the search and lets what was found be written, the second ends that too, the third
//! ends this process whatever it does.
//!
//! Knows nothing of what is running. Invariant: no JVM outlives the stop it was started under.

use crate::exit_code::Exit;
use crate::jvm::process::Stop;
use crate::work_folder;
use anyhow::{Context, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the handler of Ctrl-C pulls.
#[derive(Debug)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    /// Ends seed suite and workers.
    pub search: Stop,
    /// Ends what checks the tests that were found.
    pub finish: Stop,
}

impl Interrupt {
    /// Installs the handler for the whole process.
    ///
    /// # Errors
    /// When there is one already.
    pub fn install() -> Result<Self> {
        let interrupt = Self { flag: Arc::default(), search: Stop::default(), finish: Stop::default() };
        let (flag, search, finish) = (interrupt.flag(), interrupt.search.clone(), interrupt.finish.clone());
        ctrlc::set_handler(move || {
            let again = flag.swap(true, Ordering::SeqCst);
            if again && finish.is_stopped() {
                // Children die with this process; they asked for it.
                work_folder::abandon();
                std::process::exit(Exit::Interrupted.code().into());
            }
            if again {
                finish.stop();
            }
            search.stop();
        })
        .context("cannot watch for Ctrl-C")?;
        Ok(interrupt)
    }

    /// Set once the user has asked to end.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Whether the user has asked to end.
    pub fn is_set(&self) -> bool {
        self.flag.load(Ordering::SeqCst)
    }
}
