//! Loops that do the same again: stretches of a chunk's words that repeat the stretch before.
//!
//! A stretch of accesses and whole invocations that a thread repeats word by word shows in its third run what it showed in its second:
//! every location it writes has the same last writer (site and frame) at the same distance, and all others are as they were. So
//! runs after the second are left out, and nothing is lost. Of many the last one is understood, and stands for all of them: how often
//! something showed nothing new decides about what the recorder leaves out.
//!
//! Knows nothing of objects or facts. Invariant: a stretch that may be left out consists of whole events, leaves the frames as
//! they were, and equals the two stretches before it.

use crate::decode::{Event, StoredPlace};
use dynaflow_model::sites::ReceiverKind;
use dynaflow_model::words::FIRST_SITE;
use std::ops::Range;

/// Longest stretch looked for, in words.
const LONGEST: usize = 256;
const PLACES: usize = 64;
/// How many runs in a row are left out before one is understood that stands for them.
pub const MANY: u32 = 16;

/// A stretch in its second run.
#[derive(Debug)]
struct Second {
    /// Its words.
    run: Range<usize>,
    /// How many frames were active when it began.
    depth: usize,
}

/// Runs that need not be understood one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The last of them.
    pub last: Range<usize>,
    /// How many they are.
    pub times: u32,
}

/// Finds repeated stretches in one chunk.
#[derive(Debug)]
pub struct Repeats {
    /// By site, one more than where it was last seen.
    seen: [u32; PLACES],
    second: Option<Second>,
}

impl Repeats {
    /// For a new chunk.
    pub fn new() -> Self {
        Self { seen: [0; PLACES], second: None }
    }

    /// An event of `site` stands at `at`, with so many frames active. The runs that begin there, if they repeat what was seen twice.
    #[inline]
    pub fn next(&mut self, words: &[u64], at: usize, site: u32, depth: usize) -> Option<Repeated> {
        if let Some(second) = &self.second {
            if at < second.run.end {
                return None;
            }
            let repeated = (at == second.run.end && depth == second.depth)
                .then(|| repeated(words, &second.run))
                .flatten();
            self.second = None;
            if repeated.is_some() {
                return repeated;
            }
        }
        let place = &mut self.seen[site as usize % PLACES];
        let last = std::mem::replace(place, at as u32 + 1);
        if last != 0 {
            self.begin(words, last as usize - 1..at, depth);
        }
        None
    }

    /// Starts a second run, if the words after a stretch repeat it twice.
    #[inline]
    fn begin(&mut self, words: &[u64], first: Range<usize>, depth: usize) {
        let length = first.len();
        let word = |at: usize| words.get(at);
        if length == 0 || length > LONGEST || word(first.start) != word(first.end) {
            return;
        }
        let third = first.end + length;
        if word(first.start) == word(third) && words.get(first.clone()) == words.get(first.end..third) {
            self.second = Some(Second { run: first.end..third, depth });
        }
    }

    /// An event of the stretch was understood, and so many frames are active after it.
    #[inline]
    pub fn took(&mut self, event: &Event, depth: usize) {
        if let Some(second) = &self.second
            && (depth < second.depth || !may_repeat(event))
        {
            self.second = None;
        }
    }
}

fn repeated(words: &[u64], run: &Range<usize>) -> Option<Repeated> {
    let (length, mut at, mut times) = (run.len(), run.end, 0);
    while words.get(run.clone()) == words.get(at..at + length) {
        at += length;
        times += 1;
    }
    (times > 0).then(|| Repeated { last: at - length..at, times })
}

/// Whether doing this again does the same; counts of what containers hold, say, go up each time.
pub fn may_repeat(event: &Event) -> bool {
    match event {
        Event::Read(_)
        | Event::Write(..)
        | Event::ReadWrite(_)
        | Event::Unchanged(..)
        | Event::Inherited(_)
        | Event::Argument(..)
        | Event::Exit(_)
        | Event::Muted
        | Event::Unmuted(false)
        | Event::MutedThis(_)
        | Event::Block => true,
        Event::Enter(how, _) => *how != ReceiverKind::Constructor,
        // Those below no frame are counted.
        Event::Hand(hand) => hand.site >= FIRST_SITE && hand.place != StoredPlace::Contents,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::At;
    use dynaflow_model::ids::ObjectId;

    /// Which words are looked at, each an event of its own; 0 is none that may repeat, 8 enters and 9 leaves.
    fn looked_at(words: &[u64]) -> Vec<u64> {
        let (mut repeats, mut at, mut depth, mut seen) = (Repeats::new(), 0, 5, vec![]);
        while let Some(word) = words.get(at) {
            if let Some(repeated) = repeats.next(words, at, *word as u32, depth) {
                at = repeated.last.end;
                continue;
            }
            seen.push(*word);
            let event = match word {
                0 => Event::Value,
                8 => Event::Enter(ReceiverKind::Instance, ObjectId::NULL),
                9 => Event::Exit(false),
                _ => Event::Read(At::This),
            };
            depth = depth + usize::from(*word == 8) - usize::from(*word == 9);
            repeats.took(&event, depth);
            at += 1;
        }
        seen
    }

    #[test]
    fn two_runs_of_a_stretch_are_looked_at_and_the_others_left_out() {
        assert_eq!(looked_at(&[1, 1, 1, 1, 1, 2]), [1, 1, 2]);
        assert_eq!(looked_at(&[3, 1, 2, 1, 2, 1, 2, 1, 2, 1, 4]), [3, 1, 2, 1, 2, 1, 4]);
        assert_eq!(looked_at(&[8, 1, 9, 8, 1, 9, 8, 1, 9, 2]), [8, 1, 9, 8, 1, 9, 2]);
    }

    #[test]
    fn what_does_not_do_the_same_again_is_looked_at_each_time() {
        for words in [
            &[1, 2, 1, 3, 1, 2, 1, 3][..],
            &[1, 0, 1, 0, 1, 0, 1, 0],
            &[1, 8, 1, 8, 1, 8, 1, 8],
            &[1, 9, 1, 9, 1, 9, 1, 9],
            &[1, 9, 8, 1, 9, 8, 1, 9, 8],
            &[1, 2, 1, 2],
        ] {
            assert_eq!(looked_at(words), words);
        }
    }
}
