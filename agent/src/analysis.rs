//! The analysis thread: takes messages in their order, gives them to the mode, which writes what it found out into the trace file.
//!
//! It knows nothing of the JVM and never calls it, so that it always makes progress while the program waits for it.
//! Invariants: what was found out is in the file before the reply to a `Sync` that came behind it, and before the thread sleeps;
//! trouble with the file or in the mode ends the recording, is said once, and every later `Sync` is still answered.

use crate::fault::Point;
use crate::guard::{catch, say};
use crate::message::{Inlet, Message, Sent};
use crate::modes::Analyse;
use crate::pace::Pace;
use dynaflow_trace::{TraceError, TraceWriter};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What is noted when how long the program waited decides what is recorded.
const HURRIED: &str = "the program waited longer than `slowdown` accepts, so that more was left out than without it: what is missing \
                       depends on time, and may be more or less in another run";

/// What the analysis thread owns.
pub struct Analysis {
    mode: Box<dyn Analyse>,
    /// None once recording ended.
    writer: Option<TraceWriter>,
    /// What was sent here.
    sent: Arc<Sent>,
    /// The other threads see it, so that they send no more words.
    stopped: Arc<AtomicBool>,
    /// How long the program may wait; none when there is no bound.
    pace: Option<Pace>,
    /// Whether it waited longer.
    is_hurried: bool,
    /// Whether a trace without classes is taken back.
    is_quiet: bool,
}

impl Analysis {
    /// An analysis that writes to this file and sets `stopped` when it gives up; with a pace the program waits no longer than that accepts.
    /// A quiet one leaves no file where no class was recorded.
    pub fn new(
        mode: Box<dyn Analyse>,
        writer: TraceWriter,
        sent: Arc<Sent>,
        stopped: Arc<AtomicBool>,
        pace: Option<Pace>,
        is_quiet: bool,
    ) -> Self {
        Self { mode, writer: Some(writer), sent, stopped, pace, is_hurried: false, is_quiet }
    }

    /// Works until [`Message::End`], or until all senders are gone.
    pub fn listen(&mut self, inlet: &Inlet) {
        self.attempt(|mode, writer| mode.begin(writer));
        while let Some(message) = self.next(inlet) {
            match message {
                Message::End => break,
                Message::Sync(reply) => {
                    self.settle();
                    // The asking thread may be gone with its JVM.
                    let _ = reply.send(());
                }
                Message::Declined(declined) => self.attempt(|_, writer| writer.declined(&declined)),
                Message::Note(text) => self.attempt(|_, writer| writer.note(&text)),
                other => {
                    self.attempt(|mode, writer| mode.take(&other, writer));
                    inlet.give_back(other);
                    self.keep_pace();
                }
            }
        }
    }

    /// Leaves out more when the program waits too long, for room or at the ends of tests.
    fn keep_pace(&mut self) {
        let Some(pace) = &mut self.pace else { return };
        let effort = self.sent.effort();
        if !pace.is_late(effort.waited + effort.settled, Instant::now()) {
            return;
        }
        let is_first = !std::mem::replace(&mut self.is_hurried, true);
        self.attempt(|mode, writer| {
            mode.hurry();
            if is_first { writer.note(HURRIED) } else { Ok(()) }
        });
    }

    /// The next message. Before it has to be waited for, what was put off is written: the process may be killed meanwhile.
    fn next(&mut self, inlet: &Inlet) -> Option<Message> {
        inlet.waiting().or_else(|| {
            self.settle();
            inlet.next()
        })
    }

    fn settle(&mut self) {
        self.attempt(|mode, writer| mode.settle(writer));
    }

    /// Writes what is left; after a panic of the thread, what it was.
    pub fn end(mut self, panic: Option<String>) {
        if let Some(panic) = panic {
            self.give_up(&format!("internal error in the analysis thread: {panic}"));
        }
        self.finish();
    }

    /// Runs one step; an error or a panic ends the recording.
    fn attempt(&mut self, step: impl FnOnce(&mut dyn Analyse, &mut TraceWriter) -> Result<(), TraceError>) {
        let Some(writer) = &mut self.writer else { return };
        let mode = &mut *self.mode;
        match catch(Point::Analysis, || step(mode, writer)) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.give_up(&error.to_string()),
            Err(panic) => self.give_up(&format!("internal error in the analysis: {panic}")),
        }
    }

    fn give_up(&mut self, reason: &str) {
        let text = format!("recording stopped: {reason}");
        say(&format!("{text}; the program goes on"));
        if let Some(mut writer) = self.writer.take() {
            // The file may be what failed; the line above said it then.
            let _ = writer.note(&text);
        }
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Writes what is open and the end marker.
    fn finish(mut self) {
        self.attempt(|mode, writer| mode.finish(writer));
        let Some(writer) = self.writer.take() else { return };
        if self.is_quiet && !writer.has_classes() {
            if let Err(error) = writer.discard() {
                say(&error.to_string());
            }
        } else if let Err(error) = writer.finish(self.mode.bounds(), self.sent.effort()) {
            say(&format!("the trace has no end marker: {error}"));
        }
    }
}
