//! Long loops that do the same again, over many chunks: a thread whose latest words are two equal runs and goes on with a third.
//!
//! What `repeats` says of short stretches within one chunk holds for long ones across chunks, as long as no other thread does anything
//! in between: a third run shows what the second showed. Its words are compared and left out; when a run is left unfinished, or another
//! thread comes in, the part of it that was left out is understood after all. Of many runs one is understood that stands for them.
//!
//! Knows nothing of objects or facts. Invariant: a run that is left out consists of whole accesses and whole invocations, and the
//! two runs before it were the latest words understood.

use crate::decode::{Event, bundled, decode};
use crate::registry::{MethodIndex, Registry};
use crate::repeats::{MANY, may_repeat};

/// Longest run looked for, in words.
const LONGEST: usize = 1 << 13;
/// How many words of a chunk must stand at an earlier place for a longer look, and most such looks.
const AGREE: usize = 16;
const TRIES: usize = 8;
const BLOCK: usize = 32;
/// Words that may be looked back at for each word that comes.
const REACH: usize = 2;

/// The latest words of one thread, and the run that is repeated now.
#[derive(Debug, Default)]
pub struct Periods {
    thread: Option<u32>,
    history: Vec<u64>,
    /// Where chunks begin in `history`.
    begins: Vec<usize>,
    run: Vec<u64>,
    /// How many words of the run were left out and not understood.
    left_out: usize,
    /// How many whole runs were left out since one was understood.
    times: u32,
    /// How many words may be looked back at.
    credit: usize,
}

impl Periods {
    /// Whether the latest words are this thread's.
    pub fn is_of(&self, thread: u32) -> bool {
        self.thread == Some(thread)
    }

    /// From now on the latest words are this thread's, if any. The result are the words of the last one still to be understood.
    pub fn turn_to(&mut self, thread: Option<u32>) -> Option<(u32, Vec<u64>)> {
        let mut unfinished = std::mem::take(&mut self.run);
        unfinished.truncate(self.left_out);
        let last = std::mem::replace(&mut self.thread, thread);
        self.forget();
        last.map(|last| (last, unfinished))
    }

    fn forget(&mut self) {
        self.run.clear();
        (self.left_out, self.times) = (0, 0);
        self.history.clear();
        self.begins.clear();
    }

    /// The thread's next chunk came. The words to understand, and for how many runs of them they stand: no words if all are left out, and
    /// the chunk itself in most cases.
    pub fn next<'a>(
        &mut self,
        words: &'a [u64],
        registry: &Registry,
        room: &'a mut Vec<u64>,
    ) -> (&'a [u64], u32) {
        let finds = self.run.is_empty() && self.find(words, registry);
        if !finds && self.run.is_empty() {
            self.remember(words);
            return (words, 1);
        }
        room.clear();
        let same = self.leave_out(words);
        if same == words.len() {
            if self.times < MANY {
                return (&[], 1);
            }
            // Before what was left out of the run that is not finished.
            room.extend_from_slice(&self.run);
            return (room, std::mem::take(&mut self.times));
        }
        // Together, because an event may begin in what was left out and go on in the rest.
        room.extend_from_slice(self.run.get(..self.left_out).unwrap_or_default());
        room.extend_from_slice(words.get(same..).unwrap_or_default());
        self.forget();
        self.remember(room);
        (room, 1)
    }

    fn remember(&mut self, words: &[u64]) {
        if self.history.len() > 3 * LONGEST {
            let gone = self.history.len() - 2 * LONGEST;
            self.history.drain(..gone);
            self.begins.retain(|begin| *begin >= gone);
            self.begins.iter_mut().for_each(|begin| *begin -= gone);
        }
        self.begins.push(self.history.len());
        self.history.extend_from_slice(words);
    }

    /// How many words go on with the run, whole runs and the part of one.
    fn leave_out(&mut self, words: &[u64]) -> usize {
        let mut at = 0;
        while at < words.len() {
            let expected = self.run.get(self.left_out..).unwrap_or_default();
            let rest = words.get(at..).unwrap_or_default();
            let length = expected.len().min(rest.len());
            let same = if expected.get(..length) == rest.get(..length) {
                length
            } else {
                expected.iter().zip(rest).take_while(|(expected, word)| expected == word).count()
            };
            at += same;
            self.left_out += same;
            if self.left_out == self.run.len() {
                self.left_out = 0;
                self.times = self.times.saturating_add(1);
            }
            if same < length {
                break;
            }
        }
        at
    }

    /// Whether the history ends with two equal runs that `words` seem to go on with.
    fn find(&mut self, words: &[u64], registry: &Registry) -> bool {
        let Some(first) = words.first() else { return false };
        let end = self.history.len();
        let reach = LONGEST.min(end / 2);
        self.credit += words.len() * REACH;
        if self.credit < reach {
            return false;
        }
        self.credit = 0;
        let agrees = |at: &usize| {
            let recent = self.history.get(*at..(at + AGREE).min(end)).unwrap_or_default();
            recent.iter().zip(words).all(|(recent, word)| recent == word)
        };
        let places = places_of(*first, &self.history, end - reach).filter(agrees);
        let found = places.take(TRIES).find(|at| self.ends_with_runs_from(*at, registry));
        let Some(at) = found else { return false };
        self.run.extend_from_slice(&self.history[at..]);
        true
    }

    /// Whether the words from `at` on are a run that may be left out, and the same stand before it and were understood so.
    fn ends_with_runs_from(&self, at: usize, registry: &Registry) -> bool {
        let Some(first) = at.checked_sub(self.history.len() - at) else { return false };
        let begin = self.begins.iter().rev().find(|begin| **begin <= first).copied();
        self.history.get(first..at) == self.history.get(at..)
            && begin.is_some_and(|begin| {
                let words = self.history.get(begin..).unwrap_or_default();
                is_whole(words, first - begin, at - begin, registry)
            })
    }
}

