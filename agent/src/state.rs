//! The one state of the agent in its process: options, the ways to the two threads, what the end has to report.
//!
//! It knows nothing of JVMTI. Invariant: set once, in `Agent_OnLoad`, before any callback; no lock guards it, so none can
//! be held over a JNI or JVMTI call.

use crate::calls::Calls;
use crate::hook_table::Hooks;
use crate::message::{Message, Outlet};
use crate::modes::{Java, Tables};
use crate::verdicts::Verdicts;
use crate::weaver::WeaverOutlet;
use crossbeam_channel::Receiver;
use dynaflow_model::options::AgentOptions;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The agent of this process.
pub struct Agent {
    /// What to record.
    pub options: AgentOptions,
    /// To the analysis thread.
    pub analysis: Outlet,
    /// To the weaver thread.
    pub weaver: WeaverOutlet,
    /// Gets a message when the analysis thread has finished the file.
    pub finished: Receiver<()>,
    /// Set when recording ended before the program.
    pub stopped: Arc<AtomicBool>,
    /// Its half in the JVM.
    pub java: &'static Java,
    /// What woven code may ask for.
    pub tables: Arc<Tables>,
    /// Where recorded methods call.
    pub calls: Arc<Calls>,
    /// What the analysis says of kinds of invocations.
    pub verdicts: Arc<Verdicts>,
    /// Which methods of the JDK call classes of ours.
    pub hooks: Arc<Hooks>,
    /// For each include pattern that was asked for, whether it selected a class; none when the patterns are the default.
    pub matched: Vec<AtomicBool>,
}

static AGENT: OnceLock<Agent> = OnceLock::new();

/// Makes `agent` the one of this process; false when there is one.
pub fn install(agent: Agent) -> bool {
    AGENT.set(agent).is_ok()
}

/// The agent of this process; none before `Agent_OnLoad`.
pub fn agent() -> Option<&'static Agent> {
    AGENT.get()
}

impl Agent {
    /// Whether a class is to be recorded; remembers which patterns selected it.
    pub fn selects(&self, class: &str, in_boot_loader: bool) -> bool {
        if in_boot_loader && self.options.include.is_empty() || !self.options.includes(class) {
            return false;
        }
        for (pattern, matched) in self.options.include.iter().zip(&self.matched) {
            if pattern.matches(class) {
                matched.store(true, Ordering::Relaxed);
            }
        }
        true
    }

    /// Whether anybody wants words.
    pub fn is_recording(&self) -> bool {
        !self.stopped.load(Ordering::Relaxed)
    }

    /// Sends words that are put into some room. False: nobody wants words any more.
    pub fn send_words(&self, message: impl FnOnce(Vec<u64>) -> Message) -> bool {
        let sent = self.is_recording() && self.send(message(self.analysis.room()));
        if sent {
            self.verdicts.sent();
        }
        sent
    }

    /// Sends, unless recording stopped. False: nobody wants words any more.
    pub fn send(&self, message: Message) -> bool {
        self.is_recording() && self.analysis.send(message)
    }

    /// The include patterns that selected no class.
    pub fn unmatched(&self) -> impl Iterator<Item = &str> {
        let pairs = self.options.include.iter().zip(&self.matched);
        pairs.filter(|(_, matched)| !matched.load(Ordering::Relaxed)).map(|(pattern, _)| pattern.as_str())
    }
}
