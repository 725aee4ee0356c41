//! What the JVM's threads send to the analysis thread, in one bounded channel. It does not know what becomes of it.
//! Invariant: what explains a word (a class's sites, a mirror, a text) is sent before the word, so that one receiver sees
//! causes before effects.

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use dynaflow_model::facts::Effort;
use dynaflow_model::ids::{ObjectId, SiteId};
use dynaflow_model::sites::{ClassHash, ClassSites, Declined};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many messages wait before their senders do: a few megabytes of words.
const CAPACITY: usize = 64;

/// One message.
#[derive(Debug)]
pub enum Message {
    /// A woven class is about to be loaded; its sites are numbered from `base`.
    Class {
        /// The number of its first site.
        base: SiteId,
        /// Its sites.
        sites: Arc<ClassSites>,
    },
    /// A class that is woven for coverage is about to be loaded.
    Planned(Planned),
    /// Bits of a slot were covered that were not before.
    Covered {
        /// The slot.
        slot: u32,
        /// The bits.
        bits: u64,
    },
    /// A class or method was left as it was.
    Declined(Declined),
    /// A class of some object was seen for the first time.
    Mirror {
        /// The class mirror.
        id: ObjectId,
        /// Binary name.
        name: String,
        /// Binary names of all its superclasses and superinterfaces.
        supers: Vec<String>,
    },
    /// What a string id means.
    Text {
        /// The id.
        id: u32,
        /// The text.
        text: String,
    },
    /// Words of one thread.
    Words {
        /// The thread.
        thread: u32,
        /// Whole events.
        words: Vec<u64>,
    },
    /// Words of several threads: a header (thread in the high half, count in the low half), then the words; count 0 when
    /// the thread ended.
    Runs(Vec<u64>),
    /// Asks for an answer once everything before is analysed and written.
    Sync(Sender<()>),
    /// Trouble, in words.
    Note(String),
    /// Nothing follows.
    End,
}

/// What the bits of a class woven for coverage stand for.
#[derive(Debug)]
pub struct Planned {
    /// Its binary name.
    pub name: String,
    /// Its build.
    pub hash: ClassHash,
    /// Its first slot.
    pub first: u32,
    /// By bit, 64 a slot: the ids of the associations it stands for.
    pub bits: Arc<[Vec<u64>]>,
}

impl Message {
    /// How many words of threads it holds; the headers of runs are none.
    fn words(&self) -> usize {
        match self {
            Self::Words { words, .. } => words.len(),
            Self::Runs(words) => runs(words).map(|(_, run)| run.len()).sum(),
            _ => 0,
        }
    }
}

/// The sending side, shared by all threads.
#[derive(Clone, Debug)]
pub struct Outlet {
    messages: Sender<Message>,
    used: Receiver<Vec<u64>>,
    sent: Arc<Sent>,
}

/// The receiving side.
#[derive(Debug)]
pub struct Inlet {
    messages: Receiver<Message>,
    used: Sender<Vec<u64>>,
}

/// What was sent and what that took, in the order of nothing: counts alone.
#[derive(Debug, Default)]
pub struct Sent {
    words: AtomicU64,
    waits: AtomicU64,
    waited: AtomicU64,
    settled: AtomicU64,
}

impl Sent {
    /// What recording took so far.
    pub fn effort(&self) -> Effort {
        let millis = |nanos: &AtomicU64| nanos.load(Ordering::Relaxed) / 1_000_000;
        Effort {
            words: self.words.load(Ordering::Relaxed),
            waits: self.waits.load(Ordering::Relaxed),
            waited: millis(&self.waited),
            settled: millis(&self.settled),
        }
    }
}

/// Counts the time since a moment, in nanoseconds.
fn count(time: &AtomicU64, since: Instant) {
    let nanos = u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
    time.fetch_add(nanos, Ordering::Relaxed);
}

/// Makes the channel.
pub fn channel() -> (Outlet, Inlet) {
    let (sender, receiver) = bounded(CAPACITY);
    let (used, reused) = bounded(CAPACITY);
    let outlet = Outlet { messages: sender, used: reused, sent: Arc::default() };
    (outlet, Inlet { messages: receiver, used })
}

impl Inlet {
    /// The next message, waiting for it; none when all senders are gone.
    pub fn next(&self) -> Option<Message> {
        self.messages.recv().ok()
    }

