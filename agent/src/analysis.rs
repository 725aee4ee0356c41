//! The analysis thread: takes messages in their order, feeds the engine, writes what it found out into the trace file.
//!
//! It knows nothing of the JVM and never calls it, so that it always makes progress while the program waits for it.
//! Invariants: a record is in the file before the reply to the `Sync` that followed its test; trouble with the file or in
//! the engine ends the recording, is said once, and every later `Sync` is still answered.

use crate::fault::Point;
use crate::guard::{catch, say};
use crate::message::{Inlet, Message, Sent, runs};
use dynaflow_dataflow::{AnalysisConfig, Engine, Trouble};
use dynaflow_model::facts::TestRecord;
use dynaflow_trace::{TraceError, TraceWriter};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the analysis thread owns.
pub struct Analysis {
    engine: Engine,
    /// None once recording ended.
    writer: Option<TraceWriter>,
    /// What was sent here.
    sent: Arc<Sent>,
    /// Told to the other threads, so that they send no more words.
    stopped: Arc<AtomicBool>,
}

impl Analysis {
    /// An analysis that writes to this file and sets `stopped` when it gives up.
    pub fn new(
        config: AnalysisConfig,
        writer: TraceWriter,
        sent: Arc<Sent>,
        stopped: Arc<AtomicBool>,
    ) -> Self {
        Self { engine: Engine::new(config), writer: Some(writer), sent, stopped }
    }

    /// Works until [`Message::End`], or until all senders are gone.
    pub fn listen(&mut self, inlet: &Inlet) {
        while let Some(message) = inlet.next() {
            match message {
                Message::End => break,
                Message::Sync(reply) => {
                    // The asking thread may be gone with its JVM.
                    let _ = reply.send(());
                }
                Message::Words { thread, words } => {
                    self.attempt(|analysis| analysis.take_words(thread, &words));
                    inlet.give_back(words);
                }
                Message::Runs(words) => {
                    self.attempt(|analysis| analysis.take_runs(&words));
                    inlet.give_back(words);
                }
                other => self.attempt(|analysis| analysis.take(other)),
            }
        }
    }

    /// Writes what is left; after a panic of the thread, what it was.
    pub fn end(mut self, panic: Option<String>) {
        if let Some(panic) = panic {
            self.give_up(&format!("internal error in the analysis thread: {panic}"));
        }
        self.finish();
    }

    /// Runs one step; an error or a panic ends the recording.
    fn attempt(&mut self, step: impl FnOnce(&mut Self) -> Result<(), TraceError>) {
        if self.writer.is_none() {
            return;
        }
        match catch(Point::Analysis, || step(self)) {
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

    fn take(&mut self, message: Message) -> Result<(), TraceError> {
        match message {
            Message::Class { base, sites } => {
                if let Some(writer) = &mut self.writer {
                    writer.class(&sites.name, sites.hash)?;
                }
                self.engine.class_loaded(base, sites);
            }
            Message::Mirror { id, name, supers } => self.engine.mirror(id, &name, &supers),
            Message::Text { id, text } => self.engine.text(id, text),
            Message::Declined(declined) => {
                if let Some(writer) = &mut self.writer {
                    writer.declined(&declined)?;
                }
            }
            Message::Note(text) => {
                if let Some(writer) = &mut self.writer {
                    writer.note(&text)?;
                }
            }
            // `listen` takes these.
            Message::Words { .. } | Message::Runs(_) | Message::Sync(_) | Message::End => {}
        }
        Ok(())
    }

    fn take_words(&mut self, thread: u32, words: &[u64]) -> Result<(), TraceError> {
        self.engine.chunk(thread, words);
        self.write_tests()
    }

    fn take_runs(&mut self, words: &[u64]) -> Result<(), TraceError> {
        for (thread, run) in runs(words) {
            if run.is_empty() {
                self.engine.thread_ended(thread);
            } else {
                self.engine.chunk(thread, run);
            }
        }
        self.write_tests()
    }

    fn write_tests(&mut self) -> Result<(), TraceError> {
        let ended = self.engine.take_tests();
        self.write(&ended)
    }

    fn write(&mut self, records: &[TestRecord]) -> Result<(), TraceError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        records.iter().try_for_each(|record| writer.test(self.engine.facts(), record))
    }

    /// Writes what is open, what was not understood, and the end marker.
    fn finish(mut self) {
        self.attempt(|analysis| {
            let open = analysis.engine.finish();
            analysis.write(&open)?;
            trouble(analysis.engine.trouble()).map_or(Ok(()), |text| analysis.take(Message::Note(text)))
        });
        if let Some(writer) = self.writer.take()
            && let Err(error) = writer.finish(self.engine.bounds(), self.sent.effort())
        {
            say(&format!("the trace has no end marker: {error}"));
        }
    }
}

/// What the engine did not understand, in words; none when there was nothing.
fn trouble(counts: Trouble) -> Option<String> {
    let named = [
        (counts.garbage, "words that say nothing"),
        (counts.desynchronised, "events that do not fit the active frames"),
        (counts.refused_classes, "classes with sites beyond the word format"),
        (
            counts.restored_in_part,
            "calls that read objects from streams, which this JDK does not show in full",
        ),
    ];
    let found: Vec<_> =
        named.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    (!found.is_empty()).then(|| format!("not everything was understood: {}", found.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_named_with_its_count_and_no_trouble_is_not() {
        assert_eq!(trouble(Trouble::default()), None);
        let counts = Trouble { garbage: 2, refused_classes: 1, ..Trouble::default() };
        assert_eq!(
            trouble(counts).unwrap(),
            "not everything was understood: 2 words that say nothing, 1 classes with sites beyond the word format"
        );
        let counts = Trouble { restored_in_part: 3, ..Trouble::default() };
        let said = trouble(counts).unwrap();
        assert!(
            said.ends_with("3 calls that read objects from streams, which this JDK does not show in full")
        );
    }
}