/// Where a word stands from `lowest` on, the last place first.
fn places_of(word: u64, words: &[u64], lowest: usize) -> impl Iterator<Item = usize> {
    // Whole blocks are passed over quickly: most words stand nowhere.
    let blocks = words.get(lowest..).unwrap_or_default().chunks(BLOCK).enumerate().rev();
    let blocks =
        blocks.filter(move |(_, block)| block.iter().fold(false, |any, other| any | (*other == word)));
    blocks.flat_map(move |(at, block)| {
        let places = block.iter().enumerate().rev().filter(move |(_, other)| **other == word);
        places.map(move |(within, _)| lowest + at * BLOCK + within)
    })
}

/// Whether, in whole events, the words from `at` on do the same when done again and leave the frames as they were; events begin
/// at `first` and at `at`.
fn is_whole(words: &[u64], first: usize, at: usize, registry: &Registry) -> bool {
    // The shorter look first: events seldom begin elsewhere, and most runs hold one that may not be repeated.
    does_the_same(words.get(at..).unwrap_or_default(), registry) && begins_at(words, [first, at], registry)
}

/// Whether events begin at these places, given that one begins with the first word.
fn begins_at(words: &[u64], places: [usize; 2], registry: &Registry) -> bool {
    let mut next = 0;
    places.into_iter().all(|place| {
        while next < place {
            next += decode(words.get(next..).unwrap_or_default(), registry).2;
        }
        next == place
    })
}

/// Whether whole events do the same when done again, and leave the frames as they were.
fn does_the_same(words: &[u64], registry: &Registry) -> bool {
    let (mut next, mut entered) = (0, vec![]);
    while let Some(rest) = words.get(next..).filter(|rest| !rest.is_empty()) {
        let (event, site, length) = decode(rest, registry);
        let repeats = match registry.bundle(site).filter(|_| event == Event::Bundle) {
            Some(bundle) => (0..bundle.len()).all(|at| {
                let (event, site) = bundled(bundle, at, rest, registry);
                repeats(&event, site, &mut entered, registry)
            }),
            None => repeats(&event, site, &mut entered, registry),
        };
        if !repeats {
            return false;
        }
        next += length;
    }
    entered.is_empty()
}

/// Whether an event may be repeated, given the methods entered before and not left, the last of which it may leave.
fn repeats(event: &Event, site: u32, entered: &mut Vec<MethodIndex>, registry: &Registry) -> bool {
    let method = registry.op(site).method;
    let fits = match event {
        Event::Enter(..) => {
            entered.push(method);
            true
        }
        Event::Exit(_) => entered.pop() == Some(method),
        _ => true,
    };
    fits && may_repeat(event)
}