    /// The next message if there is one now.
    pub fn waiting(&self) -> Option<Message> {
        self.messages.try_recv().ok()
    }

    /// Takes the room of words that were understood, for words to come: giving it to the system and asking for it again would cost
    /// more than understanding many of them.
    pub fn give_back(&self, message: Message) {
        if let Message::Words { words, .. } | Message::Runs(words) = message {
            // Without a place for it, or somebody who wants it, it is freed.
            let _ = self.used.try_send(words);
        }
    }
}

impl Outlet {
    /// Room for words.
    pub fn room(&self) -> Vec<u64> {
        self.used.try_recv().unwrap_or_default()
    }

    /// Sends, waiting while the analysis is behind. False when nobody listens any more.
    pub fn send(&self, message: Message) -> bool {
        let words = message.words() as u64;
        let sent = match self.messages.try_send(message) {
            Err(TrySendError::Full(message)) => {
                self.sent.waits.fetch_add(1, Ordering::Relaxed);
                self.waiting(|| self.messages.send(message).is_ok())
            }
            other => other.is_ok(),
        };
        if sent {
            self.sent.words.fetch_add(words, Ordering::Relaxed);
        }
        sent
    }

    /// Runs something in which the program waits for the analysis, and counts the time.
    pub fn waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let waited = wait();
        count(&self.sent.waited, began);
        waited
    }

    /// What sending took.
    pub fn sent(&self) -> Arc<Sent> {
        Arc::clone(&self.sent)
    }

    /// Sends, waiting no longer than that.
    pub fn send_within(&self, message: Message, limit: Duration) -> bool {
        self.messages.send_timeout(message, limit).is_ok()
    }

    /// Returns once everything sent before is analysed and written, or nobody listens.
    pub fn sync(&self) {
        let (reply, done) = bounded(1);
        let began = Instant::now();
        if self.send(Message::Sync(reply)) {
            // An error says that the analysis ended: there is nothing to wait for.
            let _ = done.recv();
        }
        count(&self.sent.settled, began);
    }
}

/// The runs of [`Message::Runs`]: thread and words. A count past the end gives what is there.
pub fn runs(mut words: &[u64]) -> impl Iterator<Item = (u32, &[u64])> {
    std::iter::from_fn(move || {
        let (&header, rest) = words.split_first()?;
        let count = usize::try_from(header & 0xffff_ffff).unwrap_or(usize::MAX).min(rest.len());
        let (run, rest) = rest.split_at(count);
        words = rest;
        Some(((header >> 32) as u32, run))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_taken_apart_and_an_empty_one_is_the_end_of_a_thread() {
        let words = [(1 << 32) | 2, 7, 8, 3 << 32, (2 << 32) | 1, 9];
        let found: Vec<_> = runs(&words).collect();
        assert_eq!(found, [(1, &[7, 8][..]), (3, &[][..]), (2, &[9][..])]);
    }

    #[test]
    fn a_run_that_claims_too_many_words_gives_those_there_are() {
        assert_eq!(runs(&[(1 << 32) | 5, 7]).collect::<Vec<_>>(), [(1, &[7][..])]);
    }

    #[test]
    fn words_are_counted_and_so_is_waiting_for_room() {
        let (outlet, inlet) = channel();
        assert!(outlet.send(Message::Words { thread: 1, words: vec![7, 8] }));
        assert!(outlet.send(Message::Runs(vec![(1 << 32) | 2, 7, 8, 3 << 32])));
        (2..CAPACITY).for_each(|_| assert!(outlet.send(Message::Note("no words".to_owned()))));
        let sent = outlet.sent();
        assert_eq!((sent.effort().words, sent.effort().waits), (4, 0));
        std::thread::scope(|threads| {
            let one_more = threads.spawn(|| outlet.send(Message::Words { thread: 1, words: vec![9] }));
            while sent.effort().waits == 0 {
                std::thread::yield_now();
            }
            assert!(inlet.next().is_some() && one_more.join().unwrap());
        });
        assert_eq!((sent.effort().words, sent.effort().waits), (5, 1));
    }

    #[test]
    fn syncing_with_nobody_returns() {
        let (outlet, inlet) = channel();
        drop(inlet);
        outlet.sync();
        assert!(!outlet.send(Message::End));
    }
}
